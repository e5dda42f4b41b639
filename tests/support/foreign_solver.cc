#include "tests/support/foreign_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

#include "host_tools/solve/solver_registry.h"
#include "tests/support/check_solution.h"

namespace tactus::test {
namespace {

using host::ProblemDocument;
using host::SolutionDocument;

constexpr std::uint64_t kSeed = 41;
constexpr int kProblems = 20;

// How many problems one method was given, what it said, and what of that is true.
struct Tally {
  const ForeignMethod* method;
  int given = 0, claimed = 0, right = 0;

  void Print(std::string_view family, const char* kind) const {
    std::printf("%-16.*s %-12s %-24s solves %2d of %2d (calls %d solved)\n", static_cast<int>(family.size()), family.data(),
                kind, method->name.c_str(), right, given, claimed);
  }
};

// What it answers, and its residual by an oracle of ours: infinite if it gave up.
struct JudgedAnswer {
  DenseVector z;
  Real residual = std::numeric_limits<Real>::infinity();
};

JudgedAnswer Ask(const DenseContact& dense, const Lcp& lcp, Tally* tally) {
  ++tally->given;
  const std::optional<DenseVector> z = tally->method->solve(lcp);
  if (!z) return {};
  ++tally->claimed;
  JudgedAnswer answer{*z};
  answer.z.resize(dense.contacts * (2 + dense.directions));
  answer.residual = Residual(dense, ImpulsesOf(dense, answer.z));
  Real scale = Norm(dense.k);  // beside huge impulses any residual is small: here it is a share of the motion
  const Real motion = scale;
  for (std::size_t i = 0; i < dense.contacts; ++i) scale = std::max(scale, answer.z[i]);
  if (motion > 0) answer.residual *= scale / motion;
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

std::vector<Tally> TalliesOf(const std::vector<ForeignMethod>& methods) {
  std::vector<Tally> tallies;
  for (const ForeignMethod& method : methods) tallies.push_back({&method});
  return tallies;
}

}  // namespace

void ExpectNoMissedSolution(const Family& family, const std::vector<ForeignMethod>& methods) {
  const std::unique_ptr<host::ProblemSolver> solver = host::FindSolver("lemke_reduced")->make({});
  std::vector<Tally> tallies = TalliesOf(methods);
  for (int i = 0; i < kProblems; ++i) {
    const ProblemDocument problem = Generate(family, kSeed, i);
    const DenseContact dense = WriteOut(problem);
    const Lcp lcp = FullLcp(dense);
    const SolutionDocument solution = solver->Solve(problem);
    EXPECT_TRUE(!family.has_solution || solution.status == SolveStatus::kSolved) << *problem.name;
    for (Tally& tally : tallies) {
      if (lcp.q.size() > tally.method->max_rows) continue;
      const bool solved = Ask(dense, lcp, &tally).residual <= 1e-8L;  // what theory section 6 accepts in double
      EXPECT_TRUE(!solved || solution.status == SolveStatus::kSolved) << *problem.name << " " << tally.method->name;
    }
  }
  for (const Tally& tally : tallies) tally.Print(family.name, "friction");
}

void ExpectTheSameVelocityWithoutFriction(const Family& family, const std::vector<ForeignMethod>& methods) {
  const std::unique_ptr<host::ProblemSolver> solver = host::FindSolver("lemke_reduced")->make({});
  std::vector<Tally> tallies = TalliesOf(methods);
  for (int i = 0; i < kProblems; ++i) {
    ProblemDocument problem = Generate(family, kSeed, i);
    for (host::ContactDocument& contact : problem.contacts) contact.friction = 0;
    const DenseContact dense = WriteOut(problem);
    const Lcp lcp = NormalLcp(dense);
    const SolutionDocument solution = solver->Solve(problem);
    EXPECT_TRUE(!family.has_solution || solution.status == SolveStatus::kSolved) << *problem.name;
    for (Tally& tally : tallies) {
      if (lcp.q.size() > tally.method->max_rows) continue;
      const JudgedAnswer answer = Ask(dense, lcp, &tally);
      if (answer.residual > 1e-8L) continue;
      // The written-out problem leaves out contacts that joints hold fast; the solver says when those are violated.
      if (!family.has_solution && solution.status == SolveStatus::kJammed) continue;
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
      // |u - u'|² ≤ the sum over contacts of residual · impulse: 1e-8² for an answer exact to the last digit.
      if (answer.residual <= 1e-15L) {
        EXPECT_LE(VelocityDifference(dense, solution, answer.z), 1e-8L) << *problem.name << " " << tally.method->name;
      }
    }
  }
  for (const Tally& tally : tallies) tally.Print(family.name, "frictionless");
}

}  // namespace tactus::test
