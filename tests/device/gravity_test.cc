// Gravity compensation is the gradient of the potential energy. Source of U: the masses' places, written down here from the
// geometry and from Forward; central differences of it. Tolerance: step²/6 of the third derivative of a U of about 1 J.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/device/devices.h"

namespace tactus {
namespace {

using namespace device_test;
using Vec3 = Vec<double, 3>;

const Vec3 kGravity(1.1, -9, 3.4);  // no axis is special

template <class D>
HandlePose<double> PoseOf(const D& device, const DeviceAngles<D>& q) {
  HandlePose<double> pose;
  EXPECT_TRUE(device.Forward(q, &pose).ok());
  return pose;
}

template <class D, class U>
double WorstDifference(const D& device, U potential) {
  constexpr double kStep = 1e-5;
  std::mt19937_64 random(11);
  double worst = 0;
  for (int i = 0; i < 5'000; ++i) {
    const DeviceAngles<D> q = RandomPosture(device, &random, 0.02);
    DeviceTorques<D> tau;
    EXPECT_TRUE(device.HoldingTorque(q, kGravity, &tau).ok());
    for (int j = 0; j < D::kMotors; ++j) {
      DeviceAngles<D> low = q, high = q;
      low(j) -= kStep, high(j) += kStep;
      const double slope = (potential(high) - potential(low)) / (2 * kStep);
      worst = std::max(worst, Abs(slope - tau(j)) / std::max(Abs(slope), 0.05));
    }
  }
  return worst;
}

TEST(Gravity, HoldsThePaddle) {
  const Paddle<double> d;
  const auto U = [&](const Vec<double, 1>& q) {
    return -d.mass_kg * d.mass_radius_m / d.handle_radius_m * kGravity.dot(PoseOf(d, q).p_DH);
  };
  EXPECT_LE(WorstDifference(d, U), 1e-6);
}

TEST(Gravity, HoldsThePantograph) {
  const Pantograph<double> d;
  const auto U = [&](const Vec<double, 2>& q) {
    const Vec3 elbows(d.crank_m * (std::cos(q(0)) + std::cos(q(1))) + d.base_m,
                      d.crank_m * (std::sin(q(0)) + std::sin(q(1))), 0);
    return -kGravity.dot(d.elbow_mass_kg * elbows + d.handle_mass_kg * PoseOf(d, q).p_DH);
  };
  EXPECT_LE(WorstDifference(d, U), 1e-6);
}

TEST(Gravity, HoldsTheDelta) {
  const Falcon<double> d;
  const auto U = [&](const Vec3& q) {
    Vec3 sum = d.platform_mass_kg * PoseOf(d, q).p_DH;
    for (int i = 0; i < 3; ++i) {
      const double out = d.crank_m * std::cos(q(i)), phi = d.leg_angle_rad(i);
      sum += d.crank_mass_kg * Vec3(out * std::cos(phi), out * std::sin(phi), d.crank_m * std::sin(q(i)));
    }
    return -kGravity.dot(sum);
  };
  EXPECT_LE(WorstDifference(d, U), 1e-6);
}

/// U of the two links and of the mass in the wrist, in an arm whose D is M turned: g in M's axes.
double LinksPotential(const LinkArm<double>& a, const Vec<double, 6>& q, const Vec3& g) {
  const Vec3 upper(std::cos(q(0)) * std::sin(q(1)), std::sin(q(0)) * std::sin(q(1)), std::cos(q(1)));
  const Vec3 fore(std::cos(q(0)) * std::sin(q(2)), std::sin(q(0)) * std::sin(q(2)), -std::cos(q(2)));
  return -g.dot(a.upper_mass_kg * a.upper_centre_m * upper + a.fore_mass_kg * (a.upper_m * upper + a.fore_centre_m * fore) +
                a.wrist_mass_kg * (a.upper_m * upper + a.fore_m * fore));
}
const Vec3 kGravityYUp(kGravity(2), kGravity(0), kGravity(1));  // M's x, y, z are D's z, x, y

TEST(Gravity, HoldsWoodenHaptics) {
  const Wooden<double> d;
  EXPECT_LE(WorstDifference(d, [&](const Vec<double, 6>& q) { return LinksPotential(d.arm, q, kGravity); }), 1e-6);
}

TEST(Gravity, HoldsThePhantom) {
  const Premium<double> d;
  EXPECT_LE(WorstDifference(d, [&](const Vec<double, 6>& q) { return LinksPotential(d.arm, q, kGravityYUp); }), 1e-6);
}

TEST(Gravity, HoldsTheArmWithAWrist) {
  const SixAxes<double> d;
  const auto U = [&](const Vec<double, 6>& q) {
    const HandlePose<double> pose = PoseOf(d, q);
    const Vec3 tool = pose.p_DH + pose.R_DH * (d.tool_centre_H_m - d.handle_H_m);
    return LinksPotential(d.base.arm, q, kGravityYUp) - d.tool_mass_kg * kGravity.dot(tool);
  };
  EXPECT_LE(WorstDifference(d, U), 1e-6);
}

}  // namespace
}  // namespace tactus
