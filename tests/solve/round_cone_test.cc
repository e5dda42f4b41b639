#include <gtest/gtest.h>

#include "bench/round/friction_quality.h"
#include "tests/contact/scenes.h"
#include "tests/solve/random_scene.h"
#include "tests/solve/small_solver.h"

namespace tactus::test {
namespace {

using host::Cube;
using host::FrictionQuality;

// A block on a plate. Sources: Coulomb's law; limits: the issue "The solver", section 3.
class RoundBlock : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Contacts, RoundBlock, testing::Values(4, 16));

TEST_P(RoundBlock, SlidesWithoutALateralForce) {
  FrictionQuality quality;
  EXPECT_LE(host::Lateral<double>(Cone::kRound, GetParam(), 0, &quality), 1e-3);
  EXPECT_LE(host::Lateral<double>(Cone::kRound, GetParam(), 1.3, &quality), 1e-3);
  EXPECT_EQ(quality.polygon_ticks, 0);
}

// The same with the polygon: what the round cone is for. With 8 directions up to tan(π/8) = 0.414 of μN.
TEST_P(RoundBlock, IsPushedAsideByThePolygon) {
  FrictionQuality quality;
  EXPECT_GE(host::Lateral<double>(Cone::kPolygon, GetParam(), 0, &quality), 0.3);
}

TEST_P(RoundBlock, IsDraggedRoundACircleAgainstItsMotion) {
  FrictionQuality quality;
  host::DragCircle<double>(Cone::kRound, GetParam(), &quality);
  EXPECT_LE(quality.circle_rms_deg, 0.05);
  EXPECT_NEAR(quality.plateau_low, 1, 1e-4);
  EXPECT_NEAR(quality.plateau_high, 1, 1e-4);
}

TEST_P(RoundBlock, IsThrownAlongItsLine) {
  FrictionQuality quality;
  EXPECT_LE(host::Throw<double>(Cone::kRound, GetParam(), &quality), 1e-4);
}

// Source: v = v0 - μ g h until it stops, and the polygon's answer is not faster to see.
TEST_P(RoundBlock, StopsWhereCoulombSays) {
  Cube<double> cube(Cone::kRound, GetParam(), 1, 0.3);
  cube.SetVelocity(0.6, 0.8);
  double expected_m = 0;
  const double drop = 0.3 * Cube<double>::kGravity_mps2 * Cube<double>::kStep_s;
  for (double v = 1; v > 0; v -= drop) {
    cube.Step(0, 0);
    expected_m += std::max(v - drop, 0.0) * Cube<double>::kStep_s;
  }
  EXPECT_NEAR(std::hypot(cube.x_m(), cube.y_m()), expected_m, 1e-6);
  EXPECT_LE(cube.speed_mps(), 1e-9);
}

TEST_P(RoundBlock, BreaksAwayAtMuN) {
  FrictionQuality quality;
  EXPECT_LE(host::Breakaway<double>(Cone::kRound, GetParam(), &quality), 0.01);
}

TEST(RoundBlockInFloat, SlidesAndStopsAsInDouble) {
  FrictionQuality quality;
  EXPECT_LE(host::Lateral<float>(Cone::kRound, 4, 0, &quality), 1e-3);
  host::DragCircle<float>(Cone::kRound, 4, &quality);
  EXPECT_LE(quality.circle_rms_deg, 0.05);
  EXPECT_LE(host::Throw<float>(Cone::kRound, 4, &quality), 1e-4);
}

using Solver = ContactSolver<double, kSmall>;
using Solution = ContactSolution<double, kSmall>;

TEST(RoundCone, IsAskedFor) {
  const auto problem = BallOnFloor<>({1, 0.3, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  EXPECT_EQ(solution.cone, Cone::kPolygon);
  EXPECT_EQ(solution.friction_Ns.size(), 0);
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.cone, Cone::kRound);
  EXPECT_LE(solution.round_residual, 1e-6);
  ASSERT_EQ(solution.friction_Ns.size(), 1);
  EXPECT_NEAR(solution.friction_Ns[0].norm(), 0.003, 1e-9);  // μ θ
}

TEST(RoundCone, StartsFromTheLastTickWithoutAPivot) {
  SmallProblem<> problem = RandomScene<>(3, 12, 0.5);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  ASSERT_EQ(solution.cone, Cone::kRound);
  problem.bodies[0].wrench *= 1.01;
  for (int i = 0; i < 6; ++i) std::swap(problem.contacts[i], problem.contacts[11 - i]);
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  EXPECT_EQ(solution.cone, Cone::kRound);
  EXPECT_EQ(solution.pivots, 0);
  EXPECT_EQ(solution.rung, Rung::kWarmVerified);
}

// The caller may turn its tangents from tick to tick: the force keeps its direction in the world.
TEST(RoundCone, KeepsItsForceWhenTheTangentsTurn) {
  auto problem = BallOnFloor<>({1, 0.3, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  problem.contacts[0].tangent << 0, 1, 0;
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  EXPECT_EQ(solution.cone, Cone::kRound);
  EXPECT_EQ(solution.round_steps, 0);  // the last answer, turned, is the answer
}

// Source: closed form: joints leave z alone, the surface passes under the ball along (3, 4)/5: friction μθ along that.
TEST(RoundCone, HoldsAgainstAMovingSurfaceWhatTheJointsKeepFromSliding) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0.3);
  problem.contacts[0].surface_velocity_mps << 0.3, 0.4;
  for (const int axis : {0, 1, 3, 4, 5}) {
    Joint<double, 6> joint;
    joint.jacobian_a(axis) = 1;
    (void)problem.joints.push_back(joint);
  }
  Solver solver;
  Solution solution;
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  ASSERT_EQ(solution.cone, Cone::kRound);
  EXPECT_NEAR(solution.friction_Ns[0](0), 0.6 * 0.003, 1e-12);
  EXPECT_NEAR(solution.friction_Ns[0](1), 0.8 * 0.003, 1e-12);
  EXPECT_NEAR(solution.joint_impulse_Ns[0], -0.6 * 0.003, 1e-12);
}

// Two bodies that have nothing to do with each other.
constexpr Capacity kTwoBodies{.bodies = 2, .contacts = 32};
ContactProblem<double, kTwoBodies> SideBySide(const SmallProblem<>& one, const SmallProblem<>& other) {
  ContactProblem<double, kTwoBodies> both;
  both.step_s = one.step_s;
  both.directions = one.directions;
  for (const SmallProblem<>* from : {&one, &other}) {
    const int body = both.bodies.size();
    (void)both.bodies.push_back(from->bodies[0]);
    for (Contact<double, 6> contact : from->contacts) {
      (contact.a != kFixed ? contact.a : contact.b) = body;
      contact.id += 1000 * body;
      (void)both.contacts.push_back(contact);
    }
  }
  return both;
}

// Each answer is of the law that it says, contact by contact; by the polygon's alone the round ones would not be.
TEST(RoundCone, TellsEachContactsConeUnderADeadline) {
  int mixed = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const auto problem = SideBySide(RandomScene<>(seed, 4, 0.5), RandomScene<>(seed + 1000, 12, 0.5));
    for (const int budget : {0, 200'000, 300'000, 400'000}) {
      ContactSolver<double, kTwoBodies> two;
      ContactSolution<double, kTwoBodies> answer;
      two.Solve(problem, {.cone = Cone::kRound, .work_budget = budget}, &answer);
      ASSERT_TRUE(budget > 0 || answer.contact_cone.empty()) << seed;
      if (answer.status != SolveStatus::kSolved) continue;
      const auto limits = VerdictLimits<double>::OfRound(0, budget == 0);
      EXPECT_LE(JudgeAnswer(problem, answer).contact, limits.share) << seed << ", budget " << budget;
      if (answer.contact_cone.empty()) continue;
      ++mixed;
      EXPECT_EQ(answer.cone, Cone::kPolygon);
      answer.contact_cone.clear();
      EXPECT_GT(JudgeAnswer(problem, answer).contact, 1e-4) << seed << ", budget " << budget;
    }
  }
  EXPECT_GT(mixed, 2);
}

TEST(RoundCone, StaysInsideTheBudgetOfWork) {
  int polygons = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const SmallProblem<> problem = RandomScene<>(seed, 16, 0.5);
    const int least = static_cast<int>(work::Least(problem.contacts.size()));
    for (const int budget : {least, 2 * least, 4 * least}) {
      Solver solver;
      Solution solution;
      for (int tick = 0; tick < 2; ++tick) {
        solver.Solve(problem, {.cone = Cone::kRound, .work_budget = budget}, &solution);
        ASSERT_LE(solution.work, budget) << seed;
        polygons += solution.cone == Cone::kPolygon;
      }
    }
  }
  EXPECT_GT(polygons, 0);  // the least budget has no room for it
}

TEST(RoundCone, GivesTheSameBitsTwice) {
  const SmallProblem<> problem = RandomScene<>(8, 14, 0.4);
  Solution first, second;
  Solver one, other;
  one.Solve(problem, {.cone = Cone::kRound}, &first);
  other.Solve(problem, {.cone = Cone::kRound}, &second);
  ASSERT_EQ(first.cone, Cone::kRound);
  EXPECT_EQ(first.velocity[0], second.velocity[0]);
}

// In the plane the polygon is the cone.
TEST(RoundCone, IsThePolygonInThePlane) {
  constexpr Capacity kPlane{.bodies = 1, .contacts = 4, .joints = 0, .directions = 2, .dof = 3};
  ContactProblem<double, kPlane> problem;
  problem.directions = 2;
  Body<double, 3> body;
  body.velocity << 1, 0, 0;
  body.wrench << 0, -10, 0;
  (void)problem.bodies.push_back(body);
  Contact<double, 3> contact;
  contact.friction = 0.3;
  (void)problem.contacts.push_back(contact);
  ContactSolver<double, kPlane> solver;
  ContactSolution<double, kPlane> solution;
  solver.Solve(problem, {.cone = Cone::kRound}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.cone, Cone::kRound);
  ASSERT_EQ(solution.friction_Ns.size(), 1);
  EXPECT_NEAR(std::abs(solution.friction_Ns[0](0)), 0.003, 1e-15);
}

}  // namespace
}  // namespace tactus::test
