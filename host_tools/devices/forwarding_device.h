#pragma once
#include <memory>
#include <utility>

#include "hal/api/device.h"

namespace tactus::host {

/// A driver that has been started before the loop's clock: its time goes on where it was when the loop's begins.
class ForwardingDevice : public hal::Device {
 public:
  explicit ForwardingDevice(std::unique_ptr<hal::Device> device) : device_(std::move(device)) {}

  /// The next Read is the first of another clock.
  void ChangeClock() { changes_ = true; }

 protected:
  hal::DeviceReading ReadOn(std::uint32_t now_us) {
    constexpr std::uint32_t kPeriod_us = 1000;
    if (std::exchange(changes_, false)) {
      shift_us_ = last_us_ + kPeriod_us - now_us;
      CatchUp(now_us + shift_us_);
    }
    last_us_ = now_us + shift_us_;
    return device_->Read(last_us_);
  }
  hal::Device& driver() { return *device_; }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return device_->capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override { return ReadOn(now_us); }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    return device_->Write(command, note);
  }
  void DoEnable() noexcept override { device_->Enable(); }
  void DoDisable() noexcept override { device_->Disable(); }
  Status DoHome() noexcept override { return device_->Home(); }
  const char* DoWhy() const noexcept override { return device_->why(); }

  /// Reads what a device that speaks by itself has put on its line meanwhile. For the driver no time passes, so it must not
  /// take what a hand did for a jump: told once more that its drives are off, it compares with no last position
  /// (MotorDevice::DoDisable).
  void CatchUp(std::uint32_t now_us) noexcept {
    constexpr int kReads = 16;  // each takes 1 kB at most; a terminal holds 11 776 bytes
    for (int i = 0; i < kReads; ++i) {
      device_->Disable();
      (void)device_->Read(now_us);
    }
  }

  const std::unique_ptr<hal::Device> device_;
  std::uint32_t shift_us_ = 0, last_us_ = 0;
  bool changes_ = false;
};

}  // namespace tactus::host
