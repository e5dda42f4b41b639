#pragma once
#include "hal/api/button_counts.h"
#include "hal/api/device.h"
#include "hal/linux/histogram.h"
#include "hal/linux/periodic_clock.h"

namespace tactus::hal {

/// A device, how long each of its Reads and Writes takes, and its buttons.
class TimedDevice final : public Device {
 public:
  TimedDevice(Device& device, const TimeSource& time) : device_(device), time_(time) {}

  const Histogram& read_time() const { return read_time_; }
  const Histogram& write_time() const { return write_time_; }
  const ButtonCounts& buttons() const { return buttons_; }  ///< when its loop has ended

 private:
  const DeviceCapabilities& DoCapabilities() const noexcept override { return device_.capabilities(); }
  DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    const std::int64_t begin_ns = time_.now_ns();
    const DeviceReading reading = device_.Read(now_us);
    read_time_.Record(time_.now_ns() - begin_ns);
    buttons_.Note(reading.buttons);
    return reading;
  }
  Status DoWriteCommand(const CommandFrame& command, const CommandNote& note) noexcept override {
    const std::int64_t begin_ns = time_.now_ns();
    const Status status = device_.Write(command, note);
    write_time_.Record(time_.now_ns() - begin_ns);
    return status;
  }
  int DoHands() const noexcept override { return device_.hands(); }
  Status DoWriteSecond(const CommandFrame& command, const CommandNote& note) noexcept override {
    return device_.WriteSecond(command, note);
  }
  void DoEnable() noexcept override { device_.Enable(); }
  void DoDisable() noexcept override { device_.Disable(); }
  Status DoHome() noexcept override { return device_.Home(); }
  const char* DoWhy() const noexcept override { return device_.why(); }

  Device& device_;
  const TimeSource& time_;
  Histogram read_time_, write_time_;
  ButtonCounts buttons_;
};

}  // namespace tactus::hal
