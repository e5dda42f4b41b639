#pragma once
#include <memory>

#include "hal/api/device.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/hil/rig_file.h"

namespace tactus::host {

/// How far the rig's handle may go when the drives come on, if its file does not say: as its driver declares it.
double DeclaredLift_m(const RigFile& rig);

/// The device of a rig, open. Its Reads take the time of its loop: none on a simulated or emulated one, whose time is the
/// loop's, a period on a line to hardware.
class RigDevice {
 public:
  /// @throws HostError: no such device, no answer on its line
  explicit RigDevice(const RigFile& rig);

  hal::Device& device() { return emulated_ ? emulated_->device() : *device_; }

 private:
  std::unique_ptr<EmulatedRun> emulated_;
  std::unique_ptr<hal::Device> device_;
};

}  // namespace tactus::host
