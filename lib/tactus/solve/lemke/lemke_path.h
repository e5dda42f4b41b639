#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"
#include "tactus/solve/lemke/basis.h"
#include "tactus/solve/lemke/basis_system.h"
#include "tactus/solve/lemke/basis_trace.h"
#include "tactus/solve/lemke/generic_cover.h"
#include "tactus/solve/lemke/leaving_variable.h"
#include "tactus/solve/lemke/lemke_solver.h"

namespace tactus::internal {

/// When a contact with μ > 0 gets its friction rows.
enum class FrictionRows : std::uint8_t {
  kFromTheStart,  ///< [Lloyd04] 5.1: all of them, n(2+d) rows
  kOnDemand,      ///< [Lloyd04] 5.3: a contact's when its normal impulse is about to enter
};

/// Lemke's algorithm ([Lloyd04] section 4) on the reduced system of the contact LCP, whose matrix is never formed.
/// LemkeStructural and LemkeReduced share it. The object is the workspace and keeps the basis of the last solve.
template <class Problem_>
class LemkePath {
 public:
  using Problem = Problem_;
  using Scalar = typename Problem::Scalar;
  using Impulses = typename Problem::Impulses;

  /// Asked before each pivot; when nothing is left the solve ends as kBudget.
  void set_time_left(const TimeLeft& time_left) { time_left_ = time_left; }

  /// Counts the steps from now on and may refuse one; the solve then ends as kBudget. nullptr: no limit.
  void set_work(Work* work) { system_.work = work; }

  const ContactBasis& basis(int contact) const { return system_.basis(contact); }
  /// The impulses of the last solve: the answer; after kBudget and kRay, where the path was when it ended; after kRay they
  /// solve the problem if the ray was only rounding's.
  void GetImpulses(const Problem& problem, Impulses* impulses) const { Extract(problem, values_, impulses); }
  /// From the answer of the last solve to one whose rows hold beside each contact's own motion, not beside the largest
  /// impulse: its values are refined, and where a row is still below zero Lemke's path goes on from its basis.
  LemkeReport Repair(const Problem& problem, unsigned seed, int max_pivots);
  /// After kBudget because work was refused: the path goes on where it was.
  LemkeReport Resume(const Problem& problem, int max_pivots) { return Walk(problem, max_pivots); }
  /// u of the same point.
  const typename Problem::Velocity& velocity() const { return values_.velocity; }
  /// After kRay: the direction (dθ, dφ) in which the path goes to infinity.
  void GetRay(const Problem& problem, Impulses* ray) const;

 protected:
  using Tolerance = Tolerances<Scalar>;
  using System = BasisSystem<Problem>;
  using Slots = typename System::Slots;
  using Values = typename System::Values;

  /// Step 0 from z = 0, then the path.
  LemkeReport SolveFromNothing(const Problem& problem, FrictionRows friction_rows, unsigned seed, int max_pivots,
                               const RatioTolerances<Scalar>& tolerances);
  /// Steps 1 and 2 until z0 leaves, from an almost-complementary basis with its values and the driving variable.
  LemkeReport Pivot(const Problem& problem, int max_pivots);
  LemkeReport Walk(const Problem& problem, int max_pivots);
  /// q' += step m', the driving variable included.
  void MoveBy(Scalar step);
  /// The same, and the driving variable takes the place of the leaving one, whose complement drives next.
  void Advance(const Problem& problem, const Variable& leaving, Scalar step);
  /// Theory 7, step 3: z0 enters, the most infeasible basic variable leaves.
  void StartFromBasis(const Problem& problem, Scalar tolerance);
  void Extract(const Problem& problem, const Values& values, Impulses* impulses) const;
  Scalar& Cover(int slot) { return system_.cover[slot]; }
  Scalar& Value(int slot) { return values_.at[slot]; }
  Scalar& Rate(int slot) { return rates_.at[slot]; }

  System system_;
  Values values_;  // q' of [Lloyd04] (19): the basic variables
  Values rates_;   // m' of (20), (21): their change per unit of the driving variable
  Variable driving_;
  GenericCover<Scalar> generic_;
  RatioTolerances<Scalar> tolerances_;
  Scalar problem_scale_;  // max(|k|, max |b|), part of S
  Scalar largest_value_;  // max q'_p, at least: the rest of S

 private:
  void StartAtZero(const Problem& problem, FrictionRows friction_rows);
  void AddFrictionRows(const Problem& problem, int contact);
  Scalar AddSlips(const Problem& problem, int contact);
  bool EnterCover();
  bool IsCovered(Scalar scale) const;
  int NormalFirst(int leaving, Scalar* step) const;
  void Expand(const Problem& problem, int contact);
  void RescaleCover(Scalar s);
  void CoverFromRates(const Problem& problem);
  void Finish(const Problem& problem, Scalar step, Scalar scale);

  TimeLeft time_left_;
  BasisTrace trace_;
  bool is_repair_ = false;  // values are carried, S is what is wrong
  Scalar cover_unit_;       // what 1 of the first covering vector is now
  Scalar velocity_bound_;   // R_v = max over the path of |v|/z0
  Scalar cover_bound_;      // max over the path of 1/z0
};

}  // namespace tactus::internal

#include "tactus/solve/lemke/lemke_path.inl"
