#pragma once
#include <cstring>

#include "hal/api/device.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {

/// Tells a device's failures on standard error when they come, in the driver's words. The controller's own fault says that
/// the force has gone; this says why. A failure of the same kind again is not told again.
class FailureWatch {
 public:
  /// @param device  nullptr: at the host's end, and the host's to watch
  explicit FailureWatch(const hal::Device* device) : device_(device) {}

  /// Now and then, beside the loop.
  void Look() {
    const char* const why = device_ != nullptr ? device_->why() : "";
    if (std::strcmp(why, told_) == 0) return;
    told_ = why;
    if (*why != '\0' && std::strcmp(why, "none") != 0) PrintError("tactus: the device: {}", why);
  }

 private:
  const hal::Device* device_;
  const char* told_ = "";
};

}  // namespace tactus::host
