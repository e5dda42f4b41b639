// The solver against Siconos. With friction the velocities are not unique (theory, section 3), so what is compared is
// whether there is a solution; without friction the velocity is unique, and is compared. Siconos is judged by the same
// independent residual as everything else: what it calls a solution and is none proves nothing. How many it solves is
// printed, not asserted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include "host_tools/solve/solver_registry.h"
#include "tests/solve_siconos/siconos_lcp.h"
#include "tests/support/check_solution.h"
#include "tests/support/generators.h"

namespace tactus::test {
namespace {

using host::ProblemDocument;
using host::SolutionDocument;

constexpr std::uint64_t kSeed = 41;
constexpr int kProblems = 20;
constexpr std::size_t kMaxRows = 400;  // of the full problem: Siconos is given up to 2000 pivots of rows² each
constexpr std::size_t kMaxEnumeratedRows = 10;

// How many problems one method of Siconos was given, what it said, and what of that is true.
struct Tally {
  SiconosMethod method;
  int given = 0, claimed = 0, right = 0;

  void Print(std::string_view family, const char* kind) const {
    std::printf("%-16.*s %-12s Siconos %-12.*s solves %2d of %2d (calls %d solved)\n", static_cast<int>(family.size()),
                family.data(), kind, static_cast<int>(Name(method).size()), Name(method).data(), right, given, claimed);
  }
};

// What Siconos answers, and its residual by an oracle of ours: infinite if it gave up.
struct JudgedAnswer {
  DenseVector z;
  Real residual = std::numeric_limits<Real>::infinity();
};

JudgedAnswer Ask(const DenseContact& dense, const Lcp& lcp, Tally* tally) {
  ++tally->given;
  const std::optional<DenseVector> z = SolveWithSiconos(lcp, tally->method);
  if (!z) return {};
  ++tally->claimed;
  JudgedAnswer answer{*z};
  answer.z.resize(dense.contacts * (2 + dense.directions));
  answer.residual = Residual(dense, ImpulsesOf(dense, answer.z));
  tally->right += answer.residual <= 1e-8L;
  return answer;
}

// The rows of the normals alone: what is left without friction.
Lcp NormalLcp(const DenseContact& dense) {
  const Lcp full = FullLcp(dense);
  Lcp lcp{DenseMatrix(dense.contacts, dense.contacts),
          DenseVector(full.q.begin(), full.q.begin() + std::ptrdiff_t(dense.contacts))};
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    for (std::size_t j = 0; j < dense.contacts; ++j) lcp.M(i, j) = full.M(i, j);
  }
  return lcp;
}

// |u - u'| of two answers in the kinetic norm, divided by max(|k|, max θ) like the residual. `z` holds the whitened normal
// impulses of the one.
Real VelocityDifference(const DenseContact& dense, const SolutionDocument& solution, const DenseVector& z) {
  DenseVector difference(dense.k.size());
  Real scale = Norm(dense.k);
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (dense.held[i]) continue;
    AddScaled(z[i] - solution.impulse[i].normal_Ns * dense.normal_scale[i], dense.N_unit[i], &difference);
    scale = std::max(scale, z[i]);
  }
  return scale > 0 ? Norm(difference) / scale : 0;
}

class SiconosOnEveryFamily : public testing::TestWithParam<Family> {
 protected:
  const std::unique_ptr<host::ProblemSolver> solver_ = host::FindSolver("lemke_reduced")->make({});
};

INSTANTIATE_TEST_SUITE_P(Solve, SiconosOnEveryFamily, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

TEST_P(SiconosOnEveryFamily, FindsNoSolutionThatTheSolverMisses) {
  Tally tallies[] = {{SiconosMethod::kLemke}, {SiconosMethod::kPivot}};
  for (int i = 0; i < kProblems; ++i) {
    const ProblemDocument problem = Generate(GetParam(), kSeed, i);
    const DenseContact dense = WriteOut(problem);
    const Lcp lcp = FullLcp(dense);
    if (lcp.q.size() > kMaxRows) continue;
    const SolutionDocument solution = solver_->Solve(problem);
    EXPECT_TRUE(!GetParam().has_solution || solution.status == SolveStatus::kSolved) << *problem.name;
    for (Tally& tally : tallies) {
      const bool solved = Ask(dense, lcp, &tally).residual <= 1e-8L;  // what theory section 6 accepts in double
      EXPECT_TRUE(!solved || solution.status == SolveStatus::kSolved) << *problem.name;
    }
  }
  for (const Tally& tally : tallies) tally.Print(GetParam().name, "friction");
}

TEST_P(SiconosOnEveryFamily, GivesTheSameVelocityWithoutFriction) {
  Tally tallies[] = {
      {SiconosMethod::kLemke}, {SiconosMethod::kPivot}, {SiconosMethod::kGaussSeidel}, {SiconosMethod::kEnumeration}};
  for (int i = 0; i < kProblems; ++i) {
    ProblemDocument problem = Generate(GetParam(), kSeed, i);
    for (host::ContactDocument& contact : problem.contacts) contact.friction = 0;
    const DenseContact dense = WriteOut(problem);
    const Lcp lcp = NormalLcp(dense);
    const SolutionDocument solution = solver_->Solve(problem);
    EXPECT_TRUE(!GetParam().has_solution || solution.status == SolveStatus::kSolved) << *problem.name;
    for (Tally& tally : tallies) {
      if (tally.method == SiconosMethod::kEnumeration && lcp.q.size() > kMaxEnumeratedRows) continue;
      const JudgedAnswer answer = Ask(dense, lcp, &tally);
      if (answer.residual > 1e-8L) continue;
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
      // |u - u'|² ≤ the sum over contacts of residual · impulse: 1e-8² for an answer exact to the last digit.
      if (answer.residual <= 1e-15L) {
        EXPECT_LE(VelocityDifference(dense, solution, answer.z), 1e-8L) << *problem.name << " " << Name(tally.method);
      }
    }
  }
  for (const Tally& tally : tallies) tally.Print(GetParam().name, "frictionless");
}

}  // namespace
}  // namespace tactus::test
