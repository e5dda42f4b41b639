#include "tactus/solve/judge/residual.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

using Impulses = WhitenedImpulses<double, kSmall>;
constexpr double kRounding = 1e-14;

// Impulses in N·s as the whitened problem counts them.
Impulses InWhitenedUnits(const WhitenedProblem<double, kSmall>& problem, double normal_Ns, double friction_Ns,
                         int direction) {
  Impulses impulses;
  impulses.theta[0] = normal_Ns * problem.contacts[0].normal_scale;
  impulses.phi[0][static_cast<std::size_t>(direction)] = friction_Ns * problem.contacts[0].tangent_scale;
  return impulses;
}

// A ball of 0.5 kg slides at 1 m/s along x and is pressed down with 10 N for 1 ms: θ = 0.01 N·s, friction μθ against the
// motion (direction 4 of 8 is -x). Source: closed form.
WhitenedProblem<double, kSmall> SlidingBall() {
  return Whitened(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3));
}
constexpr double kNormal_Ns = 0.01, kFriction_Ns = 0.003;
constexpr int kAgainstMotion = 4;

TEST(ComplementarityResidual, VanishesAtTheSlidingBallsSolution) {
  const auto problem = SlidingBall();
  EXPECT_LE(ComplementarityResidual(problem, InWhitenedUnits(problem, kNormal_Ns, kFriction_Ns, kAgainstMotion)), kRounding);
}

TEST(ComplementarityResidual, SeesAMissingNormalImpulse) {
  const auto problem = SlidingBall();
  const double expected = 0.02 / problem.contacts[0].normal_scale / problem.k.norm();  // falls at 10 N · 1 ms / 0.5 kg
  EXPECT_NEAR(ComplementarityResidual(problem, Impulses{}), expected, kRounding);
}

TEST(ComplementarityResidual, SeesFrictionOutsideTheCone) {
  const auto problem = SlidingBall();
  const Impulses impulses = InWhitenedUnits(problem, kNormal_Ns, 1.1 * kFriction_Ns, kAgainstMotion);
  const double excess = 0.1 * kFriction_Ns * problem.contacts[0].tangent_scale;
  EXPECT_NEAR(ComplementarityResidual(problem, impulses), excess / problem.k.norm(), 1e-12);
}

TEST(ComplementarityResidual, SeesFrictionAlongTheMotion) {
  const auto problem = SlidingBall();
  EXPECT_GT(ComplementarityResidual(problem, InWhitenedUnits(problem, kNormal_Ns, kFriction_Ns, 0)), 1e-4);
}

TEST(ComplementarityResidual, SeesANegativeImpulse) {
  const auto problem = SlidingBall();
  EXPECT_GT(ComplementarityResidual(problem, InWhitenedUnits(problem, kNormal_Ns, -kFriction_Ns, 0)), 1e-4);
}

TEST(ComplementarityResidual, SeesFrictionAtAFrictionlessContact) {
  const auto problem = Whitened(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0));
  EXPECT_GT(ComplementarityResidual(problem, InWhitenedUnits(problem, kNormal_Ns, kFriction_Ns, kAgainstMotion)), 1e-4);
}

TEST(ComplementarityResidual, IsNotANumberWhenAnImpulseIsNot) {
  const auto problem = SlidingBall();
  Impulses impulses = InWhitenedUnits(problem, kNormal_Ns, kFriction_Ns, kAgainstMotion);
  impulses.theta[0] = std::numeric_limits<double>::quiet_NaN();
  const double residual = ComplementarityResidual(problem, impulses);
  EXPECT_NE(residual, residual);
}

// The next contact's violation is finite, and larger than nothing.
TEST(ComplementarityResidual, IsNotANumberWhateverComesAfterIt) {
  const auto problem = Whitened(SqueezedBox<>(0.3, -1e-6, Vec<double, 6>::Ones()));
  ASSERT_GT(problem.contacts.size(), 1);
  Impulses impulses;
  impulses.phi[0][1] = std::numeric_limits<double>::quiet_NaN();
  const double residual = ComplementarityResidual(problem, impulses);
  EXPECT_NE(residual, residual);
  WhitenedProblem<double, kSmall>::Velocity u = problem.k;
  const double given = ComplementarityResidual(problem, impulses, u);
  EXPECT_NE(given, given);
  u(0) = std::numeric_limits<double>::infinity();
  const double infinite = ComplementarityResidual(problem, Impulses{}, u);
  EXPECT_NE(infinite, infinite);
}

TEST(ComplementarityResidual, IsZeroWhenNothingHappens) {
  EXPECT_EQ(
      ComplementarityResidual(Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), Vec<double, 6>::Zero(), 0.3)), Impulses{}),
      0.0);
}

}  // namespace
}  // namespace tactus::test
