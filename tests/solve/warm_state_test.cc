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
    const auto solve = [&](Solver* solver, typename Solver::Solution* solution) {
      Looks clock{looks};
      if (looks >= 0) options.time_left = {&Looks::IsLeft, &clock};
      solver->Solve(problem, options, solution);
    };
    const auto fresh = std::make_unique<Solver>();
    fresh->set_warm_state(used->warm_state());
    solve(used.get(), of_used.get());
    solve(fresh.get(), of_fresh.get());
    ++rungs[static_cast<int>(of_used->rung)];
    ASSERT_EQ(of_used->rung, of_fresh->rung) << tick;
    ASSERT_EQ(of_used->status, of_fresh->status) << tick;
    ASSERT_EQ(of_used->work, of_fresh->work) << tick;
    for (int k = 0; k < problem.bodies.size(); ++k) ASSERT_EQ(of_used->velocity[k], of_fresh->velocity[k]) << tick;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      ASSERT_EQ(of_used->impulse.normal_Ns(i), of_fresh->impulse.normal_Ns(i)) << tick << " " << i;
    }
  }
  for (const Rung rung : {Rung::kWarmVerified, Rung::kCold, Rung::kPreviousProjected, Rung::kConvexStep}) {
    EXPECT_GT(rungs[static_cast<int>(rung)], 0) << Name(rung) << ": the ticks are not what they are meant to be";
  }
}

TEST(WarmState, IsAllThatIsLeftOfASolveOfOneBody) {
  constexpr Capacity kOneBody{.bodies = 1, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};
  ExpectNothingElseIsLeft<kOneBody>(1, 20000);
}

TEST(WarmState, IsAllThatIsLeftOfASolveOfSeveralBodies) {
  constexpr Capacity kThreeBodies{.bodies = 3, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};
  ExpectNothingElseIsLeft<kThreeBodies>(2, 20000);
}

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
    const auto solve = [&](Solver* solver, typename Solver::Solution* solution) {
      Looks clock{looks};
      if (looks >= 0) options.time_left = {&Looks::IsLeft, &clock};
      solver->Solve(problem, options, solution);
    };
    const auto fresh = std::make_unique<Solver>();
    solve(used.get(), of_used.get());
    solve(fresh.get(), of_fresh.get());
    fallbacks += of_fresh->status == SolveStatus::kBudget ? 1 : 0;
    ASSERT_EQ(of_used->rung, of_fresh->rung) << tick;
    ASSERT_EQ(of_used->status, of_fresh->status) << tick;
    for (int k = 0; k < problem.bodies.size(); ++k) ASSERT_EQ(of_used->velocity[k], of_fresh->velocity[k]) << tick;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      ASSERT_EQ(of_used->tangent[i], of_fresh->tangent[i]) << tick << " " << i;
      ASSERT_EQ(of_used->impulse.normal_Ns(i), of_fresh->impulse.normal_Ns(i)) << tick << " " << i;
    }
  }
  EXPECT_GT(fallbacks, ticks / 10) << "the ticks are not what they are meant to be";
}

TEST(WarmState, IsNotUsedColdByOneBody) {
  constexpr Capacity kOneBody{.bodies = 1, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};
  ExpectNothingIsUsedCold<kOneBody>(3, 3000);
}

TEST(WarmState, IsNotUsedColdBySeveralBodies) {
  constexpr Capacity kThreeBodies{.bodies = 3, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};
  ExpectNothingIsUsedCold<kThreeBodies>(4, 3000);
}

}  // namespace
}  // namespace tactus::test
