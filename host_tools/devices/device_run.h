#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hal/api/device.h"
#include "tactus/haptic/config.h"

namespace tactus::host {

/// A real device for `tactus run`: one that is emulated by a child of this process, in step with the loop. The child ends
/// with this object.
class EmulatedRun {
 public:
  /// @param name  as RealDevices() has it  @param scene  whose hand holds the handle; empty: the device's own
  /// @throws HostError: no such device, no emulator, no answer.
  EmulatedRun(const std::string& name, const std::string& scene, std::uint64_t seed, const std::vector<std::string>& faults,
              std::uint32_t period_us);
  ~EmulatedRun();
  EmulatedRun(const EmulatedRun&) = delete;
  EmulatedRun& operator=(const EmulatedRun&) = delete;

  /// The driver; each Read waits, for at most 50 ms, until bytes have come (after three silent periods for 1 ms): never for
  /// a real-time loop.
  hal::Device& device() { return *device_; }

 private:
  void Stop();

  int pid_ = -1;
  std::string terminal_;
  std::unique_ptr<hal::Device> device_;
};

/// The library's defaults with what a device says of itself: resolution, mass, delay, its ceilings.
Config<double> ConfigOf(const hal::DeviceCapabilities& device);

}  // namespace tactus::host
