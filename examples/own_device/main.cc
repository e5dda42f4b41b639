// A device of one's own, from its bytes to a wall that is felt: docs/own_device.md goes through it.
#include <cstdio>
#include <deque>

#include "examples/own_device/stick.h"
#include "examples/own_device/stick_port.h"
#include "hal/devices/motor_device.h"
#include "hal/sim/emulated_mechanism.h"

namespace {

using namespace tactus;
using namespace tactus::hal;

/// Where a serial line will be: on a real one it is host_tools/io/tty_link.h.
class Wire final : public ByteLink {
 public:
  std::deque<std::uint8_t> to_host, to_stick;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    for (*count = 0; *count < room.size() && !to_host.empty(); to_host.pop_front()) room[(*count)++] = to_host.front();
    return Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> bytes, Lane) noexcept override {
    to_stick.insert(to_stick.end(), bytes.begin(), bytes.end());
    return Status::kOk;
  }
  LinkCounters DoCounters() const noexcept override { return {}; }
};

Calibration<double, 2> Motors() {
  MotorCalibration<double> motor;
  motor.counts_per_turn = 4096;
  motor.turns_per_joint_turn = 10;
  motor.torque_constant_Nm_per_A = 0.02;
  motor.max_current_A = 2;
  motor.continuous_current_A = 1;
  return {motor, motor};
}

/// The stick without the stick: the same bytes, hal/sim's mechanics, a hand that pushes to x = 30 mm and back.
class EmulatedStick {
 public:
  EmulatedStick() : mechanism_(Options()) {}

  void Period(Wire* wire) {
    while (wire->to_stick.size() >= 6) {
      StickPort::Message message;
      for (std::uint8_t& byte : message) byte = wire->to_stick.front(), wire->to_stick.pop_front();
      if (!StickPort::IsWhole(message, 'M')) continue;
      current_A_[0] = static_cast<float>(StickPort::Number(message, 1)) / 1000;
      current_A_[1] = static_cast<float>(StickPort::Number(message, 3)) / 1000;
      const auto counts = mechanism_.Counts();
      const StickPort::Message answer = StickPort::Pack('E', counts[0], counts[1]);
      wire->to_host.insert(wire->to_host.end(), answer.begin(), answer.end());
    }
    mechanism_.Advance(current_A_);
  }

 private:
  static EmulatedMechanism<Stick>::Options Options() {
    static constexpr HandMove kMoves[] = {{.name = "push", .duration_s = 1, .p_m = {0.03, 0, 0}},
                                          {.name = "back", .duration_s = 1, .p_m = {0, 0, 0}}};
    EmulatedMechanism<Stick>::Options options;
    options.motors = Motors();
    options.handle = FalconClass();
    options.script = {kMoves, 2};
    return options;
  }

  EmulatedMechanism<Stick> mechanism_;
  float current_A_[kMaxMotors] = {};
};

}  // namespace

int main() {
  MotorDeviceConfig<Stick> config;
  config.motors = Motors();
  config.capabilities = {.name = "stick", .peak_force_N = 4, .effector_mass_kg = 0.1f, .command_delay_ticks = 1};
  if (const DeviceFault fault = Validate(config)) {
    (void)std::printf("%s[%d] %s\n", fault.field, fault.index, fault.what);
    return 1;
  }
  Wire wire;
  StickPort port(wire);
  MotorDevice<Stick> stick(config, port);
  EmulatedStick emulated;
  Device& device = stick;

  constexpr float kWall_m = 0.015f, kStiffness_N_per_m = 800;  // a wall in the way of the hand
  float deepest_m = 0, most_N = 0;
  bool enabled = false;
  for (std::uint32_t ms = 1; ms <= 2000; ++ms) {  // what the servo loop does, without all that makes it safe
    const DeviceReading reading = device.Read(ms * 1000);
    if (reading.state == DeviceState::kFaulted) {
      (void)std::printf("fault: %s\n", device.why());
      return 1;
    }
    if (reading.valid && !enabled) device.Enable(), enabled = true;
    const float depth_m = reading.valid ? reading.sample.p_WH_m[0] - kWall_m : 0;
    CommandFrame command;
    if (depth_m > 0) command.force_N[0] = -kStiffness_N_per_m * depth_m;
    (void)device.Write(command, {});
    emulated.Period(&wire);
    deepest_m = Max(deepest_m, depth_m);
    most_N = Max(most_N, -command.force_N[0]);
  }
  (void)std::printf("touched: %.2f mm deep, %.2f N\n", 1e3 * static_cast<double>(deepest_m), static_cast<double>(most_N));
  return most_N > 0.5f && deepest_m < 0.004f ? 0 : 1;
}
