#include "tactus/solve/lemke/lemke_crash.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/solve/pile.h"

namespace tactus::test {
namespace {

using Crash = LemkeCrash<double, kDisks>;

// Source: (6)-(7) of [AnitescuHart]; theory 3: no penetration and nothing that moves, so |u|² ≤ k·u ≤ |k|².
void ExpectSolved(const Crash& solver, const Crash::Problem& problem, const CrashReport<double>& report) {
  ASSERT_EQ(report.status, SolveStatus::kSolved);
  EXPECT_NE(report.rung, CrashRung::kNone);
  EXPECT_LE(ComplementarityResidual(problem, solver.impulses()), Tolerances<double>::kAccept);
  const Crash::Problem::Velocity u = problem.VelocityFor(solver.impulses());
  EXPECT_LE(u.squaredNorm(), problem.k.dot(u) + 1e-8 * problem.k.squaredNorm());
}

class LemkeCrashPiles : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Friction, LemkeCrashPiles, testing::Values(0.0, 0.05, 0.2, 0.4, 0.6, 0.8));

TEST_P(LemkeCrashPiles, SolvesThePileOfThePaper) {
  const auto problem = Whitened(Pile<>(6, GetParam()));
  const auto solver = std::make_unique<Crash>();
  ExpectSolved(*solver, problem, solver->Solve(problem));
}

TEST_P(LemkeCrashPiles, SolvesPushedPiles) {
  const auto solver = std::make_unique<Crash>();
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto problem = Whitened(Pile<>(6, GetParam(), 3.0, seed));
    ExpectSolved(*solver, problem, solver->Solve(problem));
  }
}

// Measured: 20 of 20; with more friction more contacts stick, and the basis is often singular.
TEST(LemkeCrash, EndsInABasisWhereMostContactsSlip) {
  const auto solver = std::make_unique<Crash>();
  int crashed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto problem = Whitened(Pile<>(6, 0.05, 3.0, seed));
    const CrashReport<double> report = solver->Solve(problem);
    if (report.rung != CrashRung::kCrash) continue;
    EXPECT_LE(report.residual, 1e-11) << seed;  // a basis, not the limit of the sweeps
    EXPECT_GT(report.sweeps, 0) << seed;
    ++crashed;
  }
  EXPECT_GE(crashed, 15);
}

// Source: theory 8: without friction LCP2 is LCP0.
TEST(LemkeCrash, NeedsAConvexStepAloneWithoutFriction) {
  const auto problem = Whitened(Pile<>(6, 0.0));
  const auto solver = std::make_unique<Crash>();
  const CrashReport<double> report = solver->Solve(problem);
  EXPECT_EQ(report.rung, CrashRung::kConvex);
  EXPECT_EQ(report.pivots, 0);
}

TEST(LemkeCrash, AnswersColdWhereItMayNotSweep) {
  const auto problem = Whitened(Pile<>(6, 0.2));
  const auto solver = std::make_unique<Crash>();
  const CrashReport<double> report = solver->Solve(problem, {.max_sweeps = 0});
  EXPECT_EQ(report.rung, CrashRung::kCold);
  EXPECT_GT(report.pivots, 0);
  ExpectSolved(*solver, problem, report);
}

TEST(LemkeCrash, SaysSoWhenNothingAnswersAndKeepsTheConvexStep) {
  const auto problem = Whitened(Pile<>(6, 0.2));
  const auto solver = std::make_unique<Crash>();
  const CrashReport<double> report = solver->Solve(problem, {.max_sweeps = 0, .max_cold_pivots = 3});
  EXPECT_EQ(report.status, SolveStatus::kBudget);
  EXPECT_EQ(report.rung, CrashRung::kNone);
  EXPECT_EQ(report.residual, ComplementarityResidual(problem, solver->impulses()));
  EXPECT_GT(report.residual, Tolerances<double>::kAccept);
  EXPECT_LE(ConvexResidual(problem, {}, solver->impulses()), 1e-11);
  EXPECT_LE(problem.VelocityFor(solver->impulses()).norm(), problem.k.norm());  // theorem 4.1.i
}

TEST(LemkeCrash, RefusesCompliance) {
  auto pile = Pile<double, Compliant(kDisks)>(3, 0.2);
  pile.contacts[1].compliance_mps_per_Ns = 0.1;
  const auto solver = std::make_unique<LemkeCrash<double, Compliant(kDisks)>>();
  EXPECT_EQ(solver->Solve(Whitened(pile)).status, SolveStatus::kInvalid);
}

}  // namespace
}  // namespace tactus::test
