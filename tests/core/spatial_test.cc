#include "tactus/core/spatial.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;

constexpr double kRounding = 4e-15;  // a dozen operations on numbers of order 1, 2.2e-16 each

Vec3 RandomVector(double length, std::mt19937* random) {
  std::normal_distribution<double> normal;
  Vec3 v(normal(*random), normal(*random), normal(*random));
  return v * (length / v.norm());
}

/// Source: Rodrigues' formula with libm's sine and cosine.
Mat3 Rodrigues(const Vec3& rotation) {
  const double angle = rotation.norm();
  const Mat3 K = CrossMatrix<double>(rotation / angle);
  return Mat3::Identity() + std::sin(angle) * K + (1 - std::cos(angle)) * K * K;
}

TEST(Spatial, ExpMapIsRodriguesRotation) {
  std::mt19937 random(1);
  for (const double angle : {1e-9, 1e-6, 0.9e-3, 1.1e-3, 0.1, 1.0, 3.0, 3.14159, 10.0, 1000.0}) {
    const Vec3 rotation = RandomVector(angle, &random);
    // Tolerance: the angle itself carries a rounding of 1.1e-16 of its size.
    EXPECT_LE((RotationMatrix(ExpMap(rotation)) - Rodrigues(rotation)).cwiseAbs().maxCoeff(), kRounding + 4e-16 * angle)
        << angle;
  }
}

TEST(Spatial, ExpMapOfZeroIsTheIdentity) { EXPECT_EQ(ExpMap<double>(Vec3::Zero()), IdentityQuaternion<double>()); }

TEST(Spatial, LogMapUndoesExpMapUpToHalfATurn) {
  std::mt19937 random(2);
  for (const double angle : {0.0, 1e-12, 1e-6, 1.9e-3, 2.1e-3, 0.3, 1.5, 3.0, 3.1415926}) {
    const Vec3 rotation = angle > 0 ? RandomVector(angle, &random) : Vec3::Zero();
    const Quaternion<double> q = ExpMap(rotation);
    EXPECT_LE((LogMap(q) - rotation).norm(), kRounding) << angle;
    EXPECT_LE((LogMap<double>(-q) - rotation).norm(), kRounding) << angle;
  }
}

TEST(Spatial, LogMapTakesTheShortWay) {  // Source: a turn by 350° about x is one by -10°.
  const Vec3 rotation = LogMap(ExpMap(Vec3(350 * std::numbers::pi / 180, 0, 0)));
  EXPECT_LE((rotation - Vec3(-10 * std::numbers::pi / 180, 0, 0)).norm(), kRounding);
}

TEST(Spatial, ProductOfQuaternionsIsProductOfMatrices) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const Quaternion<double> a = ExpMap(RandomVector(2, &random)), b = ExpMap(RandomVector(1, &random));
    const Mat3 product = RotationMatrix(a) * RotationMatrix(b);
    EXPECT_LE((RotationMatrix(Multiply(a, b)) - product).cwiseAbs().maxCoeff(), kRounding);
    EXPECT_LE((Multiply(a, Conjugate(a)) - IdentityQuaternion<double>()).norm(), kRounding);
  }
}

TEST(Spatial, CrossMatrixIsTheCrossProduct) {
  std::mt19937 random(4);
  const Vec3 a = RandomVector(2, &random), b = RandomVector(3, &random);
  EXPECT_LE((CrossMatrix(a) * b - Cross(a, b)).norm(), kRounding);
  EXPECT_NEAR(Cross(a, b).dot(a), 0, 10 * kRounding);
  EXPECT_EQ(Cross<double>(Vec3::UnitX(), Vec3::UnitY()), Vec3::UnitZ());
}

TEST(Spatial, RotateInertiaKeepsThePrincipalMomentsAlongTheTurnedAxes) {
  std::mt19937 random(5);
  const Vec3 principal(1, 2, 2.5);
  const Mat3 R_WT = RotationMatrix(ExpMap(RandomVector(1.2, &random)));
  const Mat3 J_W = RotateInertia(R_WT, principal);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 moment = J_W * R_WT.col(axis);
    EXPECT_LE((moment - principal(axis) * R_WT.col(axis)).norm(), 4 * kRounding);
  }
}

TEST(Spatial, NormalizedGivesTheIdentityForZeroAndKeepsWhatIsNotFinite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Normalized<double>(Quaternion<double>::Zero()), IdentityQuaternion<double>());
  for (const double bad : {nan, inf, -inf, 1e200}) {  // the square of 1e200 overflows
    EXPECT_FALSE(IsFinite(Normalized<double>(Quaternion<double>(bad, 0, 0, 0)))) << bad;
  }
}

}  // namespace
}  // namespace tactus
