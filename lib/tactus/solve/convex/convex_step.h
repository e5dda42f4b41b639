#pragma once
#include <numeric>
#include <type_traits>

#include "tactus/solve/convex/cone_rows.h"
#include "tactus/solve/convex/dual_active_set.h"
#include "tactus/solve/judge/certificate.h"
#include "tactus/solve/judge/residual.h"

namespace tactus {

/// Anitescu and Hart's LCP2: one convex quadratic program instead of the LCP ([AnitescuHart] (15) with Γ = 0;
/// docs/theory, section 8). In whitened variables
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
    internal::Copy(problem, problem.k, &u_);
    failed_ = 0;
    if (active_.SolveWarm(Rows{problem, gamma}, max_iterations, &u_)) return true;
    failed_ = active_.iterations();
    return SolveFromNothing(problem, gamma, max_iterations);
  }

  /// The same where nothing but k, b and Γ has changed since the last call: contacts, friction and τ are the same.
  bool SolveAgain(const Problem& problem, const Gamma& gamma, int max_iterations) {
    internal::Copy(problem, problem.k, &u_);
    failed_ = 0;
    if (active_.SolveAgain(Rows{problem, gamma}, max_iterations, &u_)) return true;
    failed_ = active_.iterations();
    return SolveFromNothing(problem, gamma, max_iterations);
  }

  /// Counts the steps, and may refuse one; then a solve gives up. nullptr: no limit.
  void set_work(Work* work) { active_.set_work(work); }

  const Velocity& velocity() const { return u_; }
  /// Rows added and dropped, those of a warm start that failed included.
  int iterations() const { return failed_ + active_.iterations(); }

  /// The active rows: of which contact, in which direction (-1: a contact without friction).
  int size() const { return active_.size(); }
  const internal::ConeRow& row(int a) const { return active_.row(a); }
  Scalar multiplier(int a) const { return active_.multiplier(a); }

  /// θ_i = Σ_j β_ij, φ_ij = μ_i β_ij
  void GetImpulses(const Problem& problem, Impulses* impulses) const {
    *impulses = {};
    for (int a = 0; a < active_.size(); ++a) {
      internal::AddMultiplier(problem, active_.row(a), active_.multiplier(a), impulses);
    }
  }

  /// After false, with Γ = 0: impulses with N θ + D φ = 0 and bᵀθ + τᵀφ < 0, so that no u satisfies the rows (Farkas).
  /// @returns whether there are such, beyond rounding: a certificate as in docs/theory, section 3
  bool GetCertificate(const Problem& problem, Impulses* certificate) const {
    if (active_.contradicting().contact < 0) return false;
    GetImpulses(problem, certificate);
    internal::AddMultiplier(problem, active_.contradicting(), Scalar(1), certificate);
    return internal::IsCertificate(problem, *certificate);
  }

 private:
  static constexpr bool kFewBodies = internal::kFewBodies<Problem>;
  using Rows = internal::ConeRows<Problem, !kFewBodies>;
  struct NoSweeps {};
  using Sweeps = std::conditional_t<kFewBodies, NoSweeps, internal::DualSweeps<Problem>>;

  bool SolveFromNothing(const Problem& problem, const Gamma& gamma, int max_iterations) {
    Rows rows{problem, gamma};
    if constexpr (!kFewBodies) {
      constexpr int kManyContacts = 100,
                    kContactsASweep = 6;  // measured on piles. 136 disks, 376 contacts: 435-890 iterations without sweeps,
                                          // 440-510 with them, in less than half the time. 21 disks: no gain
      const int n = problem.contacts.size();
      if (n >= kManyContacts) {
        sweeps_.Run(rows, n / kContactsASweep);
        rows.sweeps = &sweeps_;
      }
    }
    internal::Copy(problem, problem.k, &u_);
    return active_.Solve(rows, max_iterations, &u_);
  }

  internal::DualActiveSet<Problem> active_;
  [[no_unique_address]] Sweeps sweeps_;
  Velocity u_;
  int failed_ = 0;  // iterations of a failed warm start
};

/// How far impulses are from solving (12)-(13) of [AnitescuHart], independent of any solver:
///
///     ν_i = N_iᵀu + b_i + Γ_i, t_ij = D_ijᵀu + τ_ij:   0 ≤ β_ij ⊥ ν_i + μ_i t_ij ≥ 0,   θ_i = Σ_j β_ij,  φ_ij = μ_i β_ij
///
/// divided by max(|k|, max θ). A contact without friction has the single row 0 ≤ θ_i ⊥ ν_i ≥ 0. NaN if any input is.
template <class Problem>
typename Problem::Scalar ConvexResidual(const Problem& problem,
                                        const std::array<typename Problem::Scalar, Problem::kCapacity.contacts>& gamma,
                                        const typename Problem::Impulses& impulses) {
  using Scalar = typename Problem::Scalar;
  Scalar worst(0), scale = Sqrt(problem.k.squaredNorm());
  const auto u = problem.VelocityFor(impulses);
  const auto include = [&worst](Scalar violation) { internal::Worsen(violation, &worst); };
  include(u.squaredNorm() - u.squaredNorm());  // 0, or NaN where u is not finite, which Min() may hide
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const auto& phi = impulses.phi[i];
    const Scalar theta = impulses.theta[i];
    const Scalar nu = problem.Dot(contact, contact.N, u) + contact.b + gamma[i];
    const Scalar phi_sum = std::accumulate(phi.begin(), phi.begin() + problem.directions, Scalar(0));
    scale = Max(scale, theta);
    include(phi_sum - contact.mu * theta);
    if (contact.mu == Scalar(0)) {
      include(Min(nu, theta));
      continue;
    }
    const auto slip = (problem.TangentDot(contact, u) + contact.tau).eval();
    for (int j = 0; j < problem.directions; ++j) {
      include(Min(nu + contact.mu * slip.dot(problem.direction[j]), phi[j] / contact.mu));
    }
  }
  if (!(scale > Scalar(0))) scale = Scalar(1);
  return worst / scale;
}

}  // namespace tactus
