#include "tactus/contact/own_mass_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tactus/solve/ladder.h"

namespace tactus::test {
namespace {

constexpr Capacity kArm{.bodies = 1, .contacts = 4, .joints = 0, .directions = 2, .dof = 3};
using Problem = WhitenedProblem<double, kArm>;

// A double pendulum of two massless rods and two point masses, as two angles: its tip, on the floor, is pushed down and
// along. Source: closed form: M q̇ = h f + J_nᵀθ + J_tᵀφ with (3)-(5), solved by hand for a tip that sticks: J_n q̇ = J_t q̇ =
// 0 fix both angles, so q̇ = 0 and the impulses balance h f.
TEST(OwnMassMatrix, HoldsTheTipOfADoublePendulum) {
  const double l1 = 0.3, l2 = 0.2, m1 = 0.5, m2 = 0.4, q1 = -0.5, q2 = -1.2, h = 1e-3;  // angles from the horizontal
  const Vec<double, 2> arm1(-l1 * std::sin(q1), l1 * std::cos(q1)), arm2(-l2 * std::sin(q2), l2 * std::cos(q2));
  Mat<double, 2, 2> J;  // of the tip: its columns are ∂p/∂q
  J << arm1(0), arm2(0), arm1(1), arm2(1);
  Mat<double, 2, 2> M;
  M << (m1 + m2) * l1 * l1, m2 * arm1.dot(arm2), m2 * arm1.dot(arm2), m2 * l2 * l2;
  const double g11 = Sqrt(M(0, 0)), g21 = M(1, 0) / g11, g22 = Sqrt(M(1, 1) - g21 * g21);
  const auto whiten = [&](double a, double b) { return Vec<double, 3>(a / g11, (b - g21 * (a / g11)) / g22, 0); };
  const Vec<double, 2> push(0.2, -3);  // at the tip [N]: inside the cone of μ = 0.3
  const Vec<double, 2> f = J.transpose() * push;

  const auto problem = std::make_unique<Problem>();
  StartOwn(Problem::Velocity(whiten(h * f(0), h * f(1))), 2, 0.0, problem.get());
  OwnContact<Problem> tip;
  tip.N = whiten(J(1, 0), J(1, 1));
  tip.T.col(0) = -whiten(J(0, 0), J(0, 1));  // t = (-n_y, n_x)
  tip.mu = 0.3;
  ASSERT_TRUE(AddOwnContact(tip, problem.get()));

  const auto ladder = std::make_unique<Ladder<double, kArm>>();
  Problem::Impulses impulses, certificate;
  ladder->Run(
      problem.get(), {.warm = false}, [](Problem::Impulses* last) { *last = {}; }, &impulses, &certificate);
  ASSERT_EQ(ladder->status(), SolveStatus::kSolved);
  EXPECT_NEAR(ladder->velocity().norm(), 0, 1e-16);
  EXPECT_NEAR(impulses.theta[0] / problem->contacts[0].normal_scale, 3 * h, 1e-15);
  EXPECT_NEAR((impulses.phi[0][0] - impulses.phi[0][1]) / problem->contacts[0].tangent_scale, 0.2 * h, 1e-15);
}

TEST(OwnMassMatrix, LeavesOutAContactThatMovesNothing) {
  const auto problem = std::make_unique<Problem>();
  StartOwn(Problem::Velocity(1, 0, 0), 2, 0.0, problem.get());
  EXPECT_FALSE(AddOwnContact({}, problem.get()));
  EXPECT_EQ(problem->contacts.size(), 0);
}

}  // namespace
}  // namespace tactus::test
