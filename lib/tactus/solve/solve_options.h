#pragma once
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// The caller's clock, if there is one; the library has none.
struct TimeLeft {
  bool (*is_left)(void* context) = nullptr;  ///< nullptr: time never ends
  void* context = nullptr;

  bool operator()() const { return is_left == nullptr || is_left(context); }
};

/// What ends a solve early: the caller's clock, a budget of work, or neither.
struct Deadline {
  int work_budget = 0;   ///< [instructions, counted as in work.h]; 0: no limit
  TimeLeft time_left{};  ///< asked before each pivot and each attempt

  /// With a deadline the first answer that verifies is taken. Nothing is solved twice but for a round answer that the
  /// verdict refuses, where the polygon's still fits.
  bool IsSet() const { return work_budget > 0 || time_left.is_left != nullptr; }
};

/// How ContactSolver works. The defaults are for the servo loop.
template <class Scalar>
struct SolverOptions {
  bool warm = true;            ///< Start from the last answer, by contact id. false: of the solves before nothing is used
                               ///< but for how long contacts with static friction have rested
  bool same_step = false;      ///< the step of the last Solve once more, changed: contacts rest no longer than they did
  Cone cone = Cone::kPolygon;  ///< kRound: polished onto the round cone where Newton converges, else the polygon's
                               ///< answer; the solution says which. The default is what residual and file format define
  bool merge = false;   ///< one of several near-duplicate contacts stands for all (theory 2.4); the others' impulses are
                        ///< zero. Ignored with a work budget, because contacts that come back are solved a second time
  int max_pivots = 0;   ///< Pivot limit per attempt; three times as many in the one with all friction rows. 0 selects the
                        ///< default: 60 warm, `Lemke::PivotLimit()` cold (LemkeReduced: 100 + 16 contacts (2 + directions)),
                        ///< four times as many with compliance
  int work_budget = 0;  ///< most work of one solve [instructions, counted as in work.h]; 0: no limit. Give at least
                        ///< work::Least(contacts); then solution.work is no more than the budget
  int reseeds = 3;      ///< further cold attempts, each with another covering vector; without a deadline twice as
                        ///< many more from beyond a squeeze (Ladder)
  unsigned seed = 0;    ///< of the first covering vector
  TimeLeft time_left{};          ///< the caller's clock, asked before each pivot. A fallback may run after it has ended
  Scalar tolerance = Scalar(0);  ///< largest residual of an answer called solved; 0: Tolerances::kAccept. The verdict's
                                 ///< limits follow in proportion
  Scalar max_push_out_mps = Scalar(0);  ///< > 0: limits Φ/h ≥ -this of rigid contacts, and no body is flung for it
                                        ///< (Shortfall::kOpposed); 0: as given

  Deadline deadline() const { return {work_budget, time_left}; }
};

/// Attempts beyond these have never found what the ones before did not.
inline constexpr int kMostReseeds = 100;

/// @returns what is wrong with the options; its list is "options"
template <class Scalar>
ProblemFault Validate(const SolverOptions<Scalar>& options) {
  const auto fault = [](const char* field, const char* what) { return ProblemFault{what, "options", -1, field}; };
  if (options.max_pivots < 0) return fault("max_pivots", "must be >= 0");
  if (options.work_budget < 0) return fault("work_budget", "must be >= 0");
  if (options.reseeds < 0 || options.reseeds > kMostReseeds) return fault("reseeds", "must be 0 to 100");
  if (!(options.tolerance >= Scalar(0) && options.tolerance < Scalar(1))) return fault("tolerance", "must be >= 0 and < 1");
  if (!IsFinite(options.max_push_out_mps) || options.max_push_out_mps < Scalar(0)) {
    return fault("max_push_out_mps", "must be >= 0 and finite");
  }
  return {};
}

/// How much the ladder may try.
struct LadderOptions {
  bool warm = true;        ///< try the bases set with Ladder::set_basis()
  int warm_pivots = 60;    ///< pivot limit of an attempt from a basis
  int cold_pivots = 100;   ///< pivot limit of an attempt from nothing
  int reseeds = 3;         ///< further cold attempts, each with another covering vector; see SolverOptions
  unsigned seed = 0;       ///< of the first covering vector
  bool falls_back = true;  ///< false: ends where the attempts from a basis and from nothing do
  bool recalls = true;     ///< there are last impulses to fall back on
  Deadline deadline{};     ///< of the whole ladder
};

}  // namespace tactus
