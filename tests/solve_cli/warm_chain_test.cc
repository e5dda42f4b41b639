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

/// A solver of the command line, and what it has done.
class Chain {
 public:
  Chain(const host::SolveRequest& request, Real tolerance)
      : solver_(host::FindSolver("lemke_reduced")->make(request)), tolerance_(tolerance) {}

  void Solve(const host::ProblemDocument& problem) {
    const host::SolutionDocument solution = solver_->Solve(problem);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
    ASSERT_LE(solution.residual, tolerance_) << *problem.name;
    without_pivots_ += solution.pivots == 0;
    most_pivots_ = std::max(most_pivots_, solution.pivots);
    if (ticks_++ % kMeasureEvery != 0) return;
    ASSERT_LE(Check(problem, solution).residual, tolerance_) << *problem.name;
  }
  void ExpectWarmth() const {
    EXPECT_EQ(ticks_, kHands * kTicks);
    EXPECT_GE(without_pivots_, 0.8 * ticks_);  // theory section 7
    std::printf("%d ticks: %.1f %% without pivots, at most %d pivots\n", ticks_, 100.0 * without_pivots_ / ticks_,
                most_pivots_);
  }

 private:
  const std::unique_ptr<host::ProblemSolver> solver_;
  const Real tolerance_;
  int ticks_ = 0, without_pivots_ = 0, most_pivots_ = 0;
};

// Tolerances: what theory section 6 accepts. Both precisions in one test: the reference that makes the sequence takes four
// fifths of the time.
TEST(WarmChain, HoldsForFiftyThousandTicksInBothPrecisions) {
  Chain in_double({.warm = true}, 1e-8L), in_float({.scalar = host::ScalarKind::kFloat, .warm = true}, 1e-3L);
  for (std::uint64_t hand = 101; hand <= 100 + kHands; ++hand) {
    for (const host::ProblemDocument& problem : SlowPegSequence(hand, kTicks)) {
      ASSERT_NO_FATAL_FAILURE(in_double.Solve(problem));
      ASSERT_NO_FATAL_FAILURE(in_float.Solve(problem));
    }
  }
  in_double.ExpectWarmth();
  in_float.ExpectWarmth();
}

}  // namespace
}  // namespace tactus::test
