#include "tactus/solve/round/round_sweeps.h"

#include <gtest/gtest.h>

#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

using Problem = WhitenedProblem<double, kSmall>;
using Sweeps = RoundSweeps<Problem>;

// A ball of 0.5 kg slides at 1 m/s and is pressed down with 10 N for 1 ms.
Problem SlidingBall(double friction) {
  return Whitened(BallOnFloor<>({1, 0.3, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, friction));
}

// Source: (R1), by the judge, from the impulses alone.
TEST(RoundSweeps, ReachTheAnswerOfABallThatSlidesAndOfOneThatSticks) {
  for (const double friction : {0.3, 1000.0}) {
    const Problem problem = SlidingBall(friction);
    RoundImpulses<Problem> impulses{};
    Problem::Velocity u = problem.k;
    Sweeps::Run(problem, 200, &impulses, &u);
    RoundJudge<Problem> judge;
    judge.Measure(problem, impulses);
    EXPECT_LE(judge.residual(), 1e-13) << friction;
    EXPECT_LE((u - judge.velocity()).norm(), 1e-13 * problem.k.norm());  // nothing lost on the way
  }
}

// Source: Coulomb's law: friction is against the slip, μθ long; the polygon's is up to 22.5° off.
TEST(RoundSweeps, TurnFrictionAgainstTheSlip) {
  const Problem problem = SlidingBall(0.3);
  RoundImpulses<Problem> impulses{};
  Problem::Velocity u = problem.k;
  Sweeps::Run(problem, 200, &impulses, &u);
  EXPECT_NEAR(impulses.f[0](1) / impulses.f[0](0), 0.3, 1e-12);
  EXPECT_NEAR(impulses.f[0].norm(), problem.contacts[0].mu * impulses.theta[0], 1e-15);
}

// Source: joints that hold the ball's x and y leave no slip, so no friction; the velocity stays in their space.
TEST(RoundSweeps, KeepWhatTheJointsHold) {
  auto given = BallOnFloor<>({1, 0.3, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3);
  for (const int axis : {0, 1}) {
    Joint<double, 6> joint;
    joint.jacobian_a(axis) = 1;
    (void)given.joints.push_back(joint);
  }
  const Problem problem = Whitened(given);
  RoundImpulses<Problem> impulses{};
  Problem::Velocity u = problem.k;
  Sweeps::Run(problem, 50, &impulses, &u);
  for (int c = 0; c < 2; ++c) EXPECT_NEAR(problem.Q[static_cast<std::size_t>(c)].dot(u), 0, 1e-15);
  EXPECT_NEAR(impulses.theta[0], -problem.contacts[0].N.dot(problem.k), 1e-12);
}

}  // namespace
}  // namespace tactus::test
