#pragma once
#include <limits>
#include <type_traits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/judge.h"
#include "tactus/contact/merge.h"
#include "tactus/contact/patch_hull.h"
#include "tactus/contact/unwhiten.h"
#include "tactus/contact/validate.h"
#include "tactus/contact/whiten.h"
#include "tactus/solve/anderson_mixing.h"
#include "tactus/solve/islands.h"
#include "tactus/solve/ladder.h"
#include "tactus/solve/round/round_rung.h"
#include "tactus/solve/viscous_friction.h"
#include "tactus/solve/warm_state.h"

namespace tactus {

/// Solves contact problems, each island by itself: validation, whitening, joint elimination, row normalisation, the ladder
/// of solvers (warm, cold, reseeded, energy-safe fallbacks), physical units, and the verdict (judge.h): an answer that does
/// not hold on the own scale of each contact is replaced by a safe one. Keeps the basis and the impulses of the
/// last answer for the next call. No heap; bounded time. `sizeof` is all the memory that it keeps. While it solves it
/// also uses the solution's lists of impulses and of the certificate, and the stack (docs/benchmarks.md).
///
///     ContactSolver<double, kPeg> solver;
///     ContactSolution<double, kPeg> solution;
///     solver.Solve(problem, {}, &solution);
///     if (solution.status == SolveStatus::kSolved) Use(solution.velocity[0]);
///
/// Errors: every outcome is `solution->status`; the velocities are usable whenever it is not kInvalid. If no contact
/// penetrates, no surface moves and no joint has a speed, the kinetic energy after the step is not above that of (M v0 + h
/// f), up to rounding (Tolerances::kEnergy).
///
/// @tparam Lemke  the exact solver on the ladder; the default is the fast one. It and LemkePile start warm
template <class Scalar, Capacity kCapacity, class Lemke = LemkeReduced<Scalar, kCapacity>>
class ContactSolver {
 public:
  using PhysicalProblem = ContactProblem<Scalar, kCapacity>;
  using Solution = ContactSolution<Scalar, kCapacity>;

  void Solve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution) noexcept;

  /// Forgets the last answer: the next call starts cold.
  void Reset() noexcept {
    remembered_.clear();
    failures_ = 0;
  }

  /// What the next warm start begins from.
  WarmState<Scalar, kCapacity> warm_state() const { return {remembered_, failures_}; }
  /// The next solve starts as if the last one had been the one that `state` is from. A basis that does not fit is repaired.
  void set_warm_state(const WarmState<Scalar, kCapacity>& state) {
    remembered_ = state.contacts;
    failures_ = Clamp(state.failures, 0, kMaxFailures);  // it may come from a file
  }

 private:
  static constexpr int kDof = kCapacity.dof, kLinear = LinearSize(kDof);
  static constexpr bool kHasIslands = kCapacity.bodies > 1;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;
  using Point = Vec<Scalar, kLinear>;
  using Tangential = typename Problem::Tangential;
  using Numbers = std::array<Scalar, kCapacity.contacts>;
  // The passes end when viscous friction is right to rounding. The answer is called solved if it is right to what the
  // verdict allows. Of 9 600 ticks of stacks with up to 10⁴ N s/m 327 are not right after 24 passes; 499 after 16, 172
  // after 48.
  static constexpr int kViscousPasses = 24;
  static constexpr Scalar kViscousTolerance = Scalar(4096) * std::numeric_limits<Scalar>::epsilon();
  static constexpr Scalar kViscousAccepted = Tolerances<Scalar>::kAcceptShare;
  static constexpr int kMaxFailures = 1000;  // after as many, covering vectors come round again (GenericCover: seed % 1000)
  static constexpr bool kHasWorkingSet = kCapacity.bodies == 1 && kDof == 6;
  static constexpr bool kRoundIsMore = Problem::kTangent == 2;  // in the plane the polygon is the cone

  using Nearest = NearestVelocity<Scalar, kCapacity>;
  using Remembered = typename WarmState<Scalar, kCapacity>::Remembered;

  [[gnu::noinline]] bool Begin(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  void RecallContacts(const PhysicalProblem& problem);
  // What is known of a contact, and what there is of it to start from.
  const Remembered* Known(int contact) const {
    const int place = recalled_[contact];
    return place < 0 ? nullptr : &remembered_[place];
  }
  const Remembered* Recalled(int contact) const { return recalls_ ? Known(contact) : nullptr; }
  std::int64_t WorkAround(const PhysicalProblem& problem) const {
    return work::Setup(problem.contacts.size()) + work::Search(compared_);
  }
  void ChooseTangents(const PhysicalProblem& problem, Solution* solution) const;
  void TakeFrictionLaws(const PhysicalProblem& problem, bool same_step, Solution* solution);
  Scalar LastLoadOfPair(const PhysicalProblem& problem, int i) const;
  // Few contacts have any: its code is not beside that of every tick.
  [[gnu::cold, gnu::noinline]] void AddViscousFriction(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                       Solution* solution);
  [[gnu::cold, gnu::noinline]] void CorrectViscousFriction(const PhysicalProblem& problem, const Numbers& used,
                                                           ViscousFriction<Problem>* viscous);
  [[gnu::cold, gnu::noinline]] void SettleViscousFriction(const PhysicalProblem& problem,
                                                          const SolverOptions<Scalar>& options, Solution* solution);
  // Right to rounding, or to what is accepted and no longer better.
  bool IsSettled(Scalar error) const {
    return error <= kViscousTolerance || (error <= kViscousAccepted && error > last_viscous_error_ / Scalar(2));
  }
  static Tangential TurnedFriction(const Remembered& last, const Point& normal, const Point& tangent);
  void PrepareWarmStart();
  bool HasBasis() const;
  bool HasLastImpulses() const;
  void ReducePatches(const PhysicalProblem& problem, Problem* whitened, Work* work);
  void RecallImpulses(Impulses* impulses) const;
  LadderOptions MakeLadderOptions(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                  const Solution& solution) const;
  std::int64_t ReserveOfLaterIslands(const PhysicalProblem& problem) const;
  std::int64_t MoreWork(const PhysicalProblem& problem, int island) const;
  std::int64_t BudgetLeft(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                          const Solution& solution) const;
  Work WorkLeft(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, const Solution& solution) const;
  [[gnu::noinline]] ProblemFault SolveOnOneCone(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                Solution* solution);
  ProblemFault SolveIslands(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  ProblemFault SolveIsland(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  ProblemFault SolveUnmerging(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  ProblemFault SolveOnce(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  ProblemFault RunLadder(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, bool shorten_far_gaps,
                         Solution* solution);
  ProblemFault Demote(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  void TakeRestIfClosing(const PhysicalProblem& problem, Scalar limit, Solution* solution);
  /// Newton's last step is saved under a deadline alone, where the caller has no tolerance of his own.
  static bool RefinesRound(const SolverOptions<Scalar>& options) {
    return options.tolerance > Scalar(0) || !options.deadline().IsSet();
  }
  static bool IsMixed(const Solution& solution) {
    return !solution.contact_cone.empty() && solution.status == SolveStatus::kSolved;
  }
  bool HasFriction() const {
    for (const auto& contact : whitened_.contacts) {
      if (contact.mu > Scalar(0) || contact.held_mu > Scalar(0)) return true;
    }
    return false;
  }
  bool Holds(const SolverOptions<Scalar>& options) const;
  bool IsRefused(const SolverOptions<Scalar>& options) const {
    return part_.status == SolveStatus::kSolved && !Holds(options);
  }
  // What is not an answer misses the law of contact anyway.
  JudgeOptions<Scalar, kCapacity> HowJudged() const {
    const bool is_round = kRoundIsMore && part_.cone == Cone::kRound;
    const auto limits = is_round ? VerdictLimits<Scalar>::OfRound(Scalar(0), false) : VerdictLimits<Scalar>(Scalar(0));
    const bool is_answer = part_.status == SolveStatus::kSolved;
    return {whiten_options_.place, whiten_options_.max_push_out_mps,
            is_answer ? limits.share : std::numeric_limits<Scalar>::max()};
  }
  void TakeVerdict(const PhysicalProblem& problem, const Solution& solution) {
    part_.verdict = JudgeAnswer(problem, solution, HowJudged(), whitened_.direction);
  }
  bool MaySolveAgain(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, const Solution& solution) const;
  ProblemFault SolveReseeded(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  void Improve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  ProblemFault WhitenAll(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, bool shorten_far_gaps,
                         Solution* solution);
  bool IsShortOfWork(const PhysicalProblem& problem, const SolverOptions<Scalar>& options) const;
  void SettleForSafe(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  bool MayTryLastRound(const SolverOptions<Scalar>& options) const;
  void SolveWhitened(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, bool falls_back,
                     Solution* solution);
  bool MayTakeWorkingSet(const SolverOptions<Scalar>& options) const;
  bool SolveWorkingSet(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  bool JoinClosing(const PhysicalProblem& problem, const Solution& solution);
  bool TryWorkingSet(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  bool TryLastRound(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  bool MaySweep(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, const Solution& solution) const;
  bool HasWorkOfSearch(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, const Solution& solution) const;
  bool TrySweeps(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  void Sweep(Work* work);
  void TakeSafe(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Shortfall why, Solution* solution);
  void SettleForSwept(Work* work, Solution* solution);
  bool IsFlung(const SolverOptions<Scalar>& options, Solution* solution) {
    return internal::IsFlung(whitened_, WorkImpulses(solution), Velocity(), options.max_push_out_mps);
  }
  void KeepSwept();
  void ForgetSwept();
  void TakeRound(Solution* solution);
  void PolishPolygon(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  void RecallRound(const PhysicalProblem& problem, const Solution& solution);
  const typename Problem::Velocity& Velocity() const;
  void ReportFriction(const PhysicalProblem& problem, Solution* solution) const;
  bool LeansOnFarContact(const Solution& solution) const;
  void TakeAnswer(const PhysicalProblem& problem, Solution* solution);
  void TakeJam(const PhysicalProblem& problem, Solution* solution);
  bool RestoreViolated(const PhysicalProblem& problem, bool all, const Solution& solution);
  void Combine(const SolverOptions<Scalar>& options, Solution* solution);
  void Remember(const PhysicalProblem& problem, const Solution& solution);

  // Whether a contact or joint belongs to the island at hand.
  template <class Connection>
  bool IsAtHand(const Connection& connection) const {
    if constexpr (kHasIslands) {
      return islands_.count() <= 1 || islands_.Of(connection.a, connection.b) == island_;
    } else {
      return true;
    }
  }
  bool IsWhole() const {
    if constexpr (kHasIslands) return islands_.count() <= 1;
    return true;
  }
  // Where the ladder works: in the solution itself, or, if that is to hold other islands too, beside it.
  Impulses& WorkImpulses(Solution* solution) {
    if constexpr (kHasIslands) return IsWhole() ? solution->impulse.storage() : beside_.impulses;
    return solution->impulse.storage();
  }
  Impulses& WorkCertificate(Solution* solution) {
    if constexpr (kHasIslands) return IsWhole() ? solution->certificate.storage() : beside_.certificate;
    return solution->certificate.storage();
  }

  // What the island at hand came to.
  struct Part {
    SolveStatus status = SolveStatus::kSolved;
    Rung rung = Rung::kNone;
    Shortfall shortfall = Shortfall::kNone;
    Scalar residual = Scalar(0);
    Cone cone = Cone::kPolygon;
    Scalar round_residual = Scalar(0);
    Verdict<Scalar> verdict{};
  };
  struct Swept {
    bool is_there = false;
    Scalar normal_Ns;
    Tangential friction_Ns;
  };
  struct Beside {
    Impulses impulses, certificate;
    std::array<ContactBasis, kCapacity.contacts> basis;  // of exact answers, by the problem's contacts
    std::array<std::int16_t, kCapacity.bodies> place;
  };
  struct Nothing {};

  // What the ladder asks for.
  struct Memory {
    ContactSolver* solver;
    const PhysicalProblem& problem;

    void operator()(Impulses* impulses) const { solver->RecallImpulses(impulses); }
    void ReduceProblem(Problem* whitened, Work* work) const { solver->ReducePatches(problem, whitened, work); }
  };

  Problem whitened_;
  PatchHull<Problem> patches_;
  bool may_reduce_ = true;
  WhitenOptions<Scalar, kCapacity> whiten_options_;
  Ladder<Scalar, kCapacity, Lemke> ladder_;
  [[no_unique_address]] RoundRung<Problem> round_;
  std::array<int, kCapacity.contacts> keeper_;  // of merged contacts; -1: stands for itself
  bool merges_ = false;                         // keeper_ is of this solve
  FixedVector<Remembered, kCapacity.contacts> remembered_;
  std::array<std::int16_t, kCapacity.contacts> recalled_;  // place in remembered_ by contact; -1: new
  std::array<ContactBasis, kCapacity.contacts> basis_;     // to start warm from, by contact
  [[no_unique_address]] std::conditional_t<kHasIslands, Islands<kCapacity>, Nothing> islands_;
  [[no_unique_address]] std::conditional_t<kHasIslands, Beside, Nothing> beside_;
  std::array<Swept, kCapacity.contacts> swept_;  // by the problem's contacts, where there is no exact answer
  bool has_swept_ = false;                       // some of these are there
  int island_ = 0;
  Part part_;
  int round_islands_ = 0;                              // on the round cone, so far
  bool last_round_fails_ = false;                      // Newton from last tick's answer, in this solve
  bool is_short_of_work_ = false;                      // in this solve
  bool took_working_set_ = false;                      // the answer is of some of the contacts, and holds for all
  bool basis_is_of_set_ = false;                       // basis_ is of an answer for some of this tick's contacts
  std::int64_t kept_work_ = 0;                         // of the budget, while some of the contacts are solved
  bool is_viscous_ = false;                            // some contact is
  bool viscous_moves_ = false;                         // some island's answer is not of the basis before
  int viscous_pass_ = 0;                               // 0: from last tick's answer
  AndersonMixing<Scalar, kCapacity.contacts> mixing_;  // of its μ, by the problem's contacts
  Scalar viscous_error_ = Scalar(0), last_viscous_error_ = Scalar(0);  // of the last pass's friction, and the one before
  std::array<Scalar, kCapacity.contacts> rest_s_{};                    // friction_law.h; only where some contact has a law
  bool recalls_ = true;                                                // else Recalled() has nothing
  int compared_ = 0;                                                   // ids, to find them
  int failures_ = 0;  // answers in a row that were not exact, from 1 again after kMaxFailures
};

}  // namespace tactus

#include "tactus/solve/contact_solver.inl"
#include "tactus/solve/contact_solver_attempt.inl"
#include "tactus/solve/contact_solver_friction.inl"
#include "tactus/solve/contact_solver_memory.inl"
#include "tactus/solve/contact_solver_sweeps.inl"
#include "tactus/solve/contact_solver_working_set.inl"
