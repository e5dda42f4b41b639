#pragma once
#include "hal/sim/mass_rows.h"
#include "hal/sim/small_solve.h"

namespace tactus::hal {

/// What acts on the joints in one substep.
template <int kMotors>
struct JointForces {
  Vec<double, kMotors> tau_Nm = Vec<double, kMotors>::Zero();    ///< of the motors
  Vec<double, kMotors> viscous = Vec<double, kMotors>::Zero();   ///< b [N m s/rad]
  Vec<double, kMotors> coulomb = Vec<double, kMotors>::Zero();   ///< τ_c [N m]
  Vec<double, kMotors> inertia = Vec<double, kMotors>::Zero();   ///< of the joints alone: rotors [kg m²]
  Vec<double, 3> hand_D_N = Vec<double, 3>::Zero();              ///< on the handle if it stood still
  double hand_stiffness_N_per_m = 0, hand_damping_Ns_per_m = 0;  ///< what its motion changes of that
};

/// The joints' speeds after a substep of length h, and where the energy went.
template <int kMotors>
struct JointStep {
  Vec<double, kMotors> rate_radps = Vec<double, kMotors>::Zero();
  Vec<double, kMotors> mean_radps = Vec<double, kMotors>::Zero();  ///< q moves by h times this
  double motor_J = 0, hand_J = 0, lost_J = 0;                      ///< given by motors and hand; by friction to heat
};

namespace internal {

/// The friction impulses j, |j_i| ≤ most_i, that bring every joint's speed v + W j nearest to zero: projected Gauss and
/// Seidel.
/// @returns the speeds; exactly 0 where friction holds
template <int kMotors>
Vec<double, kMotors> Rubbed(const Mat<double, kMotors, kMotors>& W, const Vec<double, kMotors>& v,
                            const Vec<double, kMotors>& most, Vec<double, kMotors>* j) {
  constexpr int kSweeps = 60;  // 20 settle a Falcon to 1e-15; the bound is for the worst posture
  j->setZero();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0;
    for (int i = 0; i < kMotors; ++i) {
      const double speed = v(i) + W.row(i).dot(*j);
      const double next = Clamp((*j)(i)-speed / W(i, i), -most(i), most(i));
      change = Max(change, most(i) > 0 ? Abs(next - (*j)(i)) / most(i) : 0.0);
      (*j)(i) = next;
    }
    if (change < 1e-14) break;
  }
  Vec<double, kMotors> rubbed = v + W * *j;
  for (int i = 0; i < kMotors; ++i) {
    if (Abs((*j)(i)) < most(i)) rubbed(i) = 0;
  }
  return rubbed;
}

}  // namespace internal

/// One substep of the joints by the midpoint rule, so that for a mass matrix that does not change the energy balance is
/// exact:
///
///     I (q̇₁ - q̇₀) + Gmᵀ (G₁ q̇₁ - G₀ q̇₀) = h (τ + Jmᵀ F - b q̄) + j,   q̄ = (q̇₀ + q̇₁)/2,   |j_i| ≤ h τ_c,i against q̇₁
///     F = F₀ - (h K/2 + B) Jm q̄                                        the hand's spring and damper at the midpoint
///
/// Gm, G₁ at q₀ + h q̇₀/2 and q₀ + h q̇₀: the difference of momenta has the centrifugal forces in it.
template <int kMotors, int kRows>
JointStep<kMotors> StepJoints(const MassRows<kMotors, kRows>& start, const MassRows<kMotors, kRows>& middle,
                              const MassRows<kMotors, kRows>& end, const Vec<double, kMotors>& rate_radps,
                              const JointForces<kMotors>& f, double h_s) {
  using Matrix = Mat<double, kMotors, kMotors>;
  using Vector = Vec<double, kMotors>;
  const Vector I = f.inertia + middle.I;
  const double soft = h_s * f.hand_stiffness_N_per_m / 2 + f.hand_damping_Ns_per_m;
  Matrix Z = soft * (middle.J.transpose() * middle.J);
  Z.diagonal() += f.viscous;
  Matrix S = middle.G.transpose() * end.G;
  S.diagonal() += I;
  S += h_s / 2 * Z;
  Vector b = middle.G.transpose() * Vec<double, kRows>(start.G * rate_radps);
  b += I.cwiseProduct(rate_radps) + h_s * (f.tau_Nm + middle.J.transpose() * f.hand_D_N) - h_s / 2 * (Z * rate_radps);
  Matrix W;
  for (int i = 0; i < kMotors; ++i) W.col(i) = Solved<kMotors>(S, Vector::Unit(i));
  JointStep<kMotors> step;
  Vector j;
  step.rate_radps = internal::Rubbed<kMotors>(W, Solved<kMotors>(S, b), h_s * f.coulomb, &j);
  step.mean_radps = (rate_radps + step.rate_radps) / 2;
  const Vec<double, 3> v_D = middle.J * step.mean_radps;
  step.motor_J = h_s * f.tau_Nm.dot(step.mean_radps);
  step.hand_J = h_s * v_D.dot(f.hand_D_N - soft * v_D);
  step.lost_J = h_s * step.mean_radps.dot(f.viscous.cwiseProduct(step.mean_radps)) - j.dot(step.mean_radps);
  return step;
}

/// ½ q̇ᵀ M q̇.
template <int kMotors, int kRows>
double KineticEnergy(const MassRows<kMotors, kRows>& rows, const Vec<double, kMotors>& inertia,
                     const Vec<double, kMotors>& rate_radps) {
  const Vec<double, kRows> u = rows.G * rate_radps;
  return 0.5 * (u.squaredNorm() + rate_radps.dot((inertia + rows.I).cwiseProduct(rate_radps)));
}

/// M = diag(I) + GᵀG.
template <int kMotors, int kRows>
Mat<double, kMotors, kMotors> MassMatrix(const MassRows<kMotors, kRows>& rows, const Vec<double, kMotors>& inertia) {
  Mat<double, kMotors, kMotors> M = rows.G.transpose() * rows.G;
  M.diagonal() += inertia + rows.I;
  return M;
}

}  // namespace tactus::hal
