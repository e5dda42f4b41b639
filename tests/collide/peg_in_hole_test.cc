#include "tactus/collide/peg_in_hole.h"

#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "peg_distance.h"
#include "tactus/core/spatial.h"

namespace tactus {
namespace {

using test::PegPose;
using Vec3 = Vec<double, 3>;

constexpr int kRoom = 64;  // more than there can be: nothing is dropped
using Contacts = ContactSet<double, kRoom>;

constexpr Peg<double> kPeg{.radius_m = 0.010, .length_m = 0.060};
constexpr PlateWithHole<double> kPlate{.hole_radius_m = 0.0101, .hole_depth_m = 0.030, .rim_radius_m = 0.0002};
constexpr double kMargin_m = 0.0005;

Contacts Collide(const PegPose& pose) {
  Contacts contacts;
  CollidePegWithHole(kPeg, kPlate, pose.p_ST_m, pose.z_T_S, kMargin_m, &contacts);
  return contacts;
}

Vec3 Axis(double about_x_rad, double about_y_rad) {
  return RotationMatrix(ExpMap(Vec3(about_x_rad, about_y_rad, 0))).col(2);
}

PegPose Upright(double x_m, double y_m, double bottom_z_m) { return {Vec3(x_m, y_m, bottom_z_m + 0.030), Vec3::UnitZ()}; }

/// A range of poses to draw from: bottom's height, offset, tilt.
struct PoseFamily {
  const char* name;
  double bottom_low_m, bottom_high_m, offset_m, tilt_low_rad, tilt_high_rad;
};

PegPose Draw(const PoseFamily& family, std::mt19937* random) {
  std::uniform_real_distribution<double> unit(0, 1);
  const double azimuth = 6.283 * unit(*random), heading = 6.283 * unit(*random);
  const double tilt = family.tilt_low_rad + (family.tilt_high_rad - family.tilt_low_rad) * unit(*random);
  const double offset_m = family.offset_m * unit(*random);
  const double bottom_m = family.bottom_low_m + (family.bottom_high_m - family.bottom_low_m) * unit(*random);
  const Vec3 axis = Axis(tilt * std::cos(heading), tilt * std::sin(heading));
  const Vec3 bottom_center_m(offset_m * std::cos(azimuth), offset_m * std::sin(azimuth), bottom_m);
  return {bottom_center_m + 0.030 * axis, axis};
}

class PegInHoleDistance : public testing::TestWithParam<PoseFamily> {};

TEST_P(PegInHoleDistance, IsThatOfBruteForce) {
  std::mt19937 random(1);
  int compared = 0, penetrating = 0;
  for (int i = 0; i < 20'000 && (compared < 30 || penetrating < 10); ++i) {
    const PegPose pose = Draw(GetParam(), &random);
    const Contacts contacts = Collide(pose);
    if (contacts.points().empty()) continue;
    const double distance_m = test::PegDistance(kPeg, kPlate, pose);
    if (distance_m > 0) {
      // Tolerance: a minimum less than 0.1 µm below its fixed neighbours is left out; brute force is exact to 0.01 µm.
      ASSERT_NEAR(contacts.min_gap_m(), distance_m, 1.2e-7) << i;
      ++compared;
    } else if (distance_m < -1.2e-7) {
      ASSERT_LT(contacts.min_gap_m(), 0) << i;
      ++penetrating;
    }
  }
  EXPECT_GE(compared, 30);
  EXPECT_GE(penetrating, 10);
}

INSTANTIATE_TEST_SUITE_P(Poses, PegInHoleDistance,
                         testing::Values(PoseFamily{"Inserted", -0.029, -0.002, 1e-4, 0, 0.004},
                                         PoseFamily{"NearFloor", -0.030, -0.0297, 1e-4, 0, 0.004},
                                         PoseFamily{"AtTheMouth", -0.0008, 0.0008, 3e-4, 0, 0.06},
                                         PoseFamily{"OffTheMouth", -0.002, 0.002, 0.004, 0, 0.3},
                                         PoseFamily{"OnThePlate", 0, 0.003, 0.025, 0, 0.1},
                                         PoseFamily{"Leaning", -0.004, 0.009, 0.015, 0.3, 1.0},
                                         PoseFamily{"Lying", 0.0099, 0.0105, 0.03, 1.55, 1.59}),
                         [](const auto& family) { return family.param.name; });

TEST(PegInHole, LeavesAPegInTheAirAlone) { EXPECT_TRUE(Collide(Upright(0, 0, 0.001)).points().empty()); }

TEST(PegInHole, SurroundsACentredPegWithTheClearance) {  // Source: closed form, R - r = 0.1 mm all around.
  const Contacts contacts = Collide(Upright(0, 0, -0.015));
  ASSERT_EQ(contacts.points().size(), 12);  // six at the bottom edge, six at the rim
  for (const ContactPoint<double>& contact : contacts.points()) {
    EXPECT_NEAR(contact.gap_m, 1e-4, 1e-15);
    EXPECT_NEAR(contact.normal.z(), 0, 1e-15);
    EXPECT_LT(contact.normal.dot(contact.point_m), 0);  // towards the axis
  }
}

TEST(PegInHole, StandsOnTheFloorOnSixPoints) {  // Source: closed form.
  int on_floor = 0;
  const Contacts contacts = Collide(Upright(0, 0, -0.030 - 2e-6));
  for (const ContactPoint<double>& contact : contacts.points()) {
    if (contact.normal.z() < 0.5) continue;
    ++on_floor;
    EXPECT_NEAR(contact.gap_m, -2e-6, 1e-15);
    EXPECT_NEAR(std::hypot(contact.point_m.x(), contact.point_m.y()), kPeg.radius_m, 1e-15);
  }
  EXPECT_EQ(on_floor, 6);
}

TEST(PegInHole, FindsTheExactPointOfAPegPushedBetweenTheFixedDirections) {  // Source: closed form, gap = clearance - offset.
  const double direction = 0.3, offset_m = 0.9e-4;
  const Contacts contacts = Collide(Upright(offset_m * std::cos(direction), offset_m * std::sin(direction), -0.015));
  EXPECT_NEAR(contacts.min_gap_m(), 1e-5, 1e-10);  // the parabola's error of 1e-3 rad, squared, times the offset
}

TEST(PegInHole, SupportsAPegHalfOverTheHole) {
  const Contacts contacts = Collide(Upright(0.010, 0, 1e-5));
  bool on_plate = false, on_rim = false;
  for (const ContactPoint<double>& contact : contacts.points()) {
    if (contact.normal.z() < 0.99) continue;  // where the edges cross, the normal leans
    EXPECT_NEAR(contact.gap_m, 1e-5, 1e-12);  // Source: closed form, face and plate are parallel
    EXPECT_NEAR(contact.normal.z(), 1, 1e-12);
    on_plate |= contact.point_m.x() > 0.015;
    on_rim |= std::hypot(contact.point_m.x(), contact.point_m.y()) < 0.0104;
  }
  EXPECT_TRUE(on_plate);
  EXPECT_TRUE(on_rim);
}

TEST(PegInHole, GivesUnitNormalsAndTangentsAtRightAnglesAndNoIdTwice) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const PegPose pose = Draw({"", -0.031, 0.010, 0.02, 0, 3.1}, &random);
    std::set<std::int32_t> ids;
    const Contacts contacts = Collide(pose);
    for (const ContactPoint<double>& contact : contacts.points()) {
      EXPECT_NEAR(contact.normal.norm(), 1, 1e-12);
      EXPECT_NEAR(contact.tangent.norm(), 1, 1e-12);
      EXPECT_NEAR(contact.normal.dot(contact.tangent), 0, 1e-12);
      EXPECT_LT(contact.gap_m, kMargin_m);
      EXPECT_TRUE(ids.insert(contact.id).second) << contact.id;
    }
  }
}

/// A hole narrower than the margin, and a point of the peg's edge exactly on its axis: no direction to the wall is nearer
/// than another, and every normal is a unit vector all the same.
TEST(PegInHole, GivesUnitNormalsOnTheAxisOfANarrowHole) {
  constexpr Peg<double> kNeedle{.radius_m = 1e-4, .length_m = 0.060};
  constexpr PlateWithHole<double> kNarrow{.hole_radius_m = 1e-4, .hole_depth_m = 0.030, .rim_radius_m = 1e-5};
  for (const double x_m : {-1e-4, 0.0, 1e-4}) {
    const PegPose pose = Upright(x_m, 0, -0.005);
    Contacts contacts;
    CollidePegWithHole(kNeedle, kNarrow, pose.p_ST_m, pose.z_T_S, 0.01, &contacts);
    EXPECT_FALSE(contacts.points().empty());
    for (const ContactPoint<double>& contact : contacts.points()) EXPECT_NEAR(contact.normal.norm(), 1, 1e-12) << contact.id;
  }
}

TEST(PegInHole, GapsGrowAsTheNormalSays) {
  // Source: the gradient of a distance is the normal: moving by δ along a contact's normal adds δ to its gap.
  std::mt19937 random(3);
  constexpr double kDelta_m = 1e-8;
  for (int i = 0; i < 500; ++i) {
    PegPose pose = Draw({"", -0.029, 0.0005, 4e-4, 0, 0.05}, &random);
    const Contacts before = Collide(pose);
    for (const ContactPoint<double>& contact : before.points()) {
      if (contact.id % kFeatureStride >= 12) continue;  // minima move along with the peg
      const Contacts after = Collide({pose.p_ST_m + kDelta_m * contact.normal, pose.z_T_S});
      for (const ContactPoint<double>& same : after.points()) {
        // Tolerance: the surfaces' curvature over the step, δ / 2c, is 1e-4 of it at the fillet.
        if (same.id != contact.id) continue;
        EXPECT_NEAR(same.gap_m - contact.gap_m, kDelta_m, 1e-3 * kDelta_m);
      }
    }
  }
}

TEST(PegInHole, KeepsTheDeepestWhenThereIsNoRoom) {
  const PegPose pose{Vec3(0.5e-4, 0, 0.0005), Axis(0.002, 0.001)};
  const Contacts all = Collide(pose);
  ContactSet<double, 5> few;
  CollidePegWithHole(kPeg, kPlate, pose.p_ST_m, pose.z_T_S, kMargin_m, &few);
  EXPECT_EQ(few.points().size(), 5);
  EXPECT_EQ(few.dropped(), all.points().size() - 5);
  EXPECT_EQ(few.min_gap_m(), all.min_gap_m());
}

TEST(PegInHole, TransformsPointsAndDirections) {
  const PegPose pose = Upright(0, 0, -0.015);
  const Contacts in_S = Collide(pose);
  Contacts in_W = in_S;
  const Vec3 p_WS(1, 2, 3);
  const Mat<double, 3, 3> R_WS = RotationMatrix(ExpMap(Vec3(0.3, -0.2, 0.5)));
  TransformContacts(p_WS, R_WS, &in_W);
  for (int i = 0; i < in_S.points().size(); ++i) {
    const Vec3 point = p_WS + R_WS * in_S.points()[i].point_m, normal = R_WS * in_S.points()[i].normal;
    EXPECT_LE((in_W.points()[i].point_m - point).norm(), 1e-15);
    EXPECT_LE((in_W.points()[i].normal - normal).norm(), 1e-15);
    EXPECT_EQ(in_W.points()[i].gap_m, in_S.points()[i].gap_m);
  }
}

}  // namespace
}  // namespace tactus
