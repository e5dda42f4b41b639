#include "tactus/solve/islands.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tactus/contact/judge.h"
#include "tests/contact/scenes.h"
#include "tests/solve/four_solver.h"

namespace tactus::test {
namespace {

template <class Scalar>
using Problem = ContactProblem<Scalar, kFour>;

template <class Scalar>
void Connect(int a, int b, Problem<Scalar>* problem) {
  Contact<Scalar, 6> contact;
  contact.id = problem->contacts.size();
  contact.a = a;
  contact.b = b;
  (void)problem->contacts.push_back(contact);
}

template <class Scalar>
Problem<Scalar> Bodies(int count) {
  Problem<Scalar> problem;
  for (int k = 0; k < count; ++k) (void)problem.bodies.push_back(Ball<Scalar>());
  return problem;
}

TEST(Islands, AreWhatContactsAndJointsConnect) {
  Problem<double> problem = Bodies<double>(4);
  Connect(0, 2, &problem);
  Connect(kFixed, 1, &problem);
  Joint<double, 6> joint;
  joint.a = 3;
  joint.b = 1;
  (void)problem.joints.push_back(joint);
  Islands<kFour> islands;
  islands.Find(problem);
  EXPECT_EQ(islands.count(), 2);
  EXPECT_EQ(islands.OfBody(0), islands.OfBody(2));
  EXPECT_EQ(islands.OfBody(1), islands.OfBody(3));
  EXPECT_NE(islands.OfBody(0), islands.OfBody(1));
  EXPECT_EQ(islands.Of(kFixed, 1), islands.OfBody(1));
}

TEST(Islands, AFixedBodyConnectsNothing) {
  Problem<double> problem = Bodies<double>(3);
  for (int k = 0; k < 3; ++k) Connect(k, kFixed, &problem);
  Islands<kFour> islands;
  islands.Find(problem);
  EXPECT_EQ(islands.count(), 3);
}

TEST(Islands, BodiesThatNothingTouchesAreOneTogether) {
  Problem<double> problem = Bodies<double>(4);
  Connect(1, kFixed, &problem);
  Islands<kFour> islands;
  islands.Find(problem);
  EXPECT_EQ(islands.count(), 2);
  EXPECT_EQ(islands.OfBody(0), islands.OfBody(3));
  std::array<std::int16_t, kFour.bodies> place;
  islands.Place(islands.OfBody(0), &place);
  EXPECT_EQ(place, (std::array<std::int16_t, kFour.bodies>{0, -1, 1, 2}));
}

// A tool of 1 g at rest on a floor, 10 kg at 10 m/s elsewhere, in float. Source: equilibrium, θ = m g h.
TEST(ContactSolver, HoldsALightToolUpWhateverMovesElsewhere) {
  Problem<float> problem = Bodies<float>(2);
  problem.bodies[0].mass_kg = 1e-3f;
  problem.bodies[0].inertia_kgm2 *= 2e-3f;
  problem.bodies[0].wrench(2) = -9.81e-3f;
  problem.bodies[1].mass_kg = 10;
  problem.bodies[1].velocity(0) = 10;
  Connect(0, kFixed, &problem);
  problem.contacts[0].point_m << 0, 0, -0.01f;
  const auto solver = std::make_unique<ContactSolver<float, kFour>>();
  const auto solution = std::make_unique<ContactSolution<float, kFour>>();
  solver->Solve(problem, {}, solution.get());
  ASSERT_EQ(solution->status, SolveStatus::kSolved);
  EXPECT_NEAR(solution->impulse.normal_Ns(0), 9.81e-6f, 1e-11f);
  EXPECT_NEAR(solution->velocity[0](2), 0, 1e-8f);
  EXPECT_EQ(solution->velocity[1](0), 10);
}

// Source: pivots of separate islands add up; one tool takes as many alone.
TEST(ContactSolver, TakesTwiceAsMuchForTwoToolsApart) {
  const auto solver = std::make_unique<ContactSolver<double, kFour>>();
  const auto solution = std::make_unique<ContactSolution<double, kFour>>();
  const auto solve = [&](int tools) {
    Problem<double> problem = Bodies<double>(tools);
    for (int k = 0; k < tools; ++k) {
      problem.bodies[k].wrench << 1, 0.5, -5, 0.001, 0, 0;
      for (int i = 0; i < 4; ++i) {
        Connect(k, kFixed, &problem);
        auto& contact = problem.contacts[problem.contacts.size() - 1];
        contact.point_m << (i % 2 ? 0.01 : -0.01), (i / 2 ? 0.01 : -0.01), -0.01;
        contact.friction = 0.3;
      }
    }
    solver->Reset();
    solver->Solve(problem, {}, solution.get());
    EXPECT_EQ(solution->status, SolveStatus::kSolved);
    return solution->pivots;
  };
  const int one = solve(1);
  EXPECT_GT(one, 0);
  EXPECT_EQ(solve(2), 2 * one);
}

// Source: solver_options.h: what may be in them.
TEST(ContactSolver, RefusesOptionsThatMakeNoSense) {
  const auto solver = std::make_unique<ContactSolver<double, kFour>>();
  const auto solution = std::make_unique<ContactSolution<double, kFour>>();
  const Problem<double> problem = Bodies<double>(1);
  const auto field = [&](const SolverOptions<double>& options) {
    solver->Solve(problem, options, solution.get());
    EXPECT_EQ(solution->status, SolveStatus::kInvalid);
    EXPECT_STREQ(solution->fault.list, "options");
    return std::string(solution->fault.field);
  };
  EXPECT_EQ(field({.max_pivots = -1}), "max_pivots");
  EXPECT_EQ(field({.work_budget = -1}), "work_budget");
  EXPECT_EQ(field({.reseeds = 0x7fffffff}), "reseeds");
  EXPECT_EQ(field({.tolerance = -1}), "tolerance");
  EXPECT_EQ(field({.max_push_out_mps = -1}), "max_push_out_mps");
}

// The rung of a whole is that of its worst island. Source: the order in docs/theory, section 11.3.
TEST(Rung, TheConvexStepIsWorseThanF1AndBetterThanF2) {
  EXPECT_TRUE(IsWorse(Rung::kConvexStep, Rung::kPreviousProjected));
  EXPECT_TRUE(IsWorse(Rung::kIterateProjected, Rung::kConvexStep));
  EXPECT_TRUE(IsWorse(Rung::kRest, Rung::kConvexStep));
  EXPECT_FALSE(IsWorse(Rung::kConvexStep, Rung::kConvexStep));
  EXPECT_TRUE(IsWorse(Rung::kRest, Rung::kFrictionless));
}

// Source: the state is a value: another solver goes on from it as the first one does.
TEST(ContactSolver, GoesOnFromAWarmStateThatIsGivenToIt) {
  Problem<double> problem = Bodies<double>(1);
  problem.bodies[0].wrench << 1, 0.5, -5, 0, 0, 0;
  Connect(0, kFixed, &problem);
  problem.contacts[0].point_m << 0, 0, -0.01;
  problem.contacts[0].friction = 0.3;
  const auto first = std::make_unique<ContactSolver<double, kFour>>(),
             second = std::make_unique<ContactSolver<double, kFour>>();
  const auto solution = std::make_unique<ContactSolution<double, kFour>>();
  first->Solve(problem, {}, solution.get());
  ASSERT_EQ(solution->rung, Rung::kCold);
  second->set_warm_state(first->warm_state());
  second->Solve(problem, {}, solution.get());
  EXPECT_EQ(solution->rung, Rung::kWarmVerified);
  EXPECT_EQ(solution->pivots, 0);
}

// Source: shortfall says what ended the search.
TEST(ContactSolver, SaysWhyAnAnswerIsNotExact) {
  Problem<double> problem = Bodies<double>(1);
  problem.bodies[0].wrench << 3, 0.5, -5, 0, 0, 0;  // it slides: the convex step takes off and is no solution
  for (int i = 0; i < 4; ++i) {
    Connect(0, kFixed, &problem);
    problem.contacts[i].point_m << (i % 2 ? 0.01 : -0.01), (i / 2 ? 0.01 : -0.01), -0.01;
    problem.contacts[i].friction = 0.3;
  }
  const auto solver = std::make_unique<ContactSolver<double, kFour>>();
  const auto solution = std::make_unique<ContactSolution<double, kFour>>();
  const auto why = [&](const SolverOptions<double>& options) {
    solver->Reset();
    solver->Solve(problem, options, solution.get());
    EXPECT_EQ(solution->status, SolveStatus::kBudget);
    EXPECT_LE(solution->verdict.penetration, 1e-12);
    EXPECT_LE(solution->verdict.energy, 1e-12);
    return solution->shortfall;
  };
  EXPECT_EQ(why({.max_pivots = 1}), Shortfall::kPivots);
  EXPECT_EQ(why({.work_budget = static_cast<int>(work::Least(4))}), Shortfall::kWork);
  SolverOptions<double> clock;
  clock.time_left.is_left = [](void*) { return false; };
  EXPECT_EQ(why(clock), Shortfall::kClock);
}

}  // namespace
}  // namespace tactus::test
