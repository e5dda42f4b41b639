#pragma once
#include <cerrno>
#include <cstdint>
#include <ctime>

#include "hal/api/clock.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"

namespace tactus::host {

/// --seconds of an emulator. @throws HostError: no time
inline void CheckEmulatedTime(double seconds) {
  if (!(seconds >= 0 && seconds <= 1e9)) throw HostError("--seconds: give a time up to 1e9, or 0: until a signal");
}

/// A period is never shorter than it says, and never made up for: while the machine has no time for this process, the
/// emulated board's time stands. Else a busy machine would look like a board that misses its periods.
class EmulatorClock final : public hal::Clock {
 public:
  explicit EmulatorClock(std::uint32_t period_us) : period_us_(period_us) { clock_gettime(CLOCK_MONOTONIC, &next_); }

  void WaitForEdge() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    next_.tv_nsec += static_cast<long>(period_us_) * 1000;
    if (next_.tv_nsec >= 1'000'000'000) ++next_.tv_sec, next_.tv_nsec -= 1'000'000'000;
    const bool late = now.tv_sec > next_.tv_sec || (now.tv_sec == next_.tv_sec && now.tv_nsec > next_.tv_nsec);
    if (late) next_ = now;
    while (!late && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next_, nullptr) == EINTR && StopSignal::Raised() == 0) {
    }
    ++edges_;
  }
  /// Lets a period pass without waiting.
  void Skip() { ++edges_; }
  double now_ms() const { return static_cast<double>(edges_) * period_us_ / 1000; }

 private:
  std::uint32_t DoEdges() const noexcept override { return edges_; }
  std::uint32_t DoNowUs() const noexcept override { return edges_ * period_us_; }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }

  const std::uint32_t period_us_;
  timespec next_{};
  std::uint32_t edges_ = 0;
};

}  // namespace tactus::host
