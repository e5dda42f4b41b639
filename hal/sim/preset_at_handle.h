// What a controller is told of a device, at W's origin and without a hand:
//
//     p ranges over the directions in which the device moves:  ẋ = J q̇,   M_x = J⁻ᵀ M J⁻¹ (for fewer motors on J's range)
//     mean mass = tr((JᵀJ)⁻¹ M)/n;   a count of each motor makes steps J_ij δ_j: root of the sum of squares, worst axis
//     friction against motion along axis e with q̇ = (JᵀJ)⁻¹ Jᵀ e:  f_c = Σ τ_c,j |q̇_j|,   b = Σ b_j q̇_j²
//     largest force along e: the smallest over the motors of their torque / |J_jᵀ e|
#pragma once
#include "hal/sim/preset_options.h"

namespace tactus::hal {

/// @param options  their home is a posture of the mechanism
template <class D>
PresetAtHandle LookAt(const typename PresetDevice<D>::Options& options) {
  constexpr int kMotors = D::kMotors;
  using Matrix = Mat<double, kMotors, kMotors>;
  MassRowsOf<D> rows;
  TACTUS_CHECK(RowsAt(options.mechanism, options.home_rad, 0, &rows).ok());
  const Mat<double, 3, kMotors> J = options.R_WD * rows.J;
  const Matrix JtJ = J.transpose() * J, M = MassMatrix(rows, options.inertia_kgm2);
  PresetAtHandle at{.coulomb_N = 1e9, .damping_Ns_per_m = 1e9, .max_force_N = 1e9};
  for (int i = 0; i < kMotors; ++i) at.mass_kg += Solved<kMotors>(JtJ, M.col(i))(i) / kMotors;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec<double, kMotors> along = J.row(axis).transpose(), rate = Solved<kMotors>(JtJ, along);
    double square = 0, coulomb = 0, damping = 0, force = 1e9;
    for (int i = 0; i < kMotors; ++i) {
      const MotorCalibration<double>& m = options.motors[static_cast<std::size_t>(i)];
      const double count_rad = 6.283185307179586 / (m.counts_per_turn * m.turns_per_joint_turn);
      square += along(i) * count_rad * along(i) * count_rad;
      coulomb += options.coulomb_Nm(i) * Abs(rate(i));
      damping += options.damping_Nms_per_rad(i) * rate(i) * rate(i);
      if (Abs(along(i)) > 1e-9) force = Min(force, m.max_current_A / (CurrentPerTorque(m) * Abs(along(i))));
    }
    at.resolution_m = Max(at.resolution_m, Sqrt(square));
    if (!((J * rate - Vec<double, 3>::Unit(axis)).squaredNorm() < 1e-6)) continue;  // it cannot move along this axis
    at.coulomb_N = Min(at.coulomb_N, coulomb);
    at.damping_Ns_per_m = Min(at.damping_Ns_per_m, damping);
    at.max_force_N = Min(at.max_force_N, force);
  }
  return at;
}

/// x, y, z. Along e with q̇ = (JᵀJ)⁻¹ Jᵀ e: mass q̇ᵀ M q̇, and damping and friction as above.
template <class D>
std::array<PresetAxis, 3> AxesOf(const typename PresetDevice<D>::Options& options) {
  constexpr int kMotors = D::kMotors;
  MassRowsOf<D> rows;
  TACTUS_CHECK(RowsAt(options.mechanism, options.home_rad, 0, &rows).ok());
  const Mat<double, 3, kMotors> J = options.R_WD * rows.J;
  const Mat<double, kMotors, kMotors> JtJ = J.transpose() * J, M = MassMatrix(rows, options.inertia_kgm2);
  std::array<PresetAxis, 3> axes = {};
  for (int axis = 0; axis < 3; ++axis) {
    PresetAxis& at = axes[static_cast<std::size_t>(axis)];
    const Vec<double, kMotors> along = J.row(axis).transpose(), rate = Solved<kMotors>(JtJ, along);
    at.moves = (J * rate - Vec<double, 3>::Unit(axis)).squaredNorm() < 1e-6;
    at.mass_kg = rate.dot(M * rate);
    double square = 0;
    for (int i = 0; i < kMotors; ++i) {
      const MotorCalibration<double>& m = options.motors[static_cast<std::size_t>(i)];
      const double step_m = along(i) * 6.283185307179586 / (m.counts_per_turn * m.turns_per_joint_turn);
      square += step_m * step_m;
      at.coulomb_N += options.coulomb_Nm(i) * Abs(rate(i));
      at.damping_Ns_per_m += options.damping_Nms_per_rad(i) * rate(i) * rate(i);
    }
    at.resolution_m = Sqrt(square);
  }
  return axes;
}

}  // namespace tactus::hal
