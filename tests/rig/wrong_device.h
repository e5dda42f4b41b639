#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "hal/api/device.h"
#include "hal/sim/presets.h"
#include "host_tools/rig/held_as_device.h"

namespace tactus::host {

/// A device with something wrong with it: what is commanded and what is said can be altered on the way; and what the true
/// handle did is remembered.
class WrongDevice final : public hal::Device {
 public:
  explicit WrongDevice(std::unique_ptr<HeldAsDevice> device) : device_(std::move(device)) {}

  std::function<void(CommandFrame*)> alter_command = [](CommandFrame*) {};
  std::function<void(hal::DeviceReading*)> alter_reading = [](hal::DeviceReading*) {};
  hal::DeviceCapabilities can;

  int writes = 0, reads = 0, disabled = 0;
  double largest_N = 0, last_N = 0;  ///< as it was asked
  double farthest_m() const { return farthest_m_; }
  bool enabled() const { return device_->enabled(); }
  double speed_mps() const { return device_->held().v_WH_mps().norm(); }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override {
    return can.peak_force_N > 0 ? can : device_->capabilities();
  }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    ++reads;
    hal::DeviceReading reading = device_->Read(now_us);
    alter_reading(&reading);
    return reading;
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    ++writes;
    last_N = std::hypot(command.force_N[0], command.force_N[1], command.force_N[2]);
    largest_N = std::max(largest_N, last_N);
    CommandFrame altered = command;
    alter_command(&altered);
    const Status status = device_->Write(altered, note);
    farthest_m_ = std::max(farthest_m_, device_->held().p_WH_m().norm());
    return status;
  }
  void DoEnable() noexcept override { device_->Enable(); }
  void DoDisable() noexcept override {
    ++disabled;
    device_->Disable();
  }

  const std::unique_ptr<HeldAsDevice> device_;
  double farthest_m_ = 0;
};

/// A preset that nobody holds, or the hand of this name.
inline WrongDevice WrongPreset(const char* name, const hal::Hand& hand = {.name = "none", .full = hal::NoHand()}) {
  const hal::DevicePreset* const preset = hal::FindPreset(name);
  hal::DeviceCapabilities can;
  can.name = preset->name;
  can.peak_force_N = static_cast<float>(preset->max_force_N.value);
  const auto axes = hal::AxesAtHandle(*preset);
  for (std::size_t i = 0; i < axes.size(); ++i) can.actuated[i] = axes[i].moves;
  return WrongDevice(std::make_unique<HeldAsDevice>(
      hal::MakePreset(*preset, {.hand = hand, .script = {}, .seed = 1, .period_us = 1000}), can));
}

}  // namespace tactus::host
