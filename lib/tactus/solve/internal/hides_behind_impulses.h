#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/tolerances.h"

namespace tactus::internal {

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
