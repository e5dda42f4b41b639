#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::internal {

/// Whether an answer has energy that no solution has (docs/theory, section 3):
///
///     |u|² = k·u - b·θ - τ·φ - θ·ε·θ - λ·μθ
///
/// The last two terms only take energy. In a micro-wedge the impulses are a thousand times |k|, and a residual that is small
/// beside them may still be an explosion beside |k|. So an answer that passes the residual is checked for its energy too.
///
/// @param[in] u  = k + P (N θ + D φ) of the impulses
/// @returns true: by more than Tolerances::kEnergy of |k|² and of what b and τ give, or u is not a number
template <class Problem>
bool AddsEnergy(const Problem& problem, const typename Problem::Impulses& impulses, const typename Problem::Velocity& u) {
  using Scalar = typename Problem::Scalar;
  Scalar given(0);  // -b·θ - τ·φ: what pushing out and moving surfaces may add
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    given -= contact.b * impulses.theta[i];
    if (contact.tau.squaredNorm() == Scalar(0)) continue;
    for (int j = 0; j < problem.directions; ++j) {
      given -= problem.DirectionTau(contact, j) * impulses.phi[i][j];
    }
  }
  const Scalar tolerance = Tolerances<Scalar>::kEnergy * (problem.k.squaredNorm() + Abs(given));
  return !(u.squaredNorm() <= problem.k.dot(u) + given + tolerance);
}

/// Whether `residual`, which is relative to the largest impulse, exceeds Tolerances::kAcceptMotion of the motion.
/// Near-duplicate contacts and spurious rays can give impulses of 1e5 |k| (measured in float: 1e8), and beside those every
/// violation looks small.
template <class Problem>
bool HidesBehindImpulses(const Problem& problem, const typename Problem::Impulses& impulses,
                         typename Problem::Scalar residual) {
  using Scalar = typename Problem::Scalar;
  Scalar motion = Sqrt(problem.k.squaredNorm()), impulse(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    motion = Max(motion, Max(Abs(contact.b), Sqrt(contact.tau.squaredNorm())));
    impulse = Max(impulse, impulses.theta[i]);
  }
  return residual * impulse > Tolerances<Scalar>::kAcceptMotion * motion;
}

/// Whether overlaps that are undone fling a body. A rope that is too short and the face that holds its load off oppose each
/// other but for a milliradian: both speeds are met only far aside, a thousand times as fast (docs/theory, section 11.3).
///
///     |u_k|² > |k|² + 2 max(-b̄·θ - τ·φ, 0) + m_k (κ B p)²          for a body k of B
///
/// b̄: no overlap is undone. Then the first two terms are the most that there is, so what is above them comes from overlaps.
///
/// @param[in] push_out_mps  p, the speed at which one overlap is undone; 0: as fast as it is, and no bound
template <class Problem>
bool IsFlung(const Problem& problem, const typename Problem::Impulses& impulses, const typename Problem::Velocity& u,
             typename Problem::Scalar push_out_mps) {
  using Scalar = typename Problem::Scalar;
  // A wedge pushes out 1/sin of its half angle times as fast: down to 3° it is let. A stack of B goes B times as fast.
  constexpr Scalar kMostTimes(20);
  Scalar most = problem.k.squaredNorm();
  if (push_out_mps == Scalar(0) || u.squaredNorm() <= most) return false;
  Scalar given(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    given -= contact.b_clear * impulses.theta[i];
    for (int j = 0; j < problem.directions; ++j) given -= problem.DirectionTau(contact, j) * impulses.phi[i][j];
  }
  most += Scalar(2) * Max(given, Scalar(0));
  const Scalar fastest = kMostTimes * static_cast<Scalar>(problem.bodies) * push_out_mps;
  for (int k = 0; k < problem.bodies; ++k) {
    const Scalar energy = u.template segment<Problem::kDof>(k * Problem::kDof).squaredNorm();
    const Scalar per_mass = problem.factor[k].inverse_sqrt_mass * problem.factor[k].inverse_sqrt_mass;
    if (!((energy - most) * per_mass <= fastest * fastest)) return true;
  }
  return false;
}

}  // namespace tactus::internal
