#pragma once
#include <type_traits>
#include <variant>

#include "tactus/contact/contact_solution.h"
#include "tactus/core/check.h"
#include "tactus/solve/carried_sweeps.h"
#include "tactus/solve/convex/convex_step.h"
#include "tactus/solve/convex/exact_law.h"
#include "tactus/solve/convex/nearest_velocity.h"
#include "tactus/solve/judge/answer.h"
#include "tactus/solve/judge/certificate.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tactus/solve/rung.h"
#include "tactus/solve/solve_options.h"
#include "tactus/solve/work.h"

namespace tactus {

/// Runs solvers, the best first, until one gives an answer that passes verification (docs/theory, section 11):
///
///     TryLastBasis             last tick's basis: it still solves the problem, or a few pivots repair it
///     TryColdStarts            from nothing; up to `reseeds` more with another covering vector, every other one with finer
///                              tolerances
///     AnswerSqueeze            if a certificate proves that there is no solution: gaps clamped to ≥ 0, which is solvable
///                              and stops further penetration
///     TryAllFrictionRows       from nothing with all friction rows from the start
///     TakeBestOfLooseAnswers   the best answer of the cold starts that verified loosely
///     TryWaysOut               if a certificate was found that proves nothing but was not refuted either: from the answers
///                              to problems in which one of its contacts is far off, or slips
///     AnswerSqueeze            if that finds nothing
///     TryEndOfFirstPath        the point where the first path ended, if its residual is that of a solution
///     TakeSafeVelocity         F1 last tick's impulse, or where it does not help F3 the convex step, F2 the last cold
///                              iterate, or F4 nothing; F1, F2, F4 and an F3 that was cut off are taken to the nearest
///                              velocity that does not penetrate. If that fails: rest
///
/// Where work runs out on a path the convex step is taken at once (few bodies only). If it is a solution, or the exact law
/// on its rows is (one body), that is the answer. If not it is kept as the safe one, and the path goes on with what its
/// reserve has set free.
///
/// An answer with a residual above Tolerances::kAcceptFirst is loose: it is put aside while other attempts are left. In
/// double 2 of 100 000 are. With a deadline the first answer with a residual ≤ Tolerances::kAccept is taken.
///
/// A certificate without friction proves that no solution exists and ends the attempts. With friction it is no proof (theory
/// 3, 4): the attempts go on unless a budget is set, and an answer counts only if it refutes the certificate.
///
/// With a budget of work every step is counted before it is taken. The first step that would touch the reserve of the
/// fallbacks ends the search: work() is at most the budget, if that is at least work::Reserve(contacts). LemkeDense and
/// LemkePile do not count and are refused with a budget.
///
/// With b ≥ 0 and τ = 0 no rung adds energy: |u| ≤ |k|, up to rounding (Tolerances::kEnergy of |k|²). An answer of any rung
/// that would add more than gaps and moving surfaces account for is refused.
///
/// @tparam Lemke  the exact solver, one of those that satisfy LemkeSolver; LemkeReduced and LemkePile start warm
template <class Scalar, Capacity kCapacity, class Lemke = LemkeReduced<Scalar, kCapacity>>
class Ladder {
  static_assert(LemkeSolver<Lemke>);

 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  static constexpr bool kCountsWork = requires(Lemke lemke, Work* work) { lemke.set_work(work); };
  static constexpr bool kRepairs = requires(Lemke lemke, const Problem& problem) { lemke.Repair(problem, 0u, 1); };
  static constexpr bool kResumes = requires(Lemke lemke, const Problem& problem) { lemke.Resume(problem, 1); };
  static constexpr bool kStartsWarm = requires(Lemke lemke, const Problem& problem) { lemke.SolveWarm(problem, 0u, 1); };

  void set_basis(int contact, const ContactBasis& basis) {
    if constexpr (kStartsWarm) lemke().set_basis(contact, basis);
  }
  /// That of the answer; of a fallback: none.
  ContactBasis basis(int contact) const {
    if (rung_ == Rung::kConvexStep) return ConvexBasis(contact);
    if constexpr (kStartsWarm) return lemke().basis(contact);
    return {};
  }

  /// @param[in,out] problem  b and τ are changed while kClampedGaps and the ways out are tried, and restored
  /// @param[in]     recall   recall(Impulses*) writes last tick's impulses of the same contacts, zero where there are none:
  ///                         for F1, and only called for it. If it offers ReduceProblem(problem, work), that is called once
  ///                         before the cold starts and may take contacts away that need not carry
  /// @param[out]    impulses of the answer
  /// @param[out]    certificate  for kJammed; else unspecified
  template <class Recall>
  void Run(Problem* problem, const LadderOptions& options, const Recall& recall, Impulses* impulses, Impulses* certificate);

  /// Two ways on from an answer of the last Run() that the caller refuses, to one that holds beside each contact's own
  /// motion too. Their velocity is carried, not computed from the impulses. Polish() sweeps over the contacts
  /// (carried_sweeps.h), Repair() makes what is most wrong 0.7 times as large by pivots from the answer's basis; it knows
  /// nothing of sweeps.
  /// @param[in,out] work      counts them
  /// @param[in,out] impulses  of the answer
  /// @returns whether there is an answer: velocity(), residual(), *impulses
  bool Polish(const Problem& problem, int sweeps, Work* work, Impulses* impulses);
  bool Repair(const Problem& problem, const LadderOptions& options, Work* work, Impulses* impulses);

  /// In place of an answer that the caller refuses: the fallbacks.
  /// @param[in,out] work  counts them; what they need is Spend()ed
  template <class Recall>
  void MakeSafe(const Problem& problem, const Recall& recall, Work* work, Impulses* impulses);

  /// The contacts or their gaps are others than those of the last Run(): nothing that it found holds for them.
  void ForgetLastRun() {
    convex_.state = ConvexState::kUntried;
    squeezed_ = false;
    rung_ = Rung::kNone;
  }
  /// What is recalled is better than the convex step.
  void ForgoConvexStep() { convex_.state = ConvexState::kFailed; }

  /// In place of a fallback that closes a gap, where rounding has won: u = 0, which closes none.
  void TakeRest(const Problem& problem, Impulses* impulses) {
    impulses_ = impulses;
    Rest(problem);
  }

  /// Whether the last answer closes a rigid contact beyond its gap, whose overlap need not be undone, by more than rounding.
  bool ClosesGap(const Problem& problem) const;

  /// Largest residual of an answer called solved; 0: Tolerances::kAccept.
  void set_tolerance(Scalar tolerance) { accept_ = tolerance > Scalar(0) ? tolerance : Tolerance::kAccept; }

  SolveStatus status() const { return status_; }
  Shortfall shortfall() const { return status_ == SolveStatus::kSolved ? Shortfall::kNone : shortfall_; }
  Rung rung() const { return rung_; }
  int pivots() const { return pivots_; }
  std::int64_t work() const { return work_.done(); }            ///< [instructions] counted
  bool ran_out_of_work() const { return work_.was_refused(); }  ///< a step was not taken for it
  Scalar residual() const { return residual_; }                 ///< of the problem as given
  const Velocity& velocity() const { return u_; }

 private:
  using Nearest = NearestVelocity<Scalar, kCapacity>;
  static constexpr bool kHasConvexStep = internal::kFewBodies<Problem>;  // for more it would need too much room
  // A third of what is left beside the reserve. Cold starts of one body without an exact answer, double and float: with a
  // half and 5 steps of the law 0.8 and 0.7 %, with a third and 3 steps 0.7 and 0.7, with no share 0.8 and 0.7.
  static constexpr int kConvexShare = 3;
  static constexpr bool kHasExactLaw = kCapacity.bodies == 1;  // on the stack
  enum class ConvexState : std::uint8_t { kUntried, kFailed, kCutOff, kInHand };
  struct NoStep {};
  struct Convex {
    ConvexState state = ConvexState::kUntried;
    [[no_unique_address]] std::conditional_t<kHasConvexStep, ConvexStep<Scalar, kCapacity>, NoStep> step;
    [[no_unique_address]] std::conditional_t<kHasConvexStep, internal::RowMultipliers<Problem>, NoStep> answer;
  };
  using Tolerance = Tolerances<Scalar>;
  struct Limits {  // largest residual of an answer, by what the path ended in
    Scalar solved, ray;
  };
  struct Search {
    LemkeOutcome outcome = LemkeOutcome::kSingular;  // of the last path from nothing
    bool has_no_solution = false;                    // the certificate is a proof, or the deadline leaves time for no other
    int best = -1;                                   // attempt with the best loose answer
    Scalar best_residual;                            // of it
    // The path from nothing is too long; another covering vector's is as long.
    bool is_too_long() const { return outcome == LemkeOutcome::kBudget; }
  };
  struct WayOut {
    int contact = -1, direction = -1;  // direction < 0: off
  };

  Lemke& lemke() { return *std::get_if<Lemke>(&workspace_); }
  const Lemke& lemke() const { return *std::get_if<Lemke>(&workspace_); }

  // The rungs, in their order. Each returns whether the answer is found.
  void Begin(const Problem& problem, const LadderOptions& options, Impulses* impulses, Impulses* certificate);
  bool TryLastBasis(const Problem& problem, const LadderOptions& options);
  bool TryColdStarts(const Problem& problem, const LadderOptions& options, Search* search);
  bool TryAllFrictionRows(const Problem& problem, const LadderOptions& options, Search* search);
  bool TakeBestOfLooseAnswers(const Problem& problem, const LadderOptions& options, Search* search);
  bool TryEndOfFirstPath(const Problem& problem, const LadderOptions& options, Search* search);
  // Rare: its code is not beside that of every tick.
  [[gnu::cold, gnu::noinline]] bool TryWaysOut(Problem* problem, const LadderOptions& options);
  [[gnu::cold]] bool FindWayOut(const Problem& problem, WayOut* way) const;
  [[gnu::cold, gnu::noinline]] bool BeginBeyond(Problem* problem, const LadderOptions& options, const WayOut& way);
  void AnswerSqueeze(Problem* problem, const LadderOptions& options);
  template <class Recall>
  void TakeSafeVelocity(const Problem& problem, const LadderOptions& options, const Recall& recall, bool iterate_is_safe);

  // Attempts.
  bool MayStart(const LadderOptions& options) const { return options.deadline.time_left() && !work_.was_refused(); }
  bool StartAttempt(const Problem& problem);
  bool Attempt(const Problem& problem, const LadderOptions& options, int attempt, const Limits& limits, Search* search);
  bool TryWarm(const Problem& problem, const LadderOptions& options, Rung verified, Rung repaired);
  bool TryCold(const Problem& problem, const LadderOptions& options, int attempt, LemkeOutcome* outcome,
               const Limits& limits);
  bool Accept(const Problem& problem, Rung rung);
  bool Holds(const Problem& problem);
  bool EndsInConvexStep(const Problem& problem, int max_pivots, LemkeReport* report);
  bool TryConvexStep(const Problem& problem);
  bool TryExactLaw(const Problem& problem, typename ConvexStep<Scalar, kCapacity>::Gamma* gamma, Work* work);
  void ShareWithConvexStep(const Problem& problem);
  void GiveConvexStep(const Problem& problem);
  static std::int64_t ReserveOfProjection(const Problem& problem) {
    const int n = problem.contacts.size();
    return work::FullFallback(n) + Nearest::MoreWork(problem);
  }
  static std::int64_t Reserve(const Problem& problem) {
    return work::Reserve(problem.contacts.size()) + Nearest::MoreWork(problem);
  }
  // With the convex step's answer in hand: room to give it, or for what comes first, last tick's impulses.
  std::int64_t ReserveInHand(const Problem& problem) const {
    return recalls_ ? ReserveOfProjection(problem) : work::InHand(problem.contacts.size());
  }
  ContactBasis ConvexBasis(int contact) const;
  bool Measure(const Problem& problem, Impulses* impulses);
  bool TakeCertificate(const Problem& problem);

  // Fallbacks.
  void FindShortfall(const LadderOptions& options, bool too_long);
  template <class Recall>
  void FallBack(const Problem& problem, const Recall& recall, bool iterate_is_safe);
  // The share s of the impulses at hand that is safe, and the most that surfaces and joints give with it.
  struct Share {
    Scalar s{0}, given{0};
  };
  Share SafeShare(const Problem& problem, bool is_iterate) const;
  bool Project(const Problem& problem, const Share& share, Rung rung, Nearest* nearest);
  void TakeFreeMotion(const Problem& problem);
  void Rest(const Problem& problem);

  std::variant<Lemke, Nearest> workspace_;  // Nearest works in Lemke's memory while a fallback runs; it is not larger
  Impulses* impulses_ = nullptr;            // the caller's, while Run() works
  Impulses* certificate_ = nullptr;         // the same
  bool squeezed_ = false;                   // *certificate_ is one of the problem at hand
  bool ray_squeezes_ = false;               // it is the ray of the last path from nothing
  Convex convex_;
  bool recalls_ = true;  // LadderOptions::recalls
  Velocity u_;
  Scalar residual_{0};
  SolveStatus status_ = SolveStatus::kInvalid;
  Rung rung_ = Rung::kNone;
  int pivots_ = 0;
  Scalar accept_ = Tolerance::kAccept;
  Shortfall shortfall_ = Shortfall::kNone;
  Work work_;
};

}  // namespace tactus

#include "tactus/solve/ladder.inl"
#include "tactus/solve/ladder_attempts.inl"
#include "tactus/solve/ladder_convex_step.inl"
#include "tactus/solve/ladder_fallbacks.inl"
