#include "tactus/solve/dantzig/dantzig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tactus/solve/convex/convex_step.h"
#include "tactus/solve/convex/nearest_velocity.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

constexpr int kMost = 60;
template <class Scalar>
using Matrix = DantzigSystem<Scalar, kMost>;

// A = JJᵀ with J n × rank, rows of unit length: a random positive semidefinite matrix. b = A x for a random x, hence in its
// column space.
template <class Scalar>
Matrix<Scalar> RandomSystem(unsigned seed, int size, int rank) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::array<std::array<double, kMost>, kMost> J{};
  for (int i = 0; i < size; ++i) {
    double squared = 0;
    for (int c = 0; c < rank; ++c) squared += (J[i][c] = normal(random)) * J[i][c];
    for (int c = 0; c < rank; ++c) J[i][c] /= std::sqrt(squared);
  }
  std::array<double, kMost> motion{};  // Jᵀx
  for (int c = 0; c < rank; ++c) motion[c] = normal(random);
  Matrix<Scalar> system;
  system.size = size;
  for (int i = 0; i < size; ++i) {
    double b = 0;
    for (int c = 0; c < rank; ++c) b += J[i][c] * motion[c];
    system.b[i] = static_cast<Scalar>(b);
    for (int j = 0; j < size; ++j) {
      double sum = 0;
      for (int c = 0; c < rank; ++c) sum += J[i][c] * J[j][c];
      system.A[i][j] = static_cast<Scalar>(sum);
    }
  }
  return system;
}

// A = JJᵀ of a chain of bodies with three degrees of freedom each: row i of J moves bodies ⌊i/each⌋ and ⌊i/each⌋ + 1 only,
// as in a stack, so that A has blocks about its diagonal alone. Rows 3, 7, … repeat the one before: redundant.
template <class Scalar>
Matrix<Scalar> ChainSystem(unsigned seed, int size, int each) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  using Row = std::array<double, 3 * kMost + 3>;
  std::array<Row, kMost> J{};
  Row motion;
  for (double& m : motion) m = normal(random);
  Matrix<Scalar> system;
  system.size = size;
  for (int i = 0; i < size; ++i) {
    double squared = 0;
    for (int c = 3 * (i / each); c < 3 * (i / each) + 6; ++c) squared += (J[i][c] = normal(random)) * J[i][c];
    for (double& entry : J[i]) entry /= std::sqrt(squared);
    if (i % 4 == 3) J[i] = J[i - 1];
    system.b[i] = static_cast<Scalar>(std::inner_product(J[i].begin(), J[i].end(), motion.begin(), 0.0));
    for (int j = 0; j <= i; ++j) {
      const double A_ij = std::inner_product(J[i].begin(), J[i].end(), J[j].begin(), 0.0);
      system.A[i][j] = system.A[j][i] = static_cast<Scalar>(A_ij);
    }
  }
  return system;
}

// max |min(f, a)| of (2), a from (1), of max(1, |f|): written here once more, from the paper alone.
template <class Scalar>
double Violation(const Matrix<Scalar>& system, const std::array<Scalar, kMost>& f) {
  double worst = 0, scale = 1;
  for (int i = 0; i < system.size; ++i) {
    scale = std::max(scale, std::abs(static_cast<double>(f[i])));
    double a = system.b[i];
    for (int j = 0; j < system.size; ++j) a += static_cast<double>(system.A[i][j]) * static_cast<double>(f[j]);
    worst = std::max(worst, std::abs(i < system.bilateral ? a : std::min(static_cast<double>(f[i]), a)));
  }
  return worst / scale;
}

// Source: [Baraff94] 4.4: with b in the column space of A the algorithm always ends, and A_CC is never singular. The
// smallest Schur ratio of an independent prototype was 2e-4; with ranks down to 1 a few rows come closer to being dependent.
TEST(Dantzig, SolvesRankDeficientSystemsWithoutASingularClampedMatrix) {
  Dantzig<double, kMost> dantzig;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const int size = 4 + static_cast<int>(seed % 57), rank = 1 + static_cast<int>(seed % 12);
    const Matrix<double> system = RandomSystem<double>(seed, size, rank);
    const DantzigReport<double> report = dantzig.Solve(system, 20 * size);
    ASSERT_EQ(report.outcome, DantzigOutcome::kSolved) << seed;
    ASSERT_LE(report.drives, size + 2) << seed;
    ASSERT_GE(report.least_pivot, 1e-9) << seed;
    ASSERT_LE(Violation(system, dantzig.force()), 1e-10) << seed;  // what every solver here is held to; largest seen: 5e-12
  }
}

TEST(Dantzig, SolvesInSinglePrecision) {
  Dantzig<float, kMost> dantzig;
  int failures = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const int size = 4 + static_cast<int>(seed % 40);
    const Matrix<float> system = RandomSystem<float>(seed, size, 6);
    const DantzigReport<float> report = dantzig.Solve(system, 20 * size);
    failures += report.outcome != DantzigOutcome::kSolved;
    if (report.outcome == DantzigOutcome::kSolved) {
      ASSERT_LE(report.residual, 1e-3f) << seed;
    }
  }
  EXPECT_LE(failures, 1);  // 0.1 %, as for Lemke (theory 6)
}

// Source: the conditions themselves: a = 0, and f of either sign, in the first rows.
TEST(Dantzig, HoldsBilateralRowsFirstAndAlways) {
  Dantzig<double, kMost> dantzig;
  bool some_negative = false;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Matrix<double> system = RandomSystem<double>(seed, 30, 12);
    system.bilateral = 1 + static_cast<int>(seed % 8);
    ASSERT_EQ(dantzig.Solve(system, 600).outcome, DantzigOutcome::kSolved) << seed;
    ASSERT_LE(Violation(system, dantzig.force()), 1e-12) << seed;
    for (int i = 0; i < system.bilateral; ++i) some_negative = some_negative || dantzig.force()[i] < 0;
  }
  EXPECT_TRUE(some_negative);
}

TEST(Dantzig, TellsARepeatedBilateralRowFromAContradiction) {
  Matrix<double> system = RandomSystem<double>(3, 10, 6);
  for (int j = 0; j < 10; ++j) system.A[1][j] = system.A[0][j];
  for (int j = 0; j < 10; ++j) system.A[j][1] = system.A[j][0];
  system.b[1] = system.b[0];
  system.bilateral = 2;
  Dantzig<double, kMost> dantzig;
  EXPECT_EQ(dantzig.Solve(system, 200).outcome, DantzigOutcome::kSolved);
  system.b[1] += 1;
  EXPECT_EQ(dantzig.Solve(system, 200).outcome, DantzigOutcome::kContradiction);
}

// Source: Farkas: f ≥ 0 with A f = 0 and bᵀf < 0 leaves no f' with A f' + b ≥ 0, for it would give 0 ≤ fᵀ(A f' + b) = bᵀf.
TEST(Dantzig, ProvesThatThereIsNoSolution) {
  Dantzig<double, kMost> dantzig;
  int rays = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Matrix<double> system = RandomSystem<double>(seed, 24, 5);
    for (int i = 0; i < 24; ++i) system.b[i] -= 0.3 * (i % 4);
    const DantzigOutcome outcome = dantzig.Solve(system, 480).outcome;
    if (outcome == DantzigOutcome::kSolved) {
      ASSERT_LE(Violation(system, dantzig.force()), 1e-12) << seed;
      continue;
    }
    ASSERT_EQ(outcome, DantzigOutcome::kRay) << seed;
    ++rays;
    double work = 0;
    const double largest = *std::max_element(dantzig.ray().begin(), dantzig.ray().begin() + 24);
    for (int i = 0; i < 24; ++i) {
      ASSERT_GE(dantzig.ray()[i], -1e-9) << seed;
      work += system.b[i] * dantzig.ray()[i];
      double a = 0;
      for (int j = 0; j < 24; ++j) a += system.A[i][j] * dantzig.ray()[j];
      ASSERT_NEAR(a, 0, 1e-8 * largest) << seed;
    }
    ASSERT_LT(work, -1e-6) << seed;
  }
  EXPECT_GE(rays, 50);
}

// Gaps put b outside the column space of A; where u = 0 is allowed a solution exists all the same, and is found.
TEST(Dantzig, SolvesRedundantContactsWithGaps) {
  Dantzig<double, kMost> dantzig;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Matrix<double> system = RandomSystem<double>(seed, 30, 6);
    for (int i = 0; i < 30; ++i) system.b[i] += 0.02 * (i % 5);
    ASSERT_EQ(dantzig.Solve(system, 600).outcome, DantzigOutcome::kSolved) << seed;
    ASSERT_LE(Violation(system, dantzig.force()), 1e-12) << seed;
  }
}

// Source: (2) itself, and that a is unique where A is symmetric and positive semidefinite (theory 3).
TEST(Dantzig, FindsTheSameAccelerationsTogetherAndOneByOne) {
  Dantzig<double, kMost> together, one_by_one;
  long drives = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Matrix<double> system = ChainSystem<double>(seed, 48 + static_cast<int>(seed % 13), 1 + static_cast<int>(seed % 4));
    if (seed % 2 == 1) system.bilateral = 1 + static_cast<int>(seed % 7);
    const DantzigReport<double> report = together.Solve(system, 20 * system.size);
    ASSERT_EQ(report.outcome, DantzigOutcome::kSolved) << seed;
    ASSERT_LE(Violation(system, together.force()), 1e-11) << seed;  // largest seen: 5e-16
    ASSERT_GE(report.least_pivot, 1e-9) << seed;
    drives += report.drives;
    ASSERT_EQ(one_by_one.Solve(system, 20 * system.size, DantzigStart::kFromZero).outcome, DantzigOutcome::kSolved) << seed;
    const double scale = *std::max_element(together.force().begin(), together.force().begin() + system.size) + 1;
    for (int i = 0; i < system.size; ++i) {
      ASSERT_NEAR(together.acceleration()[i], one_by_one.acceleration()[i], 1e-9 * scale) << seed;
    }
  }
  EXPECT_LE(drives, 100);  // nearly always nothing is left to drive: 2; one by one it is 20 a system
}

TEST(Dantzig, SolvesTogetherInSinglePrecision) {
  Dantzig<float, kMost> dantzig;
  int failures = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const Matrix<float> system = ChainSystem<float>(seed, 48 + static_cast<int>(seed % 13), 1 + static_cast<int>(seed % 4));
    const DantzigReport<float> report = dantzig.Solve(system, 20 * system.size);
    failures += report.outcome != DantzigOutcome::kSolved;
  }
  EXPECT_LE(failures, 1);  // 0.1 %, as for Lemke (theory 6)
}

// Source: Farkas, as above.
TEST(Dantzig, ProvesTogetherThatThereIsNoSolution) {
  Dantzig<double, kMost> dantzig;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Matrix<double> system = ChainSystem<double>(seed, 56, 4);
    const int i = 4 * static_cast<int>(seed % 14) + 2;  // opposes the row that repeats it: both a ≥ 0 cannot be
    for (int j = 0; j < 56; ++j) system.A[i][j] = -system.A[i][j];
    for (int j = 0; j < 56; ++j) system.A[j][i] = -system.A[j][i];
    system.b[i] = -system.b[i] - 1;
    ASSERT_EQ(dantzig.Solve(system, 1000).outcome, DantzigOutcome::kRay) << seed;
    double work = 0;
    for (int j = 0; j < 56; ++j) work += system.b[j] * dantzig.ray()[j];
    ASSERT_GE(*std::min_element(dantzig.ray().begin(), dantzig.ray().begin() + 56), -1e-9) << seed;
    ASSERT_LT(work, -0.1) << seed;
  }
}

TEST(Dantzig, StopsAtTheStepLimit) {
  Dantzig<double, kMost> dantzig;
  EXPECT_EQ(dantzig.Solve(RandomSystem<double>(3, 30, 8), 3).outcome, DantzigOutcome::kStepLimit);
  EXPECT_EQ(dantzig.Solve(ChainSystem<double>(3, 56, 4), 1).outcome, DantzigOutcome::kStepLimit);
  for (int i = 0; i < 56; ++i) EXPECT_GE(dantzig.force()[i], 0);  // feasible all the same
}

// Source: theory 10: the frictionless LCP, the quadratic program, Dantzig's answer and the least constraint have the same u.
TEST(DantzigContacts, AgreesWithLemkeAndWithTheQuadraticPrograms) {
  DantzigContacts<double, kSmall> dantzig;
  LemkeReduced<double, kSmall> lemke;
  ConvexStep<double, kSmall> convex;
  NearestVelocity<double, kSmall> nearest;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), 0));
    WhitenedImpulses<double, kSmall> impulses;
    ASSERT_EQ(dantzig.Solve(problem, 400).outcome, DantzigOutcome::kSolved) << seed;
    dantzig.GetImpulses(problem, &impulses);
    const auto u = problem.VelocityFor(impulses);
    ASSERT_LE(ComplementarityResidual(problem, impulses), 1e-12) << seed;
    const double largest = *std::max_element(impulses.theta.begin(), impulses.theta.end());
    const double tolerance = 1e-12 * std::max(problem.k.norm(), largest);  // of what was added up to u
    ASSERT_EQ(lemke.SolveCold(problem, 0, 100).outcome, LemkeOutcome::kSolved) << seed;
    ASSERT_LE((lemke.velocity() - u).norm(), tolerance) << seed;
    ASSERT_TRUE(convex.Solve(problem, {}, 100)) << seed;
    ASSERT_LE((convex.velocity() - u).norm(), tolerance) << seed;
    auto least_constraint = problem.k;
    ASSERT_TRUE(nearest.Solve(problem, 100, &least_constraint)) << seed;
    ASSERT_LE((least_constraint - u).norm(), tolerance) << seed;
  }
}

TEST(DantzigContacts, RefusesFriction) {
  DantzigContacts<double, kSmall> dantzig;
  EXPECT_EQ(dantzig.Solve(Whitened(RandomScene<>(1, 4, 0.1)), 100).outcome, DantzigOutcome::kRefused);
}

// Source: (3): ν = Nᵀu + ε θ = 0 for one contact: θ = -Nᵀk/(1 + ε).
TEST(DantzigContacts, YieldsToCompliance) {
  auto problem = Whitened(Soft(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0)));
  problem.contacts[0].epsilon = 0.25;
  DantzigContacts<double, kSoft> dantzig;
  ASSERT_EQ(dantzig.Solve(problem, 10).outcome, DantzigOutcome::kSolved);
  WhitenedImpulses<double, kSoft> impulses;
  dantzig.GetImpulses(problem, &impulses);
  EXPECT_NEAR(impulses.theta[0], problem.k.norm() / 1.25, 1e-15);
}

}  // namespace
}  // namespace tactus::test
