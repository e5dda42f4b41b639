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

// Closed form: a joint drives the ball into its floor, 4 milliradians from along it: with (s, 0, c)·v = -0.1 m/s and
// v_z ≥ 0 the nearest velocity is v_x = -0.1/s, 25 m/s. Two contacts whose levers are opposed need multipliers of 2e4 times
// the motion for that, which float does not resolve; what drives must not win all the same.
TEST(NearestVelocity, KeepsOffTheFloorInFloatWhereMultipliersAreLarge) {
  constexpr float kTilt = 4e-3f;
  SmallProblem<float> problem = BallOnFloor<float>(Vec<float, 6>::Zero(), Vec<float, 6>::Zero(), 0);
  problem.contacts[0].point_m(0) += 0.005f;
  (void)problem.contacts.push_back(problem.contacts[0]);
  problem.contacts[1].id += 1;
  problem.contacts[1].point_m(0) -= 0.01f;
  Joint<float, 6> joint;
  joint.a = 0;
  joint.jacobian_a << kTilt, 0, 1, 0, 0, 0;
  joint.speed = -0.1f;
  (void)problem.joints.push_back(joint);
  const auto whitened = Whitened(problem);
  NearestVelocity<float, kSmall> nearest;
  auto u = whitened.k;
  ASSERT_TRUE(nearest.Solve(whitened, 28, &u));
  const float root_mass = Sqrt(problem.bodies[0].mass_kg);
  EXPECT_NEAR(u.norm(), root_mass * -joint.speed / kTilt, 0.01f * root_mass * -joint.speed / kTilt);
  for (const auto& contact : whitened.contacts) {
    EXPECT_GE(whitened.Dot(contact, contact.N, u), -contact.b * (1 - 1e-3f));  // b < 0: what the joint gives
  }
  EXPECT_GT(nearest.given_energy(), 0);
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
