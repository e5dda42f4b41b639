#include "tactus/solve/round/velocity_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/contact/friction_frame.h"
#include "tactus/contact/whiten.h"

namespace tactus::test {
namespace {

constexpr Capacity kChain{.bodies = 5, .contacts = 24, .joints = 6, .directions = 8, .dof = 6};
using Row = std::vector<long double>;

// x of K x = r by Gauss with complete pivoting, in extended precision.
Row Eliminated(std::vector<Row> K, Row r) {
  const std::size_t k = r.size();
  std::vector<std::size_t> column(k);
  for (std::size_t c = 0; c < k; ++c) column[c] = c;
  for (std::size_t c = 0; c < k; ++c) {
    std::size_t row = c, best = c;
    for (std::size_t i = c; i < k; ++i) {
      for (std::size_t j = c; j < k; ++j) {
        if (std::abs(K[i][j]) > std::abs(K[row][best])) row = i, best = j;
      }
    }
    std::swap(K[c], K[row]);
    std::swap(r[c], r[row]);
    std::swap(column[c], column[best]);
    for (Row& other : K) std::swap(other[c], other[best]);
    for (std::size_t i = c + 1; i < k; ++i) {
      const long double share = K[i][c] / K[c][c];
      for (std::size_t j = c; j < k; ++j) K[i][j] -= share * K[c][j];
      r[i] -= share * r[c];
    }
  }
  Row x(k);
  for (std::size_t c = k; c-- > 0;) {
    long double sum = r[c];
    for (std::size_t j = c + 1; j < k; ++j) sum -= K[c][j] * x[column[j]];
    x[column[c]] = sum / K[c][c];
  }
  return x;
}

// Blocks one on the other, the last one beside the first, with four contacts between each two and under the first.
template <class Scalar>
ContactProblem<Scalar, kChain> Chain(int joints) {
  ContactProblem<Scalar, kChain> problem;
  problem.step_s = Scalar(1e-3);
  for (int k = 0; k < kChain.bodies; ++k) {
    Body<Scalar, 6> block;
    block.mass_kg = Scalar(0.1 * (k + 1));
    block.inertia_kgm2 *= Scalar(1e-5 * (k + 1));
    block.position_m << Scalar(0.01 * k), Scalar(0.002 * k), Scalar(0.03 * k);
    block.velocity << Scalar(0.1), Scalar(-0.05 * k), Scalar(-0.02), Scalar(0.3), Scalar(0.2 * k), Scalar(-0.1);
    (void)problem.bodies.push_back(block);
    for (int corner = 0; corner < 4; ++corner) {
      Contact<Scalar, 6> contact;
      contact.id = 4 * k + corner;
      contact.a = k;
      contact.b = k == 0 ? kFixed : k == 4 ? 0 : k - 1;
      contact.point_m << Scalar(corner % 2 == 0 ? -0.015 : 0.015), Scalar(corner < 2 ? -0.015 : 0.014),
          Scalar(0.03 * k - 0.015);
      contact.friction = Scalar(0.4);
      (void)problem.contacts.push_back(contact);
    }
  }
  for (int row = 0; row < joints; ++row) {
    Joint<Scalar, 6> joint;
    joint.a = row % 3;
    joint.b = row % 2 == 0 ? kFixed : 3;
    joint.jacobian_a(row) = Scalar(1);
    joint.jacobian_a((row + 2) % 6) = Scalar(0.3);
    if (joint.b != kFixed) joint.jacobian_b(row) = Scalar(-1);
    (void)problem.joints.push_back(joint);
  }
  return problem;
}

template <class Scalar>
WhitenedProblem<Scalar, kChain> WhitenedBlocks(int joints) {
  const auto problem = Chain<Scalar>(joints);
  FixedVector<Vec<Scalar, 3>, kChain.contacts> tangents;
  for (const auto& contact : problem.contacts) (void)tangents.push_back(DefaultTangent(contact.normal));
  WhitenedProblem<Scalar, kChain> whitened;
  EXPECT_FALSE(Whiten(problem, tangents, WhitenOptions<Scalar, kChain>{}, &whitened));
  return whitened;
}

// Every piece of (R2) in turn.
template <class Problem>
std::array<RoundMode<Problem>, 24> Modes() {
  using Scalar = typename Problem::Scalar;
  constexpr RoundPiece kPieces[] = {RoundPiece::kStick, RoundPiece::kSlide,  RoundPiece::kStick, RoundPiece::kTouch,
                                    RoundPiece::kOpen,  RoundPiece::kNormal, RoundPiece::kStick};
  std::array<RoundMode<Problem>, 24> modes;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    modes[i].piece = kPieces[i % 7];
    const double angle = 0.7 * static_cast<double>(i);
    modes[i].e << Scalar(std::cos(angle)), Scalar(std::sin(angle));
    modes[i].c = Scalar(0.2 + 0.1 * static_cast<double>(i % 3));
  }
  return modes;
}

template <class Scalar>
class VelocitySystemOf : public testing::Test {
 protected:
  using Problem = WhitenedProblem<Scalar, kChain>;
  struct Equation {
    int contact, kind;  // kind: 0 θ, 1 x, 2 y, 3 across
    typename Problem::Velocity A, B;
    Scalar diagonal, rest;
  };

  // (R3), equation by equation; A and B projected. Of contacts that creep a sticking one has s = -γ f.
  static std::vector<Equation> Equations(const Problem& problem, const std::array<RoundMode<Problem>, 24>& modes,
                                         const RoundImpulses<Problem>& base, Scalar sharing, Scalar creep) {
    std::vector<Equation> equations;
    const auto u0 = base.VelocityFor(problem);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const auto& mode = modes[static_cast<std::size_t>(i)];
      const auto add = [&](int kind, const typename Problem::Column& a, const typename Problem::Column& b, Scalar constant,
                           Scalar diagonal) {
        Equation equation{i, kind, Problem::Velocity::Zero(), Problem::Velocity::Zero(), diagonal, Scalar(0)};
        Problem::AddTo(contact, a, Scalar(1), &equation.A);
        Problem::AddTo(contact, b, Scalar(1), &equation.B);
        problem.Project(&equation.A);
        problem.Project(&equation.B);
        equation.rest = -(equation.A.dot(u0) + constant);
        equation.diagonal += RoundTolerances<Scalar>::kRegular;
        equations.push_back(equation);
      };
      if (mode.piece == RoundPiece::kOpen) continue;
      typename Problem::Column along = contact.N;
      if (mode.LoadsAlong()) along += contact.mu * Problem::TangentColumn(contact, mode.e);
      add(0, contact.N, along, contact.b, Scalar(0));
      if (mode.piece == RoundPiece::kStick) {
        const Vec<Scalar, 2> constant = contact.tau + creep * base.f[static_cast<std::size_t>(i)];
        add(1, contact.T.col(0), contact.T.col(0), constant(0), sharing + creep);
        add(2, contact.T.col(1), contact.T.col(1), constant(1), sharing + creep);
      } else if (mode.piece == RoundPiece::kSlide) {
        const typename Problem::Column across = Problem::TangentColumn(contact, mode.t());
        const Scalar g = mode.t().dot(base.f[static_cast<std::size_t>(i)]);
        add(3, across, across, mode.t().dot(contact.tau) + mode.c * g, mode.c + sharing + creep);
      }
    }
    return equations;
  }
};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(VelocitySystemOf, Scalars);

// Source: (R3) itself: what is left of r - K dx, with K = A P Bᵀ + D formed in full and in extended precision. Where
// contacts depend on each other dx is anything up to what leaves no rest.
TYPED_TEST(VelocitySystemOf, SolvesTheEquationsOfTheStep) {
  using Scalar = TypeParam;
  using Blocks = typename TestFixture::Problem;
  const Scalar sharing = Scalar(1e-3), creep = Scalar(2e-3);
  for (const int joints : {0, 1, 3, 6}) {
    const Blocks problem = WhitenedBlocks<Scalar>(joints);
    ASSERT_EQ(problem.joint_rank, joints);
    const auto modes = Modes<Blocks>();
    RoundImpulses<Blocks> base{};
    for (std::size_t i = 0; i < 20; ++i) {
      if (modes[i].piece == RoundPiece::kOpen || modes[i].piece == RoundPiece::kTouch) continue;
      base.theta[i] = Scalar(0.01 * static_cast<double>(i + 1));
      if (modes[i].piece != RoundPiece::kNormal) base.f[i] << Scalar(0.001), Scalar(0.002);
    }
    RoundImpulses<Blocks> impulses = base;
    VelocitySystem<Blocks> system;
    ASSERT_TRUE(system.Count(problem, modes));
    system.Step(
        problem, modes, base.VelocityFor(problem), [&](int) { return sharing; }, [&](int) { return creep; }, &impulses);

    const auto equations = TestFixture::Equations(problem, modes, base, sharing, creep);
    Row dx(equations.size());
    long double largest = 0;
    for (std::size_t p = 0; p < equations.size(); ++p) {
      const std::size_t i = static_cast<std::size_t>(equations[p].contact);
      const Vec<Scalar, 2> change = impulses.f[i] - base.f[i];
      const int kind = equations[p].kind;
      dx[p] = kind == 0 ? impulses.theta[i] - base.theta[i] : kind < 3 ? change(kind - 1) : modes[i].t().dot(change);
      largest = std::max(largest, std::abs(static_cast<long double>(equations[p].rest)));
    }
    // In float 1e-3 is left for the next step. With D = 1e-6 in what is factored it was a tenth: the rounding of M, of 1/D,
    // was a tenth of the 1 in it.
    const long double tolerance = (sizeof(Scalar) == sizeof(double) ? 1e-5L : 5e-3L) * largest;
    for (std::size_t p = 0; p < equations.size(); ++p) {
      long double rest =
          static_cast<long double>(equations[p].rest) - static_cast<long double>(equations[p].diagonal) * dx[p];
      for (std::size_t q = 0; q < equations.size(); ++q) {
        for (int k = 0; k < Blocks::kVelocity; ++k) {
          rest -= static_cast<long double>(equations[p].A(k)) * static_cast<long double>(equations[q].B(k)) * dx[q];
        }
      }
      EXPECT_LE(std::abs(rest), tolerance) << joints << " joints, contact " << equations[p].contact;
    }
  }
}

// Source: Gauss in extended precision on the whole matrix; bodies in a ring, so that elimination fills blocks.
TEST(BodyBlocks, SolvesARing) {
  constexpr std::size_t kBodies = 7, kSide = 6, kAll = kBodies * kSide;
  internal::BodyBlocks<double, 6, kBodies> blocks;
  blocks.Clear(kBodies);
  for (std::size_t k = 0; k + 1 < kBodies; ++k) blocks.Link(k, (k + 1) % (kBodies - 1));  // the last one has no part
  blocks.Arrange();
  EXPECT_EQ(blocks.taken(), 6);
  EXPECT_EQ(blocks.blocks(), 9);     // 6 of the ring, 3 filled
  EXPECT_EQ(blocks.products(), 17);  // 4 bodies with two neighbours left, one with one, one with none
  std::vector<Row> M(kAll, Row(kAll));
  for (std::size_t i = 0; i < kAll; ++i) M[i][i] = 1;
  double entry = 0.3;
  for (std::size_t k = 0; k + 1 < kBodies; ++k) {
    const std::size_t l = (k + 1) % (kBodies - 1);
    for (const auto& [p, q] : {std::pair(k, k), std::pair(k, l), std::pair(l, k)}) {
      for (std::size_t i = 0; i < kSide; ++i) {
        for (std::size_t j = 0; j < kSide; ++j) {
          entry = 3.9 * entry * (1 - entry);  // as good as random, within 0 to 1
          blocks.block(p, q)[i * kSide + j] += entry;
          M[p * kSide + i][q * kSide + j] += entry;
        }
      }
    }
  }
  Vec<double, static_cast<int>(kAll)> w;
  Row r(kAll);
  for (std::size_t i = 0; i < kAll; ++i)
    w(static_cast<int>(i)) = static_cast<double>(r[i] = std::sin(1.0 + static_cast<double>(i)));
  ASSERT_TRUE(blocks.Factor());
  blocks.Solve(&w);
  const Row expected = Eliminated(M, r);
  for (std::size_t i = 0; i < kAll; ++i) EXPECT_NEAR(w(static_cast<int>(i)), static_cast<double>(expected[i]), 1e-9) << i;
}

TEST(BodyBlocks, RefusesWhatIsSingular) {
  internal::BodyBlocks<double, 6, 2> blocks;
  blocks.Clear(2);
  blocks.Link(0, 1);
  blocks.Arrange();
  for (std::size_t i = 0; i < 6; ++i) blocks.block(0, 0)[i * 6 + 2] = 0;
  EXPECT_FALSE(blocks.Factor());
}

}  // namespace
}  // namespace tactus::test
