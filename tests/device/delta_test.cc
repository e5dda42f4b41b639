#include "tactus/device/stamper_delta.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;

Vec3 AnglesAt(const StamperDelta<double>& device, const Vec3& p) {
  HandlePose<double> pose;
  pose.p_DH = p;
  Vec3 q;
  EXPECT_TRUE(device.Inverse(pose, &q).ok()) << p(0) << " " << p(1) << " " << p(2);
  return q;
}

// Source: the sheet: counts 0, 0, 0 are θ = 35° on every leg and z = 134.60 mm on the axis.
TEST(StamperDelta, StandsOnItsAxisAtEqualAngles) {
  HandlePose<double> pose;
  ASSERT_TRUE(StamperDelta<double>{}.Forward(Vec3::Constant(35 * std::numbers::pi / 180), &pose).ok());
  EXPECT_NEAR(pose.p_DH(0), 0, 1e-12);
  EXPECT_NEAR(pose.p_DH(1), 0, 1e-12);
  EXPECT_NEAR(pose.p_DH(2), 0.13460, 5e-6);
}

// Source: the sheet: counts on the axis at 0.000635905 rad a count.
TEST(StamperDelta, CountsOnTheAxisAreThoseOfTheSheet) {
  const StamperDelta<double> device;
  for (const auto& [z_mm, counts] : {std::pair{80.0, -1284.0}, std::pair{110.0, -516.0}, std::pair{120.0, -304.0},
                                     std::pair{140.0, 115.0}, std::pair{160.0, 580.0}}) {
    const Vec3 q = AnglesAt(device, Vec3(0, 0, z_mm * 1e-3));
    for (const double angle : q) EXPECT_NEAR((angle - 35 * std::numbers::pi / 180) / 0.000635905, counts, 0.6) << z_mm;
  }
}

/// Rows dθ/d(x, y, z) in the leg's angles, as published but for the third entry, where libnifalcon has sin² θ₂.
Vec3 PublishedRow(const StamperDelta<double>& d, const Vec3& p, int leg, double theta, double* wrong) {
  const double c = std::cos(d.leg_angle_rad(leg)), s = std::sin(d.leg_angle_rad(leg));
  const double v = -p(0) * s + p(1) * c - d.base_side_m, U = p(0) * c + p(1) * s - d.base_out_m + d.platform_out_m;
  const double t3 = std::acos((v + d.platform_side_m) / d.shin_m), k = d.hinge_m + d.shin_m * std::sin(t3);
  const double t2 = std::acos((U - d.crank_m * std::cos(theta)) / k);
  const double below = d.crank_m * std::sin(t3) * std::sin(t2 - theta);
  *wrong = std::sin(t2) * std::sin(t2) / below;
  return Vec3(c * std::cos(t2) * std::sin(t3) - s * std::cos(t3), s * std::cos(t2) * std::sin(t3) + c * std::cos(t3),
              std::sin(t2) * std::sin(t3)) /
         below;
}

// Ours is derived another way (a torus's normal): it must be the inverse of the corrected rows, and not of libnifalcon's.
TEST(StamperDelta, JacobianIsTheInverseOfTheCorrectedRows) {
  const StamperDelta<double> device;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> side(-0.04, 0.04), out(0.08, 0.15);
  double worst = 0, worst_wrong = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Vec3 p(side(random), side(random), out(random)), q = AnglesAt(device, p);
    Mat3 J, rows, wrong;
    ASSERT_TRUE(device.Jacobian(q, &J).ok());
    for (int leg = 0; leg < 3; ++leg) {
      double third = 0;
      rows.row(leg) = PublishedRow(device, p, leg, q(leg), &third).transpose();
      wrong.row(leg) = rows.row(leg);
      wrong(leg, 2) = third;
    }
    worst = std::max(worst, (rows * J - Mat3::Identity()).norm());
    worst_wrong = std::max(worst_wrong, (wrong * J - Mat3::Identity()).norm());
  }
  EXPECT_LE(worst, 1e-10);       // rounding times J's condition
  EXPECT_GT(worst_wrong, 0.05);  // the published column is visibly wrong
}

// Source: the sheet, at z = 120 mm: 1 N along z is 25.1 mN·m on each crank, 1 N along x is (17.1, -58.1, 41.0) mN·m.
TEST(StamperDelta, TorquesOfOneNewtonAreThoseOfTheSheet) {
  const StamperDelta<double> device;
  Mat3 J;
  ASSERT_TRUE(device.Jacobian(AnglesAt(device, Vec3(0, 0, 0.120)), &J).ok());
  const Vec3 along_z = TorquesOfWrench<double, 3, 3>(J, Vec3::UnitZ()) * 1e3;
  const Vec3 along_x = TorquesOfWrench<double, 3, 3>(J, Vec3::UnitX()) * 1e3;
  for (const double tau : along_z) EXPECT_NEAR(Abs(tau), 25.1, 0.05);
  EXPECT_NEAR(Abs(along_x(0)), 17.1, 0.05);
  EXPECT_NEAR(Abs(along_x(1)), 58.1, 0.05);
  EXPECT_NEAR(Abs(along_x(2)), 41.0, 0.05);
}

// The whole box of the workspace is answered both ways. Tolerance: issue 13.
template <class Scalar>
void ExpectBoxIsAnswered(double room_m) {
  const StamperDelta<Scalar> device;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> side(-0.04, 0.04), out(0.08, 0.15);
  double worst_m = 0;
  for (int i = 0; i < 100'000; ++i) {
    HandlePose<Scalar> pose, again;
    pose.p_DH << static_cast<Scalar>(side(random)), static_cast<Scalar>(side(random)), static_cast<Scalar>(out(random));
    Vec<Scalar, 3> q;
    ASSERT_TRUE(device.Inverse(pose, &q).ok());
    ASSERT_TRUE(device.Forward(q, &again).ok());
    worst_m = std::max(worst_m, static_cast<double>((again.p_DH - pose.p_DH).norm()));
  }
  EXPECT_LE(worst_m, room_m);
}
TEST(StamperDelta, AnswersItsWorkspaceInDouble) { ExpectBoxIsAnswered<double>(1e-12); }
TEST(StamperDelta, AnswersItsWorkspaceInFloat) { ExpectBoxIsAnswered<float>(1e-6); }

// Source: Inverse, which is a closed form: the angles that it gives have their place. With a large D whole steps of
// Newton's leave these two.
TEST(StamperDelta, AnswersWhatItsInverseGivesWithLargeHinges) {
  StamperDelta<double> device;
  device.crank_m = 0.0868, device.shin_m = 0.2329, device.hinge_m = 0.0868;
  device.platform_out_m = 0.03, device.platform_side_m = -0.0156;
  device.base_out_m = 0.0156, device.base_side_m = -0.0121;
  device.leg_angle_rad << 0.226, -1.670, 2.318;
  device.limits.low_rad.setConstant(-1.5), device.limits.high_rad.setConstant(2.5);
  ASSERT_FALSE(device.Validate());
  for (const Vec3& p : {Vec3(0.0448, -0.1947, 0.2192), Vec3(0.1134, 0.1968, 0.2083)}) {
    HandlePose<double> again;
    const KinematicResult result = device.Forward(AnglesAt(device, p), &again);
    ASSERT_TRUE(result.ok()) << Name(result.cause);
    EXPECT_LE((again.p_DH - p).norm(), 1e-12);
  }
}

// A symmetric delta with D = f - s = 0: straight legs from the crank's axis out are at |p - (r - c, 0, 0)| = a + b.
TEST(StamperDelta, RefusesAStretchedLegAndWhatIsBehindIt) {
  const StamperDelta<double> device;
  HandlePose<double> pose;
  Vec3 q = Vec3::Constant(7);
  // On the axis: u = -r, so U = c - r = -0.02557, and v + f = -0.00191: k = D + √(b² - 0.00191²).
  const double k = 0.0225 + std::sqrt(0.1025 * 0.1025 - 0.00191 * 0.00191),
               straight = std::sqrt((0.06 + k) * (0.06 + k) - 0.02557 * 0.02557);
  pose.p_DH << 0, 0, straight - 1e-9;
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kSingular);
  EXPECT_EQ(q.norm(), 0);
  pose.p_DH(2) = straight + 1e-9;
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kUnreachable);
  pose.p_DH << 0.2, 0, 0.1;
  EXPECT_EQ(device.Inverse(pose, &q).cause, KinematicCause::kUnreachable);
}

// Source: det N = 0 where the platform lies in the plane of the cranks' ends.
TEST(StamperDelta, RefusesAPlatformInThePlaneOfTheCranks) {
  StamperDelta<double> device;
  device.hinge_m = 0, device.base_side_m = device.platform_side_m = 0;
  device.limits.high_rad.setConstant(3);
  // r - c + a cos θ = b: the sphere's three centres are b from the axis.
  device.base_out_m = 0.06, device.platform_out_m = 0;
  const double theta = std::acos((device.shin_m - 0.06) / 0.06);
  HandlePose<double> pose;
  pose.p_DH.setConstant(7);
  EXPECT_FALSE(device.Forward(Vec3::Constant(theta), &pose).ok());
  EXPECT_EQ(pose.p_DH.norm(), 0);
  EXPECT_FALSE(device.Forward(Vec3::Constant(theta - 0.3), &pose).ok());  // further apart: they do not meet
  EXPECT_EQ(pose.p_DH.norm(), 0);
}

TEST(StamperDelta, AnswersEveryTripleOfAnglesOrNamesWhyNot) {
  const StamperDelta<double> device;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-0.9, 1.8);
  int refused = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Vec3 q(angle(random), angle(random), angle(random));
    HandlePose<double> pose;
    const KinematicResult result = device.Forward(q, &pose);
    ASSERT_TRUE(IsFinite(pose.p_DH));
    ASSERT_EQ(result.ok(), result.cause == KinematicCause::kNone);
    if (result.ok()) continue;
    ++refused;
    ASSERT_EQ(pose.p_DH.norm(), 0);
  }
  EXPECT_LT(refused, 5'000);  // 2 980 of these, most of them far from where the stops are
}

}  // namespace
}  // namespace tactus
