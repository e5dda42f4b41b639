#pragma once
#include <cstdint>

#include "tactus/solve/internal/dual_active_set.h"
#include "tactus/solve/tolerances.h"

namespace tactus {

/// Anitescu and Hart's LCP2: one convex quadratic program instead of the LCP ([AnitescuHart] (15) with Γ = 0;
/// docs/theory.md, section 8). In whitened variables
///
///     min ½|u - k|²   subject to   N_iᵀu + μ_i (D_ijᵀu + τ_ij) ≥ -(b_i + Γ_i)   for all i, j
///
/// with multipliers β_ij ≥ 0: θ_i = Σ_j β_ij, φ_ij = μ_i β_ij satisfy (12)-(13).
///
/// Exact where no loaded contact slips. A loaded contact that slips takes off, ν_i = μ_i λ_i > 0, and opposed contacts
/// without clearance lock: do not use it as the primary solver for tight insertions. |u| ≤ |k| always if b ≥ 0 and nothing
/// moves.
template <class Scalar, Capacity kCapacity>
class ConvexStep {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;
  using Gamma = std::array<Scalar, kCapacity.contacts>;

  /// From nothing. @returns false: infeasible (only if some b < 0 or a surface moves), max_iterations reached, or rounding
  /// won.
  bool Solve(const Problem& problem, const Gamma& gamma, int max_iterations) {
    u_ = problem.k;
    return active_.Solve(Rows{problem, gamma}, max_iterations, &u_);
  }

  /// From the rows that were active at the end of the last call; contacts must have kept their places.
  bool SolveWarm(const Problem& problem, const Gamma& gamma, int max_iterations) {
    u_ = problem.k;
    return active_.SolveWarm(Rows{problem, gamma}, max_iterations, &u_);
  }

  const Velocity& velocity() const { return u_; }
  int iterations() const { return active_.iterations(); }

  /// θ_i = Σ_j β_ij, φ_ij = μ_i β_ij
  void GetImpulses(const Problem& problem, Impulses* impulses) const {
    *impulses = {};
    for (int a = 0; a < active_.size(); ++a) {
      const internal::ConeRow& row = active_.row(a);
      const std::size_t I = static_cast<std::size_t>(row.contact);
      impulses->theta[I] += active_.multiplier(a);
      if (row.direction < 0) continue;
      impulses->phi[I][static_cast<std::size_t>(row.direction)] += problem.contacts[row.contact].mu * active_.multiplier(a);
    }
  }

 private:
  struct Rows {
    const Problem& problem;
    const Gamma& gamma;

    Scalar Scale() const { return Sqrt(problem.k.squaredNorm()); }
    Scalar Slack(const internal::ConeRow& row, const Velocity& u) const {
      const auto& contact = problem.contacts[row.contact];
      const Scalar normal = NormalSlack(row.contact, u);
      if (row.direction < 0) return normal;
      const typename Problem::Tangential slip = Problem::TangentDot(contact, u) + contact.tau;
      return normal + contact.mu * slip.dot(problem.direction[static_cast<std::size_t>(row.direction)]);
    }
    Scalar NormalSlack(int i, const Velocity& u) const {
      const auto& contact = problem.contacts[i];
      return Problem::Dot(contact, contact.N, u) + contact.b + gamma[static_cast<std::size_t>(i)];
    }
    internal::ConeRow MostViolated(const Velocity& u, Scalar tolerance) const {
      internal::ConeRow worst;
      Scalar least = -tolerance;
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const auto& contact = problem.contacts[i];
        const Scalar normal = NormalSlack(i, u);
        Scalar friction(0);
        int direction = -1;
        if (contact.mu > Scalar(0)) {
          const typename Problem::Tangential slip = contact.mu * (Problem::TangentDot(contact, u) + contact.tau);
          for (int j = 0; j < problem.directions; ++j) {
            const Scalar along = slip.dot(problem.direction[static_cast<std::size_t>(j)]);
            if (direction >= 0 && along >= friction) continue;
            friction = along;
            direction = j;
          }
        }
        if (normal + friction < least) {
          least = normal + friction;
          worst = {i, direction};
        }
      }
      return worst;
    }
    void Column(const internal::ConeRow& row, Velocity* column) const {
      const auto& contact = problem.contacts[row.contact];
      column->setZero();
      Problem::AddTo(contact, contact.N, Scalar(1), column);
      if (row.direction >= 0) Problem::AddTo(contact, problem.Direction(contact, row.direction), contact.mu, column);
      problem.Project(column);
    }
  };

  internal::DualActiveSet<Scalar, kCapacity> active_;
  Velocity u_;
};

/// How far impulses are from solving (12)-(13) of [AnitescuHart], independent of any solver:
///
///     ν_i = N_iᵀu + b_i + Γ_i, t_ij = D_ijᵀu + τ_ij:   0 ≤ β_ij ⊥ ν_i + μ_i t_ij ≥ 0,   θ_i = Σ_j β_ij,  φ_ij = μ_i β_ij
///
/// divided by max(|k|, max θ). A contact without friction has the single row 0 ≤ θ_i ⊥ ν_i ≥ 0.
template <class Scalar, Capacity kCapacity>
Scalar ConvexResidual(const WhitenedProblem<Scalar, kCapacity>& problem, const std::array<Scalar, kCapacity.contacts>& gamma,
                      const WhitenedImpulses<Scalar, kCapacity>& impulses) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  const typename Problem::Velocity u = problem.VelocityFor(impulses);
  Scalar worst(0), scale = Sqrt(problem.k.squaredNorm());
  const auto include = [&worst](Scalar violation) {
    if (!(Abs(violation) <= worst)) worst = Abs(violation);
  };
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const std::size_t I = static_cast<std::size_t>(i);
    const Scalar nu = Problem::Dot(contact, contact.N, u) + contact.b + gamma[I], theta = impulses.theta[I];
    scale = Max(scale, theta);
    Scalar phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) phi_sum += impulses.phi[I][static_cast<std::size_t>(j)];
    include(phi_sum - contact.mu * theta);
    if (contact.mu == Scalar(0)) {
      include(Min(nu, theta));
      continue;
    }
    const typename Problem::Tangential slip = Problem::TangentDot(contact, u) + contact.tau;
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      include(Min(nu + contact.mu * slip.dot(problem.direction[J]), impulses.phi[I][J] / contact.mu));
    }
  }
  if (!(scale > Scalar(0))) scale = Scalar(1);
  return worst / scale;
}

}  // namespace tactus
