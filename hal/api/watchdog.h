#pragma once
#include <cstdint>

namespace tactus::hal {

/// Resets the controller when the servo loop stops. The reset must leave every actuator without force.
class Watchdog {
 public:
  virtual ~Watchdog() = default;

  /// Starts it; it cannot be stopped again. `timeout_us` from the last Feed to the reset, rounded up to what the hardware
  /// can do.
  void Start(std::uint32_t timeout_us) noexcept { DoStart(timeout_us); }

  /// Says that the loop is alive: at the end of a tick that had a clock edge, whose device was there to be written to, and
  /// that saw the background alive.
  void Feed() noexcept { DoFeed(); }

 private:
  virtual void DoStart(std::uint32_t timeout_us) noexcept = 0;
  virtual void DoFeed() noexcept = 0;
};

/// For programs without one (the host).
class NoWatchdog final : public Watchdog {
 private:
  void DoStart(std::uint32_t) noexcept override {}
  void DoFeed() noexcept override {}
};

}  // namespace tactus::hal
