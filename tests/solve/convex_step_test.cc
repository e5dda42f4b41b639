#include "tactus/solve/convex/convex_step.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/solve/judge/residual.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Step = ConvexStep<double, kSmall>;
using Impulses = WhitenedImpulses<double, kSmall>;
constexpr Step::Gamma kNoGamma{};

Impulses ImpulsesOf(const Step& step, const Step::Problem& problem) {
  Impulses impulses;
  step.GetImpulses(problem, &impulses);
  return impulses;
}

// Source: [AnitescuHart] (12)-(13); theorem 4.1.i: |u| ≤ |k|.
TEST(ConvexStep, SatisfiesItsConditionsAndAddsNoEnergy) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), 0.05 * (seed % 30)));
    Step step;
    ASSERT_TRUE(step.Solve(problem, kNoGamma, 100)) << seed;
    const Impulses impulses = ImpulsesOf(step, problem);
    ASSERT_LE(ConvexResidual(problem, kNoGamma, impulses), 1e-11) << seed;
    ASSERT_LE((problem.VelocityFor(impulses) - step.velocity()).norm(), 1e-11 * problem.k.norm()) << seed;
    ASSERT_LE(step.velocity().norm(), problem.k.norm() * (1 + 1e-12)) << seed;
  }
}

// Source: theory 8: exact where no loaded contact slips. The cube at rest under a push that friction holds.
TEST(ConvexStep, IsExactWhereNothingSlips) {
  SmallProblem<> physical = BallOnFloor<>(Vec<double, 6>::Zero(), {0.5, 0, -10, 0, 0, 0}, 0.5);
  physical.bodies[0].wrench(4) = -0.5 * 0.01;  // the push acts at the contact: the ball does not roll
  const auto problem = Whitened(physical);
  Step step;
  ASSERT_TRUE(step.Solve(problem, kNoGamma, 20));
  EXPECT_NEAR(step.velocity().norm(), 0, 1e-15);
  EXPECT_LE(ComplementarityResidual(problem, ImpulsesOf(step, problem)), 1e-14);
}

// Source: theory 8: the answers of LCP2 and LCP0 are the same where no loaded contact slips.
TEST(ConvexStep, SolvesTheUnrelaxedConditionsWhereverNoLoadedContactSlips) {
  int exact = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 4 + static_cast<int>(seed % 12), 1));
    Step step;
    ASSERT_TRUE(step.Solve(problem, kNoGamma, 100)) << seed;
    const Impulses impulses = ImpulsesOf(step, problem);
    double slip = 0;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (impulses.theta[i] == 0) continue;
      slip = std::max(slip, Step::Problem::TangentDot(problem.contacts[i], step.velocity()).norm());
    }
    if (slip > 1e-12 * problem.k.norm()) continue;
    ++exact;
    ASSERT_LE(ComplementarityResidual(problem, impulses), 1e-10) << seed;
  }
  EXPECT_GE(exact, 100);
}

// Source: theory 8: at a loaded contact that slips, ν = μ λ.
TEST(ConvexStep, TakesOffWithMuTimesTheSlipSpeed) {
  const auto problem = Whitened(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.01));
  Step step;
  ASSERT_TRUE(step.Solve(problem, kNoGamma, 20));
  const auto& contact = problem.contacts[0];
  const double nu = problem.Dot(contact, contact.N, step.velocity());
  const double slip = problem.TangentDot(contact, step.velocity()).dot(problem.direction[0]);
  EXPECT_GT(slip, 0);
  EXPECT_NEAR(nu, contact.mu * slip, 1e-14);
}

TEST(ConvexStep, FindsItsAnswerAgainWithoutAnIteration) {
  const auto problem = Whitened(RandomScene<>(5, 12, 0.5));
  Step step;
  ASSERT_TRUE(step.Solve(problem, kNoGamma, 100));
  const Step::Velocity u = step.velocity();
  ASSERT_TRUE(step.SolveWarm(problem, kNoGamma, 100));
  EXPECT_EQ(step.iterations(), 0);
  EXPECT_NEAR((step.velocity() - u).norm(), 0, 1e-13 * problem.k.norm());
}

// Source: [AnitescuHart] (12)-(13), for another k and Γ with the same columns.
TEST(ConvexStep, SolvesAgainWithTheFactorOfTheLastAnswer) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    auto problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), 0.5));
    Step step;
    ASSERT_TRUE(step.Solve(problem, kNoGamma, 100)) << seed;
    Step::Gamma gamma{};
    for (std::size_t i = 0; i < gamma.size(); i += 2) gamma[i] = 0.1 * problem.k.norm();
    problem.k = Whitened(RandomScene<>(seed + 1, 1, 0.5)).k;
    ASSERT_TRUE(step.SolveAgain(problem, gamma, 100)) << seed;
    ASSERT_LE(ConvexResidual(problem, gamma, ImpulsesOf(step, problem)), 1e-11) << seed;
  }
}

TEST(ConvexStep, GivesTheSameVelocityFromAnyOtherAnswer) {  // strictly convex: the answer is unique
  Step warm;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 12, 0.5));
    Step cold;
    ASSERT_TRUE(cold.Solve(problem, kNoGamma, 100)) << seed;
    ASSERT_TRUE(warm.SolveWarm(problem, kNoGamma, 100)) << seed;
    ASSERT_LE((warm.velocity() - cold.velocity()).norm(), 1e-11 * problem.k.norm()) << seed;
  }
}

// Source: Farkas: β ≥ 0 with Σ β_r a_r = 0 and Σ β_r c_r > 0 leaves no u with a_rᵀu ≥ c_r; in impulses, theory 3.
TEST(ConvexStep, ProvesThatASqueezeHasNoSolution) {
  Step step;
  Impulses certificate;
  const auto squeezed = Whitened(SqueezedBox<>(0.5, -1e-4, {3, 0, -5, 0, 0.1, 0}));
  ASSERT_FALSE(step.Solve(squeezed, kNoGamma, 1000));
  ASSERT_TRUE(step.GetCertificate(squeezed, &certificate));
  double work = 0, most = 0;
  for (int i = 0; i < squeezed.contacts.size(); ++i) {
    const auto& contact = squeezed.contacts[i];
    double phi_sum = 0;
    for (int j = 0; j < squeezed.directions; ++j) phi_sum += certificate.phi[i][j];
    EXPECT_NEAR(phi_sum, contact.mu * certificate.theta[i], 1e-15 * certificate.theta[i]);  // φ_ij = μ_i β_ij
    work += contact.b * certificate.theta[i];
    most = std::max(most, certificate.theta[i]);
  }
  EXPECT_LT(work, 0);
  EXPECT_LE(squeezed.ContactImpulse(certificate).norm(), 1e-14 * most);

  const auto touching = Whitened(SqueezedBox<>(0.5, 0, {3, 0, -5, 0, 0.1, 0}));
  ASSERT_TRUE(step.Solve(touching, kNoGamma, 1000));
  EXPECT_FALSE(step.GetCertificate(touching, &certificate));
}

}  // namespace
}  // namespace tactus::test
