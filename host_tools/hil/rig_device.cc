#include "host_tools/hil/rig_device.h"

#include <utility>

#include "hal/linux/periodic_clock.h"
#include "host_tools/devices/real_devices.h"

namespace tactus::host {
namespace {

/// Waits for the next edge of a period before each Read, so that a loop without a clock of its own has the hardware's time.
class PacedDevice final : public hal::Device {
 public:
  PacedDevice(std::unique_ptr<hal::Device> device, std::uint32_t period_us)
      : device_(std::move(device)), clock_(period_us, time_) {
    clock_.Start();
  }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return device_->capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    (void)clock_.WaitForEdge();
    return device_->Read(now_us);
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    return device_->Write(command, note);
  }
  void DoEnable() noexcept override { device_->Enable(); }
  void DoDisable() noexcept override { device_->Disable(); }
  const char* DoWhy() const noexcept override { return device_->why(); }

  const std::unique_ptr<hal::Device> device_;
  hal::MonotonicTime time_;
  hal::PeriodicClock clock_;
};

}  // namespace

RigDevice::RigDevice(const RigFile& rig) {
  switch (rig.kind) {
    case RigKind::kSimulated: device_ = rig.device.Simulated(); return;
    case RigKind::kEmulated: emulated_ = rig.device.Emulated(); return;
    case RigKind::kLine: break;
  }
  device_ = std::make_unique<PacedDevice>(
      OpenRealDevice(*FindRealDevice(rig.device.device), rig.line, RigChoice::kPeriod_us), RigChoice::kPeriod_us);
}

}  // namespace tactus::host
