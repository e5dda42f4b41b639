#pragma once
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/residual.h"
#include "tactus/solve/lemke_reduced.h"
#include "tactus/solve/nearest_velocity.h"

namespace tactus {

/// How much the ladder may try.
struct LadderOptions {
  bool warm = true;      ///< the bases set with Ladder::set_basis() are worth trying
  int warm_pivots = 60;  ///< per attempt
  int cold_pivots = 100;
  int reseeds = 3;       ///< further cold attempts, each with another covering vector
  int pivot_budget = 0;  ///< over all attempts, what the deadline allows; 0: no limit beyond the ones above
  unsigned seed = 0;
};

/// Runs solvers, best first, until one gives an answer that passes verification (docs/theory.md, section 11):
///
///     warm basis ► cold ► cold with another covering vector, up to `reseeds` times, every other one with finer tolerances ►
///     cold with all friction rows from the start no solution exists (certificate): gaps clamped to ≥ 0 ► solvable, stops
///     further penetration pivots ran out: F1 last tick's impulse ► F2 last cold iterate ► F4 nothing, each taken to the
///     nearest velocity that does not penetrate ► rest
///
/// With b ≥ 0 and τ = 0 no rung adds energy: |u| ≤ |k|, up to rounding (Tolerances::kEnergy of |k|²). An answer of any rung
/// that would add more than gaps and moving surfaces account for is refused.
///
/// @tparam Lemke  the exact solver, one of those that satisfy LemkeSolver; only LemkeReduced starts warm
template <class Scalar, Capacity kCapacity, class Lemke = LemkeReduced<Scalar, kCapacity>>
class Ladder {
  static_assert(LemkeSolver<Lemke>);

 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  static constexpr bool kStartsWarm = requires(Lemke lemke, const Problem& problem) { lemke.SolveWarm(problem, 0u, 1); };

  void set_basis(int contact, const ContactBasis& basis) {
    if constexpr (kStartsWarm) lemke_.set_basis(contact, basis);
  }
  ContactBasis basis(int contact) const {
    if constexpr (kStartsWarm) return lemke_.basis(contact);
    return {};
  }

  /// @param[in,out] problem   gaps are changed while kClampedGaps is tried, and restored
  /// @param[in]     previous  last tick's impulses of the same contacts, for F1; zero where there are none
  void Run(Problem* problem, const LadderOptions& options, const Impulses& previous);

  SolveStatus status() const { return status_; }
  Rung rung() const { return rung_; }
  int pivots() const { return pivots_; }
  Scalar residual() const { return residual_; }  ///< of the problem as given
  const Velocity& velocity() const { return u_; }
  const Impulses& impulses() const { return impulses_; }
  const Impulses& certificate() const { return certificate_; }  ///< for kJammed

 private:
  int Allowed(const LadderOptions& options, int wanted) const;
  bool TryExpanded(const Problem& problem, const LadderOptions& options, LemkeOutcome* outcome);
  bool TryWarm(const Problem& problem, const LadderOptions& options, Rung verified, Rung repaired);
  bool TryCold(const Problem& problem, const LadderOptions& options, int attempt, LemkeOutcome* outcome, Scalar accept_ray);
  bool Accept(const Problem& problem, Rung rung);
  bool AddsEnergy(const Problem& problem) const;
  bool IsCertificate(const Problem& problem) const;
  void AnswerJam(Problem* problem, const LadderOptions& options);
  void FallBack(const Problem& problem, const LadderOptions& options, const Impulses& previous, bool iterate_is_safe);
  bool Project(const Problem& problem, const Impulses& start, Scalar scale, Rung rung);

  Lemke lemke_;
  NearestVelocity<Scalar, kCapacity> nearest_;
  Impulses impulses_, certificate_;
  Velocity u_;
  Scalar residual_{0};
  SolveStatus status_ = SolveStatus::kInvalid;
  Rung rung_ = Rung::kNone;
  int pivots_ = 0;
};

}  // namespace tactus

#include "tactus/solve/internal/ladder_impl.h"
