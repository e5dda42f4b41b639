#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "tactus/contact/whiten.h"

namespace tactus::test {
namespace {

constexpr Capacity kChain{.bodies = 6, .contacts = 4, .joints = 32, .directions = 8, .dof = 6};
using Point = Vec<double, 3>;

/// Chains of bodies on hinges that point anywhere, the first on the world.
class Chains {
 public:
  /// @param growth  a body's mass by the one before it, 1 to this
  template <class Scalar>
  ContactProblem<Scalar, kChain> Next(double growth) {
    ContactProblem<Scalar, kChain> problem;
    problem.step_s = Scalar(1e-3);
    const int bodies = 2 + static_cast<int>(Between(0, 4.99));
    double mass_kg = 0.01;
    Point place_m = Point::Zero(), last_m = Point::Zero();
    for (int k = 0; k < bodies; ++k, mass_kg *= Between(1, growth)) {
      const double size_m = Between(0.01, 0.1);
      place_m += size_m * Between(0.5, 5) * Direction();
      Body<Scalar, 6> body;
      body.mass_kg = static_cast<Scalar>(mass_kg);
      body.inertia_kgm2 *= static_cast<Scalar>(mass_kg * size_m * size_m / 6);
      body.position_m = place_m.cast<Scalar>();
      (void)problem.bodies.push_back(body);
      AddHinge(k, (place_m + last_m) / 2, &problem);
      last_m = place_m;
    }
    return problem;
  }

 private:
  double Between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Point Direction() {
    Point d;
    do {
      d << Between(-1, 1), Between(-1, 1), Between(-1, 1);
    } while (d.norm() < 0.1 || d.norm() > 1);
    return d.normalized();
  }

  /// Three rows of the place and two of the turn, of body k against the one before it.
  template <class Scalar>
  void AddHinge(int k, const Point& at_m, ContactProblem<Scalar, kChain>* problem) {
    const Point z = Direction(), x = Moment(z, Direction()).normalized(), y = Moment(z, x);
    for (int row = 0; row < 5; ++row) {
      const Point e = row % 3 == 0 ? x : row % 3 == 1 ? y : z;
      Joint<Scalar, 6> joint;
      joint.a = k;
      joint.b = k - 1;
      joint.jacobian_a = Row(row >= 3, e, at_m, problem->bodies[k].position_m);
      if (k > 0) joint.jacobian_b = -Row(row >= 3, e, at_m, problem->bodies[k - 1].position_m);
      (void)problem->joints.push_back(joint);
    }
  }
  template <class Scalar>
  static Vec<Scalar, 6> Row(bool turns, const Point& e, const Point& at_m, const Vec<Scalar, 3>& body_m) {
    Vec<double, 6> row = Vec<double, 6>::Zero();
    if (!turns) row.head<3>() = e;
    row.tail<3>() = turns ? e : Moment(Point(at_m - body_m.template cast<double>()), e);
    return row.cast<Scalar>();
  }

  std::mt19937 random_{3};
};

template <class Scalar>
class WhitenJoints : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(WhitenJoints, Scalars);

// Source: QᵀQ = 1, to a few roundings. One pass of Gram-Schmidt is off by 5·10⁴ of them in double.
TYPED_TEST(WhitenJoints, AreOrthonormalWhateverTheMasses) {
  Chains chains;
  const auto whitened = std::make_unique<WhitenedProblem<TypeParam, kChain>>();
  FixedVector<Vec<TypeParam, 3>, kChain.contacts> tangents;
  for (const double growth : {1.0, 95.0}) {
    double worst = 0;
    for (int chain = 0; chain < 1000; ++chain) {
      const auto problem = chains.Next<TypeParam>(growth);
      const WhitenOptions<TypeParam, kChain> options;
      ASSERT_FALSE(Whiten(problem, tangents, options, whitened.get()));
      ASSERT_EQ(whitened->joint_rank, problem.joints.size());
      for (std::size_t a = 0; a < static_cast<std::size_t>(whitened->joint_rank); ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
          const double product = whitened->Q[a].template cast<double>().dot(whitened->Q[b].template cast<double>());
          worst = std::max(worst, std::abs(product - (a == b ? 1 : 0)));
        }
      }
    }
    EXPECT_LE(worst, 16 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon())) << "masses growing " << growth;
  }
}

}  // namespace
}  // namespace tactus::test
