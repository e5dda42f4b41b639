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

// A body in motion that touches so many planes, all of which face up: none of them squeeze it.
Problem AmongPlanes(int contacts, Random* random) {
  Problem problem = OneBody();
  for (int k = 0; k < 6; ++k) problem.bodies[0].velocity(k) = random->Uniform(-0.3, 0.3) * (k < 3 ? 1 : 10);
  for (int i = 0; i < contacts; ++i) {
    const Vec3 n(random->Uniform(-1, 1), random->Uniform(-1, 1), random->Uniform(0.2, 1));
    const Vec3 p(random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0));
    AddContact(p, n.normalized(), 0, &problem);
  }
  return problem;
}

constexpr int kTicksToBegin = 4;  // from nothing, with one step a tick

// Setup, a fallback, and so many steps of Newton.
int WorkFor(int contacts, int steps, int unknowns = 6) {
  return static_cast<int>(work::Setup(contacts) + work::Search(contacts * contacts) + work::ShortFallback(contacts) +
                          work::RoundMeasure(contacts, contacts) + steps * work::RoundStep(contacts, unknowns));
}

SolverOptions<double> Round(int work_budget) {
  SolverOptions<double> options;
  options.cone = Cone::kRound;
  options.work_budget = work_budget;
  return options;
}

// A plate on two points that turns about one of them as it slides: with one step of Newton a tick it takes some ticks to the
// law. Source: at a contact that slips friction opposes the slip and is μ θ; θ together is m g h.
TEST(ShortOfWork, ConvergesFromTickToTick) {
  Solver solver;
  Solver::Solution solution;
  int first_exact = -1, exact = 0;
  constexpr int kTicks = 50;
  for (int tick = 0; tick < kTicks; ++tick) {
    Problem problem = OneBody();
    problem.bodies[0].velocity << 0.002, 0.001, 0, 0, 0, 0.08;
    problem.bodies[0].wrench << 0, 0, -kMass_kg * kGravity_mps2, 0, 0, 0;
    for (const double x : {-0.05, 0.02}) AddContact({x, 0, 0}, {0, 0, 1}, 0, &problem);
    const int budget = WorkFor(2, 1, 4);
    solver.Solve(problem, Round(budget), &solution);
    EXPECT_LE(solution.work, budget);
    if (solution.status != SolveStatus::kSolved) continue;
    if (first_exact < 0) first_exact = tick;
    ++exact;
    EXPECT_EQ(solution.cone, Cone::kRound);
    double load_Ns = 0;
    for (int i = 0; i < 2; ++i) {
      const Vec3 v = VelocityAt(solution.velocity[0], problem.contacts[i].point_m), t = solution.tangent[i];
      const Vec<double, 2> slip(v.dot(t), v.dot(Cross(problem.contacts[i].normal, t)));
      const double most_Ns = kFriction * solution.impulse.normal_Ns(i);
      load_Ns += solution.impulse.normal_Ns(i);
      EXPECT_LE((solution.friction_Ns[i] + most_Ns * slip.normalized()).norm(), 1e-3 * most_Ns) << tick << " " << i;
    }
    EXPECT_NEAR(load_Ns, kMass_kg * kGravity_mps2 * kStep_s, 1e-6 * kMass_kg * kGravity_mps2 * kStep_s) << tick;
  }
  EXPECT_GT(first_exact, 0);  // one step is not enough: else nothing goes on
  EXPECT_LE(first_exact, 8);
  EXPECT_EQ(exact, kTicks - first_exact);
}

// A plate that sticks to two points under a pull that turns, with the work for one step a tick: that step has to give an
// answer. Source: friction is what the pull is, and holds the plate at rest.
TEST(ShortOfWork, SticksToTwoPointsInOneStep) {
  Solver solver;
  Solver::Solution solution;
  const double weight_N = kMass_kg * kGravity_mps2, pull_N = 0.3 * weight_N;
  for (int tick = 0; tick < 200; ++tick) {
    Problem problem = OneBody();
    const double angle = 0.02 * tick;
    const Vec3 pull(pull_N * std::cos(angle), pull_N * std::sin(angle), 0);
    problem.bodies[0].wrench << pull, Vec3::Zero();
    problem.bodies[0].wrench(2) = -weight_N;
    for (const double x : {-0.05, 0.04}) AddContact({x, 0, 0}, {0, 0, 1}, 0, &problem);
    const int budget = WorkFor(2, 1);
    solver.Solve(problem, Round(budget), &solution);
    EXPECT_LE(solution.work, budget);
    if (tick < kTicksToBegin) continue;
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << tick;
    EXPECT_LE(solution.round_steps, 1) << tick;
    Vec3 friction_Ns = Vec3::Zero();
    for (int i = 0; i < 2; ++i) {
      const Vec3 t = solution.tangent[i];
      friction_Ns += solution.friction_Ns[i](0) * t + solution.friction_Ns[i](1) * Cross(problem.contacts[i].normal, t);
    }
    EXPECT_LE((friction_Ns / kStep_s + pull).norm(), 1e-6 * pull_N) << tick;
    EXPECT_LE(solution.velocity[0].norm(), 1e-6 * kGravity_mps2 * kStep_s) << tick;
  }
}

// Half of the planes at a distance. Source: n·v(p) h + gap ≥ 0 at every contact, and energy
// is not above that of the free motion.
TEST(ShortOfWork, ClosesNoGapAndAddsNoEnergy) {
  Random random(17);
  Solver solver;
  Solver::Solution solution;
  int solved = 0, safe = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int contacts = 1 + trial % 13;
    Problem problem = AmongPlanes(contacts, &random);
    for (auto& contact : problem.contacts) contact.gap_m = random.Uniform(0, 1) < 0.5 ? 0 : random.Uniform(0, 1e-4);
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

// Surfaces that come nearer: rest would let them in. Source: n·v(p) - n·w ≥
// 0 at every contact without a gap.
TEST(ShortOfWork, IsPushedByWhatComes) {
  Random random(23);
  Solver solver;
  Solver::Solution solution;
  int safe = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const int contacts = 1 + trial % 13;
    Problem problem = AmongPlanes(contacts, &random);
    for (auto& contact : problem.contacts) contact.surface_normal_velocity_mps = random.Uniform(0, 0.05);
    const int steps = trial % 3;
    const int budget = static_cast<int>(WorkFor(contacts, steps) - work::ShortFallback(contacts) + work::Fallback(contacts) +
                                        work::Nearest(contacts));
    solver.Solve(problem, Round(budget), &solution);
    EXPECT_LE(solution.work, budget) << trial;
    safe += solution.status != SolveStatus::kSolved;
    for (int i = 0; i < contacts; ++i) {
      const auto& contact = problem.contacts[i];
      const double speed = contact.normal.dot(VelocityAt(solution.velocity[0], contact.point_m));
      EXPECT_GE(speed - contact.surface_normal_velocity_mps, -1e-6) << trial << " " << i;
    }
  }
  EXPECT_GT(safe, 100);
}

}  // namespace
}  // namespace tactus::test
