#include <gtest/gtest.h>

#include <memory>

#include "tactus/solve/contact_solver.h"
#include "tests/support/random.h"

// What a solve leaves to the next one is its WarmState, and nothing else.

namespace tactus::test {
namespace {

using Vec3 = Vec<double, 3>;

template <Capacity kCapacity>
using Problem = ContactProblem<double, kCapacity>;

// Boxes among planes and on each other, thrown about: many answers under a budget are no exact ones.
template <Capacity kCapacity>
Problem<kCapacity> ThrownBoxes(Random* random) {
  Problem<kCapacity> problem;
  problem.step_s = 1e-3;
  problem.bodies.resize(kCapacity.bodies);
  for (auto& body : problem.bodies) {
    body.mass_kg = random->Uniform(0.05, 1);
    body.inertia_kgm2 = (body.mass_kg * 1e-3 * Vec3(0.7, 1.0, 1.3)).asDiagonal();
    for (int k = 0; k < 6; ++k) body.velocity(k) = random->Uniform(-0.3, 0.3) * (k < 3 ? 1 : 10);
  }
  for (int i = 0; i < kCapacity.contacts; ++i) {
    if (random->Uniform(0, 1) < 0.3) continue;  // another number of contacts, with other ids, in each tick
    Contact<double, 6> contact;
    contact.id = i;
    contact.a = i % kCapacity.bodies;
    contact.b = contact.a > 0 && random->Uniform(0, 1) < 0.5 ? contact.a - 1 : kFixed;
    const Vec3 normal(random->Uniform(-1, 1), random->Uniform(-1, 1), random->Uniform(0.2, 1));
    contact.normal = normal.normalized();
    contact.point_m << random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0.05), random->Uniform(-0.05, 0);
    contact.gap_m = random->Uniform(0, 1) < 0.5 ? 0 : random->Uniform(-1e-4, 5e-4);
    contact.friction = 0.4;
    if (random->Uniform(0, 1) < 0.1) contact.static_friction = 0.5;
    if (random->Uniform(0, 1) < 0.1) contact.surface_velocity_mps(0) = 0.1;
    (void)problem.contacts.push_back(contact);
  }
  return problem;
}

// A clock that runs out after so many looks at it.
struct Looks {
  int left;

  static bool IsLeft(void* looks) { return static_cast<Looks*>(looks)->left-- > 0; }
};

// The same to the bit.
template <Capacity kCapacity>
void ExpectSame(const ContactSolution<double, kCapacity>& a, const ContactSolution<double, kCapacity>& b, int tick) {
  ASSERT_EQ(a.rung, b.rung) << tick;
  ASSERT_EQ(a.status, b.status) << tick;
  for (int k = 0; k < a.velocity.size(); ++k) ASSERT_EQ(a.velocity[k], b.velocity[k]) << tick;
  for (int i = 0; i < a.impulse.size(); ++i) {
    ASSERT_EQ(a.tangent[i], b.tangent[i]) << tick << " " << i;
    ASSERT_EQ(a.impulse.normal_Ns(i), b.impulse.normal_Ns(i)) << tick << " " << i;
  }
}

// With a clock that runs out after `looks`, if that is not negative.
template <Capacity kCapacity>
void SolveWithLooks(const Problem<kCapacity>& problem, SolverOptions<double> options, int looks,
                    ContactSolver<double, kCapacity>* solver, ContactSolution<double, kCapacity>* solution) {
  Looks clock{looks};
  if (looks >= 0) options.time_left = {&Looks::IsLeft, &clock};
  solver->Solve(problem, options, solution);
}

constexpr Capacity kOneBody{.bodies = 1, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};
constexpr Capacity kThreeBodies{.bodies = 3, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};

// Source: a solver that is given the state of another one goes on as that one does, to the bit, whatever the other has done
// before: exact answers, fallbacks of every kind, on both cones, with and without a budget or a clock.
template <Capacity kCapacity>
void ExpectNothingElseIsLeft(unsigned seed, int ticks) {
  using Solver = ContactSolver<double, kCapacity>;
  Random random(seed);
  const auto used = std::make_unique<Solver>();
  const auto of_used = std::make_unique<typename Solver::Solution>(),
             of_fresh = std::make_unique<typename Solver::Solution>();
  int rungs[kRungCount] = {};
  for (int tick = 0; tick < ticks; ++tick) {
    const Problem<kCapacity> problem = ThrownBoxes<kCapacity>(&random);
    SolverOptions<double> options;
    options.cone = random.Uniform(0, 1) < 0.7 ? Cone::kRound : Cone::kPolygon;
    options.warm = random.Uniform(0, 1) < 0.8;
    options.merge = random.Uniform(0, 1) < 0.2;
    options.max_push_out_mps = random.Uniform(0, 1) < 0.5 ? 0.02 : 0;
    if (random.Uniform(0, 1) < 0.2) options.tolerance = 1e-9;
    const double least = static_cast<double>(work::Least(problem.contacts.size()));
    if (random.Uniform(0, 1) < 0.8) options.work_budget = static_cast<int>(least * random.Uniform(1, 3));
    const int looks = random.Uniform(0, 1) < 0.2 ? static_cast<int>(random.Uniform(0, 30)) : -1;
    const auto fresh = std::make_unique<Solver>();
    fresh->set_warm_state(used->warm_state());
    SolveWithLooks(problem, options, looks, used.get(), of_used.get());
    SolveWithLooks(problem, options, looks, fresh.get(), of_fresh.get());
    ++rungs[static_cast<int>(of_used->rung)];
    ASSERT_NO_FATAL_FAILURE(ExpectSame(*of_used, *of_fresh, tick));
    ASSERT_EQ(of_used->work, of_fresh->work) << tick;
  }
  for (const Rung rung : {Rung::kWarmVerified, Rung::kCold, Rung::kPreviousProjected, Rung::kConvexStep}) {
    EXPECT_GT(rungs[static_cast<int>(rung)], 0) << Name(rung) << ": the ticks are not what they are meant to be";
  }
}

TEST(WarmState, IsAllThatIsLeftOfASolveOfOneBody) { ExpectNothingElseIsLeft<kOneBody>(1, 20000); }

TEST(WarmState, IsAllThatIsLeftOfASolveOfSeveralBodies) { ExpectNothingElseIsLeft<kThreeBodies>(2, 20000); }

// Source: with `warm = false` a solver that has solved before gives, to the bit, what one that has not does. Tangents
// and covering vector are the solver's to choose, and many answers are fallbacks.
template <Capacity kCapacity>
void ExpectNothingIsUsedCold(unsigned seed, int ticks) {
  using Solver = ContactSolver<double, kCapacity>;
  Random random(seed);
  const auto used = std::make_unique<Solver>();
  const auto of_used = std::make_unique<typename Solver::Solution>(),
             of_fresh = std::make_unique<typename Solver::Solution>();
  int fallbacks = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    SolverOptions<double> options;
    options.cone = random.Uniform(0, 1) < 0.5 ? Cone::kRound : Cone::kPolygon;
    used->Solve(ThrownBoxes<kCapacity>(&random), options, of_used.get());
    Problem<kCapacity> problem = ThrownBoxes<kCapacity>(&random);
    for (auto& contact : problem.contacts) {
      contact.static_friction = 0;  // it knows how long it has rested
      if (random.Uniform(0, 1) < 0.1) contact.viscous_friction_Ns_per_m = 10;
    }
    options.warm = false;
    options.max_push_out_mps = random.Uniform(0, 1) < 0.5 ? 0.02 : 0;
    const int looks = random.Uniform(0, 1) < 0.5 ? static_cast<int>(random.Uniform(0, 30)) : -1;
    const auto fresh = std::make_unique<Solver>();
    SolveWithLooks(problem, options, looks, used.get(), of_used.get());
    SolveWithLooks(problem, options, looks, fresh.get(), of_fresh.get());
    fallbacks += of_fresh->status == SolveStatus::kBudget ? 1 : 0;
    ASSERT_NO_FATAL_FAILURE(ExpectSame(*of_used, *of_fresh, tick));
  }
  EXPECT_GT(fallbacks, ticks / 10) << "the ticks are not what they are meant to be";
}

TEST(WarmState, IsNotUsedColdByOneBody) { ExpectNothingIsUsedCold<kOneBody>(3, 3000); }

TEST(WarmState, IsNotUsedColdBySeveralBodies) { ExpectNothingIsUsedCold<kThreeBodies>(4, 3000); }

// How long static friction has rested is known all the same: a block that has just come to rest has not all of it, and one
// that nobody has seen slip has. Source: (F2).
TEST(WarmState, KnowsHowLongFrictionHasRestedWhereItStartsCold) {
  Problem<kOneBody> problem;
  problem.step_s = 1e-3;
  problem.bodies.resize(1);
  problem.bodies[0].wrench << 0, 0, -9.81, 0, 0, 0;
  Contact<double, 6> contact;
  contact.a = 0;
  contact.b = kFixed;
  contact.friction = 0.4;
  contact.static_friction = 0.6;
  (void)problem.contacts.push_back(contact);
  SolverOptions<double> options;
  options.warm = false;
  const auto used = std::make_unique<ContactSolver<double, kOneBody>>(),
             fresh = std::make_unique<ContactSolver<double, kOneBody>>();
  ContactSolution<double, kOneBody> of_used, of_fresh;
  problem.bodies[0].velocity << 0.1, 0, 0, 0, 0, 0;
  used->Solve(problem, options, &of_used);
  EXPECT_EQ(of_used.friction_coefficient[0], 0.4);
  problem.bodies[0].velocity.setZero();
  used->Solve(problem, options, &of_used);
  fresh->Solve(problem, options, &of_fresh);
  EXPECT_LT(of_used.friction_coefficient[0], 0.5);
  EXPECT_EQ(of_fresh.friction_coefficient[0], 0.6);
}

}  // namespace
}  // namespace tactus::test
