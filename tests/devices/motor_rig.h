#pragma once
// A MotorDevice over a port that does what it is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "hal/devices/motor_device.h"
#include "hal/devices/woodenhaptics_port.h"

namespace tactus::hal {

class FakePort final : public MotorPort {
 public:
  PortTraits told{.name = "fake", .motors = 3, .max_current_A = {2, 2, 2}, .max_speed_counts_per_s = 80'000};
  PortReading reading;
  float written_A[kMaxMotors] = {};
  int zeros = 0;
  bool has_room = true;  ///< on its line, for zeros

 private:
  const PortTraits& DoTraits() const noexcept override { return told; }
  PortReading DoPoll(std::uint32_t) noexcept override { return reading; }
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override {
    std::copy(std::begin(current_A), std::end(current_A), written_A);
    return Status::kOk;
  }
  Status DoZero() noexcept override {
    if (!has_room) return Status::kWouldBlock;
    std::fill(std::begin(written_A), std::end(written_A), 0.0f);
    ++zeros;
    return Status::kOk;
  }
  void DoEnable(bool on) noexcept override { reading.state = on ? DeviceState::kEnabled : DeviceState::kReady; }
};

struct Rig {
  FakePort port;
  MotorDevice<LinkArm<double>> device;
  std::uint32_t now_us = 0;

  explicit Rig(const MotorDeviceConfig<LinkArm<double>>& config = WoodenHapticsConfig()) : device(config, port) {
    // Near the middle of the workspace: α = 0, β = 0.2, γ = 0.9 rad.
    port.reading = {.count = {0, -764, 2562}, .valid = true, .is_new = true, .state = DeviceState::kReady};
  }
  DeviceReading Read() { return static_cast<Device&>(device).Read(now_us += 1000); }
  Status Write(float x, float y, float z) {
    CommandFrame command;
    command.force_N[0] = x, command.force_N[1] = y, command.force_N[2] = z;
    return static_cast<Device&>(device).Write(command, {});
  }
  void Start() {
    (void)Read();
    (void)Write(0, 0, 0);
    static_cast<Device&>(device).Enable();
    ASSERT_EQ(Read().state, DeviceState::kEnabled);
  }
  bool off() const { return port.written_A[0] == 0 && port.written_A[1] == 0 && port.written_A[2] == 0; }
};

}  // namespace tactus::hal
