#include "tactus/solve/dantzig/impending_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "tests/solve/pile.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Impending = ImpendingMotion<double, kSmall>;
using Result = Impending::Result;

// Source: [BaraffMattikalli93]: the three formulations are equivalent where a ≠ 0.
TEST(ImpendingMotion, IsTheSameInAllThreeFormulations) {
  Impending impending;
  int moving = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), 0));
    const double k = problem.k.norm();
    const Result forces = impending.ByContactForces(problem, 400);
    const Result gauss = impending.ByLeastConstraint(problem, 100);
    const Result descent = impending.BySteepestDescent(problem, 100);
    ASSERT_EQ(forces.outcome, MotionOutcome::kFound) << seed;
    ASSERT_EQ(gauss.outcome, MotionOutcome::kFound) << seed;
    ASSERT_EQ(descent.outcome, MotionOutcome::kFound) << seed;
    double largest = k;
    for (const double lambda : gauss.force.theta) largest = std::max(largest, lambda);
    for (const double lambda : forces.force.theta) largest = std::max(largest, lambda);
    ASSERT_LE((forces.acceleration - gauss.acceleration).norm(), 1e-12 * largest) << seed;
    ASSERT_LE(std::abs(DescentGap(problem, descent)), 1e-11 * largest / k) << seed;
    const double length = forces.acceleration.norm();
    if (descent.acceleration.norm() == 0) {
      ASSERT_LE(length, 1e-10 * k) << seed;
      continue;
    }
    ++moving;
    ASSERT_NEAR(descent.acceleration.norm(), 1, 1e-14) << seed;
    ASSERT_LE((descent.acceleration * length - forces.acceleration).norm(), 1e-11 * largest) << seed;     // (54)
    ASSERT_NEAR(problem.k.dot(forces.acceleration), length * length, 1e-11 * largest * largest) << seed;  // theory 10 (iii)
  }
  EXPECT_GE(moving, 500);
}

// Source: (52) by trial: no allowed direction that chance or its projection onto the constraints finds descends faster.
TEST(ImpendingMotion, DescendsFasterThanAnyOtherAllowedDirection) {
  Impending impending;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto problem = Whitened(RandomScene<>(seed, 6, 0));
    const double best = problem.k.dot(impending.BySteepestDescent(problem, 100).acceleration);
    NearestVelocity<double, kSmall> nearest;
    for (int trial = 0; trial < 50; ++trial) {
      Impending::Velocity p = problem.k / problem.k.norm();
      for (int i = 0; i < 6; ++i) p(i) += (trial % 5) * 0.3 * normal(random);
      ASSERT_TRUE(nearest.Solve(problem, 100, &p));  // J p ≥ 0
      if (p.norm() > 1) p /= p.norm();
      ASSERT_LE(problem.k.dot(p), best + 1e-12 * problem.k.norm()) << seed << " " << trial;
    }
  }
}

// Source: errata, Baraff-Mattikalli 5: with |p| ≤ 1 the answer at rest is p = 0, value 0.
TEST(ImpendingMotion, HasNoDirectionAtRest) {
  const auto problem = Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0));
  Impending impending;
  const Result descent = impending.BySteepestDescent(problem, 10);
  EXPECT_EQ(descent.outcome, MotionOutcome::kFound);
  EXPECT_EQ(descent.acceleration.norm(), 0);
  EXPECT_NEAR(DescentGap(problem, descent), 0, 1e-15);
}

// Source: closed form: a ball on a plane of 30°, frictionless, accelerates with g sin 30° along it; k = h G⁻¹f, h = 1 ms.
TEST(ImpendingMotion, SlidesDownAnInclinedPlane) {
  SmallProblem<> physical = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -0.5 * 9.81, 0, 0, 0}, 0);
  physical.contacts[0].normal << 0.5, 0, std::sqrt(0.75);
  physical.contacts[0].tangent << std::sqrt(0.75), 0, -0.5;
  physical.contacts[0].point_m = -0.01 * physical.contacts[0].normal;
  const auto problem = Whitened(physical);
  Impending impending;
  const Result result = impending.ByContactForces(problem, 10);
  const double unit = std::sqrt(0.5) * 1e-3;  // √m h
  EXPECT_NEAR(result.acceleration(0) / unit, 9.81 * 0.5 * std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(result.acceleration(2) / unit, -9.81 * 0.25, 1e-12);
}

TEST(ImpendingMotion, FindsThePlaneFormulationsOfAPile) {
  const auto problem = Whitened(Pile<>(6, 0, 1, 3));
  const auto impending = std::make_unique<ImpendingMotion<double, kDisks>>();
  const auto forces = impending->ByContactForces(problem, 1000), gauss = impending->ByLeastConstraint(problem, 1000);
  ASSERT_EQ(forces.outcome, MotionOutcome::kFound);
  ASSERT_EQ(gauss.outcome, MotionOutcome::kFound);
  EXPECT_LE((forces.acceleration - gauss.acceleration).norm(), 1e-12 * problem.k.norm());
}

TEST(ImpendingMotion, RefusesWhatItIsNotDefinedFor) {
  Impending impending;
  EXPECT_EQ(impending.ByContactForces(Whitened(RandomScene<>(1, 4, 0.1)), 100).outcome, MotionOutcome::kRefused);
  auto problem = Whitened(RandomScene<>(1, 4, 0));
  problem.contacts[1].b = problem.contacts[1].b_clear = 0.1;
  EXPECT_EQ(impending.ByLeastConstraint(problem, 100).outcome, MotionOutcome::kFound);
  EXPECT_EQ(impending.BySteepestDescent(problem, 100).outcome, MotionOutcome::kRefused);
  problem.contacts[1].b = -0.1;
  EXPECT_EQ(impending.ByLeastConstraint(problem, 100).outcome, MotionOutcome::kRefused);
  EXPECT_EQ(impending.ByContactForces(problem, 100).outcome, MotionOutcome::kRefused);
}

TEST(ImpendingMotion, AgreesInSinglePrecision) {
  ImpendingMotion<float, kSmall> impending;
  int disagreements = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto problem = Whitened(RandomScene<float>(seed, 1 + static_cast<int>(seed % 16), 0));
    const auto forces = impending.ByContactForces(problem, 400), gauss = impending.ByLeastConstraint(problem, 100);
    const bool found = forces.outcome == MotionOutcome::kFound && gauss.outcome == MotionOutcome::kFound;
    disagreements += !found || (forces.acceleration - gauss.acceleration).norm() > 0.03f * problem.k.norm();
  }
  EXPECT_LE(disagreements, 2);  // |Δa|² ≤ residual · Σλ, and a residual of 1e-3 is accepted
}

}  // namespace
}  // namespace tactus::test
