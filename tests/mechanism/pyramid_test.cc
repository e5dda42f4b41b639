#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "tactus/solve/convex/successive_convex.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tests/contact/scenes.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Problem = WhitenedProblem<double, kSmall>;
using Impulses = WhitenedImpulses<double, kSmall>;
using Corners = std::array<double, 6>;

constexpr double kStep_s = 0.01, kMass_kg = 2, kWeightImpulse_Ns = kStep_s * kMass_kg * 9.81;  // h m g
constexpr Corners kFirst{1 / 3., 0, 1 / 3., 0, 1 / 3., 0}, kSecond{0, 1 / 3., 0, 1 / 3., 0, 1 / 3.};

// The hexagonal pyramid of [AnitescuHart] section 3 on its base, at rest.
SmallProblem<> Pyramid(double friction) {
  SmallProblem<> problem;
  problem.step_s = kStep_s;
  Body<double, 6> body;
  body.mass_kg = kMass_kg;
  body.inertia_kgm2.diagonal() << 0.01, 0.01, 0.02;
  body.position_m << 0, 0, 0.05;
  body.wrench(2) = -kMass_kg * 9.81;
  (void)problem.bodies.push_back(body);
  for (int i = 0; i < 6; ++i) {
    const double angle = i * std::numbers::pi / 3;
    Contact<double, 6> contact;
    contact.id = i;
    contact.point_m << 0.1 * std::cos(angle), 0.1 * std::sin(angle), 0;
    contact.tangent << 1, 0, 0;
    contact.friction = friction;
    (void)problem.contacts.push_back(contact);
  }
  return problem;
}

// Normal impulses as shares of h m g, no friction impulses.
Impulses Loaded(const Problem& problem, const Corners& share) {
  Impulses impulses{};
  for (int i = 0; i < 6; ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    impulses.theta[I] = share[I] * kWeightImpulse_Ns * problem.contacts[i].normal_scale;
  }
  return impulses;
}

Corners Mix(double t) {
  Corners mixed;
  for (std::size_t i = 0; i < 6; ++i) mixed[i] = (1 - t) * kFirst[i] + t * kSecond[i];
  return mixed;
}

// Source: [AnitescuHart] (11) and the two solutions after it; their average is one too when λ = Λ(v) (theory 13).
TEST(Pyramid, HasAConvexSetOfImpulses) {
  for (const double friction : {0.05, 0.5, 2.0}) {
    const Problem problem = Whitened(Pyramid(friction));
    for (int i = 0; i <= 10; ++i) {
      const Impulses impulses = Loaded(problem, Mix(0.1 * i));
      EXPECT_LE(ComplementarityResidual(problem, impulses), 1e-12) << friction << " " << i;
      EXPECT_LE(problem.VelocityFor(impulses).norm(), 1e-12 * problem.k.norm());
    }
    EXPECT_GT(ComplementarityResidual(problem, Loaded(problem, {0.5, 0.5, 0, 0, 0, 0})), 1e-3);  // it would tilt
  }
}

// Source: [AnitescuHart] section 3: with the λ that they list, 1 at unloaded corners, 0 ≤ μ c_n ⊥ λ ≥ 0 holds at both ends
// and nowhere between.
TEST(Pyramid, HasANonconvexSetInLambda) {
  const auto violation = [](double t) {
    const Corners share = Mix(t);
    double worst = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const double lambda = (1 - t) * (kFirst[i] == 0) + t * (kSecond[i] == 0);
      worst = std::max(worst, std::min(0.3 * share[i], lambda));
    }
    return worst;
  };
  EXPECT_EQ(violation(0), 0);
  EXPECT_EQ(violation(1), 0);
  EXPECT_NEAR(violation(0.5), 0.3 / 6, 1e-15);
}

// Source: the velocity is unique, 0; LCP1 and LCP2 find it for any friction (nothing slips, theorem 4.2).
TEST(Pyramid, IsAtRestByEverySolver) {
  for (const double friction : {0.0, 0.05, 0.5, 2.0}) {
    const Problem problem = Whitened(Pyramid(friction));
    Impulses impulses;
    LemkeReduced<double, kSmall> lemke;
    ASSERT_EQ(lemke.SolveCold(problem, 0, 100).outcome, LemkeOutcome::kSolved);
    lemke.GetImpulses(problem, &impulses);
    EXPECT_LE(ComplementarityResidual(problem, impulses), 1e-12);
    EXPECT_LE(problem.VelocityFor(impulses).norm(), 1e-12);
    SuccessiveConvex<double, kSmall> successive;
    const FixedPointReport<double> report = successive.Solve(problem, {});
    ASSERT_EQ(report.outcome, FixedPointOutcome::kConverged);
    EXPECT_EQ(report.iterations, 1);
    successive.GetImpulses(problem, &impulses);
    EXPECT_LE(ComplementarityResidual(problem, impulses), 1e-12);
  }
}

// Source: [AnitescuHart] after theorem 4.2: configurations with a no-slip solution are computed exactly by LCP2. Pushes that
// friction can hold, of random size: where LCP2 does not slip it solves (6)-(7); and some pushes do make it slip.
TEST(Lcp2, SolvesTheComplementarityProblemWhereNothingSlips) {
  ConvexStep<double, kSmall> step;
  int held = 0, slipped = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SmallProblem<> physical = Pyramid(0.5);
    std::mt19937 random(seed);
    std::normal_distribution<double> push(0, 4);
    physical.bodies[0].wrench(0) = push(random);
    physical.bodies[0].wrench(1) = push(random);
    physical.bodies[0].wrench(5) = 0.1 * push(random);
    const Problem problem = Whitened(physical);
    ASSERT_TRUE(step.Solve(problem, {}, 200)) << seed;
    Impulses impulses;
    step.GetImpulses(problem, &impulses);
    double slip = 0;
    for (const auto& contact : problem.contacts) slip = std::max(slip, problem.TangentDot(contact, step.velocity()).norm());
    const bool rests = slip <= 1e-12 * problem.k.norm();
    rests ? ++held : ++slipped;
    EXPECT_EQ(ComplementarityResidual(problem, impulses) <= 1e-10, rests) << seed;
  }
  EXPECT_GE(held, 50);
  EXPECT_GE(slipped, 25);
}

}  // namespace
}  // namespace tactus::test
