// One warm solver through fifty thousand ticks, with a new hand, hole and friction now and then: the basis that it carries
// over then belongs to another scene.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "host_tools/solve/solver_registry.h"
#include "tests/support/check_solution.h"
#include "tests/support/slow_peg.h"

namespace tactus::test {
namespace {

constexpr int kHands = 20, kTicks = 2500;
constexpr int kMeasureEvery = 10;  // by the independent oracle, which takes longer than the solver

void ExpectEveryTickSolved(const host::SolveRequest& request, Real tolerance) {
  const std::unique_ptr<host::ProblemSolver> solver = host::FindSolver("lemke_reduced")->make(request);
  int tick = 0, without_pivots = 0, most_pivots = 0;
  for (std::uint64_t hand = 101; hand <= 100 + kHands; ++hand) {
    for (const host::ProblemDocument& problem : SlowPegSequence(hand, kTicks)) {
      const host::SolutionDocument solution = solver->Solve(problem);
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
      ASSERT_LE(solution.residual, tolerance) << *problem.name;
      without_pivots += solution.pivots == 0;
      most_pivots = std::max(most_pivots, solution.pivots);
      if (tick++ % kMeasureEvery != 0) continue;
      ASSERT_LE(Check(problem, solution).residual, tolerance) << *problem.name;
    }
  }
  EXPECT_EQ(tick, kHands * kTicks);
  EXPECT_GE(without_pivots, 0.8 * tick);  // theory section 7
  std::printf("%d ticks: %.1f %% without pivots, at most %d pivots\n", tick, 100.0 * without_pivots / tick, most_pivots);
}

// Tolerances: what theory section 6 accepts.
TEST(WarmChain, HoldsForFiftyThousandTicksInDouble) { ExpectEveryTickSolved({.warm = true}, 1e-8L); }

TEST(WarmChain, HoldsForFiftyThousandTicksInFloat) {
  ExpectEveryTickSolved({.scalar = host::ScalarKind::kFloat, .warm = true}, 1e-3L);
}

}  // namespace
}  // namespace tactus::test
