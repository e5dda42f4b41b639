#pragma once
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "hal/api/device.h"
#include "hal/devices/motor_port.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {

/// Tells a device's failures on standard error when they come, in the driver's words. The controller's own fault says that
/// the force has gone; this says why. Told when it is another one than the last that was told, or the same one after the
/// drives have been on again, and at most once a second. What failed before the device measured is not told. How a device
/// that has lost its place gets it back is told too, and when it has.
class FailureWatch {
 public:
  /// @param device  outlives this  @param which  what it is called  @param how  it is homed again
  FailureWatch(const hal::Device& device, const char* which, std::string how)
      : device_(&device), which_(which), how_(std::move(how)), told_(device.why()) {}

  /// Now and then, beside the loop.
  void Look() {
    const char* const why = device_->why();
    const Clock::time_point now = Clock::now();
    if (std::strcmp(why, told_) == 0) return;
    const bool is_none = *why == '\0' || std::strcmp(why, "none") == 0;
    const bool waits_for_hand = Is(hal::PortCause::kHoldStill, why) || IsLost(why);
    if (!is_none && !waits_for_hand && now - told_at_ < std::chrono::seconds(1)) return;
    const bool was_homed = is_none && Is(hal::PortCause::kHoldStill, told_);
    told_ = why;
    if (was_homed) PrintError("tactus: {}: homed", which_);
    if (is_none) return;
    told_at_ = now;
    PrintError("tactus: {}: {}{}{}", which_, why, IsLost(why) ? ": " : "", IsLost(why) ? how_ : "");
  }

 private:
  using Clock = std::chrono::steady_clock;

  static bool Is(hal::PortCause cause, const char* why) { return std::strcmp(why, hal::Name(cause)) == 0; }
  static bool IsLost(const char* why) {
    return Is(hal::PortCause::kReferenceLost, why) || Is(hal::PortCause::kNotStill, why);
  }

  const hal::Device* device_;
  const char* which_;
  std::string how_;
  const char* told_;
  Clock::time_point told_at_{};
};

}  // namespace tactus::host
