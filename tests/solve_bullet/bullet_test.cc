// The solver against Bullet: see tests/support/foreign_solver.h.
#include <gtest/gtest.h>

#include "tests/solve_bullet/bullet_lcp.h"
#include "tests/support/foreign_solver.h"

namespace tactus::test {
namespace {

constexpr std::size_t kMaxRows = 100;  // its Lemke's lexicographic comparisons take rows² each
const ForeignMethod kLemke{"Bullet Lemke", SolveWithBulletLemke, kMaxRows};
const ForeignMethod kDantzig{"Bullet Dantzig", SolveWithBulletDantzig};

class BulletOnEveryFamily : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Solve, BulletOnEveryFamily, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

TEST_P(BulletOnEveryFamily, FindsNoSolutionThatTheSolverMisses) { ExpectNoMissedSolution(GetParam(), {kLemke}); }

TEST_P(BulletOnEveryFamily, GivesTheSameVelocityWithoutFriction) {
  ExpectTheSameVelocityWithoutFriction(GetParam(), {kLemke, kDantzig});
}

}  // namespace
}  // namespace tactus::test
