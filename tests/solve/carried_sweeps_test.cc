#include "tactus/solve/carried_sweeps.h"

#include <gtest/gtest.h>

#include "tactus/solve/judge/residual.h"
#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

using Problem = WhitenedProblem<double, kSmall>;
using Impulses = WhitenedImpulses<double, kSmall>;
using Sweeps = CarriedSweeps<Problem>;

// A ball of 0.5 kg slides at 1 m/s between two directions of the polygon and is pressed down with 10 N for 1 ms.
Problem SlidingBall(double friction) {
  return Whitened(BallOnFloor<>({1, 0.3, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, friction));
}

// Source: (3) to (5), by the residual. A sphere's friction turns it too, so the answer takes some sweeps.
TEST(CarriedSweeps, ReachTheAnswerOfABallThatSlides) {
  const Problem problem = SlidingBall(0.3);
  Impulses impulses;
  Problem::Velocity u = problem.k;
  Sweeps::Run(problem, 100, &impulses, &u);
  EXPECT_LE(ComplementarityResidual(problem, impulses, u), 1e-14);
  EXPECT_LE((u - problem.VelocityFor(impulses)).norm(), 1e-14 * problem.k.norm());  // (2): nothing lost on the way
}

TEST(CarriedSweeps, ReachTheAnswerOfABallThatSticks) {
  const Problem problem = SlidingBall(1000);
  Impulses impulses;
  Problem::Velocity u = problem.k;
  Sweeps::Run(problem, 200, &impulses, &u);
  EXPECT_LE(ComplementarityResidual(problem, impulses, u), 1e-13);
}

TEST(CarriedSweeps, LeaveAnAnswerAsItIs) {
  const Problem problem = SlidingBall(0.3);
  Impulses impulses;
  Problem::Velocity u = problem.k;
  Sweeps::Run(problem, 200, &impulses, &u);
  const double theta = impulses.theta[0];
  const Problem::Velocity before = u;
  Sweeps::Run(problem, 1, &impulses, &u);
  EXPECT_NEAR(impulses.theta[0], theta, 1e-15 * theta);
  EXPECT_LE((u - before).norm(), 1e-14 * problem.k.norm());
}

TEST(CarriedSweeps, KeepFrictionInsideThePolygon) {
  const Problem problem = SlidingBall(0.3);
  Impulses impulses;
  Problem::Velocity u = problem.k;
  for (int sweep = 0; sweep < 20; ++sweep) {
    Sweeps::Run(problem, 1, &impulses, &u);
    double sum = 0;
    for (const double phi : impulses.phi[0]) {
      EXPECT_GE(phi, 0);
      sum += phi;
    }
    EXPECT_LE(sum, problem.contacts[0].mu * impulses.theta[0] * (1 + 1e-15));
  }
}

}  // namespace
}  // namespace tactus::test
