// A hole with a chamfer: distances by brute force over the core's surface, closed forms, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "chamfered_plate.h"
#include "core_search.h"
#include "solids.h"
#include "touch.h"

namespace tactus {
namespace {

using test::Dice;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kHole_m = 0.01, kDepth_m = 0.02, kRim_m = 5e-4, kChamfer_m = 0.003;

int Placements() { return test::Placements(200); }

template <class Scalar>
Solid<Scalar> Hole(double chamfer_m = kChamfer_m, const Vec3& p_m = Vec3::Zero(), const Mat3& R = Mat3::Identity()) {
  return Place(ChamferedHoleShape(Scalar(kHole_m), Scalar(kDepth_m), Scalar(kRim_m), Scalar(chamfer_m)),
               Vec<Scalar, 3>(p_m.cast<Scalar>()), Mat<Scalar, 3, 3>(R.cast<Scalar>()));
}

struct Touch : test::Touch {
  explicit Touch(const Shape<double>& shape, const Vec3& p_m, const Mat3& R = Mat3::Identity(), double margin_m = 5e-4)
      : Touch(Place(shape, p_m, R), Hole<double>(), margin_m) {}
  Touch(const Solid<double>& a, const Solid<double>& b, double margin_m = 5e-4) : test::Touch(a, b, margin_m) {}
};

double PlateDistance(const Vec3& p_m) {
  static const Shape<double> kHole = Hole<double>().shape;
  return test::ChamferedPlateDistance(kHole, p_m);
}

double Brute(const Solid<double>& solid) {
  return test::LeastOverCore(solid.shape, solid.p_WS_m, solid.R_WS, PlateDistance);
}

struct Case {
  const char* name;
  Shape<double> shape;
};
const Case kCases[] = {{"small ball", SphereShape(0.004)},          {"ball that fits", SphereShape(0.00998)},
                       {"wide ball", SphereShape(0.014)},           {"capsule", CapsuleShape(0.004, 0.012)},
                       {"peg", CylinderShape(0.00998, 0.03, 5e-4)}, {"thin peg", CylinderShape(0.007, 0.03)},
                       {"disk", CylinderShape(0.02, 0.004)},        {"cone", ConeShape(0.009, 0.04)},
                       {"blunt cone", ConeShape(0.02, 0.01)}};

/// A place above, at or in the mouth; half of them nearly upright, half beside the axis by the chamfer's width or less.
Solid<double> Draw(const Shape<double>& shape, Dice* dice) {
  const double aside_m = dice->Below(2) == 0 ? kChamfer_m : 0.02, tilt = std::pow(10, dice->Uniform(-5, -1));
  const Mat3 R = dice->Below(2) == 0 ? RotationMatrix(ExpMap(Vec3(tilt * dice->Direction()))) : dice->Rotation();
  const Vec3 p(dice->Uniform(-aside_m, aside_m), dice->Uniform(-aside_m, aside_m), dice->Uniform(-kDepth_m, 0.05));
  return Place(shape, p, R);
}

constexpr double kDeep_m = 5e-4;  ///< deeper than this counts as placed inside
/// As of a hole with a fillet (hole_test.cc): what a minimum between two samples is off by at most, and a valley seen by no
/// sample.
constexpr double kMissed_m = 1.2e-7, kUnseen_m = 1e-5, kUnseenShare = 1e-3;

class ChamferDistance : public testing::TestWithParam<int> {};

TEST_P(ChamferDistance, IsThatOfBruteForce) {
  const Case& one = kCases[GetParam()];
  Dice dice(31);
  int compared = 0, missed = 0, unseen = 0;
  double worst = 0;
  for (int i = 0; i < Placements(); ++i) {
    const Solid<double> solid = Draw(one.shape, &dice);
    const double core_m = Brute(solid), gap_m = core_m - one.shape.radius_m;
    if (core_m < 1e-5) continue;
    const Touch touch(solid, Hole<double>(), 2e-3);
    ASSERT_EQ(touch.report.status, Status::kOk);
    ++compared;
    if (gap_m > 2e-3 + 1e-7) {
      EXPECT_TRUE(touch.report.is_far) << i;
      continue;
    }
    if (gap_m < -kDeep_m) {  // placed inside: that it is, is said
      EXPECT_LT(touch.report.gap_m, 0) << i << " gap " << gap_m;
      continue;
    }
    const double off_m = touch.report.gap_m - gap_m;
    EXPECT_GT(off_m, -1e-7) << i << " gap " << gap_m;  // no contact is a ghost
    worst = std::max(worst, off_m);
    missed += off_m > 1e-8 ? 1 : 0;
    unseen += off_m >= kMissed_m ? 1 : 0;
    EXPECT_LT(off_m, kUnseen_m) << i;
  }
  EXPECT_LE(unseen, std::max(2.0, kUnseenShare * compared));
  std::printf("%s: %d compared, %d off by more than 1e-8, %d unseen, at most %.2g m\n", one.name, compared, missed, unseen,
              worst);
  EXPECT_GT(compared, Placements() / 50);
}
INSTANTIATE_TEST_SUITE_P(Shapes, ChamferDistance, testing::Range(0, static_cast<int>(std::size(kCases))));

// Source: definition, as of a hole with a fillet. Half a gap along the normal is a place of the other shape, half a gap
// against it one of the plate. Each contact has an id of its own.
TEST(Chamfer, ContactsAreBetweenPlacesOfBoth) {
  for (const Case& one : kCases) {
    Dice dice(32);
    for (int i = 0; i < 300; ++i) {
      const Solid<double> solid = Draw(one.shape, &dice);
      const double core_m = Brute(solid);
      if (core_m < 1e-5 || core_m - one.shape.radius_m < -kDeep_m) continue;
      const Touch touch(solid, Hole<double>(), 2e-3);
      EXPECT_EQ(static_cast<int>(touch.Ids().size()), touch.contacts.size()) << one.name;
      for (const ContactPoint<double>& contact : touch.contacts) {
        EXPECT_NEAR(contact.normal.norm(), 1, 1e-12);
        EXPECT_NEAR(contact.tangent.norm(), 1, 1e-12);
        EXPECT_NEAR(contact.tangent.dot(contact.normal), 0, 1e-12);
        EXPECT_LE(PlateDistance(contact.point_m - 0.5 * contact.gap_m * contact.normal), 1e-8) << one.name;
        const Vec3 on = solid.R_WS.transpose() * (contact.point_m + 0.5 * contact.gap_m * contact.normal - solid.p_WS_m);
        EXPECT_LE((internal::NearestOfCore(one.shape, on) - on).norm(), one.shape.radius_m + 1e-8) << one.name;
      }
    }
  }
}

template <class Scalar>
ContactPoint<Scalar> Nearest(const Shape<Scalar>& shape, const Vec3& p_m) {
  PairCache<Scalar> cache;
  PairContacts<Scalar> contacts;
  const Solid<Scalar> solid =
      Place(shape, Vec<Scalar, 3>(p_m.cast<Scalar>()), Mat<Scalar, 3, 3>(Mat<Scalar, 3, 3>::Identity()));
  const PairReport<Scalar> report = Collide(solid, Hole<Scalar>(), Scalar(1e-3), &cache, &contacts);
  EXPECT_EQ(report.status, Status::kOk);
  ContactPoint<Scalar> nearest{.gap_m = Scalar(1)};
  for (const ContactPoint<Scalar>& contact : contacts) nearest = contact.gap_m < nearest.gap_m ? contact : nearest;
  return nearest;
}

// Source: closed form. Over the middle of the face, R + c/2 from the axis and c/2 deep, and between two of the fixed six.
template <class Scalar>
void RestOnTheFace(double tolerance) {
  constexpr double kBall_m = 0.003, kAngle = 0.3, kGap_m = 1e-5;
  const double h = std::sqrt(0.5), rho = kHole_m + kChamfer_m / 2 - h * (kBall_m + kGap_m);
  const Vec3 out(std::cos(kAngle), std::sin(kAngle), 0), up(0, 0, 1);
  const Vec3 p_m = rho * out + (h * (kBall_m + kGap_m) - kChamfer_m / 2) * up;
  const ContactPoint<Scalar> contact = Nearest(SphereShape(Scalar(kBall_m)), p_m);
  const Vec3 normal = h * (up - out);
  EXPECT_NEAR(static_cast<double>(contact.gap_m), kGap_m, tolerance * kHole_m);
  EXPECT_LE((contact.normal.template cast<double>() - normal).norm(), tolerance);
  EXPECT_LE((contact.point_m.template cast<double>() - (p_m - (kBall_m + kGap_m / 2) * normal)).norm(), tolerance * kHole_m);
}
TEST(Chamfer, ABallOnItsFaceIsPushedAt45Degrees) {
  RestOnTheFace<double>(1e-14);
  RestOnTheFace<float>(1e-6);
}

// Source: closed form. A ball of r on the axis touches the cone where (R + c + z)/√2 = r, all around; six planes hold it
// there, and where it is pressed between two of them the nearest place of the face besides.
TEST(Chamfer, ABallOnTheAxisIsHeldAllAround) {
  constexpr double kBall_m = 0.016, kAside_m = 1e-5;
  const double height_m = std::sqrt(2) * kBall_m - kHole_m - kChamfer_m, around = std::numbers::pi / 6;
  const Touch middle(SphereShape(kBall_m), Vec3(0, 0, height_m), Mat3::Identity(), 1e-5);
  EXPECT_EQ(middle.contacts.size(), 6);
  EXPECT_EQ(middle.At(0, 1e-15), 6);
  for (double x = -1e-8; x < 1e-8; x += 1e-9) {
    EXPECT_EQ(Touch(SphereShape(kBall_m), Vec3(x, 0, height_m), Mat3::Identity(), 1e-5).Ids(), middle.Ids());
  }
  const Vec3 aside(kAside_m * std::cos(around), kAside_m * std::sin(around), height_m);
  const Touch pressed(SphereShape(kBall_m), aside, Mat3::Identity(), 1e-5);
  EXPECT_NEAR(pressed.report.gap_m, -kAside_m / std::sqrt(2), 1e-15);
  EXPECT_EQ(pressed.contacts.size(), 7);
}

// Source: |Δn| ≤ |Δx|/(s + r) around both edges; elsewhere planes. A ball of r from the plate over the chamfer into the
// hole: its centre goes around the corners of the plate's core, s + r from them.
TEST(Chamfer, TheNormalOfTheNearestTurnsWithoutAClick) {
  constexpr double kBall_m = 0.003, kStep = 1e-3, kQuarter = std::numbers::pi / 4;
  const double below_m = kChamfer_m + kRim_m * std::tan(std::numbers::pi / 8), face_m = (below_m - kRim_m) * std::sqrt(2);
  const double to_low = kQuarter + face_m / (kBall_m + kRim_m);  // ways in units of s + r
  Vec3 last = Vec3::Zero();
  for (double way = -0.5; way < to_low + kQuarter + 0.5; way += kStep) {
    const double angle = std::clamp(way, 0.0, kQuarter) + std::clamp(way - to_low, 0.0, kQuarter);
    const double down_face = std::clamp(way, kQuarter, to_low) - kQuarter;
    const double along = std::max(-way, 0.0), down = std::max(way - to_low - kQuarter, 0.0), h = std::sqrt(0.5);
    const double reach_m = kBall_m + kRim_m;
    const Vec3 p_m(kHole_m + below_m + reach_m * (along - std::sin(angle) - h * down_face), 0,
                   -kRim_m + reach_m * (std::cos(angle) - h * down_face - down));
    const ContactPoint<double> nearest = Nearest(SphereShape(kBall_m), p_m);
    EXPECT_NEAR(nearest.gap_m, 0, 1e-15) << way;
    EXPECT_NEAR((nearest.normal - Vec3(-std::sin(angle), 0, std::cos(angle))).norm(), 0, 1e-6) << way;
    if (last.squaredNorm() > 0) {
      EXPECT_LE((nearest.normal - last).norm(), 1.001 * kStep + 1e-6) << way;
    }
    last = nearest.normal;
  }
}

// Source: both mouths lie between the sharp one and what the larger of them leaves of its corner: the fillet (√2 - 1) s, the
// chamfer c/√2.
TEST(Chamfer, TheSmallestIsNearASmallFillet) {
  constexpr double kSmall_m = 2e-5;
  const double chamfer_m = 1.01 * (2 - std::sqrt(2)) * kSmall_m, apart_m = chamfer_m / std::sqrt(2);
  const Mat3 I = Mat3::Identity();
  const auto sharp = Place(HoleShape(kHole_m, kDepth_m, kSmall_m), Vec3(Vec3::Zero()), I);
  const auto chamfered = Place(ChamferedHoleShape(kHole_m, kDepth_m, kSmall_m, chamfer_m), Vec3(Vec3::Zero()), I);
  ASSERT_FALSE(Validate(chamfered.shape));
  for (const Case& one : kCases) {
    Dice dice(33);
    for (int i = 0; i < 500; ++i) {
      const Solid<double> solid = Draw(one.shape, &dice);
      const Touch a(solid, sharp, 2e-3), b(solid, chamfered, 2e-3);
      if (a.report.is_far || b.report.is_far || a.report.gap_m < -kRim_m / 4) continue;
      EXPECT_NEAR(a.report.gap_m, b.report.gap_m, apart_m + kUnseen_m) << one.name << i;
    }
  }
}

// Source: a cyclic change of the axes is without rounding.
TEST(Chamfer, AnotherFrameChangesNoBit) {
  Mat3 turn;
  turn << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  for (const Case& one : kCases) {
    Dice dice(34);
    for (int i = 0; i < 200; ++i) {
      const Solid<double> solid = Draw(one.shape, &dice);
      const Touch here(solid, Hole<double>(), 2e-3);
      const Touch there(Place(one.shape, Vec3(turn * solid.p_WS_m), Mat3(turn * solid.R_WS)),
                        Hole<double>(kChamfer_m, Vec3::Zero(), turn), 2e-3);
      const Touch turned(Hole<double>(), solid, 2e-3);
      ASSERT_EQ(here.contacts.size(), there.contacts.size());
      ASSERT_EQ(here.contacts.size(), turned.contacts.size());
      for (int k = 0; k < here.contacts.size(); ++k) {
        EXPECT_EQ(here.contacts[k].id, there.contacts[k].id);
        EXPECT_EQ(here.contacts[k].gap_m, there.contacts[k].gap_m);
        EXPECT_EQ((turn * here.contacts[k].normal - there.contacts[k].normal).norm(), 0);
        EXPECT_EQ(here.contacts[k].gap_m, turned.contacts[k].gap_m);
        EXPECT_EQ((here.contacts[k].normal + turned.contacts[k].normal).norm(), 0);
      }
    }
  }
}

TEST(Chamfer, InSinglePrecisionItIsTheSameToAMillionthOfAMetre) {
  for (const Case& one : kCases) {
    Dice dice(35);
    for (int i = 0; i < 500; ++i) {
      const Solid<double> solid = Draw(one.shape, &dice);
      const Touch touch(solid, Hole<double>(), 2e-3);
      const PairReport<float> report = test::ReportInSinglePrecision(solid, Hole<float>(), 2e-3f);
      ASSERT_EQ(report.status, Status::kOk);
      if (touch.report.gap_m < -kDeep_m || touch.report.is_far || report.is_far) continue;
      EXPECT_NEAR(static_cast<double>(report.gap_m), touch.report.gap_m, 1e-6) << one.name << i;
    }
  }
}

TEST(Chamfer, BadSizesAreNamed) {
  const auto fault = [](double rim_m, double chamfer_m) {
    const ShapeFault found = Validate(ChamferedHoleShape(kHole_m, kDepth_m, rim_m, chamfer_m));
    return found ? std::string(found.field) + " " + found.what : std::string();
  };
  const double least_m = (2 - std::sqrt(2)) * kRim_m, most_m = kDepth_m - (std::sqrt(2) - 1) * kRim_m;
  EXPECT_EQ(fault(kRim_m, 1.001 * least_m), "");
  EXPECT_EQ(fault(kRim_m, 0.999 * least_m), "radius_m leaves no face between the rounded edges of the chamfer");
  EXPECT_EQ(fault(kRim_m, 1e-12), "radius_m leaves no face between the rounded edges of the chamfer");
  EXPECT_EQ(fault(kRim_m, 0.999 * most_m), "");
  EXPECT_EQ(fault(kRim_m, 1.001 * most_m), "half_m is a chamfer down to the floor of the hole");
  EXPECT_EQ(fault(kRim_m, -1e-3), "half_m is narrower at the mouth (y) than below (x)");
  EXPECT_EQ(fault(kRim_m, 0), "");
  for (const double bad :
       {-0.02, 11.0, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(fault(kRim_m, bad).substr(0, 6), "half_m") << bad;
  }
}

}  // namespace
}  // namespace tactus
