#pragma once
#include "tactus/device/motor_heat.h"

namespace tactus {

/// What one tick sends to the motors, and what of it was cut.
template <class Scalar, int kMotors>
struct MotorCommand {
  Vec<Scalar, kMotors> current_A = Vec<Scalar, kMotors>::Zero();
  Scalar force_scale = 0;   ///< of the wrench that is really made: 1 all, 0 none; its direction is kept
  Scalar base_scale = 0;    ///< of the torques that do not belong to the wrench (gravity, walls); 1 as a rule
  int limiting_motor = -1;  ///< whose current bound force_scale; -1: none
};

namespace internal {

/// The largest s in [0, 1] with |base + s step| ≤ most, for |base| ≤ most.
template <class Scalar>
Scalar ScaleInto(Scalar base, Scalar step, Scalar most) {
  const Scalar room = step > Scalar(0) ? most - base : most + base;
  return Abs(step) <= room ? Scalar(1) : Clamp(room / Abs(step), Scalar(0), Scalar(1));
}

}  // namespace internal

/// Currents for a wrench, after the wrench's own clamp. What holds the device itself has first call on the current; of the
/// wrench goes what then fits, all its torques by one factor: the hand feels less force, never another direction.
///
///     I_b = base torques, I_f = Jᵀ F, both as currents;   I = I_b σ + s I_f,   |I_i| ≤ limit_i
///     σ = largest in [0, 1] with |σ I_b| ≤ limit;   s = largest in [0, 1] with |σ I_b + s I_f| ≤ limit
///
/// @param[in] J         kRows×kMotors
/// @param[in] F         kRows×1 [N, N·m], in D, on the hand
/// @param[in] base_Nm   torques at the joints beside the wrench: gravity, walls
/// @param[in] limit_A   > 0, of each motor now: AllowedCurrent
/// @returns kNotFinite or kAbsurd, with the motor: a current is not a number, or above 10⁶ A; the currents are then 0
template <class Scalar, int kRows, int kMotors>
KinematicResult CurrentsOfWrench(const Calibration<Scalar, kMotors>& calibration, const Mat<Scalar, kRows, kMotors>& J,
                                 const Vec<Scalar, kRows>& F, const Vec<Scalar, kMotors>& base_Nm,
                                 const Vec<Scalar, kMotors>& limit_A, MotorCommand<Scalar, kMotors>* command) noexcept {
  constexpr Scalar kAbsurd_A = Scalar(1e6);
  *command = {};
  Vec<Scalar, kMotors> force = TorquesOfWrench(J, F), base = base_Nm;
  for (int i = 0; i < kMotors; ++i) {
    const Scalar per_torque = CurrentPerTorque(calibration[static_cast<std::size_t>(i)]);
    force(i) *= per_torque;
    base(i) *= per_torque;
    if (!IsFinite(force(i)) || !IsFinite(base(i))) return KinematicFailure(KinematicCause::kNotFinite, i);
    if (!(Abs(force(i)) <= kAbsurd_A && Abs(base(i)) <= kAbsurd_A)) return KinematicFailure(KinematicCause::kAbsurd, i);
    if (!(limit_A(i) >= Scalar(0))) return KinematicFailure(KinematicCause::kNotFinite, i);
  }
  Scalar base_scale = 1, force_scale = 1;
  for (int i = 0; i < kMotors; ++i) base_scale = Min(base_scale, internal::ScaleInto(Scalar(0), base(i), limit_A(i)));
  for (int i = 0; i < kMotors; ++i) {
    const Scalar fits = internal::ScaleInto(base_scale * base(i), force(i), limit_A(i));
    if (fits < force_scale) command->limiting_motor = i;
    force_scale = Min(force_scale, fits);
  }
  for (int i = 0; i < kMotors; ++i) {  // the clamp only takes a rounding
    command->current_A(i) = Clamp(base_scale * base(i) + force_scale * force(i), -limit_A(i), limit_A(i));
  }
  command->force_scale = force_scale;
  command->base_scale = base_scale;
  return {};
}

}  // namespace tactus
