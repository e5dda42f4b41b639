#include <gtest/gtest.h>

#include <cmath>

#include "tactus/contact/lever.h"
#include "tactus/solve/contact_solver.h"
#include "tests/support/random.h"

// On the round cone ContactSolver solves first for the contacts that carried a tick ago and those that the free motion
// closes. What it leaves out must not show in the answer; on the polygon it leaves out none.

namespace tactus::test {
namespace {

constexpr Capacity kOneBody{.bodies = 1, .contacts = 32, .joints = 0, .directions = 8, .dof = 6};
using Problem = ContactProblem<double, kOneBody>;
using Solver = ContactSolver<double, kOneBody>;
using Vec3 = Vec<double, 3>;

constexpr double kStep_s = 1e-3;

Contact<double, 6> MakeContact(int id, const Vec3& point_m, const Vec3& normal, double gap_m, double friction) {
  Contact<double, 6> contact;
  contact.id = id;
  contact.point_m = point_m;
  contact.normal = normal;
  contact.gap_m = gap_m;
  contact.friction = friction;
  return contact;
}

// A rod of 0.3 kg and 0.2 m falls flat at 0.5 m/s onto supports at its ends. The one at the left is touched. The one at the
// right is 1.25 v h away: the free motion does not reach it, but struck at the left the right end falls at up to 1.5 v.
Problem RodOnTwoSupports() {
  Problem problem;
  problem.step_s = kStep_s;
  problem.bodies.resize(1);
  problem.bodies[0].mass_kg = 0.3;
  problem.bodies[0].inertia_kgm2 = Vec3(1e-6, 0.3 * 0.04 / 12, 0.3 * 0.04 / 12).asDiagonal();
  problem.bodies[0].velocity << 0, 0, -0.5, 0, 0, 0;
  (void)problem.contacts.push_back(MakeContact(0, {-0.1, 0, 0}, {0, 0, 1}, 0, 0));
  (void)problem.contacts.push_back(MakeContact(1, {0.1, 0, 0}, {0, 0, 1}, 1.25 * 0.5 * kStep_s, 0));
  return problem;
}

// Source: the impulses a, b of a rod hit at both ends, 4a/m - 2b/m = v, 4b/m - 2a/m = v - 1.25 v: a = 7/24 m v, b = 1/12 m
// v.
void ExpectBothSupportsCarry(const SolverOptions<double>& options) {
  Solver solver;
  Solver::Solution solution;
  const Problem problem = RodOnTwoSupports();
  for (int tick = 0; tick < 2; ++tick) {  // from nothing, and again from what it remembers
    solver.Solve(problem, options, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_NEAR(solution.impulse.normal_Ns(0), 7.0 / 24 * 0.3 * 0.5, 1e-9);  // 1e-8 of m v: RoundTolerances::kGap
    EXPECT_NEAR(solution.impulse.normal_Ns(1), 1.0 / 12 * 0.3 * 0.5, 1e-9);
  }
}

TEST(WorkingSet, TakesInAContactThatTheFreeMotionLeavesOpen) {
  SolverOptions<double> options;
  for (const Cone cone : {Cone::kRound, Cone::kPolygon}) {
    options.cone = cone;
    for (const int work_budget : {0, 350'000}) {
      options.work_budget = work_budget;
      ExpectBothSupportsCarry(options);
    }
  }
}

// A contact that carried a tick ago and then is far away carries nothing, one that comes back carries again.
void ExpectToFollowContacts(Cone cone) {
  Solver solver;
  Solver::Solution solution;
  SolverOptions<double> options;
  options.cone = cone;
  Problem problem = RodOnTwoSupports();
  for (int tick = 0; tick < 20; ++tick) {
    const bool right = tick % 3 != 0;
    problem.contacts[1].gap_m = right ? 0 : 1;
    solver.Solve(problem, options, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_EQ(solution.impulse.normal_Ns(1) > 0, right) << tick;
    EXPECT_NEAR(solution.impulse.normal_Ns(0), (right ? 0.5 : 0.25) * 0.3 * 0.5, 1e-9) << tick;
  }
}

TEST(WorkingSet, FollowsContactsThatComeAndGo) {
  ExpectToFollowContacts(Cone::kRound);
  ExpectToFollowContacts(Cone::kPolygon);
}

// A box among random planes.
Problem BoxAmongPlanes(Random* random) {
  Problem problem;
  problem.step_s = kStep_s;
  problem.bodies.resize(1);
  problem.bodies[0].mass_kg = 0.3;
  problem.bodies[0].inertia_kgm2 = Vec3(2e-4, 3e-4, 4e-4).asDiagonal();
  for (int k = 0; k < 6; ++k) problem.bodies[0].velocity(k) = random->Uniform(-0.3, 0.3) * (k < 3 ? 1 : 10);
  for (int i = 0; i < 24; ++i) {
    const Vec3 n(random->Uniform(-1, 1), random->Uniform(-1, 1), random->Uniform(0.2, 1));
    const Vec3 p(random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0));
    (void)problem.contacts.push_back(MakeContact(i, p, n.normalized(), random->Uniform(0, 1e-3), 0.4));
  }
  return problem;
}

// Whether any of the planes is entered. Source: n·v(p) h + gap ≥ 0 at every contact, also those that nobody solved for; work
// within its budget. In every solve other planes carry than in the one before, which the solver remembers.
void ExpectToEnterNoPlane(const SolverOptions<double>& options, int least_solved) {
  Random random(91);
  Solver solver;
  Solver::Solution solution;
  int left_out = 0, solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Problem problem = BoxAmongPlanes(&random);
    solver.Solve(problem, options, &solution);
    if (options.work_budget > 0) {
      EXPECT_LE(solution.work, options.work_budget);
    }
    ASSERT_NE(solution.status, SolveStatus::kInvalid);
    solved += solution.status == SolveStatus::kSolved;
    for (int i = 0; i < 24; ++i) {
      const auto& contact = problem.contacts[i];
      const Vec3 v = VelocityAt(solution.velocity[0], contact.point_m);
      EXPECT_GE(contact.normal.dot(v) * kStep_s + contact.gap_m, -1e-9) << trial << " " << i;  // 1 µm/s
      left_out += !(solution.impulse.normal_Ns(i) > 0);
    }
  }
  EXPECT_GE(solved, least_solved);
  EXPECT_GE(left_out, 300 * 12);  // most carry nothing: the scene is what it is meant to be
}

TEST(WorkingSet, EntersNoPlaneThatItLeftOut) {
  SolverOptions<double> options;
  options.cone = Cone::kRound;
  options.work_budget = 350'000;
  ExpectToEnterNoPlane(options, 270);
  options.work_budget = 0;
  ExpectToEnterNoPlane(options, 300);
  options.cone = Cone::kPolygon;
  ExpectToEnterNoPlane(options, 300);
}

// A plate on eight supports in a plane, pressed off its middle: more than one set of them can carry it.
Problem PressedPlate(Random* random) {
  constexpr int kSupports = 8;
  Problem problem;
  problem.step_s = kStep_s;
  problem.bodies.resize(1);
  problem.bodies[0].mass_kg = 0.3;
  problem.bodies[0].inertia_kgm2 = Vec3(2e-4, 2e-4, 4e-4).asDiagonal();
  problem.bodies[0].wrench << 0, 0, -3, random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0.05), 0;
  for (int i = 0; i < kSupports; ++i) {
    const double at = 6.283185307 * i / kSupports;
    (void)problem.contacts.push_back(MakeContact(i, {0.05 * std::cos(at), 0.05 * std::sin(at), 0}, {0, 0, 1}, 0, 0.4));
    problem.contacts[i].tangent = Vec3(1, 0, 0);  // else that of the solve before is kept
  }
  return problem;
}

// With `warm = false` an exact answer is that of a solver that remembers nothing, to the bit: what carried a solve ago is no
// hint either.
TEST(WorkingSet, RemembersNothingWhereItMayNotStartWarm) {
  for (const Cone cone : {Cone::kRound, Cone::kPolygon}) {
    SolverOptions<double> options;
    options.cone = cone;
    options.warm = false;
    Random random(92);
    Solver used;
    for (int trial = 0; trial < 100; ++trial) {
      const Problem problem = PressedPlate(&random);
      Solver fresh;
      Solver::Solution of_used, of_fresh;
      used.Solve(problem, options, &of_used);
      fresh.Solve(problem, options, &of_fresh);
      ASSERT_EQ(of_fresh.status, SolveStatus::kSolved);
      for (int i = 0; i < problem.contacts.size(); ++i) {
        ASSERT_EQ(of_used.impulse.normal_Ns(i), of_fresh.impulse.normal_Ns(i)) << trial << " " << i;
      }
    }
  }
}

// A plate that a wrench drags in a circle over the floor, its corners in contact, 20 walls around it within reach. Least()
// is the safe answer's work for all of them; what the four corners need of it is enough for Newton. Source: friction opposes
// the slip and is μ m g h, up to the round cone's tolerance of direction; nothing else carries.
TEST(WorkingSet, HasARoundAnswerWithTheLeastWork) {
  constexpr int kWalls = 20, kTicks = 200;
  constexpr double kMass_kg = 0.3, kFriction = 0.4, kGravity = 9.81;
  Solver solver;
  Solver::Solution solution;
  SolverOptions<double> options;
  options.cone = Cone::kRound;
  options.work_budget = static_cast<int>(work::Least(4 + kWalls));
  int round = 0;
  for (int tick = 0; tick < kTicks; ++tick) {
    const double angle = 0.02 * tick;
    Problem problem;
    problem.step_s = kStep_s;
    problem.bodies.resize(1);
    problem.bodies[0].mass_kg = kMass_kg;
    problem.bodies[0].inertia_kgm2 = Vec3(2e-4, 2e-4, 4e-4).asDiagonal();
    problem.bodies[0].velocity << 0.2 * std::cos(angle), 0.2 * std::sin(angle), 0, 0, 0, 0;
    problem.bodies[0].wrench << 0, 0, -kMass_kg * kGravity, 0, 0, 0;
    for (int i = 0; i < 4; ++i) {
      const Vec3 corner(i & 1 ? 0.05 : -0.05, i & 2 ? 0.05 : -0.05, 0);  // in the plane of the centre: no tipping moment
      (void)problem.contacts.push_back(MakeContact(i, corner, {0, 0, 1}, 0, kFriction));
    }
    for (int i = 0; i < kWalls; ++i) {
      const double to = 6.283185307 * i / kWalls;
      const Vec3 n(-std::cos(to), -std::sin(to), 0);
      (void)problem.contacts.push_back(MakeContact(4 + i, -0.06 * n, n, 0.5e-3, kFriction));
    }
    solver.Solve(problem, options, &solution);
    EXPECT_LE(solution.work, options.work_budget);
    if (solution.status != SolveStatus::kSolved || solution.cone != Cone::kRound) continue;
    ++round;
    double along = 0, across = 0, normal = 0;
    for (int i = 0; i < 4 + kWalls; ++i) {
      const Vec3 t = solution.tangent[i], n = problem.contacts[i].normal;
      const Vec3 force = solution.friction_Ns[i](0) * t + solution.friction_Ns[i](1) * Cross(n, t);
      along += force.x() * std::cos(angle) + force.y() * std::sin(angle);
      across += -force.x() * std::sin(angle) + force.y() * std::cos(angle);
      normal += i < 4 ? solution.impulse.normal_Ns(i) : 0;
    }
    const double load_Ns = kMass_kg * kGravity * kStep_s;
    EXPECT_NEAR(normal, load_Ns, 1e-6 * load_Ns) << tick;
    EXPECT_NEAR(along, -kFriction * load_Ns, 1e-4 * kFriction * load_Ns) << tick;
    EXPECT_NEAR(across, 0, 1e-3 * kFriction * load_Ns) << tick;
  }
  EXPECT_GE(round, kTicks - 1);  // the first begins from nothing
}

}  // namespace
}  // namespace tactus::test
