// The solver against Siconos: see tests/support/foreign_solver.h.
#include <gtest/gtest.h>

#include "tests/solve_siconos/siconos_lcp.h"
#include "tests/support/foreign_solver.h"

namespace tactus::test {
namespace {

ForeignMethod Method(SiconosMethod method, std::size_t max_rows = ForeignMethod().max_rows) {
  return {"Siconos " + std::string(Name(method)), [method](const Lcp& lcp) { return SolveWithSiconos(lcp, method); },
          max_rows};
}

class SiconosOnEveryFamily : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Solve, SiconosOnEveryFamily, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

TEST_P(SiconosOnEveryFamily, FindsNoSolutionThatTheSolverMisses) {
  ExpectNoMissedSolution(GetParam(), {Method(SiconosMethod::kLemke), Method(SiconosMethod::kPivot)});
}

TEST_P(SiconosOnEveryFamily, GivesTheSameVelocityWithoutFriction) {
  constexpr std::size_t kMaxEnumerated = 10;
  ExpectTheSameVelocityWithoutFriction(
      GetParam(), {Method(SiconosMethod::kLemke), Method(SiconosMethod::kPivot), Method(SiconosMethod::kGaussSeidel),
                   Method(SiconosMethod::kEnumeration, kMaxEnumerated)});
}

}  // namespace
}  // namespace tactus::test
