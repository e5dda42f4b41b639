#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::internal {

/// -b·θ - τ·φ, with gap(contact) for b: what pushing out and moving surfaces give; |u|² gains at most twice of it.
template <class Problem, class Gap>
typename Problem::Scalar GivenEnergy(const Problem& problem, const typename Problem::Impulses& impulses, const Gap& gap) {
  using Scalar = typename Problem::Scalar;
  Scalar given(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    given -= gap(contact) * impulses.theta[i];
    if (contact.tau.squaredNorm() == Scalar(0)) continue;
    for (int j = 0; j < problem.directions; ++j) {
      given -= problem.DirectionTau(contact, j) * impulses.phi[i][j];
    }
  }
  return given;
}

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
  const Scalar given = GivenEnergy(problem, impulses, [](const auto& contact) { return contact.b; });
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

/// Whether undoing overlaps flings a body. Example: a rope is too short, and a face keeps its load from coming nearer. The
/// two oppose each other but for a milliradian, and both are undone only by going aside a thousand times as fast
/// (docs/theory, section 11.3).
///
///     |u_k|² > E_k + m_k w²,   E_k = min(|k|², m_k (10 v)²) + 2 max(-b̄·θ - τ·φ, 0),   w = max(B p, min(20 p, 0.5 m/s))
///
/// for a body k of B; v: the fastest free motion of all. b̄: no overlap is undone; without overlaps |u|² ≤ |k|² + 2 max(...).
///
/// @param[in] push_out_mps  p, the speed at which one overlap is undone; 0: as fast as it is, and no bound
template <class Problem>
bool IsFlung(const Problem& problem, const typename Problem::Impulses& impulses, const typename Problem::Velocity& u,
             typename Problem::Scalar push_out_mps) {
  using Scalar = typename Problem::Scalar;
  // A wedge pushes a body out at p/sin of its half angle: allowed down to 3°, and up to 0.5 m/s, where 50 g have 6 mJ. The
  // uppermost body of a stack of B goes at B p.
  constexpr Scalar kMostTimes(20), kMost_mps(0.5);
  // Real motion may go over levers up to ten to one. Its energy alone is no bound: a heavy body on its floor has much of it.
  constexpr Scalar kMostLever(10);
  const Scalar p = push_out_mps, w = Max(static_cast<Scalar>(problem.bodies) * p, Min(kMostTimes * p, kMost_mps));
  const auto squared_speed = [&](const typename Problem::Velocity& v, int k) {
    const Scalar per_root = problem.factor[k].inverse_sqrt_mass;
    return Scalar(v.template segment<Problem::kDof>(k * Problem::kDof).squaredNorm()) * per_root * per_root;
  };
  Scalar fastest(0), free(0);
  for (int k = 0; k < problem.bodies; ++k) {
    fastest = Max(fastest, squared_speed(u, k));
    free = Max(free, squared_speed(problem.k, k));
  }
  if (p == Scalar(0) || fastest <= w * w) return false;
  bool overlaps = false;
  for (const auto& contact : problem.contacts) overlaps = overlaps || contact.b < contact.b_clear;
  if (!overlaps) return false;
  const Scalar given = GivenEnergy(problem, impulses, [](const auto& contact) { return contact.b_clear; });
  const Scalar driven = Scalar(2) * Max(given, Scalar(0));
  for (int k = 0; k < problem.bodies; ++k) {
    const Scalar per_mass = problem.factor[k].inverse_sqrt_mass * problem.factor[k].inverse_sqrt_mass;
    const Scalar most = Min(problem.k.squaredNorm() * per_mass, kMostLever * kMostLever * free) + driven * per_mass + w * w;
    if (!(squared_speed(u, k) <= most)) return true;
  }
  return false;
}

}  // namespace tactus::internal
