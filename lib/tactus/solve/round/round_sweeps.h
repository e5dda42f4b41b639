#pragma once
#include "tactus/core/scalar.h"
#include "tactus/solve/round/round_judge.h"

namespace tactus {

/// Gauss-Seidel sweeps over the contacts on the round cone, from impulses that are near an answer to some that are nearer
/// ([Jean99] contact by contact):
///
///     θ_i := max(0, θ_i - ν_i / (1 + ε_i))                                                    |P N_i| = 1
///     f_i := P(f_i - ω s_i; μ_i θ_i),  P(y; r) = y min(1, r/|y|)
///
/// A fixed point solves (R1). The velocity is carried, u += P (N_i Δθ + T_i Δf): what a contact does the next one sees.
template <class Problem>
class RoundSweeps {
 public:
  using Scalar = typename Problem::Scalar;
  using Impulses = RoundImpulses<Problem>;
  using Velocity = typename Problem::Velocity;

  /// @param[in]     sweeps    every other one goes backwards
  /// @param[in,out] impulses  of the problem's contacts
  static void Run(const Problem& problem, int sweeps, Impulses* impulses, Velocity* u) {
    const int n = problem.contacts.size();
    for (int s = 0; s < sweeps; ++s) {
      for (int q = 0; q < n; ++q) Relax(problem, s % 2 == 0 ? q : n - 1 - q, impulses, u);
    }
  }

 private:
  using Column = typename Problem::Column;
  using Tangential = typename Problem::Tangential;
  static constexpr Scalar kFrictionStep = Scalar(0.8);  // ω < 1: the two tangent columns are together √2 long

  static void Relax(const Problem& problem, int i, Impulses* impulses, Velocity* u) {
    const auto& contact = problem.contacts[i];
    Scalar& theta = impulses->theta[static_cast<std::size_t>(i)];
    Tangential& f = impulses->f[static_cast<std::size_t>(i)];
    const Scalar nu = Problem::Dot(contact, contact.N, *u) + contact.b + contact.epsilon * theta;
    const Scalar step = nu / (Scalar(1) + contact.epsilon);
    const bool opens = theta <= step;
    if (opens && theta == Scalar(0) && f == Tangential::Zero()) return;
    Apply(problem, contact, (opens ? -theta : -step) * contact.N, u);
    theta = opens ? Scalar(0) : theta - step;
    if (contact.mu == Scalar(0)) return;
    const Tangential slip = Problem::TangentDot(contact, *u) + contact.tau;
    const Tangential next = ProjectToDisk(Tangential(f - kFrictionStep * slip), contact.mu * theta);
    Apply(problem, contact, Problem::TangentColumn(contact, Tangential(next - f)), u);
    f = next;
  }

  static void Apply(const Problem& problem, const typename Problem::ContactColumns& contact, const Column& impulse,
                    Velocity* u) {
    if constexpr (Problem::kHasJoints) {
      if (problem.joint_rank > 0) {
        Velocity change = Velocity::Zero();
        Problem::AddTo(contact, impulse, Scalar(1), &change);
        problem.Project(&change);
        *u += change;
        return;
      }
    }
    Problem::AddTo(contact, impulse, Scalar(1), u);
  }
};

}  // namespace tactus
