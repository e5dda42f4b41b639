// A cone against all that a cylinder meets: closed forms, and distances that a search of nothing but its two corners judges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cone_by_hand.h"
#include "solids.h"
#include "tactus/collide/broad_phase.h"
#include "tactus/collide/sample_points.h"
#include "touch.h"

namespace tactus {
namespace {

using test::CoreByHand;
using test::Dice;
using test::Touch;
using test::Turn;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kRadius_m = 0.012, kHeight_m = 0.03;

int Placements() { return test::Placements(2000); }

Solid<double> Cone(const Vec3& p_m, const Mat3& R = Mat3::Identity(), double radius_m = kRadius_m,
                   double height_m = kHeight_m) {
  return Place(ConeShape(radius_m, height_m), p_m, R);
}
Solid<double> Floor() { return Place(HalfSpaceShape<double>(), Vec3(0, 0, 0), Mat3(Mat3::Identity())); }

TEST(ConeShape, ItsCoreIsThatMuchInside) {  // source: the definition, from the cone's own sizes
  for (const auto& [radius_m, height_m, rounding_m] :
       {std::array{0.012, 0.03, 2e-4}, std::array{0.03, 0.006, 1e-3}, std::array{0.004, 0.05, 1e-3}}) {
    const RoundCore<double> core = RoundCoreOf(ConeShape(radius_m, height_m, rounding_m));
    const CoreByHand by_hand(radius_m, height_m, rounding_m);
    EXPECT_NEAR(core.radius_m, static_cast<double>(by_hand.radius_m), 1e-16);
    EXPECT_NEAR(core.Low_m(), static_cast<double>(by_hand.low_m), 1e-16);
    EXPECT_NEAR(core.High_m(), static_cast<double>(by_hand.high_m), 1e-16);
  }
}

TEST(ConeShape, NearestPointAndSupportAreThoseOfTheTwoLines) {  // source: the two lines of the half section
  Dice dice(1);
  for (const auto& [radius_m, height_m] : {std::array{0.012, 0.03}, std::array{0.03, 0.004}, std::array{0.002, 0.05}}) {
    const RoundCore<double> core = RoundCoreOf(ConeShape(radius_m, height_m));
    const CoreByHand by_hand(radius_m, height_m, kDefaultRounding_m<double>);
    for (int i = 0; i < 5000; ++i) {
      const Vec3 p = i % 10 == 0 ? Vec3(0, 0, dice.Uniform(-0.05, 0.05)) : Vec3(dice.Direction() * dice.Uniform(0, 0.06));
      const Vec3 nearest = core.Project(p);
      EXPECT_NEAR((nearest - p).norm(), static_cast<double>(by_hand.From(p.cast<long double>())), 1e-16);
      EXPECT_NEAR(static_cast<double>(by_hand.From(nearest.cast<long double>())), 0, 1e-16);
      const Vec3 d = dice.Direction();
      EXPECT_NEAR(core.Support(d).dot(d), static_cast<double>(by_hand.Reach(d.cast<long double>())), 1e-16);
    }
  }
}

TEST(ConeShape, BadSizesAreNamed) {
  const auto field = [](double radius_m, double height_m, double rounding_m) {
    const ShapeFault fault = Validate(ConeShape(radius_m, height_m, rounding_m));
    return fault ? std::string(fault.field) : std::string();
  };
  EXPECT_EQ(field(0.01, 0.02, 2e-4), "");
  const double ball_m = 0.01 * 0.02 / (0.01 + std::hypot(0.01, 0.02));
  EXPECT_EQ(field(0.01, 0.02, 0.49 * ball_m), "");
  EXPECT_EQ(field(0.01, 0.02, 0.51 * ball_m), "radius_m");
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -0.01, 1e-9, 21.0, 1e300, nan, inf}) {
    EXPECT_EQ(field(bad, 0.02, 2e-4), "half_m") << bad;
    EXPECT_EQ(field(0.01, bad, 2e-4), "half_m") << bad;
    EXPECT_EQ(field(0.01, 0.02, bad), "radius_m") << bad;
  }
  Shape<double> oval = ConeShape(0.01, 0.02);
  oval.half_m(1) = 0.011;
  EXPECT_STREQ(Validate(oval).what, "x and y differ");
}

// Source: symmetry and the sizes. It stands on its base a quarter of its height below the origin; lying on its side it has
// the line of it, whose distance from the origin is 3/4 H R/L; upside down its apex, r (L/R - 1) short.
TEST(ConeOnPlane, StandsOnEightPointsLiesOnTwoHangsOnOne) {
  const double side_m = std::hypot(kRadius_m, kHeight_m), r = kDefaultRounding_m<double>;
  const Touch standing(Cone(Vec3(0, 0, kHeight_m / 4 + 1e-4)), Floor());
  EXPECT_EQ(standing.At(1e-4), 8);
  EXPECT_EQ(standing.contacts.size(), 8);
  const double down = std::atan2(kHeight_m, kRadius_m);  // the side's normal, from the axis
  const Touch lying(
      Cone(Vec3(0, 0, 0.75 * kHeight_m * kRadius_m / side_m + 1e-4), Turn(0, M_PI - std::atan2(kHeight_m, kRadius_m), 0)),
      Floor());
  EXPECT_NEAR(down, std::atan(2.5), 1e-12);
  EXPECT_EQ(lying.At(1e-4), 2);
  EXPECT_EQ(lying.contacts.size(), 2);
  const Touch hanging(Cone(Vec3(0, 0, 0.75 * kHeight_m - r * (side_m / kRadius_m - 1) + 1e-4), Turn(M_PI, 0, 0)), Floor());
  EXPECT_EQ(hanging.At(1e-4), 1);
  EXPECT_EQ(hanging.contacts.size(), 1);
  EXPECT_NEAR(hanging.contacts[0].point_m.head<2>().norm(), 0, 1e-15);
}

TEST(ConeOnPlane, GapIsThatOfTheLowestPoint) {  // source: the support of the core written anew, less r
  Dice dice(2);
  const CoreByHand core(kRadius_m, kHeight_m, kDefaultRounding_m<double>);
  for (int i = 0; i < Placements(); ++i) {
    const Solid<double> cone = Cone(Vec3(0.1, -0.2, dice.Uniform(-0.03, 0.03)), dice.Rotation());
    const Vec3 down = -cone.R_WS.row(2).transpose();
    const double gap_m =
        cone.p_WS_m(2) - static_cast<double>(core.Reach(down.cast<long double>())) - kDefaultRounding_m<double>;
    const Touch touch(cone, Floor());
    EXPECT_NEAR(touch.report.gap_m, gap_m, 1e-15);
    EXPECT_EQ(static_cast<int>(touch.Ids().size()), touch.contacts.size());
    double least_m = 1;
    for (const ContactPoint<double>& contact : touch.contacts) least_m = std::min(least_m, contact.gap_m);
    // Upright to 1e-3 the ring stands for the lowest point: short by 1e-3 · R (1 - cos π/8) at most.
    if (!touch.report.is_far) {
      EXPECT_NEAR(least_m, gap_m, 1e-6);
    }
  }
}

TEST(ConeOnBox, StandsOnEightPointsLiesOnTwoTouchesWithItsApex) {
  const Solid<double> box = Place(BoxShape(Vec3(0.03, 0.03, 0.02)), Vec3(0, 0, -0.02), Mat3(Mat3::Identity()));
  const double side_m = std::hypot(kRadius_m, kHeight_m), r = kDefaultRounding_m<double>;
  for (const bool turned : {false, true}) {
    const auto touch = [&](const Solid<double>& cone) { return turned ? Touch(box, cone) : Touch(cone, box); };
    const Touch standing = touch(Cone(Vec3(0, 0, kHeight_m / 4 + 1e-4)));
    EXPECT_EQ(standing.At(1e-4), 8);
    EXPECT_EQ(standing.contacts.size(), 8);
    EXPECT_NEAR(standing.contacts[0].normal(2), turned ? -1 : 1, 1e-12);
    const Touch lying = touch(
        Cone(Vec3(0, 0, 0.75 * kHeight_m * kRadius_m / side_m + 1e-4), Turn(0, M_PI - std::atan2(kHeight_m, kRadius_m), 0)));
    EXPECT_EQ(lying.At(1e-4), 2);
    EXPECT_EQ(lying.contacts.size(), 2);
    const Touch apex = touch(Cone(Vec3(0, 0, 0.75 * kHeight_m - r * (side_m / kRadius_m - 1) + 1e-4), Turn(M_PI, 0, 0)));
    EXPECT_EQ(apex.At(1e-4), 1);
    EXPECT_EQ(apex.contacts.size(), 1);
  }
}

TEST(ConeOnRound, OnACylinderItStandsOnEightBesideAConeItsSideHasTwo) {
  const Solid<double> can = Place(CylinderShape(0.02, 0.02), Vec3(0, 0, -0.02), Mat3(Mat3::Identity()));
  constexpr double kTilt_m = 2e-4 * 2 * kRadius_m;  // the normal of two curved cores is good to 2e-4 rad
  EXPECT_GE(Touch(Cone(Vec3(0, 0, kHeight_m / 4 + 1e-4)), can).At(1e-4, kTilt_m), 8);
  EXPECT_GE(Touch(can, Cone(Vec3(0, 0, kHeight_m / 4 + 1e-4))).At(1e-4, kTilt_m), 8);
  // Side by side, one upside down: their sides are parallel, a gap's width apart; the places along z are the same.
  const double side_m = std::hypot(kRadius_m, kHeight_m), cos = kHeight_m / side_m;
  const double apart_m = kRadius_m + 1e-4 / cos;  // radii of the two add up to R at each height
  const Touch beside(Cone(Vec3(apart_m, 0, kHeight_m / 2), Turn(M_PI, 0, 0)), Cone(Vec3(0, 0, 0)));
  EXPECT_EQ(beside.At(1e-4), 2);
  EXPECT_NEAR(beside.report.gap_m, 1e-4, 1e-9);
}

TEST(Cone, PlacedInsideHasAFiniteAnswer) {
  const Hull<double> h12 = test::BallHull<double>(12, 0.02, 1);
  for (const Solid<double>& other :
       {Cone(Vec3(0.001, 0, 0), Turn(0.3, 0.2, 0)), Place(SphereShape(0.01), Vec3(0, 0, 0), Mat3(Mat3::Identity())),
        Place(CapsuleShape(0.004, 0.02), Vec3(0, 0, 0), Mat3(Mat3::Identity())),
        Place(CylinderShape(0.01, 0.01), Vec3(0, 0, 0), Mat3(Mat3::Identity())),
        Place(BoxShape(Vec3(0.02, 0.02, 0.02)), Vec3(0, 0, 0.001), Mat3(Mat3::Identity())),
        Place(HullShape<double>(), Vec3(0, 0, 0), Mat3(Mat3::Identity()), &h12)}) {
    const Touch touch(Cone(Vec3(0, 0, 0)), other);
    EXPECT_TRUE(touch.report.cores_overlap);
    EXPECT_LT(touch.report.gap_m, -1e-3);
    EXPECT_FALSE(touch.contacts.empty());
    for (const ContactPoint<double>& contact : touch.contacts)
      EXPECT_TRUE(IsFinite(contact.point_m) && IsFinite(contact.normal));
  }
}

// Source: |Δn| ≤ |Δx|/(r_A + r_B) for a translation, on a way over the apex, and on one around the side and over the rim.
TEST(Cone, TheNormalTurnsWithoutAClick) {
  const Solid<double> cone = Cone(Vec3(0, 0, 0));
  constexpr double kBall_m = 0.003, kStep_m = 5e-5;
  for (const double aside_m : {0.0, 1e-3}) {
    Vec3 last = Vec3::Zero();
    for (double t = -0.02; t < 0.02; t += kStep_m) {
      const Solid<double> ball = Place(SphereShape(kBall_m), Vec3(t, aside_m, 0.026), Mat3(Mat3::Identity()));
      const Touch touch(ball, cone, 0.02);
      if (touch.contacts.empty()) continue;
      if (last.squaredNorm() > 0) {
        EXPECT_LE((touch.contacts[0].normal - last).norm(), 1.001 * kStep_m / (kBall_m + 2e-4)) << t;
      }
      last = touch.contacts[0].normal;
    }
  }
  Vec3 last = Vec3::Zero();
  for (double z = -0.015; z < 0.03; z += kStep_m) {
    const Touch touch(Place(SphereShape(kBall_m), Vec3(0.0155, 0, z), Mat3(Mat3::Identity())), cone, 0.05);
    ASSERT_EQ(touch.contacts.size(), 1);
    if (last.squaredNorm() > 0) {
      EXPECT_LE((touch.contacts[0].normal - last).norm(), 1.001 * kStep_m / (kBall_m + 2e-4)) << z;
    }
    last = touch.contacts[0].normal;
  }
}

TEST(Cone, IdsStayUnderTwoMicrometresOfJitter) {
  const Solid<double> box = Place(BoxShape(Vec3(0.03, 0.03, 0.02)), Vec3(0, 0, -0.02), Mat3(Mat3::Identity()));
  const double lie_m = 0.75 * kHeight_m * kRadius_m / std::hypot(kRadius_m, kHeight_m);
  const Mat3 lie = Turn(0, M_PI - std::atan2(kHeight_m, kRadius_m), 0);
  for (const Solid<double>& other : {Floor(), box}) {
    for (const bool lies : {false, true}) {
      Dice dice(4);
      std::set<std::int32_t> last;
      int changed = 0;
      for (int i = 0; i < 500; ++i) {
        const Vec3 p = Vec3(0, 0, lies ? lie_m : kHeight_m / 4) + 2e-6 * dice.Direction();
        const Touch touch(Cone(p, lies ? lie : Turn(0, 0, 1e-3 * i)), other);
        changed += i > 0 && touch.Ids() != last ? 1 : 0;
        last = touch.Ids();
      }
      EXPECT_EQ(changed, 0) << lies;
    }
  }
}

TEST(Cone, ItsBoxInTheWorldHoldsIt) {  // source: the support of the core written anew
  Dice dice(5);
  const Shape<double> shape = ConeShape(kRadius_m, kHeight_m);
  const CoreByHand core(kRadius_m, kHeight_m, shape.radius_m);
  const LocalBox<double> local(shape, nullptr);
  for (int i = 0; i < 1000; ++i) {
    const Mat3 R = dice.Rotation();
    const WorldBox<double> box = BoxAt(local, Vec3(0.01, 0.02, 0.03), R, 0.0);
    for (int x = 0; x < 3; ++x) {
      for (const double sense : {-1.0, 1.0}) {
        const Vec3 d = sense * R.row(x).transpose();
        const double reach_m = static_cast<double>(core.Reach(d.cast<long double>())) + shape.radius_m;
        const double room_m = sense > 0 ? box.high_m(x) - 0.01 * (x + 1) : 0.01 * (x + 1) - box.low_m(x);
        EXPECT_GE(room_m, reach_m - 1e-15);
      }
    }
  }
  const WorldBox<double> upright = BoxAt(local, Vec3(0, 0, 0), Mat3(Mat3::Identity()), 0.0);
  EXPECT_NEAR(upright.low_m(2), -kHeight_m / 4, 1e-16);
  EXPECT_NEAR(upright.high_m(2), 0.75 * kHeight_m, 1e-16);
}

// What a grid sees of it: balls of r on its core, no place on the surface farther from one than the spacing's diagonal.
TEST(Cone, SamplePointsCoverIt) {
  constexpr double kSpacing_m = 4e-3;
  const Shape<double> shape = ConeShape(kRadius_m, kHeight_m);
  SampleCloud<double> cloud;
  ASSERT_EQ(AddSamplePoints(shape, nullptr, kSpacing_m, Vec3(Vec3::Zero()), Mat3(Mat3::Identity()), &cloud), Status::kOk);
  const CoreByHand core(kRadius_m, kHeight_m, shape.radius_m);
  for (const SamplePoint<double>& point : cloud.points) {
    EXPECT_NEAR(static_cast<double>(core.From(point.p_B_m.cast<long double>())), 0, 1e-15);
  }
  Dice dice(6);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 far = dice.Direction() * 0.05, on = RoundCoreOf(shape).Project(far);
    double nearest_m = 1;
    for (const SamplePoint<double>& point : cloud.points) nearest_m = std::min(nearest_m, (point.p_B_m - on).norm());
    EXPECT_LT(nearest_m, 0.75 * kSpacing_m);
  }
}

}  // namespace
}  // namespace tactus
