#pragma once
#include <optional>

#include "hal/sim/local_device.h"

namespace tactus::host {

/// The simulated device for a controller that runs before its host comes: the hand waits at the start of its movements until
/// the drives are on for the first time, and is there again when the session has stopped.
class WaitingHand final : public hal::Device {
 public:
  /// @param script  the hand's movements; they outlive this
  WaitingHand(std::uint64_t seed, std::uint32_t period_us, const hal::HandScript& script = hal::PegInHoleScript());

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return device_->capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override;
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override;
  void DoEnable() noexcept override;
  void DoDisable() noexcept override { device_->Disable(); }
  void Rest();

  const std::uint64_t seed_;
  const std::uint32_t period_us_;
  const hal::HandScript script_;
  std::optional<hal::LocalSimDevice<double>> device_;  // always there; its memory is here
  hal::DeviceReading reading_;
  bool moves_ = false;
  std::uint32_t sequence_ = 0;
};

}  // namespace tactus::host
