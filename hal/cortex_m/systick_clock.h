#pragma once
#include "hal/api/clock.h"

namespace tactus::hal::cortex_m {

/// The servo's clock on the core's own timer: edges of a fixed period, microseconds in between. Each edge asks for a tick
/// (PendSV).
class SysTickClock final : public Clock {
 public:
  /// @param period_us  from one edge to the next
  explicit SysTickClock(std::uint32_t core_Hz, std::uint32_t period_us = 1000)
      : counts_per_us_(core_Hz / 1'000'000u), period_us_(period_us) {}

  /// Starts the edges; the first comes one period from now.
  void Start();

 private:
  std::uint32_t DoEdges() const noexcept override;
  std::uint32_t DoNowUs() const noexcept override;
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }

  std::uint32_t counts_per_us_, period_us_;
};

/// For the interrupt of a second timer, every two periods or more: a fault (kClockLost) if no edge came since the last call,
/// twice in a row. Its priority is kTimerPriority, so that an edge that is due is counted first.
///
/// Once is no proof: an emulator that was held up lets the timers catch up, and edges that come together are counted as one.
/// Between two checks there is a due edge all the same, counted before one of them.
inline constexpr int kChecksWithoutEdge = 2;
void CheckClockAdvances() noexcept;

}  // namespace tactus::hal::cortex_m
