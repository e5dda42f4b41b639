// Every number of a geometry that is not one, or out of its range, is found and named.
#include <limits>

#include <gtest/gtest.h>

#include "tests/device/devices.h"

namespace tactus {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class D>
void ExpectNamed(const D& good, const char* field, double D::*number) {
  for (const double bad : {kNan, 1e9, -1e9}) {
    D device = good;
    device.*number = bad;
    const DeviceFault fault = device.Validate();
    ASSERT_TRUE(fault) << field << " " << bad;
    EXPECT_STREQ(fault.field, field);
  }
}

template <class D>
void ExpectLimitsNamed(const D& good) {
  for (int i = 0; i < good.limits.low_rad.size(); ++i) {
    D device = good;
    device.limits.high_rad(i) = device.limits.low_rad(i);
    EXPECT_STREQ(device.Validate().field, "limits.low_rad");
    EXPECT_EQ(device.Validate().index, i);
    device.limits.high_rad(i) = kNan;
    EXPECT_STREQ(device.Validate().field, "limits.high_rad");
  }
}

TEST(Geometry, OfThePaddle) {
  using D = Hapkit<double>;
  ExpectNamed(D{}, "handle_radius_m", &D::handle_radius_m);
  ExpectNamed(D{}, "mass_kg", &D::mass_kg);
  ExpectNamed(D{}, "mass_radius_m", &D::mass_radius_m);
  ExpectNamed(D{}, "off_surface_m", &D::off_surface_m);
  ExpectLimitsNamed(D{});
}

TEST(Geometry, OfThePantograph) {
  using D = FiveBar<double>;
  ExpectNamed(D{}, "crank_m", &D::crank_m);
  ExpectNamed(D{}, "outer_m", &D::outer_m);
  ExpectNamed(D{}, "base_m", &D::base_m);
  ExpectNamed(D{}, "elbow_mass_kg", &D::elbow_mass_kg);
  ExpectNamed(D{}, "handle_mass_kg", &D::handle_mass_kg);
  ExpectNamed(D{}, "least_sine", &D::least_sine);
  ExpectNamed(D{}, "off_surface_m", &D::off_surface_m);
  ExpectLimitsNamed(D{});
}

TEST(Geometry, OfTheDelta) {
  using D = StamperDelta<double>;
  ExpectNamed(D{}, "crank_m", &D::crank_m);
  ExpectNamed(D{}, "shin_m", &D::shin_m);
  ExpectNamed(D{}, "hinge_m", &D::hinge_m);
  ExpectNamed(D{}, "platform_out_m", &D::platform_out_m);
  ExpectNamed(D{}, "platform_side_m", &D::platform_side_m);
  ExpectNamed(D{}, "base_out_m", &D::base_out_m);
  ExpectNamed(D{}, "base_side_m", &D::base_side_m);
  ExpectNamed(D{}, "crank_mass_kg", &D::crank_mass_kg);
  ExpectNamed(D{}, "platform_mass_kg", &D::platform_mass_kg);
  ExpectNamed(D{}, "least_sine", &D::least_sine);
  ExpectLimitsNamed(D{});
  D twice;
  twice.leg_angle_rad(1) = twice.leg_angle_rad(0);
  EXPECT_STREQ(twice.Validate().field, "leg_angle_rad");
}

TEST(Geometry, OfAnArm) {
  using D = LinkArm<double>;
  const D good = WoodenHaptics<double>().arm;
  ExpectNamed(good, "base_m", &D::base_m);
  ExpectNamed(good, "upper_m", &D::upper_m);
  ExpectNamed(good, "fore_m", &D::fore_m);
  ExpectNamed(good, "upper_mass_kg", &D::upper_mass_kg);
  ExpectNamed(good, "fore_mass_kg", &D::fore_mass_kg);
  ExpectNamed(good, "wrist_mass_kg", &D::wrist_mass_kg);
  ExpectNamed(good, "upper_centre_m", &D::upper_centre_m);
  ExpectNamed(good, "fore_centre_m", &D::fore_centre_m);
  ExpectNamed(good, "least_sine", &D::least_sine);
  ExpectLimitsNamed(good);
  D off = good;
  off.origin_D_m(2) = kNan;
  EXPECT_STREQ(off.Validate().field, "origin_D_m");
  EXPECT_EQ(off.Validate().index, 2);
  GimbalArm<double> gimbal = WoodenHaptics<double>();
  gimbal.gimbal_limits.low_rad(1) = kNan;
  EXPECT_STREQ(gimbal.Validate().field, "gimbal_limits");
  WristArm<double> wrist;
  wrist.base = WoodenHaptics<double>();
  EXPECT_FALSE(wrist.Validate());
  wrist.tool_mass_kg = -1;
  EXPECT_STREQ(wrist.Validate().field, "tool_mass_kg");
}

}  // namespace
}  // namespace tactus
