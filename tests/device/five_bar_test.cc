#include "tactus/device/five_bar.h"

#include <numbers>

#include <gtest/gtest.h>

namespace tactus {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Vec<double, 3> Place(const FiveBar<double>& device, double t1_deg, double t2_deg) {
  HandlePose<double> pose;
  EXPECT_TRUE(device.Forward(Vec<double, 2>(t1_deg * kDegree, t2_deg * kDegree), &pose).ok());
  return pose.p_DH;
}

// Source: closed form by symmetry. The handle is at x = d/2; half of AB is d/2 - l cos θ₁, so
// y = l sin θ₁ + √(L² - (d/2 - l cos θ₁)²): 36.1, 70.4 and 103.9 mm in the setup pose and at 150/30 and 120/60 degrees.
TEST(FiveBar, StandsWhereSymmetryPutsIt) {
  const FiveBar<double> device;
  for (const auto& [t1, y_mm] : {std::pair{180.0, 36.1}, std::pair{150.0, 70.4}, std::pair{120.0, 103.9}}) {
    const double half = 0.01 - 0.05 * Cos(t1 * kDegree), y = 0.05 * Sin(t1 * kDegree) + Sqrt(0.07 * 0.07 - half * half);
    const Vec<double, 3> p = Place(device, t1, 180 - t1);
    EXPECT_NEAR(p(0), 0.010, 1e-15);
    EXPECT_NEAR(p(1), y, 1e-15);
    EXPECT_NEAR(p(1) * 1e3, y_mm, 0.05);
    EXPECT_EQ(p(2), 0);
  }
}

// The published Jacobian has no factor l. Source: ours against d(x, y)/dθ₁ = l [-(s₁ s₂₁ + sin φ₁ sin(θ₁ - φ₂)), c₁ s₂₁ +
// cos φ₁ sin(θ₁ - φ₂)]/s₂₁ with φ from the places of elbows and handle.
TEST(FiveBar, JacobianHasTheCrankAsItsFactor) {
  const FiveBar<double> device;
  const double t1 = 140 * kDegree, t2 = 50 * kDegree, l = device.crank_m;
  Mat<double, 3, 2> J;
  ASSERT_TRUE(device.Jacobian(Vec<double, 2>(t1, t2), &J).ok());
  const Vec<double, 3> E = Place(device, 140, 50);
  const double phi1 = Atan2(E(1) - l * Sin(t1), E(0) - l * Cos(t1));
  const double phi2 = Atan2(E(1) - l * Sin(t2), E(0) - device.base_m - l * Cos(t2)), s21 = Sin(phi2 - phi1);
  EXPECT_NEAR(J(0, 0), -l * (Sin(t1) * s21 + Sin(phi1) * Sin(t1 - phi2)) / s21, 1e-15);
  EXPECT_NEAR(J(1, 0), l * (Cos(t1) * s21 + Cos(phi1) * Sin(t1 - phi2)) / s21, 1e-15);
  EXPECT_NEAR(J(0, 1), l * Sin(phi1) * Sin(t2 - phi2) / s21, 1e-15);
  EXPECT_NEAR(J(1, 1), -l * Cos(phi1) * Sin(t2 - phi2) / s21, 1e-15);
}

// Source: the sheet's table: 0.123 N·m at both motors make 3.4 N and 4.9 N along y.
TEST(FiveBar, MotorsAtTheirMostMakeTheForceOfTheTable) {
  const FiveBar<double> device;
  for (const auto& [t1, force_N] : {std::pair{150.0, 3.4}, std::pair{120.0, 4.9}}) {
    Mat<double, 3, 2> J;
    ASSERT_TRUE(device.Jacobian(Vec<double, 2>(t1 * kDegree, (180 - t1) * kDegree), &J).ok());
    const Vec<double, 2> tau = TorquesOfWrench<double, 3, 2>(J, Vec<double, 3>(0, 1, 0));
    EXPECT_NEAR(0.123 / Abs(tau(0)), force_N, 0.05);
    EXPECT_NEAR(Abs(tau(0)), Abs(tau(1)), 1e-15);
  }
}

TEST(FiveBar, RefusesAlignedOuterLinksAndLinksThatDoNotMeet) {
  FiveBar<double> device;
  device.limits.low_rad(1) = -1;
  HandlePose<double> pose;
  pose.p_DH.setConstant(7);
  // AB = 0.02 + 2·0.05 = 0.12 in the setup pose; with outer links of 0.06 they lie in one line, with 0.059 they do not meet.
  device.outer_m = 0.06 + 1e-9;
  const Vec<double, 2> setup(180 * kDegree, 0);
  EXPECT_EQ(device.Forward(setup, &pose).cause, KinematicCause::kSingular);
  EXPECT_EQ(pose.p_DH.norm(), 0);
  device.outer_m = 0.059;
  EXPECT_EQ(device.Forward(setup, &pose).cause, KinematicCause::kUnreachable);
  Mat<double, 3, 2> J = Mat<double, 3, 2>::Constant(7);
  EXPECT_EQ(device.Jacobian(setup, &J).cause, KinematicCause::kUnreachable);
  EXPECT_EQ(J.norm(), 0);
}

TEST(FiveBar, RefusesAStretchedArmElbowsInOnePlaceAndPointsTooFar) {
  FiveBar<double> device;
  device.limits = {Vec<double, 2>(-3, -3), Vec<double, 2>(3.5, 3.5)};
  HandlePose<double> pose;
  Vec<double, 2> q;
  pose.p_DH << 0.01, std::sqrt(0.12 * 0.12 - 0.01 * 0.01) - 1e-9, 0;  // both arms straight
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kSingular);
  pose.p_DH(1) += 1e-3;
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kUnreachable);
  pose.p_DH << 0, 0, 0;  // in the base joint
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kUnreachable);
  const double inwards = std::acos(0.01 / 0.05);  // both elbows in (d/2, …)
  EXPECT_EQ(device.Forward(Vec<double, 2>(inwards, std::numbers::pi - inwards), &pose).cause, KinematicCause::kSingular);
}

TEST(FiveBar, RefusesAPointOffItsPlane) {
  HandlePose<double> pose;
  pose.p_DH << 0.01, 0.08, 2e-3;
  Vec<double, 2> q;
  EXPECT_EQ(FiveBar<double>{}.Inverse(pose, &q).cause, KinematicCause::kOffSurface);
}

}  // namespace
}  // namespace tactus
