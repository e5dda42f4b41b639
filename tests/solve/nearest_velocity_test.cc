#include "tactus/solve/convex/nearest_velocity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/solve/judge/residual.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Impulses = WhitenedImpulses<double, kSmall>;

// Source: the nearest feasible velocity is the solution of the frictionless LCP (theory 10, (i) = (ii)): check its
// conditions.
TEST(NearestVelocity, SolvesTheFrictionlessConditions) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), 0));
    NearestVelocity<double, kSmall> nearest;
    auto u = problem.k;
    ASSERT_TRUE(nearest.Solve(problem, 100, &u)) << seed;
    Impulses impulses;
    nearest.AddImpulses(&impulses);
    ASSERT_LE(ComplementarityResidual(problem, impulses), 1e-12) << seed;
    ASSERT_LE((problem.VelocityFor(impulses) - u).norm(), 1e-12 * problem.k.norm()) << seed;
  }
}

TEST(NearestVelocity, TreatsPenetrationAsTouching) {
  SmallProblem<> overlapping = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0);
  overlapping.contacts[0].gap_m = -1e-3;
  const auto problem = Whitened(overlapping);
  ASSERT_LT(problem.contacts[0].b, 0);
  NearestVelocity<double, kSmall> nearest;
  auto u = problem.k;
  ASSERT_TRUE(nearest.Solve(problem, 10, &u));
  EXPECT_NEAR(u.norm(), 0, 1e-15);
}

// Closed form: a floor that comes up at 0.3 m/s takes the ball along, and gives it less than θ w. One from above that comes
// down leaves no velocity for both: then neither moves.
TEST(NearestVelocity, IsPushedByWhatComesAndRestsWhereThatSqueezes) {
  SmallProblem<> pushed = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0);
  pushed.contacts[0].surface_normal_velocity_mps = 0.3;
  const auto problem = Whitened(pushed);
  NearestVelocity<double, kSmall> nearest;
  auto u = problem.k;
  ASSERT_TRUE(nearest.Solve(problem, 10, &u));
  EXPECT_NEAR(problem.Dot(problem.contacts[0], problem.contacts[0].N, u) + problem.contacts[0].b, 0, 1e-12);
  EXPECT_LE(u.squaredNorm(), problem.k.squaredNorm() + 2 * nearest.given_energy());
  EXPECT_GT(nearest.given_energy(), 0);

  Contact<double, 6> above = pushed.contacts[0];
  above.id += 1;
  above.normal = -above.normal;
  above.point_m = 2 * pushed.bodies[0].position_m - above.point_m;
  (void)pushed.contacts.push_back(above);
  const auto squeezed = Whitened(pushed);
  u = squeezed.k;
  ASSERT_TRUE(nearest.Solve(squeezed, 10, &u));
  EXPECT_NEAR(u.norm(), 0, 1e-12);
  EXPECT_EQ(nearest.given_energy(), 0);
}

// Source: theory 3: θ ≥ 0 with N θ = 0 and bᵀθ < 0 proves a squeeze.
TEST(NearestVelocity, FindsTheCertificateOfASqueezeAndNoOther) {
  NearestVelocity<double, kSmall> nearest;
  Impulses certificate;
  const auto squeezed = Whitened(SqueezedBox<>(0.5, -1e-4, {3, 0, -5, 0, 0.1, 0}));
  ASSERT_TRUE(nearest.FindCertificate(squeezed, 100, &certificate));
  double work = 0, most = 0;
  for (int i = 0; i < squeezed.contacts.size(); ++i) {
    EXPECT_GE(certificate.theta[i], 0);
    work += squeezed.contacts[i].b * certificate.theta[i];
    most = std::max(most, certificate.theta[i]);
  }
  EXPECT_LT(work, 0);
  EXPECT_LE(squeezed.ContactImpulse(certificate).norm(), 1e-14 * most);

  EXPECT_FALSE(nearest.FindCertificate(Whitened(SqueezedBox<>(0.5, 0, {3, 0, -5, 0, 0.1, 0})), 100, &certificate));
  auto pushed_out = Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0));
  pushed_out.contacts[0].b = -1;
  EXPECT_FALSE(nearest.FindCertificate(pushed_out, 100, &certificate));
}

TEST(NearestVelocity, GivesUpAfterTheGivenIterations) {
  const auto problem = Whitened(RandomScene<>(3, 16, 0));
  NearestVelocity<double, kSmall> nearest;
  auto u = problem.k;
  EXPECT_FALSE(nearest.Solve(problem, 1, &u));
}

}  // namespace
}  // namespace tactus::test
