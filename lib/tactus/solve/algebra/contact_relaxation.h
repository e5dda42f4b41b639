#pragma once
#include "tactus/core/scalar.h"

namespace tactus::internal {

/// Gauss-Seidel sweeps over n contacts: relax(i), every other sweep goes backwards, so that none is always the last.
template <class Relax>
void SweepThereAndBack(int n, int sweeps, const Relax& relax) {
  for (int s = 0; s < sweeps; ++s) {
    for (int q = 0; q < n; ++q) relax(s % 2 == 0 ? q : n - 1 - q);
  }
}

/// u += P a, P: the projection onto what the joints let move.
template <class Problem>
void AddProjected(const Problem& problem, const typename Problem::ContactColumns& contact, const typename Problem::Column& a,
                  typename Problem::Velocity* u) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kHasJoints) {
    if (problem.joint_rank > 0) {
      typename Problem::Velocity change = Problem::Velocity::Zero();
      Problem::AddTo(contact, a, Scalar(1), &change);
      problem.Project(&change);
      *u += change;
      return;
    }
  }
  Problem::AddTo(contact, a, Scalar(1), u);
}

/// θ := max(0, θ - ν / (1 + ε)), u += P N Δθ,  |P N| = 1: beside what the others do, (3) holds at this contact.
/// @returns false if it was open and stays so
template <class Problem>
bool RelaxNormal(const Problem& problem, const typename Problem::ContactColumns& contact, typename Problem::Scalar* theta,
                 typename Problem::Velocity* u) {
  using Scalar = typename Problem::Scalar;
  const Scalar nu = Problem::Dot(contact, contact.N, *u) + contact.b + contact.epsilon * *theta;
  const Scalar step = nu / (Scalar(1) + contact.epsilon);
  const bool opens = *theta <= step;
  if (opens && *theta == Scalar(0)) return false;
  AddProjected(problem, contact, typename Problem::Column((opens ? -*theta : -step) * contact.N), u);
  *theta = opens ? Scalar(0) : *theta - step;
  return true;
}

/// ω of a step in f, < 1: the two tangent columns are together √2 long.
inline constexpr double kFrictionStep = 0.8;

}  // namespace tactus::internal
