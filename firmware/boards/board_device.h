#pragma once
#include <limits>

#include "firmware/boards/three_motors.h"
#include "hal/devices/motor_device.h"
#include "tactus/device/arms.h"

namespace tactus::board {

// What the motors of a board move, where the board's own servo drives them (device_program.h). For another device change
// this file: its mechanism, one of lib/tactus/device or your own, and these numbers. Compiled in: nothing that
// comes over a link changes them.

/// WoodenHaptics, its gimbal not measured.
template <class Scalar>
using BoardMechanism = LinkArm<Scalar>;

/// What such a device takes of a tick, a Read and a Write [instructions]: counted, 5 022 on a Cortex-M4F in float, 6 106 on
/// a Cortex-M7 in double. The solver gets so much less. A StamperDelta took 10 829 and 14 074 when these were 4 974 and
/// 6 016: change this with the mechanism.
inline constexpr int kDeviceTick = 6'200;

/// A joint: torque constant and capstan are those of the set `woodenhaptics` (docs/presets.md), encoder and ceiling those of
/// kMotor. The set's motors bear 1.5 A for ever, so the ceiling is what bounds them.
template <class Scalar>
MotorCalibration<Scalar> BoardMotor(int turns_per_joint_turn) noexcept {
  MotorCalibration<Scalar> motor;
  motor.counts_per_turn = static_cast<Scalar>(kMotor.counts_per_turn);
  motor.turns_per_joint_turn = static_cast<Scalar>(turns_per_joint_turn);
  motor.torque_constant_Nm_per_A = Scalar(0.0259);
  motor.max_current_A = motor.continuous_current_A = static_cast<Scalar>(kMotor.max_current_A);
  motor.thermal_time_s = Scalar(30);
  return motor;
}

/// Home is the posture in which the handle is at W's origin: there the handle stands when the board gets power.
///
/// @param period_s  of the loop
/// @returns for Validate, before the loop
template <class Scalar>
hal::MotorDeviceConfig<BoardMechanism<Scalar>> BoardDevice(Scalar period_s) noexcept {
  hal::MotorDeviceConfig<BoardMechanism<Scalar>> config;
  config.mechanism = WoodenHaptics<Scalar>().arm;
  config.motors = {BoardMotor<Scalar>(16), BoardMotor<Scalar>(12), BoardMotor<Scalar>(12)};
  HandlePose<Scalar> home;
  home.p_DH = config.R_WD.transpose() * Vec<Scalar, 3>(-config.p_WD_m);
  Vec<Scalar, 3> home_rad = Vec<Scalar, 3>::Zero();
  const bool is_posture = config.mechanism.Inverse(home, &home_rad).ok();  // else Validate refuses the offsets
  for (int i = 0; i < 3; ++i)
    config.motors[static_cast<std::size_t>(i)].offset_rad =
        is_posture ? home_rad(i) : std::numeric_limits<Scalar>::quiet_NaN();
  config.period_s = period_s;
  config.capabilities = {.name = "WoodenHaptics on this board's motors",
                         .sensed = {true, true, true, false, false, false},
                         .actuated = {true, true, true, false, false, false},
                         .resolution_m = 3.49e-5f,  // of the worst axis, at home, as the force and the mass are
                         .peak_force_N = 1.61f,
                         .continuous_force_N = 1.61f,
                         .effector_mass_kg = 0.140f};
  return config;
}

}  // namespace tactus::board
