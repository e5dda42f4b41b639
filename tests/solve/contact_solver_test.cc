
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/solve/random_scene.h"
#include "tests/solve/small_solver.h"

namespace tactus::test {
namespace {

using Solver = ContactSolver<double, kSmall>;
using Solution = ContactSolution<double, kSmall>;

TEST(ContactSolver, GivesPhysicalUnits) {  // Source: closed form, a ball of 0.5 kg sliding under 10 N, μ = 0.3, for 1 ms
  Solver solver;
  Solution solution;
  solver.Solve(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3), {}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.impulse[0].normal_Ns, 0.01, 1e-15);
  EXPECT_NEAR(solution.impulse[0].friction_Ns(4), 0.003, 1e-15);
  EXPECT_NEAR(solution.velocity[0](0), 1 - 0.003 / 0.5, 1e-14);
  EXPECT_NEAR(solution.velocity[0](4), 0.003 * 0.01 / (0.4 * 0.5 * 1e-4), 1e-11);  // τ_y = +r f: it starts to roll
}

// Source: Painlevé's rod (theory 9.4): at μ = 2 accelerations have no solution; impulses do, the same for every h.
TEST(ContactSolver, StopsPainlevesRodWithTheSameImpulseForEveryStep) {
  double impulse[3];
  for (int power = 0; power < 3; ++power) {
    SmallProblem<> problem = BallOnFloor<>({-1, 0, 0, 0, 0, 0}, Vec<double, 6>::Zero(), 2);
    problem.step_s = power == 0 ? 1e-3 : power == 1 ? 1e-4 : 1e-5;
    Body<double, 6>& rod = problem.bodies[0];  // 1 kg, 2 m, at 60° to the floor; the lower end touches
    rod.mass_kg = 1;
    rod.inertia_kgm2 = Mat<double, 3, 3>::Identity() / 3;
    rod.wrench(2) = -9.81;
    problem.contacts[0].point_m << -0.5, 0, -0.86602540378443865;
    Solver solver;
    Solution solution;
    solver.Solve(problem, {}, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    const Vec<double, 6>& v = solution.velocity[0];
    const double slip = v(0) + v(4) * problem.contacts[0].point_m(2);
    EXPECT_NEAR(slip, 0, 1e-12);
    impulse[power] = solution.impulse[0].normal_Ns;
  }
  EXPECT_GT(impulse[2], 0.1);
  EXPECT_NEAR(impulse[0], impulse[2], 0.02);  // gravity's h m g = 9.8e-3 N·s is what differs
  EXPECT_NEAR(impulse[1], impulse[2], 0.002);
}

TEST(ContactSolver, RefusesAnInvalidProblemAndKeepsItsMemory) {
  const SmallProblem<> good = RandomScene<>(3, 12, 0.5);
  SmallProblem<> bad = good;
  bad.contacts[4].friction = std::numeric_limits<double>::quiet_NaN();
  Solver solver;
  Solution solution;
  solver.Solve(good, {}, &solution);
  solver.Solve(bad, {}, &solution);
  EXPECT_EQ(solution.status, SolveStatus::kInvalid);
  EXPECT_STREQ(solution.fault.field, "friction");
  EXPECT_EQ(solution.velocity.size(), 0);
  solver.Solve(good, {}, &solution);
  EXPECT_EQ(solution.rung, Rung::kWarmVerified);
}

// Every number is finite, the whitened k is not.
TEST(ContactSolver, RefusesAMotionWithoutAFiniteEnergy) {
  SmallProblem<float> problem = RandomScene<float>(3, 12, 0.5);
  problem.bodies[0].velocity(1) = 3e38f;
  ContactSolver<float, kSmall> solver;
  ContactSolution<float, kSmall> solution;
  solver.Solve(problem, {}, &solution);
  EXPECT_EQ(solution.status, SolveStatus::kInvalid);
  EXPECT_STREQ(solution.fault.field, "velocity");
}

TEST(ContactSolver, CarriesTheBasisByContactIdNotByPlace) {
  SmallProblem<> problem = RandomScene<>(3, 12, 0.5);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  for (int i = 0; i < 6; ++i) std::swap(problem.contacts[i], problem.contacts[11 - i]);
  solver.Solve(problem, {}, &solution);
  EXPECT_EQ(solution.rung, Rung::kWarmVerified);
}

TEST(ContactSolver, StartsColdAfterReset) {
  const SmallProblem<> problem = RandomScene<>(3, 12, 0.5);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  solver.Reset();
  solver.Solve(problem, {}, &solution);
  EXPECT_EQ(solution.rung, Rung::kCold);
}

TEST(ContactSolver, AsksTheCallersClock) {
  const SmallProblem<> problem = RandomScene<>(3, 12, 0.5);
  const TimeLeft none{[](void*) { return false; }};
  Solver solver;
  Solution solution;
  solver.Solve(problem, {.time_left = none}, &solution);
  EXPECT_EQ(solution.rung, Rung::kConvexStep);
  EXPECT_EQ(solution.pivots, 0);
  solver.Reset();
  solver.Solve(problem, {}, &solution);
  ASSERT_EQ(solution.rung, Rung::kCold);
  solver.Solve(problem, {.time_left = none}, &solution);
  EXPECT_EQ(solution.rung, Rung::kWarmVerified) << "what needs no pivot needs no time";
}

TEST(ContactSolver, AnswersWithoutContacts) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -5, 0, 0, 0}, 0);
  problem.contacts.clear();
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.velocity[0](2), -5 * 1e-3 / 0.5, 1e-16);
}

TEST(ContactSolver, PicksTangentsThatContinueFromTickToTick) {
  SmallProblem<> problem = BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3);
  problem.contacts[0].tangent.setZero();
  Solver solver;
  Solution solution;
  Vec<double, 3> last = Vec<double, 3>::Zero();
  for (int tick = 0; tick < 1000; ++tick) {  // the floor's normal turns through the diagonal, where DefaultTangent jumps
    const double angle = 1e-3 * tick;
    problem.contacts[0].normal << __builtin_sin(angle), 0, __builtin_cos(angle);
    solver.Solve(problem, {}, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << tick;
    if (tick > 0) {
      ASSERT_LE((solution.tangent[0] - last).norm(), 1.1e-3) << tick;
    }
    last = solution.tangent[0];
  }
}

TEST(ContactSolver, MergedContactsCarryNothingAndStillHold) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SmallProblem<> problem = RandomScene<>(seed, 8, 0.5);
    for (int i = 0; i < 8; ++i) {
      Contact<double, 6> twin = problem.contacts[i];
      twin.id += 100;
      twin.point_m += 2e-4 * twin.tangent;
      (void)problem.contacts.push_back(twin);
    }
    Solver solver;
    Solution merged, all;
    solver.Solve(problem, {.warm = false, .merge = true}, &merged);
    ASSERT_EQ(merged.status, SolveStatus::kSolved) << seed;
    ASSERT_LE(merged.residual, 1e-8) << seed;  // of all 16 contacts
    solver.Solve(problem, {.warm = false}, &all);
    ASSERT_EQ(all.status, SolveStatus::kSolved) << seed;
  }
}

// One solver, whatever came before: merged, all, with a budget (then nothing is merged), all. What one solve leaves behind
// is no answer of the next one.
TEST(ContactSolver, MergesAndDoesNotByTurns) {
  Solver solver;
  Solution solution;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SmallProblem<> problem = RandomScene<>(seed / 4, 8, 0.5);
    for (int i = 0; i < 8; ++i) {
      Contact<double, 6> twin = problem.contacts[i];
      twin.id += 100;
      twin.point_m += 2e-4 * twin.tangent;
      (void)problem.contacts.push_back(twin);
    }
    problem.bodies[0].velocity *= 1 + 0.01 * (seed % 4);
    SolverOptions<double> options;
    options.merge = seed % 2 == 0;
    options.work_budget = seed % 4 == 2 ? 10 * static_cast<int>(work::Least(16)) : 0;
    solver.Solve(problem, options, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << seed;
    ASSERT_LE(solution.residual, 1e-8) << seed;
  }
}

// A slider: joints leave only z free and drive x at 0.2 m/s over the floor. Friction cannot change that, but must still be
// there. Source: closed form, θ = h·10 N, φ = μθ, and the x joint pays for it.
TEST(ContactSolver, LetsJointsPayForFrictionTheyOvercome) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0.3);
  for (int axis = 0; axis < 6; ++axis) {
    if (axis == 2) continue;
    Joint<double, 6> joint;
    joint.jacobian_a(axis) = 1;
    joint.speed = axis == 0 ? 0.2 : 0;
    (void)problem.joints.push_back(joint);
  }
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.velocity[0](0), 0.2, 1e-14);
  EXPECT_NEAR(solution.impulse[0].normal_Ns, 0.01, 1e-14);
  EXPECT_NEAR(solution.impulse[0].friction_Ns(4), 0.003, 1e-14);
  EXPECT_NEAR(solution.joint_impulse_Ns[0], 0.5 * 0.2 + 0.003, 1e-14);
}

// The same row in other units is the same joint: the impulse counts in its units.
TEST(ContactSolver, TakesJointRowsOfAnyLength) {
  for (const double scale : {1.0, 1e-200, 1e200}) {
    SmallProblem<> problem = BallOnFloor<>({0.5, 0, 0, 0, 0, 0}, Vec<double, 6>::Zero(), 0);
    Joint<double, 6> joint;
    joint.jacobian_a(0) = scale;
    joint.speed = 0.2 * scale;
    (void)problem.joints.push_back(joint);
    Solver solver;
    Solution solution;
    solver.Solve(problem, {}, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << scale;
    EXPECT_NEAR(solution.velocity[0](0), 0.2, 1e-15) << scale;
    EXPECT_NEAR(solution.joint_impulse_Ns[0] * scale, 0.5 * (0.2 - 0.5), 1e-15) << scale;
  }
}

TEST(ContactSolver, CallsAContactAgainstTheJointsAJam) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0.3);
  problem.contacts[0].gap_m = -1e-4;
  Joint<double, 6> joint;
  joint.jacobian_a(2) = 1;  // may not leave the floor it is in
  (void)problem.joints.push_back(joint);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  EXPECT_EQ(solution.status, SolveStatus::kJammed);
  EXPECT_GT(solution.residual, 0.1);
  ASSERT_EQ(solution.certificate.size(), 1);
  EXPECT_GT(solution.certificate[0].normal_Ns, 0);
  ASSERT_EQ(solution.certificate_joint_Ns.size(), 1);  // N θ + B c = 0 with N = B
  EXPECT_NEAR(solution.certificate_joint_Ns[0], -solution.certificate[0].normal_Ns, 1e-15);
  EXPECT_NEAR(solution.velocity[0](2), 0, 1e-15);
}

/// A face beside the ball, which looks to `side` along x and a little up.
Contact<double, 6> SlantedFace(int id, double side, double slope, double gap_m) {
  Contact<double, 6> face = ContactBelow<>(id, 0);
  face.point_m << -0.01 * side, 0, 0;
  face.normal << side, 0, slope;
  face.normal /= face.normal.norm();
  face.tangent << 0, 1, 0;
  face.gap_m = gap_m;
  return face;
}

// Source: statics by hand. A ball that may not move along z, between two walls that both reach into it and push it up: the
// joint's row takes what they push.
TEST(ContactSolver, TellsTheJointsShareOfACertificate) {
  constexpr double kSlope = 0.1;
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), Vec<double, 6>::Zero(), 0);
  problem.contacts.clear();
  for (const double side : {-1.0, 1.0}) {
    (void)problem.contacts.push_back(SlantedFace(problem.contacts.size(), side, kSlope, -1e-4));
  }
  Joint<double, 6> rail;
  rail.jacobian_a(2) = 2;
  (void)problem.joints.push_back(rail);
  Solver solver;
  Solution solution;
  solver.Solve(problem, {}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kJammed);
  const double left = solution.certificate[0].normal_Ns, right = solution.certificate[1].normal_Ns;
  EXPECT_GT(left, 0);
  EXPECT_NEAR(right, left, 1e-12 * left);
  ASSERT_EQ(solution.certificate_joint_Ns.size(), 1);
  EXPECT_NEAR(solution.certificate_joint_Ns[0], -(left + right) * kSlope / std::sqrt(1 + kSlope * kSlope) / 2, 1e-12 * left);
}

TEST(ContactSolver, GivesTheSameBitsTwice) {
  const SmallProblem<> problem = RandomScene<>(8, 14, 0.4);
  Solution first, second;
  Solver one, other;
  one.Solve(problem, {}, &first);
  other.Solve(problem, {}, &second);
  EXPECT_EQ(first.velocity[0], second.velocity[0]);
}

// Source: a contact that is not reached changes nothing: the other contacts' complementarity conditions hold.
template <class Scalar>
void ExpectFarContactsDoNoHarm(double residual) {
  for (const double gap_m : {1.0, 10.0, 1e3, 1e6, 1e12}) {
    for (unsigned seed = 0; seed < 50; ++seed) {
      SmallProblem<Scalar> problem = RandomScene<Scalar>(seed, 4, 0.5);
      Contact<Scalar, 6> far = problem.contacts[0];
      far.id = 99;
      far.gap_m = Scalar(gap_m);
      (void)problem.contacts.push_back(far);
      ContactSolver<Scalar, kSmall> solver;
      ContactSolution<Scalar, kSmall> solution;
      solver.Solve(problem, {}, &solution);
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << gap_m << " m, seed " << seed;
      ASSERT_LE(solution.residual, residual) << gap_m << " m, seed " << seed;
      ASSERT_EQ(solution.impulse.normal_Ns(4), 0);
    }
  }
}
TEST(ContactSolver, IsNotDisturbedByFarContacts) {
  ExpectFarContactsDoNoHarm<double>(1e-10);
  ExpectFarContactsDoNoHarm<float>(1e-3);
}

// Source: closed form. Two faces reach 1 µm into the ball and, their normals 2e-3 from opposing each other, drive it up
// 500 times as fast as they give way: 0.5 m/s. A lid `gap_m` above stops it from 0.5 mm down, and then nothing is a
// solution.
SolveStatus PushTowardsALid(double gap_m, Solution* solution) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), Vec<double, 6>::Zero(), 0);
  problem.contacts.clear();
  constexpr double kSlope = 2e-3;
  for (const double side : {-1.0, 1.0}) {
    (void)problem.contacts.push_back(SlantedFace(problem.contacts.size(), side, kSlope, -1e-6));
  }
  Contact<double, 6> lid = ContactBelow<>(2, 0, {0, 0, 0.01});
  lid.normal << 0, 0, -1;
  lid.gap_m = gap_m;
  (void)problem.contacts.push_back(lid);
  Solver solver;
  solver.Solve(problem, {}, solution);
  return solution->status;
}
TEST(ContactSolver, TakesAFarContactForWhatItIsWhereItIsReached) {
  Solution solution;
  EXPECT_EQ(PushTowardsALid(1e-3, &solution), SolveStatus::kSolved);
  EXPECT_NEAR(solution.velocity[0](2), 0.5, 1e-5);  // 1e-3 m/s · √(1 + kSlope²) / kSlope
  EXPECT_EQ(PushTowardsALid(0.4e-3, &solution), SolveStatus::kJammed);
  EXPECT_GT(solution.certificate[2].normal_Ns, 0);
}

// Source: what a controller with 64 kB of RAM can spare, 32 contacts with 8 directions: 12, 22, 24.5 and 45 kB for
// the polygon (two lists of impulses for the islands of several bodies), and round friction's rows on top: 6 and 12 kB for
// one body, 9 and 16 for four (VelocitySystem). The convex step, which keeps its rows while a path waits, and the
// hulls of patches: 1.3 and 2.1 kB for one body, 7 and 13.4 for four.
// Source: (5), |Σ φ_j d_j| ≤ μθ with the μ of now, where the answer is made of last tick's impulses.
TEST(ContactSolver, ASafeAnswerKeepsToAFrictionThatHasFallen) {
  int recalled = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SmallProblem<> problem = RandomScene<>(seed, 12, 0.8);
    ContactSolver<double, kSmall> solver;
    ContactSolution<double, kSmall> solution;
    solver.Solve(problem, {}, &solution);
    for (auto& contact : problem.contacts) contact.friction = 0.1;
    problem.bodies[0].wrench *= 0.5;
    solver.Solve(problem, {.work_budget = static_cast<int>(work::Least(12))}, &solution);
    if (solution.rung != Rung::kPreviousProjected) continue;
    ++recalled;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      Vec<double, 2> f = Vec<double, 2>::Zero();
      for (int j = 0; j < problem.directions; ++j) {
        const double angle = problem.direction_offset_rad + 2 * M_PI * j / problem.directions;
        f += solution.impulse[i].friction_Ns(j) * Vec<double, 2>(std::cos(angle), std::sin(angle));
      }
      EXPECT_LE(f.norm(), 0.1 * solution.impulse[i].normal_Ns * (1 + 1e-9)) << seed << ", contact " << i;
    }
  }
  EXPECT_GT(recalled, 5);
}

TEST(ContactSolver, FitsOnAController) {
  constexpr Capacity kTool{.bodies = 1, .contacts = 32}, kStack{.bodies = 4, .contacts = 32};
  // Of it what Newton goes on from in the next tick: 512 B and 1 kB; and what viscous friction goes on from: 0.8 and 1.6 kB.
  EXPECT_LE(sizeof(ContactSolver<float, kTool>), 18'600u);
  EXPECT_LE(sizeof(ContactSolver<double, kTool>), 33'600u);
  EXPECT_LE(sizeof(ContactSolver<float, kStack>), 44'000u);
  EXPECT_LE(sizeof(ContactSolver<double, kStack>), 81'500u);
}

}  // namespace
}  // namespace tactus::test
