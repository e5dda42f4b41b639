#include <gtest/gtest.h>

#include <cmath>

#include "tactus/contact/lever.h"
#include "tactus/solve/contact_solver.h"
#include "tests/support/random.h"

// A tick with the work for Newton and a safe answer, and for nothing else: what does not converge goes on in the next tick.

namespace tactus::test {
namespace {

constexpr Capacity kOneBody{.bodies = 1, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};
using Problem = ContactProblem<double, kOneBody>;
using Solver = ContactSolver<double, kOneBody>;
using Vec3 = Vec<double, 3>;

constexpr double kStep_s = 1e-4, kMass_kg = 0.3, kFriction = 0.4, kGravity_mps2 = 9.81;

Problem OneBody() {
  Problem problem;
  problem.step_s = kStep_s;
  problem.bodies.resize(1);
  problem.bodies[0].mass_kg = kMass_kg;
  problem.bodies[0].inertia_kgm2 = Vec3(2e-4, 3e-4, 4e-4).asDiagonal();
  return problem;
}

void AddContact(const Vec3& point_m, const Vec3& normal, double gap_m, Problem* problem) {
  Contact<double, 6> contact;
  contact.id = problem->contacts.size();
  contact.point_m = point_m;
  contact.normal = normal;
  contact.gap_m = gap_m;
  contact.friction = kFriction;
  (void)problem->contacts.push_back(contact);
}

// Setup, a fallback, and so many steps of Newton with six unknowns.
int WorkFor(int contacts, int steps) {
  return static_cast<int>(work::Setup(contacts) + work::Search(contacts * contacts) + work::ShortFallback(contacts) +
                          work::RoundMeasure(contacts, contacts) + steps * work::RoundStep(contacts, 6));
}

SolverOptions<double> Round(int work_budget) {
  SolverOptions<double> options;
  options.cone = Cone::kRound;
  options.work_budget = work_budget;
  return options;
}

// A plate that is pushed down at two points, and dragged: with one step of Newton a tick it takes a few ticks to the law.
// Source: friction opposes the slip and is μ m g h.
TEST(ShortOfWork, GoesOnWhereItHasComeTo) {
  Solver solver;
  Solver::Solution solution;
  int first_exact = -1, exact = 0;
  constexpr int kTicks = 50;
  for (int tick = 0; tick < kTicks; ++tick) {
    Problem problem = OneBody();
    problem.bodies[0].velocity << 0.16, 0.12, 0, 0, 0, 0;
    problem.bodies[0].wrench << 0, 0, -kMass_kg * kGravity_mps2, 0, 0, 0;
    for (const double x : {-0.05, 0.05}) AddContact({x, 0, 0}, {0, 0, 1}, 0, &problem);
    solver.Solve(problem, Round(WorkFor(2, 1)), &solution);
    EXPECT_LE(solution.work, WorkFor(2, 1));
    if (solution.status != SolveStatus::kSolved) continue;
    if (first_exact < 0) first_exact = tick;
    ++exact;
    EXPECT_EQ(solution.cone, Cone::kRound);
    const double slower_mps = 0.2 - std::hypot(solution.velocity[0](0), solution.velocity[0](1));
    EXPECT_NEAR(slower_mps, kFriction * kGravity_mps2 * kStep_s, 1e-4 * kFriction * kGravity_mps2 * kStep_s) << tick;
  }
  EXPECT_GT(first_exact, 0);  // one step is not enough: else nothing goes on
  EXPECT_LE(first_exact, 8);
  EXPECT_EQ(exact, kTicks - first_exact);
}

// Random bodies among planes that none of them touches too deeply. Source: n·v(p) h + gap ≥ 0 at every contact, and energy is
// not above that of the free motion.
TEST(ShortOfWork, ClosesNoGapAndAddsNoEnergy) {
  Random random(17);
  Solver solver;
  Solver::Solution solution;
  int solved = 0, safe = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int contacts = 1 + trial % 13;
    Problem problem = OneBody();
    for (int k = 0; k < 6; ++k) problem.bodies[0].velocity(k) = random.Uniform(-0.3, 0.3) * (k < 3 ? 1 : 10);
    for (int i = 0; i < contacts; ++i) {
      const Vec3 n(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(0.2, 1));
      const Vec3 p(random.Uniform(-0.05, 0.05), random.Uniform(-0.05, 0.05), random.Uniform(-0.05, 0));
      AddContact(p, n.normalized(), random.Uniform(0, 1) < 0.5 ? 0 : random.Uniform(0, 1e-4), &problem);
    }
    const int budget = WorkFor(contacts, trial % 4);
    solver.Solve(problem, Round(budget), &solution);
    ASSERT_NE(solution.status, SolveStatus::kInvalid);
    EXPECT_LE(solution.work, budget) << trial;
    const bool is_solved = solution.status == SolveStatus::kSolved;
    (is_solved ? solved : safe) += 1;
    const auto energy_J = [&](const Vec<double, 6>& v) {
      return 0.5 * kMass_kg * v.head<3>().squaredNorm() +
             0.5 * v.tail<3>().dot(problem.bodies[0].inertia_kgm2 * v.tail<3>());
    };
    EXPECT_LE(energy_J(solution.velocity[0]), energy_J(problem.bodies[0].velocity) * (1 + 1e-6)) << trial;
    for (int i = 0; i < contacts; ++i) {
      const auto& contact = problem.contacts[i];
      const double speed = contact.normal.dot(VelocityAt(solution.velocity[0], contact.point_m));
      EXPECT_GE(speed * kStep_s + contact.gap_m, -1e-10) << trial << " " << i;  // 1 µm/s
    }
  }
  EXPECT_GT(solved, 200);
  EXPECT_GT(safe, 200);
}

}  // namespace
}  // namespace tactus::test
