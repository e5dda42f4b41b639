#include "tactus/solve/round/round_judge.h"

#include <gtest/gtest.h>

#include <limits>

#include "tactus/solve/round/round_polish.h"
#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

using Problem = WhitenedProblem<double, kSmall>;

// 0.5 kg on a floor, pressed by 10 N for 1 ms, sliding at 1 m/s along x; the ball may turn.
Problem Sliding() { return Whitened(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3)); }

// Source: Coulomb: θ = -N·k, f = μθ against the slip.
RoundImpulses<Problem> Coulomb(const Problem& problem, double angle_rad) {
  RoundImpulses<Problem> impulses{};
  const double theta = -problem.contacts[0].N.dot(problem.k);
  impulses.theta[0] = theta;
  impulses.f[0] << -problem.contacts[0].mu * theta * __builtin_cos(angle_rad),
      -problem.contacts[0].mu * theta * __builtin_sin(angle_rad);
  return impulses;
}

TEST(RoundJudge, CallsCoulombsForceRound) {
  const Problem problem = Sliding();
  RoundJudge<Problem> judge;
  const auto impulses = Coulomb(problem, 0);
  judge.Measure(problem, impulses);
  EXPECT_LE(judge.residual(), 1e-14);
  EXPECT_TRUE(judge.IsRound(problem, impulses));
}

// 0.1 rad off: friction per tick is 1 % of |k|, so that the residual alone is small; the direction is not.
TEST(RoundJudge, SeesAForceThatIsNotAgainstTheSlip) {
  const Problem problem = Sliding();
  RoundJudge<Problem> judge;
  const auto impulses = Coulomb(problem, 0.1);
  judge.Measure(problem, impulses);
  EXPECT_LE(judge.residual(), 2e-3);
  EXPECT_NEAR(judge.direction_error(), 0.1, 0.01);
  EXPECT_FALSE(judge.IsRound(problem, impulses));
}

TEST(RoundJudge, RefusesAPullAPenetrationADriveAndNaN) {
  const Problem problem = Sliding();
  RoundJudge<Problem> judge;
  for (const double scale : {-1.0, 0.99, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
    auto impulses = Coulomb(problem, 0);
    impulses.theta[0] *= scale;
    judge.Measure(problem, impulses);
    EXPECT_FALSE(judge.IsRound(problem, impulses)) << scale;
  }
  const auto driving = Coulomb(problem, 3.14159265358979);
  judge.Measure(problem, driving);
  EXPECT_FALSE(judge.IsSafe(problem, driving));
}

// A heavy body moves elsewhere; the tool falls through the floor. Judged by the whole system's scale, 1e3 times the tool's,
// the fall is 1e-3. Source: by hand, residual 1 of its own scale.
TEST(RoundJudge, JudgesALightToolByItsOwnScale) {
  SmallProblem<> scene = BallOnFloor<>({0, 0, -1e-2, 0, 0, 0}, Vec<double, 6>::Zero(), 0.3);
  (void)scene.bodies.push_back(Ball<>());
  scene.bodies[1].mass_kg = 500;
  scene.bodies[1].velocity << 0, 0, 1, 0, 0, 0;
  const Problem problem = Whitened(scene);
  RoundJudge<Problem> judge;
  judge.Measure(problem, RoundImpulses<Problem>{});
  EXPECT_NEAR(judge.residual(), 1, 1e-12);
}

// Source: closed form, a spring under the contact: ν = N·u + b + εθ = 0 with N·u = N·k + θ, so θ = -N·k/(1 + ε), f = -μθ x.
TEST(RoundPolish, LoadsACompliantContactByItsSpring) {
  auto scene = Soft(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3));
  scene.contacts[0].compliance_mps_per_Ns = 1;
  const auto problem = Whitened(scene);
  using SoftProblem = WhitenedProblem<double, kSoft>;
  RoundPolish<SoftProblem> polish;
  polish.impulses() = {};
  Work work;
  ASSERT_TRUE(polish.FromLastTick(problem, &work));
  const double epsilon = problem.contacts[0].epsilon, theta = -problem.contacts[0].N.dot(problem.k) / (1 + epsilon);
  EXPECT_NEAR(epsilon, 0.5, 1e-15);                              // 1 m/s per N·s times 0.5 kg
  EXPECT_NEAR(polish.impulses().theta[0], theta, 1e-8 * theta);  // RoundTolerances::kRegular
  EXPECT_NEAR(polish.impulses().f[0](0), -problem.contacts[0].mu * theta, 1e-8 * theta);
  EXPECT_NEAR(polish.impulses().f[0](1), 0, 1e-12 * theta);
}

TEST(RoundPolish, StopsWhereTheWorkEnds) {
  const Problem problem = Sliding();
  RoundPolish<Problem> polish;
  polish.impulses() = {};
  Work work(work::RoundMeasure(1, 0) + work::RoundStep(1, 2) / 2);
  EXPECT_FALSE(polish.FromLastTick(problem, &work));
  EXPECT_EQ(polish.steps(), 0);
  EXPECT_LE(work.done(), work::RoundMeasure(1, 0) + work::RoundStep(1, 2) / 2);
}

// The limit: 32 contacts on one body.
constexpr Capacity kThirtyTwo{.bodies = 1, .contacts = 32, .joints = 0, .directions = 8, .dof = 6};
static_assert(sizeof(RoundPolish<WhitenedProblem<double, kThirtyTwo>>) <= 12'000);
static_assert(sizeof(RoundPolish<WhitenedProblem<float, kThirtyTwo>>) <= 6'000);

}  // namespace
}  // namespace tactus::test
