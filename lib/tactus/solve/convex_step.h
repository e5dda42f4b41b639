#pragma once
#include <cstdint>

#include "tactus/contact/residual.h"
#include "tactus/solve/internal/contact_speeds.h"
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
    failed_ = 0;
    return SolveFromNothing(problem, gamma, max_iterations);
  }

  /// From the rows that were active at the end of the last call; contacts must have kept their places. From nothing when
  /// that fails.
  bool SolveWarm(const Problem& problem, const Gamma& gamma, int max_iterations) {
    u_ = problem.k;
    failed_ = 0;
    if (active_.SolveWarm(Rows{problem, gamma}, max_iterations, &u_)) return true;
    failed_ = active_.iterations();
    return SolveFromNothing(problem, gamma, max_iterations);
  }

  /// The same where nothing but k, b and Γ has changed since the last call: contacts, friction and τ are the same.
  bool SolveAgain(const Problem& problem, const Gamma& gamma, int max_iterations) {
    u_ = problem.k;
    failed_ = 0;
    if (active_.SolveAgain(Rows{problem, gamma}, max_iterations, &u_)) return true;
    failed_ = active_.iterations();
    return SolveFromNothing(problem, gamma, max_iterations);
  }

  const Velocity& velocity() const { return u_; }
  /// Rows added and dropped, those of a warm start that failed included.
  int iterations() const { return failed_ + active_.iterations(); }

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
    Scalar Offset(const internal::ConeRow& row) const {
      const auto& contact = problem.contacts[row.contact];
      const Scalar normal = contact.b + gamma[static_cast<std::size_t>(row.contact)];
      return row.direction < 0 ? normal : normal + contact.mu * problem.DirectionTau(contact, row.direction);
    }
    typename Problem::Row Column(const internal::ConeRow& row) const {
      const auto& contact = problem.contacts[row.contact];
      if (row.direction < 0) return contact.N;
      return contact.N + contact.mu * problem.Direction(contact, row.direction);
    }
    internal::Violation<Scalar> MostViolated(const Velocity& u, Scalar tolerance) const {
      internal::Violation<Scalar> worst{{}, -tolerance};
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const auto& contact = problem.contacts[i];
        const internal::ContactSpeeds<Problem> speeds = internal::SpeedsAt<Problem>(contact, u);
        const Scalar normal = speeds.normal + contact.b + gamma[static_cast<std::size_t>(i)];
        const typename Problem::Tangential slip = contact.mu * (speeds.slip + contact.tau);
        const Scalar excess = normal - worst.slack;  // |slip| bounds what a direction can take off
        if (excess >= Scalar(0) && excess * excess >= slip.squaredNorm()) continue;
        if (contact.mu == Scalar(0)) {
          worst = {{i, -1}, normal};
          continue;
        }
        for (int j = 0; j < problem.directions; ++j) {
          const Scalar slack = normal + slip.dot(problem.direction[static_cast<std::size_t>(j)]);
          if (slack < worst.slack) worst = {{i, j}, slack};
        }
      }
      return worst;
    }
  };

  bool SolveFromNothing(const Problem& problem, const Gamma& gamma, int max_iterations) {
    u_ = problem.k;
    return active_.Solve(Rows{problem, gamma}, max_iterations, &u_);
  }

  internal::DualActiveSet<Scalar, kCapacity> active_;
  Velocity u_;
  int failed_ = 0;  // iterations of a warm start that failed
};

/// How far impulses are from solving (12)-(13) of [AnitescuHart], independent of any solver:
///
///     ν_i = N_iᵀu + b_i + Γ_i, t_ij = D_ijᵀu + τ_ij:   0 ≤ β_ij ⊥ ν_i + μ_i t_ij ≥ 0,   θ_i = Σ_j β_ij,  φ_ij = μ_i β_ij
///
/// divided by max(|k|, max θ). A contact without friction has the single row 0 ≤ θ_i ⊥ ν_i ≥ 0. NaN if any input is.
template <class Scalar, Capacity kCapacity>
Scalar ConvexResidual(const WhitenedProblem<Scalar, kCapacity>& problem, const std::array<Scalar, kCapacity.contacts>& gamma,
                      const WhitenedImpulses<Scalar, kCapacity>& impulses) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  const typename Problem::Velocity u = problem.VelocityFor(impulses);
  Scalar worst(0), scale = Sqrt(problem.k.squaredNorm());
  const auto include = [&worst](Scalar violation) { internal::Worsen(violation, &worst); };
  const Scalar u_squared = u.squaredNorm();
  include(u_squared - u_squared);  // 0, or NaN where u is not finite, which Min() may hide
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
