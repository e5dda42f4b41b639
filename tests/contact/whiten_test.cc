#include "tactus/contact/whiten.h"

#include <gtest/gtest.h>

#include "tactus/contact/unwhiten.h"
#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

constexpr double kRounding = 1e-14;  // a few dozen operations at 1

SmallProblem<> TwoBalls() {
  SmallProblem<> problem = BallOnFloor<>({1, 2, 3, 4, 5, 6}, {0.1, 0.2, 0.3, 0.01, 0.02, 0.03}, 0.4);
  (void)problem.bodies.push_back(Ball<>());
  problem.bodies[1].mass_kg = 2;
  problem.bodies[1].inertia_kgm2(0, 1) = problem.bodies[1].inertia_kgm2(1, 0) = 4e-6;
  problem.bodies[1].position_m << 0.03, 0.01, 0;
  problem.bodies[1].velocity << -1, 0, 0, 7, 0, 0;
  Contact<double, 6> contact = ContactBelow<>(1, 0.2, {0.015, 0.005, 0.001});
  contact.b = 1;
  (void)problem.contacts.push_back(contact);
  return problem;
}

// Source: the whitened norm is the kinetic norm, |k|² = (M v0 + h f)ᵀ M⁻¹ (M v0 + h f).
TEST(Whiten, KeepsTheKineticNormOfTheFreeMotion) {
  const SmallProblem<> problem = TwoBalls();
  double expected = 0;
  for (const Body<double, 6>& body : problem.bodies) {
    Vec<double, 6> momentum = problem.step_s * body.wrench;
    momentum.head<3>() += body.mass_kg * body.velocity.head<3>();
    momentum.tail<3>() += body.inertia_kgm2 * body.velocity.tail<3>();
    Mat<double, 3, 3> L;
    ASSERT_TRUE(Cholesky(body.inertia_kgm2, &L));
    const Vec<double, 3> angular = InverseOfLower(L) * momentum.tail<3>();
    expected += momentum.head<3>().squaredNorm() / body.mass_kg + angular.squaredNorm();
  }
  EXPECT_NEAR(Whitened(problem).k.squaredNorm() / expected, 1, kRounding);
}

TEST(Whiten, NormalisesRowsWithOneFactorForBothTangents) {
  const auto whitened = Whitened(TwoBalls());
  for (const auto& contact : whitened.contacts) {
    EXPECT_NEAR(contact.N.squaredNorm(), 1, kRounding);
    EXPECT_NEAR(contact.T.squaredNorm(), 2, kRounding);
  }
}

// Source: theory 2.1. Metres or millimetres: the normalised rows are the same numbers.
TEST(Whiten, DoesNotDependOnTheUnitOfLength) {
  const SmallProblem<> metres = TwoBalls();
  SmallProblem<> millimetres = metres;
  for (auto& body : millimetres.bodies) {
    body.inertia_kgm2 *= 1e6;
    body.position_m *= 1e3;
    body.velocity.head<3>() *= 1e3;
    body.wrench.head<3>() *= 1e3;
    body.wrench.tail<3>() *= 1e6;
  }
  for (auto& contact : millimetres.contacts) contact.point_m *= 1e3;
  const auto one = Whitened(metres), other = Whitened(millimetres);
  EXPECT_NEAR((other.k - 1e3 * one.k).norm() / (1e3 * one.k.norm()), 0, kRounding);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR((other.contacts[i].N - one.contacts[i].N).norm(), 0, kRounding);
    EXPECT_NEAR((other.contacts[i].T - one.contacts[i].T).norm(), 0, kRounding);
    EXPECT_NEAR(other.contacts[i].mu, one.contacts[i].mu, kRounding);
  }
}

SmallProblem<> WithJoints() {
  SmallProblem<> problem = TwoBalls();
  for (int axis = 0; axis < 2; ++axis) {
    Joint<double, 6> joint;
    joint.a = 0;
    joint.b = 1;
    joint.jacobian_a(axis) = 1;
    joint.jacobian_b(axis) = -1;
    joint.speed = 0.1 * (axis + 1);
    (void)problem.joints.push_back(joint);
  }
  return problem;
}

// Source: B c = M(v - v0) - h f and Bᵀv = speed with no contact impulse.
TEST(Whiten, JointsAloneGiveTheConstrainedMotion) {
  SmallProblem<> problem = WithJoints();
  problem.contacts.clear();
  const auto whitened = Whitened(problem);
  ContactSolution<double, kSmall> solution;
  Unwhiten(whitened, whitened.k, 0, 2, &solution);
  for (int j = 0; j < 2; ++j) {
    const auto& joint = problem.joints[j];
    EXPECT_NEAR(joint.jacobian_a.dot(solution.velocity[0]) + joint.jacobian_b.dot(solution.velocity[1]), joint.speed,
                kRounding);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double momentum_change = 0.5 * (solution.velocity[0](axis) - problem.bodies[0].velocity(axis));
    const double impulse = axis < 2 ? solution.joint_impulse_Ns[axis] : 0;
    EXPECT_NEAR(momentum_change, problem.step_s * problem.bodies[0].wrench(axis) + impulse, kRounding);
  }
}

TEST(Whiten, IgnoresAJointRowThatSaysTheSameAgain) {
  SmallProblem<> problem = WithJoints();
  Joint<double, 6> again = problem.joints[0];
  again.jacobian_a *= 2;
  again.jacobian_b *= 2;
  again.speed *= 2;
  (void)problem.joints.push_back(again);
  EXPECT_EQ(Whitened(problem).joint_rank, 2);
}

// Of two bodies that move at 0.1 m/s and more, 1e-12 m/s is rounding.
TEST(Whiten, IgnoresAJointRowThatSaysTheSameUpToRounding) {
  SmallProblem<> problem = WithJoints();
  problem.joints[0].speed = 0;
  Joint<double, 6> again = problem.joints[0];
  again.speed = 1e-12;
  (void)problem.joints.push_back(again);
  EXPECT_EQ(Whitened(problem).joint_rank, 2);
}

TEST(Whiten, RefusesAJointRowThatContradicts) {
  SmallProblem<> problem = WithJoints();
  Joint<double, 6> again = problem.joints[0];
  again.speed += 1;
  (void)problem.joints.push_back(again);
  WhitenedProblem<double, kSmall> whitened;
  FixedVector<Vec<double, 3>, kSmall.contacts> tangents;
  for (const auto& contact : problem.contacts) (void)tangents.push_back(contact.tangent);
  const ProblemFault fault = Whiten(problem, tangents, WhitenOptions<double, kSmall>{}, &whitened);
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.list, "joints");
  EXPECT_EQ(fault.index, 2);
}

TEST(Whiten, LimitsThePushOut) {
  SmallProblem<> problem = TwoBalls();
  problem.contacts[0].gap_m = -1e-3;  // would be pushed out at 1 m/s
  WhitenedProblem<double, kSmall> whitened;
  FixedVector<Vec<double, 3>, kSmall.contacts> tangents;
  for (const auto& contact : problem.contacts) (void)tangents.push_back(contact.tangent);
  WhitenOptions<double, kSmall> options;
  options.max_push_out_mps = 0.05;
  ASSERT_FALSE(Whiten(problem, tangents, options, &whitened));
  EXPECT_NEAR(whitened.contacts[0].b * whitened.contacts[0].normal_scale, -0.05, kRounding);
}

// A needle of 1 : 1e-12 that spins about its axis with nothing touching it: L⁻ᵀ and Lᵀ cancel only in exact arithmetic.
// Source: conservation of momentum. Tolerance: the unit roundoff of each number.
TEST(Unwhiten, LeavesASpinAloneThatNothingChanges) {
  SmallProblem<> problem;
  Body<double, 6> body;
  body.mass_kg = 0.01;
  body.inertia_kgm2 << 4.150164285504645e-06, -4.927248649937375e-06, 0, -4.927248649937375e-06, 5.849835714505357e-06, 0, 0,
      0, 1e-05;
  body.velocity << 0.1, 0.2, 0.3, 76484.21872844885, 64421.768723769106, 1;
  (void)problem.bodies.push_back(body);
  const auto whitened = Whitened(problem);
  ContactSolution<double, kSmall> solution;
  Unwhiten(whitened, whitened.k, 0, 0, &solution);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(solution.velocity[0](i) / body.velocity(i), 1, 4e-16) << i;
}

// A slider that its joints hold on a conveyor: the floor's friction μθ loads the joint along the conveyor and moves nothing.
// Source: Coulomb's law, equilibrium.
TEST(Unwhiten, GivesJointsTheFrictionThatTheyHold) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -5, 0, 0, 0}, 0.4);
  problem.direction_offset_rad = 0;
  problem.contacts[0].surface_velocity_mps << 1, 0;
  for (const int axis : {0, 1, 3, 4, 5}) {
    Joint<double, 6> joint;
    joint.jacobian_a(axis) = 1;
    (void)problem.joints.push_back(joint);
  }
  const auto whitened = Whitened(problem);
  ContactSolution<double, kSmall> solution;
  solution.impulse.storage().theta[0] = -whitened.k.dot(whitened.contacts[0].N);
  Unwhiten(whitened, whitened.VelocityFor(solution.impulse.storage()), 1, 5, &solution);
  const double held_Ns = 0.4 * 5 * problem.step_s;
  EXPECT_NEAR(solution.impulse[0].friction_Ns(0), held_Ns, 1e-15);
  EXPECT_NEAR(solution.joint_impulse_Ns[0], -held_Ns, 1e-15);
}

}  // namespace
}  // namespace tactus::test
