#pragma once
#include <array>
#include <cstdint>

#include "tactus/device/geometry_check.h"

namespace tactus {

/// One motor, its encoder and its gear or capstan.
///
///     q = offset + s_q 2π (count - zero) / (counts_per_turn N)      joint angle; N turns of the motor a turn of the joint
///     I = s_I τ / (N k_t)                                           current for a joint torque, friction left out
template <class Scalar>
struct MotorCalibration {
  Scalar counts_per_turn = 0;       ///< of the motor's shaft, all edges
  Scalar turns_per_joint_turn = 0;  ///< N: drum / capstan, gear; > 0
  int encoder_sign = 1;             ///< s_q: +1, counts rise with q
  Scalar offset_rad = 0;            ///< q at `zero_count`
  std::int32_t zero_count = 0;
  int torque_sign = 1;  ///< s_I: +1, positive current turns q up
  Scalar torque_constant_Nm_per_A = 0;
  Scalar max_current_A = 0;         ///< for a moment
  Scalar continuous_current_A = 0;  ///< for ever
  Scalar thermal_time_s = 30;       ///< of the winding
};

/// All motors of a device, or of its sensed joints (whose currents are 0 and not checked).
template <class Scalar, int kMotors>
using Calibration = std::array<MotorCalibration<Scalar>, static_cast<std::size_t>(kMotors)>;

inline constexpr std::int64_t kMostCounts = 1 << 24;  ///< from zero_count: single precision still counts them one by one

namespace internal {

template <class Scalar>
void CheckEncoder(const MotorCalibration<Scalar>& m, int i, DeviceCheck* check) {
  check->Range("counts_per_turn", static_cast<double>(m.counts_per_turn), 1, 1e7, i);
  check->Range("turns_per_joint_turn", static_cast<double>(m.turns_per_joint_turn), 0.01, 1e4, i);
  check->That(m.encoder_sign == 1 || m.encoder_sign == -1, "encoder_sign", "is neither 1 nor -1", m.encoder_sign, i);
  check->Range("offset_rad", static_cast<double>(m.offset_rad), -kMostAngle_rad, kMostAngle_rad, i);
}

template <class Scalar>
void CheckMotor(const MotorCalibration<Scalar>& m, Scalar period_s, int i, DeviceCheck* check) {
  check->That(m.torque_sign == 1 || m.torque_sign == -1, "torque_sign", "is neither 1 nor -1", m.torque_sign, i);
  check->Range("torque_constant_Nm_per_A", static_cast<double>(m.torque_constant_Nm_per_A), 1e-6, 1e3, i);
  check->Range("max_current_A", static_cast<double>(m.max_current_A), 1e-4, 1e5, i);
  check->Range("continuous_current_A", static_cast<double>(m.continuous_current_A), 1e-4,
               static_cast<double>(m.max_current_A), i);
  check->Range("thermal_time_s", static_cast<double>(m.thermal_time_s), 2 * static_cast<double>(period_s), 1e4, i);
}

}  // namespace internal

/// Looks at every number of a calibration, once, before the loop starts.
/// @param[in] period_s  of the loop: a winding's thermal time must be at least twice that
/// @returns the first fault, with the motor as its index
template <class Scalar, std::size_t kMotors>
DeviceFault Validate(const std::array<MotorCalibration<Scalar>, kMotors>& calibration, Scalar period_s) noexcept {
  DeviceCheck check;
  check.Range("period_s", static_cast<double>(period_s), 1e-6, 1);
  for (std::size_t i = 0; i < kMotors; ++i) {
    internal::CheckEncoder(calibration[i], static_cast<int>(i), &check);
    internal::CheckMotor(calibration[i], period_s, static_cast<int>(i), &check);
  }
  return check.fault();
}

/// The same for joints that are only measured.
template <class Scalar, std::size_t kJoints>
DeviceFault ValidateSensed(const std::array<MotorCalibration<Scalar>, kJoints>& calibration) noexcept {
  DeviceCheck check;
  for (std::size_t i = 0; i < kJoints; ++i) internal::CheckEncoder(calibration[i], static_cast<int>(i), &check);
  return check.fault();
}

/// Joint angles of encoder counts.
/// @returns kAbsurd, with the joint: more than kMostCounts from zero. The angles are then all 0
template <class Scalar, std::size_t kJoints>
KinematicResult AnglesOfCounts(const std::array<MotorCalibration<Scalar>, kJoints>& calibration,
                               const std::array<std::int32_t, kJoints>& counts,
                               Vec<Scalar, static_cast<int>(kJoints)>* q_rad) noexcept {
  for (std::size_t i = 0; i < kJoints; ++i) {
    const MotorCalibration<Scalar>& m = calibration[i];
    const std::int64_t moved = std::int64_t{counts[i]} - m.zero_count;
    if (moved > kMostCounts || moved < -kMostCounts) {
      q_rad->setZero();
      return KinematicFailure(KinematicCause::kAbsurd, static_cast<int>(i));
    }
    const Scalar turns =
        static_cast<Scalar>(static_cast<std::int32_t>(moved)) / (m.counts_per_turn * m.turns_per_joint_turn);
    (*q_rad)(static_cast<int>(i)) = m.offset_rad + static_cast<Scalar>(m.encoder_sign) * kTurn_rad<Scalar> * turns;
  }
  return {};
}

/// Current per joint torque [A/(N·m)] of one motor.
template <class Scalar>
Scalar CurrentPerTorque(const MotorCalibration<Scalar>& m) noexcept {
  return static_cast<Scalar>(m.torque_sign) / (m.turns_per_joint_turn * m.torque_constant_Nm_per_A);
}

}  // namespace tactus
