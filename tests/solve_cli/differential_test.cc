// The solver against references that share nothing with it: the written-out problem, an explicit dense Lemke in extended
// precision. Velocities are not compared: with friction they are not unique (theory, section 3). What is compared is the
// residual, measured on the written-out problem, and whether there is a solution at all.
#include <gtest/gtest.h>

#include <memory>

#include "host_tools/solve/solver_registry.h"
#include "tests/support/check_solution.h"
#include "tests/support/dense_lemke.h"
#include "tests/support/generators.h"

namespace tactus::test {
namespace {

using host::ProblemDocument;
using host::SolutionDocument;
using host::SolveRequest;

constexpr std::uint64_t kSeed = 20260;

std::unique_ptr<host::ProblemSolver> Solver(const SolveRequest& request = {}) {
  return host::FindSolver("lemke_reduced")->make(request);
}

class EveryFamily : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Solve, EveryFamily, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

// Tolerances: 1e-8 is what theory section 6 accepts in double; 1e-9 the rounding of |u|² at impulses of 1e3 |k|.
void ExpectExact(const ProblemDocument& problem, const SolutionDocument& solution) {
  const SolutionCheck check = Check(problem, solution);
  EXPECT_LE(check.residual, 1e-8L) << *problem.name;
  EXPECT_LE(check.momentum, 1e-8L) << *problem.name;
  EXPECT_LE(check.joints, 1e-8L) << *problem.name;
  EXPECT_LE(check.energy_gain, 1e-9L) << *problem.name;
}

// Tolerance: rounding of sums of 32 impulses of size max θ.
void ExpectProof(const ProblemDocument& problem, const SolutionDocument& solution) {
  const CertificateCheck check = CheckCertificate(problem, solution);
  EXPECT_LE(check.imbalance, 1e-8L) << *problem.name;
  EXPECT_LE(check.joints, 1e-8L) << *problem.name;
  EXPECT_LE(check.outside, 1e-8L) << *problem.name;
  EXPECT_LT(check.work, 0) << *problem.name;
}

TEST_P(EveryFamily, IsSolvedExactlyOrProvedUnsolvable) {
  const std::unique_ptr<host::ProblemSolver> solver = Solver();
  for (int i = 0; i < 60; ++i) {
    const ProblemDocument problem = Generate(GetParam(), kSeed, i);
    const SolutionDocument solution = solver->Solve(problem);
    if (GetParam().has_solution || solution.status == SolveStatus::kSolved) {
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
      ExpectExact(problem, solution);
    } else {
      EXPECT_EQ(solution.status, SolveStatus::kJammed) << *problem.name;
      ExpectProof(problem, solution);
    }
  }
}

TEST_P(EveryFamily, AgreesWithDenseLemkeWhetherASolutionExists) {
  const std::unique_ptr<host::ProblemSolver> solver = Solver();
  for (int i = 0; i < 4; ++i) {
    const ProblemDocument problem = Generate(GetParam(), kSeed, i);
    const SolutionDocument solution = solver->Solve(problem);
    const DenseAnswer dense = SolveDense(problem);
    EXPECT_EQ(solution.status == SolveStatus::kSolved, dense.outcome == LcpOutcome::kSolved) << *problem.name;
    if (dense.outcome == LcpOutcome::kSolved) {
      EXPECT_LE(dense.residual, 1e-8L) << *problem.name;  // the reference itself
    }
  }
}

TEST_P(EveryFamily, SaysTheResidualThatAnIndependentOracleMeasures) {
  const std::unique_ptr<host::ProblemSolver> solver = Solver({.scalar = host::ScalarKind::kFloat});
  for (int i = 0; i < 20; ++i) {
    const ProblemDocument problem = Generate(GetParam(), kSeed, i);
    const SolutionDocument solution = solver->Solve(problem);
    if (solution.status != SolveStatus::kSolved) continue;
    const Real residual = Check(problem, solution).residual;
    EXPECT_NEAR(static_cast<double>(residual), solution.residual, 1e-9)
        << *problem.name;                         // tolerance: double against long double
    EXPECT_LE(residual, 1e-3L) << *problem.name;  // theory section 6: what is called solved in float
  }
}

// The issue is with what is *called* solved; at most 1 problem in 1000 may be given up (theory, section 6).
TEST(SinglePrecisionStatistics, SolvesAllButOneInAThousand) {
  const std::unique_ptr<host::ProblemSolver> solver = Solver({.scalar = host::ScalarKind::kFloat, .merge = true});
  int count = 0, solved = 0;
  for (const Family& family : Families()) {
    if (!family.has_solution) continue;
    for (int i = 0; i < 100; ++i, ++count) {
      const ProblemDocument problem = Generate(family, kSeed, i);
      const SolutionDocument solution = solver->Solve(problem);
      if (solution.status != SolveStatus::kSolved) continue;
      ++solved;
      EXPECT_LE(Check(problem, solution).residual, 1e-3L) << *problem.name;
    }
  }
  EXPECT_GE(solved, 0.999 * count) << count - solved << " of " << count;
}

}  // namespace
}  // namespace tactus::test
