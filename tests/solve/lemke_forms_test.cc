// LemkeDense and LemkeStructural by themselves and against each other; what is asked of all forms is asked of LemkeReduced
// too.
#include <gtest/gtest.h>

#include <memory>

#include "tactus/solve/convex/nearest_velocity.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_dense.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Problem = WhitenedProblem<double, kSmall>;
using Impulses = WhitenedImpulses<double, kSmall>;
using Velocity = Problem::Velocity;
using Dense = LemkeDense<double, kSmall>;
using Structural = LemkeStructural<double, kSmall>;
using Reduced = LemkeReduced<double, kSmall>;
struct Lexicographic : Dense {
  Lexicographic() : Dense(TieRule::kLexicographic) {}
};
static_assert(LemkeSolver<Dense> && LemkeSolver<Structural> && LemkeSolver<Reduced>);
static_assert(LemkeSolver<LemkeDense<float, kSmall>> && LemkeSolver<LemkeStructural<float, kSmall>>);

template <class Solver>
struct LemkeForm : testing::Test {
  LemkeReport Solve(const Problem& problem, int max_pivots = 400, unsigned seed = 0) {
    const LemkeReport report = solver->SolveCold(problem, seed, max_pivots);
    solver->GetImpulses(problem, &impulses);
    return report;
  }

  std::unique_ptr<Solver> solver = std::make_unique<Solver>();
  Impulses impulses;
};
using Forms = testing::Types<Dense, Lexicographic, Structural, Reduced>;
TYPED_TEST_SUITE(LemkeForm, Forms);

TYPED_TEST(LemkeForm, BrakesASingleSlidingContact) {  // Source: closed form, θ = h·10 N, φ = μθ
  const Problem problem = Whitened(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3));
  ASSERT_EQ(this->Solve(problem).outcome, LemkeOutcome::kSolved);
  EXPECT_NEAR(this->impulses.theta[0] / problem.contacts[0].normal_scale, 0.01, 1e-15);
  EXPECT_NEAR(this->impulses.phi[0][4] / problem.contacts[0].tangent_scale, 0.003, 1e-15);
}

// With all friction rows there the sliding contact has σ < 0 even where nothing touches.
TYPED_TEST(LemkeForm, NeedsNoPivotWhenEverythingSeparates) {
  const LemkeReport report = this->Solve(Whitened(BallOnFloor<>({1, 0, 1, 0, 0, 0}, Vec<double, 6>::Zero(), 0.3)));
  EXPECT_EQ(report.outcome, LemkeOutcome::kSolved);
  EXPECT_EQ(report.pivots, 0);
  EXPECT_EQ(this->impulses.theta[0], 0);
}

TYPED_TEST(LemkeForm, SolvesRandomScenesWithAnyCoveringVector) {  // Tolerance: rounding, 1e-16, times a condition of 1e6
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Problem problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), 0.05 * (seed % 40)));
    ASSERT_EQ(this->Solve(problem, 400, seed % 7).outcome, LemkeOutcome::kSolved) << seed;
    ASSERT_LE(ComplementarityResidual(problem, this->impulses), 1e-10) << seed;
  }
}

// Source: theory 3, anytime energy: |u|² ≤ k·u at every iterate of a cold start. Tolerance: rounding.
TYPED_TEST(LemkeForm, AddsNoEnergyWhereverItIsCutOff) {
  for (unsigned seed = 0; seed < 15; ++seed) {
    const Problem problem = Whitened(RandomScene<>(seed, 12, 0.6));
    const int needed = this->Solve(problem).pivots;
    for (int cap = 1; cap < needed; ++cap) {
      ASSERT_EQ(this->Solve(problem, cap).outcome, LemkeOutcome::kBudget);
      const Velocity u = problem.VelocityFor(this->impulses);
      ASSERT_LE(u.squaredNorm(), problem.k.dot(u) + 1e-9 * problem.k.squaredNorm()) << seed << " cut off after " << cap;
    }
  }
}

// Source: theory 3.4: θ, φ ≥ 0, N θ + D φ = 0, bᵀθ < 0 exclude every solution.
TYPED_TEST(LemkeForm, ProvesASqueezedJam) {
  const Problem problem = Whitened(SqueezedBox<>(0.4, -1e-6, {1, 2, 3, 0.01, 0.02, 0.03}));
  ASSERT_EQ(this->Solve(problem).outcome, LemkeOutcome::kRay);
  Impulses ray;
  this->solver->GetRay(problem, &ray);
  double work = 0;
  for (std::size_t i = 0; i < 8; ++i) work += problem.contacts[static_cast<int>(i)].b * ray.theta[i];
  EXPECT_LT(work, 0);
  EXPECT_NEAR(problem.ContactImpulse(ray).norm(), 0, 1e-12);
}

// Source: without friction u is unique (theory 3), the nearest velocity that does not penetrate.
TYPED_TEST(LemkeForm, FindsTheNearestVelocityWithoutFriction) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Problem problem = Whitened(RandomScene<>(seed, 8, 0));
    ASSERT_EQ(this->Solve(problem).outcome, LemkeOutcome::kSolved);
    NearestVelocity<double, kSmall> nearest;
    Velocity u = problem.k;
    ASSERT_TRUE(nearest.Solve(problem, 100, &u));
    ASSERT_LE((problem.VelocityFor(this->impulses) - u).norm(), 1e-12 * problem.k.norm()) << seed;
  }
}

// Source: theory 5, same path. In the same steps to the same point: exact arithmetic makes no difference between a tableau
// and its factors. Tolerance: rounding that the tableau adds up.
TEST(LemkeStructural, TakesThePathOfTheDenseTableau) {
  const std::unique_ptr<Dense> dense = std::make_unique<Dense>();
  Structural structural;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Problem problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 8), 0.05 * (seed % 40)));
    Impulses of_dense, of_structural;
    const LemkeReport report = dense->SolveCold(problem, seed % 5, 400);
    ASSERT_EQ(structural.SolveCold(problem, seed % 5, 400).pivots, report.pivots) << seed;
    dense->GetImpulses(problem, &of_dense);
    structural.GetImpulses(problem, &of_structural);
    const Velocity difference = problem.VelocityFor(of_dense) - problem.VelocityFor(of_structural);
    ASSERT_LE(difference.norm(), 1e-10 * problem.k.norm()) << seed;
  }
}

TEST(LemkeStructural, HasNoFrictionRowsWhereThereIsNoFriction) {
  SmallProblem<> physical = RandomScene<>(5, 12, 0.5);
  for (int i = 0; i < 12; i += 2) physical.contacts[i].friction = 0;
  const Problem problem = Whitened(physical);
  Structural structural;
  ASSERT_EQ(structural.SolveCold(problem, 0, 400).outcome, LemkeOutcome::kSolved);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(structural.basis(i).expanded, i % 2 == 1) << i;
}

TEST(LemkeStructural, ReportsTheVelocityOfItsImpulses) {
  const Problem problem = Whitened(RandomScene<>(3, 12, 0.5));
  Structural structural;
  ASSERT_EQ(structural.SolveCold(problem, 0, 400).outcome, LemkeOutcome::kSolved);
  Impulses impulses;
  structural.GetImpulses(problem, &impulses);
  EXPECT_LE((structural.velocity() - problem.VelocityFor(impulses)).norm(), 1e-13 * problem.k.norm());
}

// Source: an independent prototype: 0.1 % in float, first attempts alone; twice that, because 2 expected failures are a
// small number.
TEST(LemkeStructural, SolvesRandomScenesInSinglePrecision) {
  LemkeStructural<float, kSmall> structural;
  int failures = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const WhitenedProblem<float, kSmall> problem = Whitened(RandomScene<float>(seed, 1 + static_cast<int>(seed % 16), 0.5f));
    WhitenedImpulses<float, kSmall> impulses;
    const LemkeReport report = structural.SolveCold(problem, 0, 400);
    structural.GetImpulses(problem, &impulses);
    failures += report.outcome != LemkeOutcome::kSolved || !(ComplementarityResidual(problem, impulses) <= 1e-3f);
  }
  EXPECT_LE(failures, 4);
}

}  // namespace
}  // namespace tactus::test
