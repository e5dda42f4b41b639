#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"

namespace tactus {

namespace internal {

/// worst := max(worst, |violation|); once NaN it stays NaN.
template <class Scalar>
void Worsen(Scalar violation, Scalar* worst) {
  if (Abs(violation) > *worst || violation != violation) *worst = Abs(violation);
}

}  // namespace internal

/// How far impulses are from solving the problem; independent of any solver (docs/theory.md, section 3).
///
///     u = k + P(Nθ + Dφ),  ν_i = N_iᵀu + b_i + ε_i θ_i,  t_ij = D_ijᵀu + τ_ij,  λ_i = max(0, max_j -t_ij)
///     r = max over i, j of  |min(ν_i, θ_i)|,  |min(t_ij + λ_i, φ_ij)|,  |min(μ_i θ_i - Σ_j φ_ij, λ_i)|
///
/// divided by max(|k|, max θ). The last two terms do not apply to a contact without friction; there φ must be zero.
/// @param[in] u  the velocity, when it is known from elsewhere
/// @returns the residual, dimensionless; NaN if any input is, or u is not finite.
template <class Scalar, Capacity kCapacity>
Scalar ComplementarityResidual(const WhitenedProblem<Scalar, kCapacity>& problem,
                               const WhitenedImpulses<Scalar, kCapacity>& impulses,
                               const typename WhitenedProblem<Scalar, kCapacity>::Velocity& u) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  Scalar worst(0), scale = Sqrt(problem.k.squaredNorm());
  const auto include = [&worst](Scalar violation) { internal::Worsen(violation, &worst); };
  const Scalar u_squared = u.squaredNorm();
  include(u_squared - u_squared);  // 0, or NaN where u is not finite, which Min() may hide
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const auto& phi = impulses.phi[static_cast<std::size_t>(i)];
    const Scalar theta = impulses.theta[static_cast<std::size_t>(i)];
    scale = Max(scale, theta);
    include(Min(Problem::Dot(contact, contact.N, u) + contact.b + contact.epsilon * theta, theta));
    if (!impulses.IsLoaded(i, problem.directions)) continue;  // (4), (5) hold with λ_i as above, whatever the slip
    if (contact.mu == Scalar(0)) {
      for (int j = 0; j < problem.directions; ++j) include(phi[static_cast<std::size_t>(j)]);
      continue;
    }
    const typename Problem::Tangential slip = Problem::TangentDot(contact, u) + contact.tau;
    std::array<Scalar, kCapacity.directions> t;
    Scalar lambda(0), phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      t[J] = slip.dot(problem.direction[J]);
      lambda = Max(lambda, -t[J]);
      phi_sum += phi[J];
    }
    for (int j = 0; j < problem.directions; ++j) {
      include(Min(t[static_cast<std::size_t>(j)] + lambda, phi[static_cast<std::size_t>(j)]));
    }
    include(Min(contact.mu * theta - phi_sum, lambda));
  }
  if (!(scale > Scalar(0))) scale = Scalar(1);  // k = 0 and no impulse: nothing to compare with
  return worst / scale;
}

template <class Scalar, Capacity kCapacity>
Scalar ComplementarityResidual(const WhitenedProblem<Scalar, kCapacity>& problem,
                               const WhitenedImpulses<Scalar, kCapacity>& impulses) {
  return ComplementarityResidual(problem, impulses, problem.VelocityFor(impulses));
}

}  // namespace tactus
