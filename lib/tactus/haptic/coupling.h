#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/handle_estimate.h"
#include "tactus/haptic/limits.h"
#include "tactus/haptic/workspace.h"
#include "tactus/step/body_step.h"

namespace tactus {

/// How far the handle is ahead of the tool: p_TH in W, and the rotation vector of R_WH R_WTᵀ, at most π long.
template <class Scalar>
Vec<Scalar, 6> CouplingError(const HandleState<Scalar>& handle, const RigidBodyState<Scalar>& tool) noexcept {
  Vec<Scalar, 6> error_W;
  error_W.template head<3>() = handle.p_WH_m - tool.p_WT_m;
  error_W.template tail<3>() = LogMap(Multiply(handle.q_WH, Conjugate(tool.q_WT)));
  return error_W;
}

/// The virtual coupling on the tool: spring and damper to the handle, both at the end of the period.
///
///     f(v1) = K (x_H + h v_H - x_T - h v1) + B (v_H - v1) = K e + (h K + B) v_H  -  (h K + B) v1
///
/// and the same for the rotation with e = log(R_WH R_WTᵀ) and K_r, B_r. The impedance h K + B is what makes it implicit.
/// The force on the hand is -f(v1): the tool gets exactly what the hand gives. [ColgateStanleyBrown95]
template <class Scalar>
ImplicitWrench<Scalar> Couple(const Vec<Scalar, 6>& error_W, const Vec<Scalar, 6>& handle_twist_W,
                              const CouplingConfig<Scalar>& config, Scalar period_s) noexcept {
  ImplicitWrench<Scalar> f;
  f.impedance_Ns_per_m = period_s * config.stiffness_N_per_m + config.damping_Ns_per_m;
  f.impedance_Nms_per_rad = period_s * config.angular_stiffness_Nm_per_rad + config.angular_damping_Nms_per_rad;
  f.constant_W.template head<3>() =
      config.stiffness_N_per_m * error_W.template head<3>() + f.impedance_Ns_per_m * handle_twist_W.template head<3>();
  f.constant_W.template tail<3>() = config.angular_stiffness_Nm_per_rad * error_W.template tail<3>() +
                                    f.impedance_Nms_per_rad * handle_twist_W.template tail<3>();
  return f;
}

/// Energy of a spring whose force k e is held at `limit` by the clamp on the command: k e²/2 up to there, a straight line
/// beyond.
template <class Scalar>
Scalar ClampedSpringEnergy(Scalar stiffness, Scalar error, Scalar limit) noexcept {
  const Scalar force = stiffness * error;
  if (force <= limit) return force * error / 2;
  return limit * (error - limit / (2 * stiffness));
}

/// What the virtual side stores and may give back to the hand: the tool's kinetic energy, the springs as far as the command
/// lets them act, the tool's weight as far as it does.
/// @param[in] error_W  of the springs, as the hand has it (ToHand)
template <class Scalar>
Scalar StoredEnergy(const Vec<Scalar, 6>& error_W, const RigidBodyState<Scalar>& tool,
                    const Config<Scalar>& config) noexcept {
  const Vec<Scalar, 3> linear_error_W = error_W.template head<3>(), angular_error_W = error_W.template tail<3>();
  const Vec<Scalar, 3> velocity_W = tool.twist_W.template head<3>(), omega_W = tool.twist_W.template tail<3>();
  const Mat<Scalar, 3, 3> R_TW = RotationMatrix(Conjugate(tool.q_WT));
  const Vec<Scalar, 3> omega_T = R_TW * omega_W;
  const Scalar kinetic_J =
      (config.tool.mass_kg * velocity_W.squaredNorm() + config.tool.inertia_kgm2.dot(omega_T.cwiseProduct(omega_T))) / 2;
  const Scalar springs_J =
      ClampedSpringEnergy(config.coupling.stiffness_N_per_m, Norm(linear_error_W), config.limits.max_force_N) +
      ClampedSpringEnergy(config.coupling.angular_stiffness_Nm_per_rad, Norm(angular_error_W), config.limits.max_torque_Nm);
  Vec<Scalar, 3> weight_N = config.tool.mass_kg * config.scene.gravity_W_mps2;
  (void)ClampNorm(config.limits.max_force_N / config.workspace.force_scale, &weight_N);  // the rest falls whatever is held
  const Scalar weight_J = -weight_N.dot(tool.p_WT_m);
  return AtHand(config.workspace, kinetic_J) + springs_J + AtHand(config.workspace, weight_J);
}

/// The tool's step, without friction.
template <class Scalar>
BodyStep<Scalar> ToolStep(const Config<Scalar>& config, const ImplicitWrench<Scalar>& coupling) {
  return {.step_s = config.period_s,
          .mass_kg = config.tool.mass_kg,
          .inertia_kgm2 = config.tool.inertia_kgm2,
          .force_W_N = config.tool.mass_kg * config.scene.gravity_W_mps2,
          .coupling = coupling,
          .friction = Scalar(0),
          .directions = config.directions,
          .direction_offset_rad = config.direction_offset_rad};
}

}  // namespace tactus
