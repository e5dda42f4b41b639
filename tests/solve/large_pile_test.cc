#include <gtest/gtest.h>

#include <memory>

#include "tactus/solve/convex/successive_convex.h"
#include "tactus/solve/lemke/lemke_crash.h"
#include "tests/solve/pile.h"

// Piles of many disks: seconds.

namespace tactus::test {
namespace {

constexpr Capacity kManyDisks{.bodies = 210, .contacts = 600, .joints = 0, .directions = 2, .dof = 3};
using Problem = WhitenedProblem<double, kManyDisks>;

std::unique_ptr<Problem> LargePile(int base, double friction) {
  return std::make_unique<Problem>(Whitened(Pile<double, kManyDisks>(base, friction)));
}

// Source: (6)-(7) of [AnitescuHart], whose Lemke did not solve them within 10 000 iterations; theory 3: |u|² ≤ k·u.
TEST(LargePile, IsSolvedAtEveryFriction) {
  const auto solver = std::make_unique<LemkeCrash<double, kManyDisks>>();
  for (const double friction : {0.05, 0.1, 0.2, 0.4, 0.6, 0.8}) {
    const auto problem = LargePile(16, friction);
    const CrashReport<double> report = solver->Solve(*problem);
    ASSERT_EQ(report.status, SolveStatus::kSolved) << friction;
    EXPECT_LE(ComplementarityResidual(*problem, solver->impulses()), Tolerances<double>::kAccept) << friction;
    const Problem::Velocity u = problem->VelocityFor(solver->impulses());
    EXPECT_LE(u.squaredNorm(), problem->k.dot(u) + 1e-8 * problem->k.squaredNorm()) << friction;
  }
}

// LCP1 does not contract here; its 12th convex step's active rows are so nearly dependent that multipliers grow to 1e303.
// Source: theorem 4.1.i of [AnitescuHart]: |v| ≤ |k| whatever Γ ≥ 0.
TEST(LargePile, EveryConvexStepOfLcp1IsFiniteAndAddsNoEnergy) {
  const auto problem = LargePile(20, 0.4);
  const auto solver = std::make_unique<SuccessiveConvex<double, kManyDisks>>();
  const FixedPointReport<double> report =
      solver->Solve(*problem, {.tolerance = 1e-6, .max_iterations = 12, .max_step_iterations = 12000});
  EXPECT_EQ(report.outcome, FixedPointOutcome::kIterationLimit);
  EXPECT_LE(solver->velocity().norm(), problem->k.norm() * (1 + 1e-9));
  EXPECT_LE(report.change, 1.0);
}

}  // namespace
}  // namespace tactus::test
