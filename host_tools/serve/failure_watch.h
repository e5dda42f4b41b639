#pragma once
#include <chrono>
#include <cstring>

#include "hal/api/device.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {

/// Tells a device's failures on standard error when they come, in the driver's words. The controller's own fault says that
/// the force has gone; this says why. Told when it is another one than the last that was told, or the same one after the
/// drives have been on again, and at most once a second. What failed before the device measured is not told.
class FailureWatch {
 public:
  /// @param device  outlives this  @param which  what it is called
  FailureWatch(const hal::Device& device, const char* which) : device_(&device), which_(which), told_(device.why()) {}

  /// Now and then, beside the loop.
  void Look() {
    const char* const why = device_->why();
    const Clock::time_point now = Clock::now();
    if (std::strcmp(why, told_) == 0) return;
    const bool is_none = *why == '\0' || std::strcmp(why, "none") == 0;
    if (!is_none && now - told_at_ < std::chrono::seconds(1)) return;
    told_ = why;
    if (is_none) return;
    told_at_ = now;
    PrintError("tactus: {}: {}", which_, why);
  }

 private:
  using Clock = std::chrono::steady_clock;

  const hal::Device* device_;
  const char* which_;
  const char* told_;
  Clock::time_point told_at_{};
};

}  // namespace tactus::host
