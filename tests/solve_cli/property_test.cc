// The solver on twenty thousand problems: what must hold for every answer, by an oracle that shares nothing with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "host_tools/solve/solver_registry.h"
#include "tests/support/check_solution.h"
#include "tests/support/generators.h"

namespace tactus::test {
namespace {

using host::ProblemDocument;
using host::SolutionDocument;
using host::SolveRequest;

constexpr std::uint64_t kSeed = 7;
constexpr int kProblems = 20000;

int ProblemsPerFamily() { return (kProblems - 1) / static_cast<int>(Families().size()) + 1; }

std::unique_ptr<host::ProblemSolver> Solver(const SolveRequest& request) {
  return host::FindSolver("lemke_reduced")->make(request);
}

class LongRun : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Solve, LongRun, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

// Tolerances: an exact basis leaves rounding, some 1e-16 times the condition of the basis; 1e-10 allows for 1e6. Energy:
// 1e-9 is the rounding of |u|² at impulses of 1e3 |k|.
TEST_P(LongRun, IsSolvedToRoundingOrProvedUnsolvableInDouble) {
  const std::unique_ptr<host::ProblemSolver> solver = Solver({});
  SolutionCheck worst;
  int most_pivots = 0;
  for (int i = 0; i < ProblemsPerFamily(); ++i) {
    const ProblemDocument problem = Generate(GetParam(), kSeed, i);
    const SolutionDocument solution = solver->Solve(problem);
    most_pivots = std::max(most_pivots, solution.pivots);
    if (!GetParam().has_solution && solution.status == SolveStatus::kJammed) {
      EXPECT_LT(CheckCertificate(problem, solution).work, 0) << *problem.name;
      continue;
    }
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
    if (solution.status != SolveStatus::kSolved) continue;
    const SolutionCheck check = Check(problem, solution);
    EXPECT_LE(check.residual, 1e-10L) << *problem.name;
    EXPECT_LE(check.momentum, 1e-8L) << *problem.name;
    EXPECT_LE(check.joints, 1e-8L) << *problem.name;
    EXPECT_LE(check.energy_gain, 1e-9L) << *problem.name;
    worst.residual = std::max(worst.residual, check.residual);
    worst.energy_gain = std::max(worst.energy_gain, check.energy_gain);
  }
  std::printf("%-16s double: worst residual %.1Le, energy gain %.1Le, pivots %d\n", std::string(GetParam().name).c_str(),
              worst.residual, worst.energy_gain, most_pivots);
}

// 1e-3 is what theory section 6 accepts in float. How many are given up is printed; SinglePrecisionStatistics bounds it.
TEST_P(LongRun, IsNeverWronglyCalledSolvedInFloat) {
  const std::unique_ptr<host::ProblemSolver> solver = Solver({.scalar = host::ScalarKind::kFloat, .merge = true});
  Real worst = 0;
  int solved = 0, jammed = 0;
  for (int i = 0; i < ProblemsPerFamily(); ++i) {
    const ProblemDocument problem = Generate(GetParam(), kSeed, i);
    const SolutionDocument solution = solver->Solve(problem);
    jammed += solution.status == SolveStatus::kJammed;
    if (solution.status != SolveStatus::kSolved) continue;
    ++solved;
    const Real residual = Check(problem, solution).residual;
    EXPECT_LE(residual, 1e-3L) << *problem.name;
    worst = std::max(worst, residual);
  }
  std::printf("%-16s float: %d solved, %d jammed, %d given up; worst residual %.1Le\n", std::string(GetParam().name).c_str(),
              solved, jammed, ProblemsPerFamily() - solved - jammed, worst);
}

}  // namespace
}  // namespace tactus::test
