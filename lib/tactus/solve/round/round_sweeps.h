#pragma once
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/contact_relaxation.h"
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
    internal::SweepThereAndBack(problem.contacts.size(), sweeps, [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      Relax(problem, problem.contacts[i], &impulses->theta[at], &impulses->f[at], u);
    });
  }

 private:
  using Tangential = typename Problem::Tangential;

  static void Relax(const Problem& problem, const typename Problem::ContactColumns& contact, Scalar* theta, Tangential* f,
                    Velocity* u) {
    const bool carries = internal::RelaxNormal(problem, contact, theta, u);
    if (contact.mu == Scalar(0) || (!carries && *f == Tangential::Zero())) return;
    const Tangential slip = Problem::TangentDot(contact, *u) + contact.tau;
    const Tangential next = ProjectToDisk(Tangential(*f - Scalar(internal::kFrictionStep) * slip), contact.mu * *theta);
    internal::AddProjected(problem, contact, Problem::TangentColumn(contact, Tangential(next - *f)), u);
    *f = next;
  }
};

}  // namespace tactus
