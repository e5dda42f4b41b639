#pragma once
#include "firmware/boards/board_device.h"
#include "hal/devices/board_port.h"
#include "tests/stm32/boards/board_faults.h"

// The device of a board's own servo (firmware/boards/device_program.h) on its register models: from the wrench to the
// outputs' pins, from the encoders' lines to the pose.

namespace tactus::board::rig {

/// A MotorDevice over a started board's motors, with the counts of now as its home.
template <class Chip>
class OwnDevice {
 public:
  explicit OwnDevice(const hal::stm32::model::ClockFaults& times = {})
      : chip(times), ready_(WhatArmingLacks(chip).empty()), motors_(Chip::Motors()) {
    motors_.SetEnable(false);
    chip.Period();
  }

  bool ready() const { return ready_; }
  /// One period of the loop under this force along z, in which these currents flow. @returns what Write says
  Status Period(float z_N, const std::array<double, 3>& flows_A = {}) {
    reading = device_.Read(now_us_ += 1000);
    CommandFrame command;
    command.force_N[2] = z_N;
    const Status status = device_.Write(command, {});
    chip.Period(flows_A);
    return status;
  }
  hal::Device& device() { return device_; }

  Chip chip;
  hal::DeviceReading reading;

 private:
  using Mechanism = BoardMechanism<double>;

  static hal::MotorDeviceConfig<Mechanism> AtHome(hal::MotorIo& motors) {
    hal::MotorDeviceConfig<Mechanism> config = BoardDevice<double>(1e-3);
    const hal::MotorReading now = motors.Read();  // one object of motors for every chip of a test: its counts go on
    for (std::size_t i = 0; i < 3; ++i) config.motors[i].zero_count = now.count[i];
    return config;
  }

  const bool ready_;
  hal::MotorIo& motors_;
  hal::BoardPort port_{motors_, 1000};
  hal::MotorDevice<Mechanism> own_{AtHome(motors_), port_};
  hal::Device& device_ = own_;
  std::uint32_t now_us_ = 0;
};

// Expected, closed form at home (α 0, Lb sin β = 69.12 mm, Lc sin γ = 150.88 mm; docs/kinematics.md, section 4):
//     τ = Jᵀ F,  I = τ/(N k_t);  0.4 N along z: I_β = -88.95 mA, I_γ = 194.2 mA, of 2 A at full drive
inline constexpr double kBeta_A = -0.08895, kGamma_A = 0.19419;

/// @returns what of the device's way to its pins and back is not so
template <class Chip>
std::string WhatItsDeviceLacks() {
  OwnDevice<Chip> own;
  Chip& chip = own.chip;
  Findings findings;
  findings.Want(own.ready(), "the board starts");
  for (int i = 0; i < 2; ++i) (void)own.Period(0);
  findings.Want(own.reading.valid && own.reading.state == hal::DeviceState::kReady, "it is ready");
  findings.Want(std::abs(own.reading.sample.p_WH_m[2]) < 1e-6f, "home is W's origin");
  findings.Want(own.Period(0.4f) == Status::kOk && chip.IsOff(), "nothing goes out before it is enabled");
  own.device().Enable();
  findings.Want(chip.power.are_neutral() && chip.gates_are_on(), "its drives come on at no current");
  for (int i = 0; i < 4; ++i) findings.Want(own.Period(0.4f, {0, kBeta_A, kGamma_A}) == Status::kOk, "a wrench is written");
  findings.Want(own.reading.state == hal::DeviceState::kEnabled, "it is enabled");
  // The currents here do not follow the outputs, so the correction adds up what a count of the converter is off: 2 mA each.
  constexpr double kNear = 4 * 0.002 / 2;
  findings.Want(std::abs(chip.power.timer.Drive(0)) < kNear, "no current about the vertical");
  findings.Want(std::abs(chip.power.timer.Drive(1) - kBeta_A / 2) < kNear, "the upper link's");
  findings.Want(std::abs(chip.power.timer.Drive(2) - kGamma_A / 2) < kNear, "the forearm's");
  chip.encoder().Turn(100);  // 100 counts of 4096 x 16 a turn at 0.22 m: 2.11 mm along y
  (void)own.Period(0.4f, {0, kBeta_A, kGamma_A});
  findings.Want(std::abs(own.reading.sample.p_WH_m[1] - 2.109e-3f) < 1e-5f, "the pose follows the encoder");
  chip.OpenEStop(true);
  findings.Want(chip.power.are_low(), "the break cuts without software");
  (void)own.Period(0.4f);
  findings.Want(own.reading.e_stop && own.reading.state == hal::DeviceState::kFaulted, "the device says so");
  own.device().Disable();
  findings.Want(chip.IsOff(), "all is off");
  chip.OpenEStop(false);
  (void)own.Period(0), (void)own.Period(0);
  findings.Want(own.reading.state == hal::DeviceState::kReady && chip.IsOff(), "it is ready again, and off");
  findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  return findings.first();
}

/// Currents that are not those asked for. @returns periods until all was off; 99: never, 0: it has not come on
template <class Chip>
int PeriodsToZeroUnderAWrongCurrent() {
  OwnDevice<Chip> own;
  for (int i = 0; i < 2; ++i) (void)own.Period(0);
  own.device().Enable();
  for (int i = 0; i < 4; ++i) (void)own.Period(0.4f, {0, kBeta_A, kGamma_A});
  if (own.reading.state != hal::DeviceState::kEnabled || !own.chip.gates_are_on()) return 0;
  for (int i = 1; i < 10; ++i) {
    (void)own.Period(0.4f, {0.9, kBeta_A, kGamma_A});
    if (own.reading.state == hal::DeviceState::kFaulted && own.chip.IsOff()) return i;
  }
  return 99;
}

}  // namespace tactus::board::rig
