#pragma once
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

namespace internal {

/// ω after a step of free rotation, in the principal axes: the midpoint rule for Euler's equations,
///
///     J_1 (ω'_1 - ω_1) = h (J_2 - J_3) m_2 m_3 and cyclic,   m = (ω + ω')/2
///
/// whose solution keeps ωᵀ J ω. Three iterations come near it; then ω' is given that energy exactly.
template <class Scalar>
Vec<Scalar, 3> FreeSpinAfter(const Vec<Scalar, 3>& J_kgm2, const Vec<Scalar, 3>& omega_radps, Scalar step_s) {
  constexpr int kIterations = 3;  // each leaves a share of h ω of what is missing
  const Scalar x = step_s * (J_kgm2(1) - J_kgm2(2)) / J_kgm2(0), y = step_s * (J_kgm2(2) - J_kgm2(0)) / J_kgm2(1),
               z = step_s * (J_kgm2(0) - J_kgm2(1)) / J_kgm2(2);
  Vec<Scalar, 3> after = omega_radps;
  for (int i = 0; i < kIterations; ++i) {
    const Vec<Scalar, 3> m = (omega_radps + after) / 2;
    after = omega_radps + Vec<Scalar, 3>(x * m(1) * m(2), y * m(2) * m(0), z * m(0) * m(1));
  }
  const Vec<Scalar, 3> before_Nms = J_kgm2.cwiseProduct(omega_radps), after_Nms = J_kgm2.cwiseProduct(after);
  const Scalar before_J = before_Nms.dot(omega_radps), after_J = after_Nms.dot(after);
  if (!IsFinite(after_J) || !(after_J > Scalar(0))) return omega_radps;  // so fast that nothing is known: it keeps its axis
  return after * Sqrt(before_J / after_J);
}

}  // namespace internal

/// The torque that turns a body as its inertia does, in W: constant over a step, and a body that nothing else turns has the
/// same kinetic energy after it, at any speed.
///
///     τ = R J (ω' - ω)/h,   ω = Rᵀ ω_W,   ω' from FreeSpinAfter
///
/// To first order in h it is -ω × J ω. That torque itself, explicit, gives h² |J^(-1/2) τ|²/2 in each step: a body that
/// tumbles with 100 rad/s had 1500 times its energy after 1.25 s. Turning along ω' keeps ω' in the body's axes, so the next
/// step begins with it.
/// @param[in] J_kgm2  principal moments, > 0
template <class Scalar>
Vec<Scalar, 3> GyroscopicTorque(const Mat<Scalar, 3, 3>& R_WT, const Vec<Scalar, 3>& J_kgm2,
                                const Vec<Scalar, 3>& omega_W_radps, Scalar step_s) noexcept {
  const Vec<Scalar, 3> omega = Times(Mat<Scalar, 3, 3>(R_WT.transpose()), omega_W_radps);
  const Vec<Scalar, 3> change = internal::FreeSpinAfter(J_kgm2, omega, step_s) - omega;
  return Times(R_WT, Vec<Scalar, 3>(J_kgm2.cwiseProduct(change) / step_s));
}

}  // namespace tactus
