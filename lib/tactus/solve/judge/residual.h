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

/// How far impulses are from solving the problem; independent of any solver (docs/theory, section 3).
///
///     u = k + P(Nθ + Dφ),  ν_i = N_iᵀu + b_i + ε_i θ_i,  t_ij = D_ijᵀu + τ_ij,  λ_i = max(0, max_j -t_ij)
///     r = max over i, j of  |min(ν_i, θ_i)|,  |min(t_ij + λ_i, φ_ij)|,  |min(μ_i θ_i - Σ_j φ_ij, λ_i)|
///
/// divided by max(|k|, max θ). The last two terms do not apply to a contact without friction; there φ must be zero.
/// @param[in] u  the velocity, when it is known from elsewhere
/// @returns the residual, dimensionless; NaN if any input is, or u is not finite.
template <class Problem>
typename Problem::Scalar ComplementarityResidual(const Problem& problem, const typename Problem::Impulses& impulses,
                                                 const typename Problem::Velocity& u) {
  using Scalar = typename Problem::Scalar;
  Scalar worst(0), scale = Sqrt(problem.k.squaredNorm());
  const auto include = [&worst](Scalar violation) { internal::Worsen(violation, &worst); };
  const Scalar u_squared = u.squaredNorm();
  include(u_squared - u_squared);  // 0, or NaN where u is not finite, which Min() may hide
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const auto& phi = impulses.phi[i];
    const Scalar theta = impulses.theta[i];
    scale = Max(scale, theta);
    include(Min(Problem::Dot(contact, contact.N, u) + contact.b + contact.epsilon * theta, theta));
    if (!impulses.IsLoaded(i, problem.directions)) continue;  // (4), (5) hold with λ_i as above, whatever the slip
    if (contact.mu == Scalar(0)) {
      for (int j = 0; j < problem.directions; ++j) include(phi[j]);
      continue;
    }
    const typename Problem::Tangential slip = Problem::TangentDot(contact, u) + contact.tau;
    std::array<Scalar, Problem::kCapacity.directions> t;
    Scalar lambda(0), phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      t[j] = slip.dot(problem.direction[j]);
      lambda = Max(lambda, -t[j]);
      phi_sum += phi[j];
    }
    for (int j = 0; j < problem.directions; ++j) {
      include(Min(t[j] + lambda, phi[j]));
    }
    include(Min(contact.mu * theta - phi_sum, lambda));
  }
  if (!(scale > Scalar(0))) scale = Scalar(1);  // k = 0 and no impulse: nothing to compare with
  return worst / scale;
}

template <class Problem>
typename Problem::Scalar ComplementarityResidual(const Problem& problem, const typename Problem::Impulses& impulses) {
  return ComplementarityResidual(problem, impulses, problem.VelocityFor(impulses));
}

}  // namespace tactus
