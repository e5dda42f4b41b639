#include "tactus/solve/lemke/lemke_reduced.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "tactus/solve/judge/residual.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

template <class Scalar>
struct Answer {
  LemkeReport report;
  WhitenedImpulses<Scalar, kSmall> impulses;
  Scalar residual;
};

template <class Scalar>
Answer<Scalar> SolveCold(const WhitenedProblem<Scalar, kSmall>& problem, int max_pivots = 200) {
  LemkeReduced<Scalar, kSmall> lemke;
  Answer<Scalar> answer;
  answer.report = lemke.SolveCold(problem, 0, max_pivots);
  lemke.GetImpulses(problem, &answer.impulses);
  answer.residual = ComplementarityResidual(problem, answer.impulses);
  return answer;
}

// Source: closed form; the residual oracle alone would accept a frictionless answer only if friction were forgotten there
// too.
TEST(LemkeReduced, BrakesASingleSlidingContact) {
  const auto problem = Whitened(BallOnFloor<>({1, 0, 0, 0, 0, 0}, {0, 0, -10, 0, 0, 0}, 0.3));
  const auto answer = SolveCold(problem);
  ASSERT_EQ(answer.report.outcome, LemkeOutcome::kSolved);
  EXPECT_NEAR(answer.impulses.theta[0] / problem.contacts[0].normal_scale, 0.01, 1e-15);
  EXPECT_NEAR(answer.impulses.phi[0][4] / problem.contacts[0].tangent_scale, 0.003, 1e-15);
}

TEST(LemkeReduced, NeedsNoPivotWhenEverythingSeparates) {
  const auto answer = SolveCold(Whitened(BallOnFloor<>({1, 0, 1, 0, 0, 0}, Vec<double, 6>::Zero(), 0.3)));
  EXPECT_EQ(answer.report.outcome, LemkeOutcome::kSolved);
  EXPECT_EQ(answer.report.pivots, 0);
}

TEST(LemkeReduced, TakesNoPivotWithANaN) {
  auto problem = Whitened(RandomScene<>(3, 12, 0.5));
  problem.k(0) = __builtin_nan("");
  const auto answer = SolveCold(problem);
  EXPECT_EQ(answer.report.pivots, 0);
  EXPECT_FALSE(answer.residual <= 1);  // who looks at the residual is warned
}

// A contact that had no friction in the tick before has θ basic and no friction rows.
TEST(LemkeReduced, GivesFrictionToWhatStartsWithoutIt) {
  int solved = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 6, 0.5));
    LemkeReduced<double, kSmall> lemke;
    ASSERT_EQ(lemke.SolveCold(Whitened(RandomScene<>(seed, 6, 0)), 0, 200).outcome, LemkeOutcome::kSolved);
    if (lemke.SolveWarm(problem, 0, 200).outcome != LemkeOutcome::kSolved) continue;  // theory 7: a ray is nothing
    WhitenedImpulses<double, kSmall> impulses;
    lemke.GetImpulses(problem, &impulses);
    EXPECT_LE(ComplementarityResidual(problem, impulses), 1e-10) << seed;
    ++solved;
  }
  EXPECT_GE(solved, 25);
}

TEST(LemkeReduced, NeverExpandsAFrictionlessContact) {
  SmallProblem<> physical = RandomScene<>(5, 12, 0.5);
  for (int i = 0; i < 12; i += 2) physical.contacts[i].friction = 0;
  const auto problem = Whitened(physical);
  LemkeReduced<double, kSmall> lemke;
  ASSERT_EQ(lemke.SolveCold(problem, 0, 200).outcome, LemkeOutcome::kSolved);
  bool some_expanded = false;
  for (int i = 0; i < 12; ++i) {
    if (i % 2 == 0) {
      EXPECT_FALSE(lemke.basis(i).expanded) << i;
    }
    some_expanded = some_expanded || lemke.basis(i).expanded;
  }
  EXPECT_TRUE(some_expanded);
}

// Tolerance: rounding, 1e-16, times a condition of 1e6; an independent prototype's largest residual was 3e-13.
TEST(LemkeReduced, SolvesRandomScenesFromNothing) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const double friction = 0.05 * static_cast<double>(seed % 40);
    const auto problem = Whitened(RandomScene<>(seed, 1 + static_cast<int>(seed % 16), friction));
    const auto answer = SolveCold(problem, 100);
    ASSERT_EQ(answer.report.outcome, LemkeOutcome::kSolved) << seed;
    ASSERT_LE(answer.residual, 1e-10) << seed;
  }
}

// Source: theory 3, anytime energy: |u|² ≤ k·u at every iterate of a cold start.
TEST(LemkeReduced, AddsNoEnergyWhereverAColdStartIsCutOff) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 12, 0.6));
    for (int cap = 1; cap < 30; ++cap) {
      const auto answer = SolveCold(problem, cap);
      const auto u = problem.VelocityFor(answer.impulses);
      ASSERT_LE(u.squaredNorm(), problem.k.dot(u) + 1e-9 * problem.k.squaredNorm()) << seed << " cut off after " << cap;
    }
  }
}

TEST(LemkeReduced, ProvesASqueezedJam) {
  const auto problem = Whitened(SqueezedBox<>(0.4, -1e-6, {1, 2, 3, 0.01, 0.02, 0.03}));
  LemkeReduced<double, kSmall> lemke;
  ASSERT_EQ(lemke.SolveCold(problem, 0, 200).outcome, LemkeOutcome::kRay);
  WhitenedImpulses<double, kSmall> ray;
  lemke.GetRay(problem, &ray);
  double work = 0;
  for (std::size_t i = 0; i < 8; ++i) work += problem.contacts[static_cast<int>(i)].b * ray.theta[i];
  EXPECT_LT(work, 0);
  EXPECT_NEAR(problem.ContactImpulse(ray).norm(), 0, 1e-12);
}

TEST(LemkeReduced, FindsItsOwnAnswerAgainWithoutAPivot) {
  const auto problem = Whitened(RandomScene<>(11, 12, 0.5));
  LemkeReduced<double, kSmall> lemke;
  ASSERT_EQ(lemke.SolveCold(problem, 0, 200).outcome, LemkeOutcome::kSolved);
  const LemkeReport again = lemke.SolveWarm(problem, 0, 60);
  EXPECT_EQ(again.outcome, LemkeOutcome::kSolved);
  EXPECT_EQ(again.pivots, 0);
}

TEST(LemkeReduced, RepairsTheBasisOfANearbyProblem) {
  int repaired = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SmallProblem<> physical = RandomScene<>(seed, 12, 0.5);
    LemkeReduced<double, kSmall> lemke;
    ASSERT_EQ(lemke.SolveCold(Whitened(physical), 0, 200).outcome, LemkeOutcome::kSolved);
    physical.bodies[0].wrench *= 1.1;
    physical.bodies[0].wrench(seed % 6) *= -0.5;
    const auto problem = Whitened(physical);
    const LemkeReport report = lemke.SolveWarm(problem, 0, 100);
    if (report.outcome != LemkeOutcome::kSolved) continue;  // theory 7: rarely a ray, then the ladder starts cold
    WhitenedImpulses<double, kSmall> impulses;
    lemke.GetImpulses(problem, &impulses);
    ASSERT_LE(ComplementarityResidual(problem, impulses), 1e-10) << seed;
    repaired += report.pivots > 0;
  }
  EXPECT_GE(repaired, 150);  // measured: 163; the basis still solves 93, and 44 end in a ray
}

// Any bits at all as a warm start: never a crash, and what is called solved is solved.
TEST(LemkeReduced, SurvivesAnyBasis) {
  std::mt19937 random(1);
  const auto problem = Whitened(RandomScene<>(2, 16, 0.5));
  for (int trial = 0; trial < 20000; ++trial) {
    LemkeReduced<double, kSmall> lemke;
    for (int i = 0; i < 16; ++i) {
      lemke.set_basis(i, {static_cast<std::uint32_t>(random()), random() % 2 == 0, random() % 2 == 0, random() % 3 == 0});
    }
    if (lemke.SolveWarm(problem, 0, 60).outcome != LemkeOutcome::kSolved) continue;
    WhitenedImpulses<double, kSmall> impulses;
    lemke.GetImpulses(problem, &impulses);
    ASSERT_LE(ComplementarityResidual(problem, impulses), 1e-8) << trial;
  }
}

// Source: theory 6, table: in float verified to 1e-3.
TEST(LemkeReduced, SolvesRandomScenesInSinglePrecision) {
  int failures = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const auto answer = SolveCold(Whitened(RandomScene<float>(seed, 1 + static_cast<int>(seed % 16), 0.5)), 100);
    failures += answer.report.outcome != LemkeOutcome::kSolved || answer.residual > 1e-3f;
  }
  EXPECT_LE(failures, 2);  // 0.1 %, first attempts alone
}

// Eight bodies against each other and the ground in 64 contacts, normals all over the sphere: few of them can move at all.
constexpr Capacity kHeap{.bodies = 8, .contacts = 64, .joints = 1, .directions = 8, .dof = 6};

std::unique_ptr<ContactProblem<double, kHeap>> Heap(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec<double, 3>(normal(random), normal(random), normal(random)); };
  auto problem = std::make_unique<ContactProblem<double, kHeap>>();
  for (int k = 0; k < 8; ++k) {
    Body<double, 6> body;
    body.mass_kg = 1 + 0.5 * uniform(random);
    body.inertia_kgm2 *= 1e-3 * body.mass_kg;
    body.position_m = 0.3 * Vec<double, 3>(uniform(random), uniform(random), uniform(random));
    body.velocity << 0.3 * vector(), 3 * vector();
    (void)problem->bodies.push_back(body);
  }
  for (int i = 0; i < 64; ++i) {
    Contact<double, 6> contact;
    contact.id = i;
    contact.a = static_cast<int>(random() % 8);
    contact.b = static_cast<int>(random() % 9) - 1;
    if (contact.b == contact.a) contact.b = -1;
    contact.normal = vector().normalized();
    contact.tangent = DefaultTangent(contact.normal);
    const Vec<double, 3> offset(uniform(random), uniform(random), uniform(random));
    contact.point_m = problem->bodies[contact.a].position_m + 0.07 * offset;
    contact.friction = 0.8;
    (void)problem->contacts.push_back(contact);
  }
  return problem;
}

// Of 400 heaps these are the ones, beside two that are longer still, whose path has more than six pivots for each row. None
// of them goes round.
TEST(LemkeReduced, WalksALongPathOfAHeapToItsEnd) {
  const auto lemke = std::make_unique<LemkeReduced<double, kHeap>>();
  const auto impulses = std::make_unique<WhitenedImpulses<double, kHeap>>();
  for (const unsigned seed : {49u, 82u, 129u, 179u, 223u, 330u}) {
    const auto problem = std::make_unique<WhitenedProblem<double, kHeap>>(Whitened(*Heap(seed)));
    const LemkeReport report = lemke->SolveCold(*problem, 0, lemke->PivotLimit(*problem));
    EXPECT_EQ(report.outcome, LemkeOutcome::kSolved) << seed;
    EXPECT_GT(report.pivots, 6 * 64 * (2 + 8)) << seed << ": a test of nothing";
    lemke->GetImpulses(*problem, impulses.get());
    EXPECT_LE(ComplementarityResidual(*problem, *impulses), 1e-10) << seed;
  }
}

}  // namespace
}  // namespace tactus::test
