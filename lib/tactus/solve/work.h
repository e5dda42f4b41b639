#pragma once
#include <cstdint>

namespace tactus {

/// What a solve has done so far, in instructions of a Cortex-M, counted step by step and never measured: the same on every
/// target and in every replay. A step is taken only if its cost fits beside the reserve, so that a solve with a budget ends
/// inside it whatever the problem is. The costs are bounds (namespace work).
class Work {
 public:
  Work() = default;
  /// @param budget  0: no limit
  explicit Work(std::int64_t budget) : budget_(budget) {}

  /// Keeps `reserve` of the budget for what must still be possible.
  void set_reserve(std::int64_t reserve) { reserve_ = reserve; }

  std::int64_t reserve() const { return reserve_; }
  /// Of the budget, beside the reserve; 0 where there is no budget.
  std::int64_t left() const { return budget_ == 0 ? 0 : budget_ - done_ - reserve_; }
  bool Allows(std::int64_t cost) const { return budget_ == 0 || done_ + cost + reserve_ <= budget_; }
  /// Counts a step, or refuses it.
  bool Take(std::int64_t cost) {
    if (!Allows(cost)) {
      was_refused_ = true;
      return false;
    }
    done_ += cost;
    return true;
  }
  /// Sets another reserve; a step that was refused may fit now.
  void GoOn(std::int64_t reserve) {
    reserve_ = reserve;
    was_refused_ = false;
  }
  /// Counts a step that is taken in any case: the reserve holds its cost.
  void Spend(std::int64_t cost) { done_ += cost; }

  std::int64_t done() const { return done_; }
  bool was_refused() const { return was_refused_; }  ///< a step did not fit

 private:
  std::int64_t budget_ = 0, reserve_ = 0, done_ = 0;
  bool was_refused_ = false;
};

/// Costs of the steps of a solve [instructions]: bounds for one body without joints, for the dearer of Cortex-M7 in double
/// and Cortex-M4F in single precision, fitted on solves of hostile ticks. On the M7 none of 16 000 takes more than its
/// count; on the M4F 8 do, by up to 9 % (docs/benchmarks.md, "Work"; Gate.WorkBoundsInstructions). n: contacts, s: numbers
/// along the path (basic variables with room for them), k: unknowns of the reduced system. With several bodies the counts
/// still bound every loop, but of them only Newton's step on the round cone is fitted (VelocityStep, on the M7): a tick
/// takes up to 134 000 more.
namespace work {

using Cost = std::int64_t;

/// Validation, whitening, physical units, the verdict: all around the ladder. Of it the verdict: 4 800 for the body and at
/// most eight contacts that carry, 120 for each contact.
constexpr Cost Setup(Cost n) { return 8100 + 1290 * n; }
/// Some of the contacts whitened beforehand, and a verdict on an answer that was found with them.
constexpr Cost WorkingSet(Cost n) { return 6000 + 400 * n; }
/// Contacts looked up among the last answer's, by so many comparisons of ids.
constexpr Cost Search(Cost comparisons) { return 8 * comparisons; }
/// An attempt's start, the look at its answer, or at its certificate.
constexpr Cost Attempt(Cost n) { return 300 + 560 * n; }
/// All values of a basis, by elimination.
constexpr Cost Constants(Cost s, Cost k) { return 250 + 75 * s + 650 * k + 12 * k * k * k; }
/// Response to the driving variable, ratio test, exchange.
constexpr Cost Pivot(Cost s, Cost k) { return 1050 + 56 * s + 400 * k; }
/// A response refined once.
constexpr Cost Refinement(Cost s, Cost k) { return 450 + 32 * s + 240 * k; }
/// The inverse afresh.
constexpr Cost Inversion(Cost k) { return 2900 + 820 * k + 123 * k * k; }
/// A contact leaves its reduced form, for one of the variables that it hides is about to leave the basis.
constexpr Cost Restoration() { return 2300; }

/// Nearest velocity: one row enters, or one refinement; and one row leaves.
constexpr Cost NearestPass(Cost n) { return 800 + 90 * n; }
constexpr Cost NearestDrop() { return 500; }
/// Impulses scaled, the velocity that they give, the nearest to it without its passes, the residual.
constexpr Cost Projection(Cost n) { return 600 + 330 * n; }
/// The rest of a fallback: last impulses recalled, gaps clamped and restored, another use of the memory and back, and a
/// verdict on more contacts that carry.
constexpr Cost Fallback(Cost n) { return 6200 + 1150 * n; }

/// Convex step: a look at all contacts and the row that enters, or one refinement; and without these the start, the impulses
/// and what they are worth.
constexpr Cost ConvexPass(Cost n) { return 800 + 140 * n; }
constexpr Cost ConvexStep(Cost n) { return 1500 + 450 * n; }
/// The exact law on its rows, at most 6; what its impulses are worth; and the next convex step without its passes.
constexpr Cost ExactLaw() { return 6000; }
constexpr Cost Verification(Cost n) { return 500 + 450 * n; }
constexpr Cost NextConvexStep(Cost n) { return 3000 + 90 * n; }
/// Of a fallback what is left where the convex step's answer is in hand: it is given, and judged.
constexpr Cost InHand(Cost n) { return 4000 + 450 * n; }

/// The hull of flat patches: contacts compared with each other, points looked at.
constexpr Cost Patches(Cost compared, Cost looked_at) { return 300 + 14 * compared + 45 * looked_at; }

/// Round friction: a start, with velocities and residual of impulses, of which `carrying` are not zero; and a Newton step of
/// k unknowns, the look at its result included. More than six unknowns are solved another way (low_rank_solve.h). Fitted
/// from above on steps from random impulses, which Gate.WorkBoundsRoundSteps repeats, and for a core that is compiled with
/// -O2.
constexpr Cost RoundMeasure(Cost n, Cost carrying) { return 1000 + 210 * n + 200 * carrying; }
constexpr Cost RoundStep(Cost n, Cost k) {
  return k <= 6 ? 550 + 260 * n + 390 * k + 110 * k * k : 2900 + 285 * n + 900 * k;
}
/// Newton's steps from the last tick that are worth a beginning: three, with twelve unknowns. No bound.
constexpr Cost FewRoundSteps(Cost n) { return 3 * RoundStep(n, 12); }

/// u := P u with so many rows of joints, whose columns have so many numbers together.
constexpr Cost JointProjection(Cost joint_rank, Cost numbers) { return 40 * joint_rank + 10 * numbers; }
/// The measure with several bodies and joints, without the projection.
constexpr Cost VelocityMeasure(Cost n) { return 1500 + 650 * n; }
/// The step through the velocities of several bodies, the look at its result included, without two projections. Of n
/// contacts `parts` carry with so many rows, one of two bodies twice; bodies, blocks beside the diagonal, products of two
/// blocks (body_blocks.h), blocks of joints.
constexpr Cost VelocityStep(Cost n, Cost parts, Cost rows, Cost bodies, Cost blocks, Cost products, Cost joint_blocks) {
  return 1500 + 650 * n + 450 * parts + 230 * rows + 1500 * bodies + 1800 * blocks + 800 * products + 300 * joint_blocks;
}
/// A sweep on the round cone over n contacts (round_sweeps.h) that have so many bodies, one of two bodies twice.
constexpr Cost RoundSweep(Cost n, Cost bodies) { return 100 + 250 * n + 120 * bodies; }
/// What a search from nothing takes as a rule, with velocities of so many numbers: three pivots a contact, half of the
/// contacts with friction rows. No bound: whether it is worth a beginning.
constexpr Cost ColdSearch(Cost n, Cost directions, Cost velocity) {
  return Attempt(n) + 3 * n * Pivot(n * (2 + directions) / 2, velocity);
}

/// Viscous friction from last tick's slip and load, of which k contacts carried. Not fitted: no hostile tick has any.
constexpr Cost Viscous(Cost n, Cost k) { return 1000 + 300 * n + 15 * n * n + 7 * 350 * k; }

/// A step that improves an answer: its impulses from physical units and back, its residual, its verdict.
constexpr Cost Improvement(Cost n) { return 8000 + 1200 * n; }
/// A sweep over all contacts (carried_sweeps.h).
constexpr Cost Sweep(Cost n) { return 100 + 900 * n; }

/// Passes that each projection can count on: of 8 000 that ended well in hostile ticks 6 needed more.
inline constexpr Cost kNearestPasses = 12;
constexpr Cost Nearest(Cost n) { return Projection(n) + kNearestPasses * NearestPass(n); }
/// Of these, those that are kept for the projection in which all that drives rests (NearestVelocity): a third, so that most
/// are left for the one that follows the drives.
inline constexpr Cost kRestPasses = kNearestPasses / 3;
/// What a projection of several bodies needs beside Nearest() where something drives them, for then rest is not safe: two
/// passes beside three quarters of the degrees of freedom, and kRestPasses. With that none of 38 555 safe answers of
/// conveyors, in double and with a work of 350 000, closes a gap; without the two passes 3 of 7 725 did.
constexpr Cost MorePasses(Cost n, Cost freedoms) {
  const Cost passes = 3 * freedoms / 4 + 2 + kRestPasses - kNearestPasses;
  return passes > 0 ? passes * NearestPass(n) : 0;
}
/// A fallback with the passes it can count on.
constexpr Cost FullFallback(Cost n) { return Fallback(n) + Nearest(n); }
/// A fallback with four passes, from where Newton has come to: of 1 449 with the F405's work 3 need more, and then rest.
constexpr Cost ShortFallback(Cost n) { return Fallback(n) + Projection(n) + 4 * NearestPass(n); }
/// Kept while an answer is sought: a fallback, a projection, and as much as another one or `more` takes, whichever is more.
/// @param more  what the projection needs beside Nearest(): MorePasses()
constexpr Cost Fallbacks(Cost n, Cost more) { return FullFallback(n) + (more > Nearest(n) ? more : Nearest(n)); }
/// Passes that the convex step can count on. Cold starts of a body with 4 to 32 contacts: half need 7, one in ten 12.
inline constexpr Cost kConvexPasses = 14;
/// What the ladder keeps while it searches: the convex step, and a projection where that does not end.
constexpr Cost Reserve(Cost n) { return FullFallback(n) + ConvexStep(n) + kConvexPasses * ConvexPass(n); }
/// The least budget of a solve: the safe answer alone.
constexpr Cost Least(Cost n) { return Setup(n) + Search(n * n) + Reserve(n); }

}  // namespace work

}  // namespace tactus
