#pragma once
#include <memory>
#include <utility>

#include "hal/api/device.h"
#include "hal/sim/held_device.h"

namespace tactus::host {

/// A simulated device behind the interface of a driver: a Write lets one period pass.
class HeldAsDevice final : public hal::Device {
 public:
  HeldAsDevice(std::unique_ptr<hal::HeldDevice> device, const hal::DeviceCapabilities& can)
      : device_(std::move(device)), can_(can) {}

  const hal::HeldDevice& held() const { return *device_; }
  bool enabled() const { return enabled_; }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return can_; }
  hal::DeviceReading DoReadSample(std::uint32_t) noexcept override {
    const SensorFrame sample = device_->Sample();
    const bool is_new = std::exchange(last_, sample.sequence) != sample.sequence;
    return {.sample = sample,
            .valid = true,
            .is_new = is_new,
            .state = enabled_ ? hal::DeviceState::kEnabled : hal::DeviceState::kReady};
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote&) noexcept override {
    device_->Advance(enabled_ ? command : CommandFrame{});
    return Status::kOk;
  }
  void DoEnable() noexcept override { enabled_ = true; }
  void DoDisable() noexcept override { enabled_ = false; }

  const std::unique_ptr<hal::HeldDevice> device_;
  const hal::DeviceCapabilities can_;
  std::uint32_t last_ = 0;
  bool enabled_ = false;
};

}  // namespace tactus::host
