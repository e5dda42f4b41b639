#pragma once
#include <variant>

#include "tactus/contact/contact_solution.h"
#include "tactus/core/check.h"
#include "tactus/solve/convex/nearest_velocity.h"
#include "tactus/solve/judge/answer.h"
#include "tactus/solve/judge/certificate.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tactus/solve/rung.h"
#include "tactus/solve/solve_options.h"
#include "tactus/solve/work.h"

namespace tactus {

/// Runs solvers, best first, until one gives an answer that passes verification (docs/theory.md, section 11):
///
///     warm basis ► cold ► cold with another covering vector, up to `reseeds` times, every other one with finer tolerances ►
///     cold with all friction rows from the start;
///     if a certificate says that the contacts squeeze: gaps clamped to ≥ 0, which is solvable and stops further
///     penetration; if pivots ran out: F1 last tick's impulse, or where that does not help F2 the last cold iterate ► F4
///     nothing, each taken to the nearest velocity that does not penetrate ► rest
///
/// An attempt's answer with a residual above Tolerances::kAcceptFirst is put aside while other attempts are left, and
/// the best of them is taken if none is better: 2 in 100 000 are, in double. With a budget or a clock the first answer that
/// will do is taken, residual ≤ Tolerances::kAccept.
///
/// A certificate without friction proves that no solution exists and ends the attempts. With friction it is no proof (theory
/// 3, 4): the attempts go on unless a budget is set, and an answer counts only if it refutes the certificate.
///
/// With a budget of work every step is counted before it is taken, and the first one that would touch the reserve of the
/// fallbacks ends the search: work() is at most the budget, if that is at least work::Reserve(contacts). LemkeDense, which
/// does not count, is no solver for a budget.
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

  static constexpr bool kCountsWork = requires(Lemke lemke, Work* work) { lemke.set_work(work); };
  static constexpr bool kStartsWarm = requires(Lemke lemke, const Problem& problem) { lemke.SolveWarm(problem, 0u, 1); };

  void set_basis(int contact, const ContactBasis& basis) {
    if constexpr (kStartsWarm) lemke().set_basis(contact, basis);
  }
  /// That of the answer; of a fallback: none.
  ContactBasis basis(int contact) const {
    if constexpr (kStartsWarm) return lemke().basis(contact);
    return {};
  }

  /// @param[in,out] problem  gaps are changed while kClampedGaps is tried, and restored
  /// @param[in]     recall   recall(Impulses*) writes last tick's impulses of the same contacts, zero where there are none:
  ///                         for F1, and only called for it
  /// @param[out]    impulses of the answer
  /// @param[out]    certificate  for kJammed; else unspecified
  template <class Recall>
  void Run(Problem* problem, const LadderOptions& options, const Recall& recall, Impulses* impulses, Impulses* certificate);

  SolveStatus status() const { return status_; }
  Rung rung() const { return rung_; }
  int pivots() const { return pivots_; }
  std::int64_t work() const { return work_.done(); }            ///< [instructions] counted
  bool ran_out_of_work() const { return work_.was_refused(); }  ///< a step was not taken for it
  Scalar residual() const { return residual_; }                 ///< of the problem as given
  const Velocity& velocity() const { return u_; }

 private:
  using Nearest = NearestVelocity<Scalar, kCapacity>;
  using Tolerance = Tolerances<Scalar>;
  struct Limits {  // largest residual of an answer, by what the path ended in
    Scalar solved, ray;
  };
  struct Search {
    LemkeOutcome outcome = LemkeOutcome::kSingular;  // of the last path from nothing
    int best = -1;                                   // attempt whose answer would do
    Scalar best_residual = Tolerance::kAccept;
  };

  Lemke& lemke() { return *std::get_if<Lemke>(&workspace_); }
  const Lemke& lemke() const { return *std::get_if<Lemke>(&workspace_); }
  static bool IsInAHurry(const LadderOptions& options);
  bool MayStart(const LadderOptions& options) const { return options.time_left() && !work_.was_refused(); }
  bool StartAttempt(const Problem& problem);
  bool Attempt(const Problem& problem, const LadderOptions& options, int attempt, const Limits& limits, Search* search);
  bool TryExpanded(const Problem& problem, const LadderOptions& options, LemkeOutcome* outcome);
  bool TryWarm(const Problem& problem, const LadderOptions& options, Rung verified, Rung repaired);
  bool TryCold(const Problem& problem, const LadderOptions& options, int attempt, LemkeOutcome* outcome,
               const Limits& limits);
  bool Accept(const Problem& problem, Rung rung);
  bool Holds(const Problem& problem);
  bool TakeCertificate(const Problem& problem);
  void AnswerJam(Problem* problem, const LadderOptions& options);
  template <class Recall>
  void FallBack(const Problem& problem, const Recall& recall, bool iterate_is_safe);
  bool Project(const Problem& problem, Scalar scale, Rung rung, Nearest* nearest);
  void Rest(const Problem& problem);

  std::variant<Lemke, Nearest> workspace_;  // the second when Lemke's paths are given up, until the end of Run(); not larger
  Impulses* impulses_ = nullptr;            // the caller's, while Run() works
  Impulses* certificate_ = nullptr;         // the same
  bool squeezed_ = false;                   // *certificate_ is one of the problem at hand
  bool ray_squeezes_ = false;               // it is the ray of the last path from nothing
  Velocity u_;
  Scalar residual_{0};
  SolveStatus status_ = SolveStatus::kInvalid;
  Rung rung_ = Rung::kNone;
  int pivots_ = 0;
  Work work_;
};

}  // namespace tactus

#include "tactus/solve/ladder.inl"
