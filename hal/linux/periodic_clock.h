#pragma once
#include <cstdint>

#include "hal/api/clock.h"

namespace tactus::hal {

/// Where a PeriodicClock has its time from.
class TimeSource {
 public:
  virtual ~TimeSource() = default;
  std::int64_t now_ns() const noexcept { return DoNowNs(); }
  /// Comes back at `when_ns` or later; at once if that has passed.
  void SleepUntil(std::int64_t when_ns) noexcept { DoSleepUntil(when_ns); }

 private:
  virtual std::int64_t DoNowNs() const noexcept = 0;
  virtual void DoSleepUntil(std::int64_t when_ns) noexcept = 0;
};

/// CLOCK_MONOTONIC: nobody can set it, and NTP only slews it. Read through the vDSO, without a system call, where the
/// machine's clock source allows it.
class MonotonicTime final : public TimeSource {
 private:
  std::int64_t DoNowNs() const noexcept override;
  void DoSleepUntil(std::int64_t when_ns) noexcept override;
};

/// The servo's clock on Linux: edges at start + k h, by absolute wake-ups, so that no lateness adds up.
///
/// The edges follow from the time, whether somebody waits for them or not: a tick that runs too long sees the next edge
/// come. A time that goes back, as behind a virtual machine that was set back, does not take edges back: they go on from the
/// last one, and each period that it went back counts as a missed edge, so that the loop faults. One thread.
class PeriodicClock final : public Clock {
 public:
  struct Wake {
    std::int64_t now_ns = 0;   ///< when the waiter ran again
    std::int64_t late_ns = 0;  ///< after the edge that it was waiting for
    std::uint32_t missed = 0;  ///< edges that had passed since then
  };

  PeriodicClock(std::uint32_t period_us, TimeSource& time) : time_(time), period_us_(period_us) {}

  /// Edge 0 is now.
  void Start() noexcept;

  /// Sleeps until the next edge. If one has passed since the last call it does not sleep: as an interrupt that was pending.
  /// Edges that nobody waited for are skipped; never more than one call returns for them.
  Wake WaitForEdge() noexcept;

  std::int64_t now_ns() const noexcept { return time_.now_ns(); }

 private:
  std::int64_t period_ns() const noexcept { return std::int64_t{1000} * period_us_; }
  std::int64_t EdgeNow() const noexcept;
  void FollowTimeBack() noexcept;
  std::uint32_t DoEdges() const noexcept override { return static_cast<std::uint32_t>(EdgeNow()); }
  std::uint32_t DoNowUs() const noexcept override;
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }

  TimeSource& time_;
  const std::uint32_t period_us_;
  std::int64_t start_ns_ = 0, last_edge_ = 0;  // the last that WaitForEdge has told
};

}  // namespace tactus::hal
