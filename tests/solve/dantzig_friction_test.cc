#include "tactus/solve/dantzig/dantzig_friction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "tactus/solve/judge/residual.h"
#include "tests/solve/pile.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Spatial = DantzigFriction<double, kSmall>;
using Planar = DantzigFriction<double, kDisks>;

// How many of `total` problems are solved; what is called solved must be, here by the complementarity conditions (3)-(5),
// which in the plane are (15)-(16).
int SolvedPiles(int base, double push, unsigned total) {
  const auto solver = std::make_unique<Planar>();
  int solved = 0;
  for (unsigned seed = 0; seed < total; ++seed) {
    const auto problem = Whitened(Pile<>(base, 0.1 + 0.1 * (seed % 8), push, seed));
    const FrictionReport<double> report = solver->Solve(problem, 6000);
    EXPECT_NE(report.outcome, FrictionOutcome::kUnbounded) << seed;  // theorem 1
    if (report.outcome != FrictionOutcome::kSolved) continue;
    ++solved;
    WhitenedImpulses<double, kDisks> impulses;
    SplitIntoDirections(problem, solver->impulses(), &impulses);
    EXPECT_LE(ComplementarityResidual(problem, impulses), 1e-8) << seed;
  }
  return solved;
}

// Source: measured on 200 piles of each size: 100 % of up to 15 disks, 97 % of 21; here 60, 60 and 58 of 60.
TEST(DantzigFriction, SolvesStaticFrictionInThePlane) {
  EXPECT_EQ(SolvedPiles(2, 1, 60), 60);
  EXPECT_EQ(SolvedPiles(4, 1, 60), 60);
  EXPECT_GE(SolvedPiles(6, 1, 60), 56);
}

// Source: measured on 18 700 problems of 21 kinds: 99 % and more in space; here all. (21)-(22) are checked by
// BaraffResidual, u from the forces.
TEST(DantzigFriction, SolvesMostOfStaticFrictionInSpace) {
  const auto solver = std::make_unique<Spatial>();
  Spatial::Sliding resting;
  resting.fill(Spatial::Tangential::Zero());
  for (const int contacts : {1, 2, 4, 8, 12}) {
    int solved = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      const auto problem = Whitened(RandomScene<>(seed, contacts, 0.2 + 0.3 * (seed % 3)));
      const FrictionReport<double> report = solver->Solve(problem, 1000);
      if (report.outcome != FrictionOutcome::kSolved) continue;
      ++solved;
      ASSERT_LE(BaraffResidual(problem, resting, solver->impulses()), 1e-8) << seed;
    }
    EXPECT_GE(solved, contacts == 1 ? 200 : 198) << contacts;
  }
}

// Source: closed form: the ball is pushed at its contact point; friction holds up to μ · 10 N · 1 ms.
TEST(DantzigFriction, HoldsInsideTheConeAndSlidesOutside) {
  Spatial solver;
  for (const double push_N : {2.0, 4.0}) {
    SmallProblem<> physical = BallOnFloor<>(Vec<double, 6>::Zero(), {push_N, 0, -10, 0, 0, 0}, 0.3);
    physical.bodies[0].wrench(4) = -push_N * 0.01;  // about the centre: the push acts at the contact
    const auto problem = Whitened(physical);
    ASSERT_EQ(solver.Solve(problem, 100).outcome, FrictionOutcome::kSolved);
    const auto& contact = problem.contacts[0];
    EXPECT_NEAR(solver.impulses().normal[0] / contact.normal_scale, 0.01, 1e-14);
    EXPECT_NEAR(solver.impulses().friction[0](0) / contact.tangent_scale, -1e-3 * std::min(push_N, 3.0), 1e-14);
  }
}

// A rod of half length 1 m, mass 1 kg, standing on its lower end at `angle`, weight alone; it slides along ±x.
template <Capacity kCapacity = kDisks>
ContactProblem<double, kCapacity> Rod(double angle, double friction) {
  ContactProblem<double, kCapacity> problem;
  problem.step_s = 1;
  problem.directions = 2;
  Body<double, 3> rod;
  rod.inertia_kgm2(0, 0) = 1.0 / 3;
  rod.wrench << 0, -9.81, 0;
  (void)problem.bodies.push_back(rod);
  Contact<double, 3> contact;
  contact.point_m << -std::cos(angle), -std::sin(angle);
  contact.normal << 0, 1;
  contact.tangent << -1, 0;
  contact.friction = friction;
  (void)problem.contacts.push_back(contact);
  return problem;
}

// Source: Painlevé: sliding down on its lower end the rod has no finite forces if μ · 3 sin α cos α > 1 + 3 cos²α; at 60° if
// μ > 1.347 (theory 9.4).
TEST(DantzigFriction, ReportsTheRayOfPainlevesRod) {
  const auto solver = std::make_unique<Planar>();
  constexpr double kAngle = 1.0471975511965976;
  Planar::Sliding sliding;
  sliding.fill(Planar::Tangential::Zero());
  int unbounded = 0;
  for (const double direction : {1.0, -1.0}) {
    sliding[0](0) = direction;
    EXPECT_EQ(solver->Solve(Whitened(Rod(kAngle, 1.34)), sliding, 100).outcome, FrictionOutcome::kSolved);
    const auto problem = Whitened(Rod(kAngle, 1.36));
    const FrictionReport<double> report = solver->Solve(problem, sliding, 100);
    if (report.outcome == FrictionOutcome::kSolved) continue;
    ASSERT_EQ(report.outcome, FrictionOutcome::kUnbounded);
    ++unbounded;
    EXPECT_EQ(report.driven_contact, 0);
    EXPECT_EQ(solver->ray().normal[0], 1);
    EXPECT_NEAR(solver->ray().friction[0](0), -problem.contacts[0].mu * direction, 1e-15);  // (24)
  }
  EXPECT_EQ(unbounded, 1);  // in one direction only
}

// Source: the conditions (3)-(5). A row of the matrix takes 8 times the bytes of an unknown here, see FillMatrix.
TEST(DantzigFriction, HoldsARodWithTwelveContactsAtMost) {
  constexpr Capacity kTwelve{.bodies = 3, .contacts = 12, .joints = 1, .directions = 2, .dof = 3};
  const auto solver = std::make_unique<DantzigFriction<double, kTwelve>>();
  const auto problem = Whitened(Rod<kTwelve>(1.0471975511965976, 1));
  ASSERT_EQ(solver->Solve(problem, 100).outcome, FrictionOutcome::kSolved);
  EXPECT_NE(solver->impulses().friction[0](0), 0);
  WhitenedImpulses<double, kTwelve> impulses;
  SplitIntoDirections(problem, solver->impulses(), &impulses);
  EXPECT_LE(ComplementarityResidual(problem, impulses), 1e-12);
}

// Source: (24); a body that slides on several contacts in known directions.
TEST(DantzigFriction, SolvesDynamicFriction) {
  const auto solver = std::make_unique<Spatial>();
  int solved = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 4, 0.2));
    Spatial::Sliding sliding;
    sliding.fill(Spatial::Tangential::Zero());
    for (unsigned i = 0; i < 3; ++i) sliding[i] << std::cos(1.0 * (seed + i)), std::sin(1.0 * (seed + i));  // the 4th rests
    const FrictionReport<double> report = solver->Solve(problem, sliding, 1000);
    if (report.outcome != FrictionOutcome::kSolved) continue;
    ++solved;
    ASSERT_LE(BaraffResidual(problem, sliding, solver->impulses()), 1e-8) << seed;
    for (std::size_t i = 0; i < 3; ++i) {
      const double mu_f = problem.contacts[static_cast<int>(i)].mu * solver->impulses().normal[i];
      ASSERT_NEAR((solver->impulses().friction[i] + mu_f * sliding[i]).norm(), 0, 1e-12) << seed;
    }
  }
  EXPECT_GE(solved, 180);
}

// The judge itself: a force that breaks one condition is found out by as much.
TEST(BaraffResidual, SeesEachConditionBroken) {
  const auto problem = Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0.3));
  Spatial solver;
  Spatial::Sliding resting;
  resting.fill(Spatial::Tangential::Zero());
  ASSERT_EQ(solver.Solve(problem, 100).outcome, FrictionOutcome::kSolved);
  const Spatial::Impulses exact = solver.impulses();
  EXPECT_LE(BaraffResidual(problem, resting, exact), 1e-15);
  Spatial::Impulses broken = exact;
  broken.normal[0] *= 0.9;  // (15): it penetrates
  EXPECT_NEAR(BaraffResidual(problem, resting, broken), 0.1, 1e-12);
  broken = exact;
  broken.normal[0] *= 1.1;  // (15): it flies off while pressed
  EXPECT_NEAR(BaraffResidual(problem, resting, broken), 0.1 / 1.1, 1e-12);
  broken = exact;
  broken.friction[0](0) = 0.2 * problem.contacts[0].mu * exact.normal[0];  // (21): friction that drives
  EXPECT_GE(BaraffResidual(problem, resting, broken), 0.2 * problem.contacts[0].mu - 1e-12);
  Spatial::Sliding sliding = resting;
  sliding[0] << 0, 1;  // (24): friction missing
  EXPECT_NEAR(BaraffResidual(problem, sliding, exact), problem.contacts[0].mu, 1e-12);
}

TEST(SplitIntoDirections, KeepsTheVelocity) {
  Spatial solver;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 6, 0.5));
    if (solver.Solve(problem, 1000).outcome != FrictionOutcome::kSolved) continue;
    WhitenedImpulses<double, kSmall> split;
    SplitIntoDirections(problem, solver.impulses(), &split);
    auto u = problem.k;
    for (int i = 0; i < 6; ++i) {
      const auto& contact = problem.contacts[i];
      problem.AddTo(contact,
                    contact.N * solver.impulses().normal[i] + problem.TangentColumn(contact, solver.impulses().friction[i]),
                    1.0, &u);
    }
    ASSERT_NEAR((u - problem.VelocityFor(split)).norm(), 0, 1e-12 * problem.k.norm()) << seed;
  }
}

// The second order solves it; orders share any number of steps.
TEST(DantzigFriction, TakesAnyNumberOfSteps) {
  const auto solver = std::make_unique<DantzigFriction<float, kSmall>>();
  const auto problem = Whitened(RandomScene<float>(1347, 8, 0.3));
  for (const int max_steps : {1600, std::numeric_limits<int>::max()}) {
    const FrictionReport<float> report = solver->Solve(problem, max_steps);
    EXPECT_EQ(report.outcome, FrictionOutcome::kSolved) << max_steps;
    EXPECT_EQ(report.orders, 2) << max_steps;
  }
  EXPECT_NE(solver->Solve(problem, 7).outcome, FrictionOutcome::kSolved);
  EXPECT_NE(solver->Solve(problem, 0).outcome, FrictionOutcome::kSolved);
}

TEST(DantzigFriction, SolvesInSinglePrecision) {
  const auto solver = std::make_unique<DantzigFriction<float, kSmall>>();
  int solved = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    solved += solver->Solve(Whitened(RandomScene<float>(seed, 6, 0.3)), 1000).outcome == FrictionOutcome::kSolved;
  }
  EXPECT_GE(solved, 196);  // measured: all; what is called solved has a residual of 1e-3 at most
}

}  // namespace
}  // namespace tactus::test
