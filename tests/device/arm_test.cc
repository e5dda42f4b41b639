#include "tactus/device/arms.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tactus/device/wrist_arm.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;
constexpr double kPi = std::numbers::pi;

Vec6 ArmAngles(double alpha, double beta, double gamma) {
  Vec6 q = Vec6::Zero();
  q.head<3>() << alpha, beta, gamma;
  return q;
}
Vec3 Place(const GimbalArm<double>& device, const Vec6& q) {
  HandlePose<double> pose;
  EXPECT_TRUE(device.Forward(q, &pose).ok());
  return pose.p_DH;
}

// Source: the published forward kinematics, x = cos tA (Lb sin tB + Lc sin tC) - ox and so on, with the numbers of the
// default set.
TEST(WoodenHaptics, StandsWhereThePublishedEquationsPutIt) {
  const GimbalArm<double> device = WoodenHaptics<double>();
  const double a = 0.3, b = -0.2, c = 1.4, R = 0.205 * std::sin(b) + 0.245 * std::sin(c);
  const Vec3 expected(std::cos(a) * R - 0.220, std::sin(a) * R, 0.080 + 0.205 * std::cos(b) - 0.245 * std::cos(c) - 0.080);
  EXPECT_LE((Place(device, ArmAngles(a, b, c)) - expected).norm(), 1e-15);
}

// Source: the potential U = g (m_b l_b cos β + m_c (Lb cos β - l_c cos γ)), differentiated by hand and by differences. The
// published codes have (l_b + l_c) for Lb, or the other sign at γ.
TEST(WoodenHaptics, GravityIsTheGradientOfItsPotential) {
  const GimbalArm<double> device = WoodenHaptics<double>();
  const double g = 9.81, b = 0.4, c = 1.1, step = 1e-5;
  const auto U = [&](double beta, double gamma) {
    return g *
           (0.170 * (0.080 + 0.051 * std::cos(beta)) + 0.110 * (0.080 + 0.205 * std::cos(beta) - 0.091 * std::cos(gamma)));
  };
  Vec3 tau;
  ASSERT_TRUE(device.HoldingTorque(ArmAngles(0.3, b, c), Vec3(0, 0, -g), &tau).ok());
  EXPECT_NEAR(tau(0), 0, 1e-15);
  EXPECT_NEAR(tau(1), (U(b + step, c) - U(b - step, c)) / (2 * step), 1e-10);
  EXPECT_NEAR(tau(2), (U(b, c + step) - U(b, c - step)) / (2 * step), 1e-10);
  EXPECT_NEAR(tau(1), -g * (0.170 * 0.051 + 0.110 * 0.205) * std::sin(b), 1e-15);
  EXPECT_NEAR(tau(2), g * 0.110 * 0.091 * std::sin(c), 1e-15);
  EXPECT_GT(tau(2), 0);  // the forearm falls towards γ = 0
}

// Source: mahilab/Phantom: (l₁ cos θ₂ + l₂ sin θ₃) out at azimuth θ₁ and l₁ sin θ₂ - l₂ cos θ₃ up; β = π/2 - θ₂, γ = θ₃.
TEST(Phantom, StandsWhereThePublishedEquationsPutIt) {
  const GimbalArm<double> device = PhantomPremium<double>();
  const double l1 = 0.209550, l2 = 0.169545;
  for (const double t1 : {-0.5, 0.2}) {
    for (const double t2 : {0.1, 0.6}) {
      const double t3 = 0.4, out = l1 * std::cos(t2) + l2 * std::sin(t3), up = l1 * std::sin(t2) - l2 * std::cos(t3);
      const Vec3 expected(std::sin(t1) * out, up + l2, std::cos(t1) * out - l1);  // origin: the wrist at θ = 0
      EXPECT_LE((Place(device, ArmAngles(t1, kPi / 2 - t2, t3)) - expected).norm(), 1e-15);
    }
  }
}

TEST(LinkArm, RefusesAStretchedAFoldedAndAnUprightArm) {
  GimbalArm<double> device = WoodenHaptics<double>();
  device.arm.limits = {Vec3(-3, -3, -3), Vec3(3, 3, 3.2)};
  HandlePose<double> pose;
  pose.p_DH.setConstant(7);
  const auto expect = [&](const Vec6& q, KinematicCause cause, int joint) {
    const KinematicResult result = device.Forward(q, &pose);
    EXPECT_EQ(result.cause, cause);
    EXPECT_EQ(result.joint, joint);
    EXPECT_EQ(pose.p_DH.norm(), 0);
    Mat<double, 3, 3> J = Mat<double, 3, 3>::Constant(7);
    EXPECT_EQ(device.Jacobian(q, &J).cause, cause);
    EXPECT_EQ(J.norm(), 0);
  };
  expect(ArmAngles(0, kPi / 2, kPi / 2), KinematicCause::kSingular, 2);                                // stretched
  expect(ArmAngles(0, 0.5, -0.5), KinematicCause::kSingular, 2);                                       // folded
  expect(ArmAngles(0, -std::asin(0.245 / 0.205 * std::sin(0.8)), 0.8), KinematicCause::kSingular, 0);  // R = 0
  expect(ArmAngles(0, -0.5, 2.9), KinematicCause::kOtherBranch, 0);                                    // behind the axis
  expect(ArmAngles(0, 0.5, -0.8), KinematicCause::kOtherBranch, 2);                                    // elbow down
}

TEST(LinkArm, RefusesPointsTooFarAndTooNear) {
  GimbalArm<double> device = WoodenHaptics<double>();
  device.arm.limits = {Vec3(-3, -3, -3), Vec3(3, 3, 3.2)};
  HandlePose<double> pose;
  Vec6 q;
  pose.p_DH << 0.3, 0, 0;  // 0.52 from the yaw axis, the arm is 0.45
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kUnreachable);
  pose.p_DH << -0.22 + 0.03, 0, 0;  // 0.03 from the shoulder, the links differ by 0.04
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kUnreachable);
  pose.p_DH << -0.22 + 0.45 - 1e-9, 0, 0;
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kSingular);
}

TEST(GimbalArm, NeutralGimbalPointsAlongTheForearm) {  // Source: definition of F.
  const GimbalArm<double> device = WoodenHaptics<double>();
  const double a = 0.3, b = 0.1;
  HandlePose<double> pose;
  ASSERT_TRUE(device.Forward(ArmAngles(a, b, kPi / 2), &pose).ok());
  EXPECT_LE((pose.R_DH.col(0) - Vec3(std::cos(a), std::sin(a), 0)).norm(), 1e-15);
  EXPECT_LE((pose.R_DH.col(2) - Vec3(0, 0, 1)).norm(), 1e-15);
}

TEST(GimbalArm, RefusesALockedGimbalAndWhatIsNoRotation) {
  GimbalArm<double> device = WoodenHaptics<double>();
  device.gimbal_limits = {Vec3(-3, -1.6, -3), Vec3(3, 1.6, 3)};
  Vec6 q = ArmAngles(0.1, 0.2, 1.3);
  q(4) = kPi / 2;
  HandlePose<double> pose;
  ASSERT_TRUE(device.Forward(q, &pose).ok());  // measured, not driven: the pose is known
  Vec6 back;
  EXPECT_EQ(device.Inverse(pose, &back).cause, KinematicCause::kSingular);
  EXPECT_EQ(device.Inverse(pose, &back).joint, 4);
  WristArm<double> wrist;
  wrist.base = device;
  EXPECT_EQ(wrist.Forward(q, &pose).cause, KinematicCause::kSingular);  // driven: it cannot make every torque
  pose = {};
  ASSERT_TRUE(device.Forward(ArmAngles(0.1, 0.2, 1.3), &pose).ok());
  pose.R_DH *= 2;
  EXPECT_EQ(device.Inverse(pose, &back).cause, KinematicCause::kAbsurd);
  pose.R_DH *= -0.5;  // a mirror
  EXPECT_EQ(device.Inverse(pose, &back).cause, KinematicCause::kAbsurd);
  pose.R_DH(1, 1) = std::nan("");
  EXPECT_EQ(device.Inverse(pose, &back).status, Status::kNotFinite);
}

// Source: with the handle in the wrist's centre a force turns no wrist axis, and a moment no axis of β.
TEST(WristArm, ForceAtTheWristNeedsNoWristTorque) {
  WristArm<double> device;
  device.base = WoodenHaptics<double>();
  Vec6 q = ArmAngles(0.2, 0.3, 1.2);
  q.tail<3>() << 0.4, -0.3, 0.9;
  Mat<double, 6, 6> J;
  ASSERT_TRUE(device.Jacobian(q, &J).ok());
  Vec6 force = Vec6::Zero(), moment = Vec6::Zero();
  force.head<3>() << 1, -2, 3;
  moment.tail<3>() << 1, -2, 3;
  EXPECT_LE((TorquesOfWrench<double, 6, 6>(J, force).tail<3>().norm()), 1e-15);
  EXPECT_LE(Abs(TorquesOfWrench<double, 6, 6>(J, moment)(1)), 1e-15);
}

}  // namespace
}  // namespace tactus
