#pragma once
#include "tactus/solve/lemke/lemke_crash.h"
#include "tactus/solve/lemke/lemke_solver.h"

namespace tactus {

/// Lemke's algorithm for planar piles of many bodies, for the ladder: with kManyContacts and more a cold start is
/// LemkeCrash, whose work before the first pivot finds out which contacts slip; a path from nothing would be too long (136
/// disks at μ = 0.4: more than 20 000 pivots). Warm starts and smaller problems are LemkeReduced's. It counts no work.
template <class Scalar_, Capacity kCapacity>
class LemkePile {
 public:
  using Scalar = Scalar_;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  LemkeReport SolveCold(const Problem& problem, unsigned seed, int max_pivots,
                        const RatioTolerances<Scalar>& tolerances = {}) {
    constexpr int kManyContacts = 100;  // below, a path from nothing is short (21 disks, 55 contacts: 12 to 150 pivots)
    crashed_ = problem.contacts.size() >= kManyContacts && seed == kFirstSeed;
    if (!crashed_) return crash_.lemke().SolveCold(problem, seed, max_pivots, tolerances);
    const CrashReport<Scalar> report = crash_.Solve(problem, {.max_cold_pivots = 0});
    if (report.status == SolveStatus::kSolved) {
      has_basis_ = report.rung == CrashRung::kCrash || report.rung == CrashRung::kCold;
      return {LemkeOutcome::kSolved, report.pivots};
    }
    crashed_ = false;  // the last word is the path's, which may end in a certificate
    LemkeReport path = crash_.lemke().SolveCold(problem, seed, max_pivots, tolerances);
    path.pivots += report.pivots;
    return path;
  }

  LemkeReport SolveColdExpanded(const Problem& problem, unsigned seed, int max_pivots) {
    crashed_ = false;
    return crash_.lemke().SolveColdExpanded(problem, seed, max_pivots);
  }
  LemkeReport SolveWarm(const Problem& problem, unsigned seed, int max_pivots) {
    crashed_ = false;
    return crash_.lemke().SolveWarm(problem, seed, max_pivots);
  }

  /// A path that is longer has no end in sight: what the crash does not solve it seldom does.
  static int PivotLimit(const Problem& problem) { return 100 + 6 * problem.contacts.size() * (2 + problem.directions); }

  void set_time_left(const TimeLeft& time_left) { crash_.lemke().set_time_left(time_left); }
  void set_basis(int contact, const ContactBasis& basis) { crash_.lemke().set_basis(contact, basis); }
  /// None after an answer that is no basis: the next start is cold.
  ContactBasis basis(int contact) const { return crashed_ && !has_basis_ ? ContactBasis{} : crash_.lemke().basis(contact); }

  void GetImpulses(const Problem& problem, Impulses* impulses) const {
    if (crashed_) {
      *impulses = crash_.impulses();
    } else {
      crash_.lemke().GetImpulses(problem, impulses);
    }
  }
  void GetRay(const Problem& problem, Impulses* ray) const { crash_.lemke().GetRay(problem, ray); }

 private:
  static constexpr unsigned kFirstSeed = 0;  // another covering vector is another path, not another crash

  LemkeCrash<Scalar, kCapacity> crash_;
  bool crashed_ = false;  // the last answer is the crash's
  bool has_basis_ = false;
};

}  // namespace tactus
