#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::internal {

/// Whether an answer has energy that no solution has (docs/theory.md, section 3):
///
///     |u|² = k·u - b·θ - τ·φ - θ·ε·θ - λ·μθ
///
/// of which the last two terms only take. In a micro-wedge impulses exceed |k| a thousandfold, and a residual that is small
/// beside them may still be an explosion beside |k|: hence this second look at what the residual says is solved.
///
/// @param[in] u  = k + P (N θ + D φ) of the impulses
/// @returns true: by more than Tolerances::kEnergy of |k|² and of what b and τ give, or u is not a number
template <class Scalar, Capacity kCapacity>
bool AddsEnergy(const WhitenedProblem<Scalar, kCapacity>& problem, const WhitenedImpulses<Scalar, kCapacity>& impulses,
                const typename WhitenedProblem<Scalar, kCapacity>::Velocity& u) {
  Scalar given(0);  // -b·θ - τ·φ: what pushing out and moving surfaces may add
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const std::size_t I = static_cast<std::size_t>(i);
    given -= contact.b * impulses.theta[I];
    if (contact.tau.squaredNorm() == Scalar(0)) continue;
    for (int j = 0; j < problem.directions; ++j) {
      given -= problem.DirectionTau(contact, j) * impulses.phi[I][static_cast<std::size_t>(j)];
    }
  }
  const Scalar tolerance = Tolerances<Scalar>::kEnergy * (problem.k.squaredNorm() + Abs(given));
  return !(u.squaredNorm() <= problem.k.dot(u) + given + tolerance);
}

/// Whether `residual`, a share of the largest impulse, is more than Tolerances::kAcceptMotion of the motion. Near-duplicate
/// contacts and rays of rounding can give impulses of 1e5 |k| (measured in float: 1e8), and beside those any violation is
/// small.
template <class Scalar, Capacity kCapacity>
bool HidesBehindImpulses(const WhitenedProblem<Scalar, kCapacity>& problem,
                         const WhitenedImpulses<Scalar, kCapacity>& impulses, Scalar residual) {
  Scalar motion = Sqrt(problem.k.squaredNorm()), impulse(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    motion = Max(motion, Max(Abs(contact.b), Sqrt(contact.tau.squaredNorm())));
    impulse = Max(impulse, impulses.theta[static_cast<std::size_t>(i)]);
  }
  return residual * impulse > Tolerances<Scalar>::kAcceptMotion * motion;
}

}  // namespace tactus::internal
