// A cone against all that a cylinder meets: closed forms, and distances that a search of nothing but its two corners judges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "solids.h"
#include "tactus/collide/broad_phase.h"
#include "tactus/collide/sample_points.h"
#include "touch.h"

namespace tactus {
namespace {

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

/// A cone's core, written anew from the cone's sizes: that much inside of base and side.
struct CoreByHand {
  long double radius_m, low_m, high_m;

  CoreByHand(double radius, double height, double rounding) {
    const long double R = radius, H = height, r = rounding, side = std::sqrt(R * R + H * H);
    low_m = -H / 4 + r;
    high_m = 3 * H / 4 - r * side / R;  // the side moves in by r, and its apex down by r over the sine of half its angle
    radius_m = (high_m - low_m) * R / H;
  }
  /// max of d·x over the core: at the rim or at the apex.
  long double Reach(const Vec<long double, 3>& d) const {
    return std::max(d(2) * high_m, d(2) * low_m + radius_m * std::sqrt(d(0) * d(0) + d(1) * d(1)));
  }
  /// |x - core|, from the two lines of its half section.
  long double From(const Vec<long double, 3>& x) const {
    const long double rho = std::sqrt(x(0) * x(0) + x(1) * x(1)), z = x(2);
    const long double side_rho = -radius_m, side_z = high_m - low_m, out = rho - radius_m, up = z - low_m;
    if (up >= 0 && out * side_z - up * side_rho <= 0) return 0;
    const auto from_line = [](long double a, long double b, long double along_a, long double along_b) {
      const long double t = std::clamp((a * along_a + b * along_b) / (along_a * along_a + along_b * along_b), 0.0L, 1.0L);
      return std::hypot(a - t * along_a, b - t * along_b);
    };
    return std::min(from_line(out, up, side_rho, side_z), from_line(out, up, -radius_m, 0));
  }
};

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

// Distance from above and below: a point of the polytope and its nearest of the cone, by the two lines, are no nearer than
// the truth; the separation along the normal, over all vertices and the two corners of the cone, is no more.
template <class Scalar>
void ExpectCertified(const Shape<Scalar>& shape, const Core<Scalar>& other, double tolerance_m, double least_m,
                     unsigned seed) {
  Dice dice(seed);
  const RoundCore<Scalar> core = RoundCoreOf(shape);
  const CoreByHand by_hand(static_cast<double>(shape.half_m(0)), 2 * static_cast<double>(shape.half_m(2)),
                           static_cast<double>(shape.radius_m));
  int apart = 0, most = 0, inexact = 0;
  PairCache<Scalar> cache;
  for (int i = 0; i < Placements(); ++i) {
    internal::RoundPair<Scalar> pair{.a = core, .b = other, .R_AB = dice.Rotation().cast<Scalar>(), .p_AB_m = {}};
    pair.p_AB_m = (dice.Direction() * dice.Uniform(0.01, 0.06)).template cast<Scalar>();
    const CoreDistance<Scalar> found = DistanceOfRound(pair, Scalar(4), &cache);
    most = std::max<int>(most, found.iterations);
    if (found.relation != CoreRelation::kApart || static_cast<double>(found.distance_m) < least_m) continue;
    ++apart;
    inexact += found.is_exact ? 0 : 1;
    const Vec<long double, 3> n = found.normal.template cast<long double>();
    long double most_b = -1e9L;
    for (int v = 0; v < other.VertexCount(); ++v) {
      if (!other.HasVertex(v)) continue;
      const Vec<long double, 3> q = pair.p_AB_m.template cast<long double>() +
                                    pair.R_AB.template cast<long double>() * other.Vertex(v).template cast<long double>();
      most_b = std::max(most_b, n.dot(q));
    }
    const long double along = -by_hand.Reach(-n) - most_b;
    const long double above = by_hand.From(found.nearest_b_m.template cast<long double>());
    ASSERT_NEAR(static_cast<double>(found.distance_m), static_cast<double>(above), tolerance_m) << i;
    ASSERT_NEAR(static_cast<double>(found.distance_m), static_cast<double>(along), tolerance_m) << i;
  }
  EXPECT_GT(apart, Placements() / 5);
  EXPECT_EQ(inexact, 0);
  EXPECT_LT(most, kMaxRoundRounds);
}

struct Others {
  Hull<double> h12 = test::BallHull<double>(12, 0.02, 1), h64 = test::BallHull<double>(64, 0.02, 3),
               prism = test::Prism<double>(8, 0.02, 0.01);
  Core<double> point, segment, box, of12, of64, of_prism;

  Others() {
    segment.half_m = Vec3(0, 0, 0.02);
    box.half_m = Vec3(0.02, 0.015, 0.01);
    of12.hull = &h12, of64.hull = &h64, of_prism.hull = &prism;
  }
};

// 1e-10 of the size: the certificate's own 1e-12, and the rounding of the direction of the shortest distance, 1e-6 m.
TEST(DistanceOfCone, IsCertifiedAgainstEveryPolytope) {
  const Others others;
  unsigned seed = 0;
  for (const Shape<double>& shape : {ConeShape(0.012, 0.03), ConeShape(0.02, 0.004), ConeShape(0.002, 0.04)}) {
    for (const Core<double>& other : {others.point, others.segment, others.box, others.of12, others.of64, others.of_prism}) {
      ExpectCertified<double>(shape, other, 4e-12, 1e-6, ++seed);
    }
  }
}

// 24 bits of 40 mm are 2 nm, of a direction over 0.1 mm 2e-5 rad, 0.5 um at the far end; seen in 10^5: 0.75 um.
TEST(DistanceOfCone, IsCertifiedInFloat) {
  const Hull<float> h32 = test::BallHull<float>(32, 0.02, 1);
  Core<float> box, hull;
  box.half_m = Vec<float, 3>(0.02f, 0.015f, 0.01f);
  hull.hull = &h32;
  ExpectCertified<float>(ConeShape(0.012f, 0.03f), box, 1e-6, 1e-4, 1);
  ExpectCertified<float>(ConeShape(0.012f, 0.03f), hull, 1e-6, 1e-4, 2);
  ExpectCertified<float>(ConeShape(0.02f, 0.004f), box, 1e-6, 1e-4, 3);
}

// Source: dense search. An edge that bends twice: Newton's steps went to and fro between the bends, and the edge of a
// cylinder was 0.4 mm too far in single precision.
TEST(DistanceOfRound, ASearchAcrossABendEnds) {
  const RoundCore<float> core{0.012f, 0.015f};
  const Vec<float, 3> start(0.00629763026f, 0.0128628667f, 0.0104878591f),
      end = start + Vec<float, 3>(-0.00257219095f, -0.00518207159f, 0.012792035f);
  const DifferenceVertex<float> vertices[] = {{start, 0, 0}, {end, 0, 1}};
  internal::RoundNearest<float> nearest(core, vertices);
  nearest.OfferEdge(0, 1);
  double least_m = 1;
  for (int i = 0; i <= 100000; ++i) {
    const Vec3 p = start.cast<double>() + 1e-5 * i * (end - start).cast<double>();
    least_m =
        std::min(least_m, std::hypot(std::max(std::hypot(p(0), p(1)) - 0.012, 0.0), std::max(std::abs(p(2)) - 0.015, 0.0)));
  }
  EXPECT_NEAR(static_cast<double>(Norm(nearest.best().v)), least_m, 1e-8);
}

// As above, of two curved cores. 1e-6 of the size.
TEST(DistanceOfCone, IsCertifiedAgainstConesAndCylinders) {
  const Shape<double> slim = ConeShape(0.012, 0.03), flat = ConeShape(0.02, 0.008), can = CylinderShape(0.01, 0.02);
  const CoreByHand by_hand(0.012, 0.03, kDefaultRounding_m<double>);
  for (const Shape<double>& other : {slim, flat, can}) {
    Dice dice(9);
    int apart = 0, inexact = 0;
    for (int i = 0; i < Placements(); ++i) {
      internal::TwoRounds<double> pair{RoundCoreOf(slim), RoundCoreOf(other), dice.Rotation(),
                                       dice.Direction() * dice.Uniform(0.015, 0.06)};
      PairCache<double> cache;
      const CoreDistance<double> found = DistanceOfTwoRounds(pair, 1.0, &cache);
      if (found.relation != CoreRelation::kApart || found.distance_m < 1e-5) continue;
      ++apart;
      inexact += found.is_exact ? 0 : 1;
      EXPECT_NEAR(found.distance_m, static_cast<double>(by_hand.From(found.nearest_b_m.cast<long double>())), 4e-8) << i;
      EXPECT_NEAR(found.distance_m, -pair.Farthest(-found.normal).y.dot(-found.normal), 4e-8) << i;
    }
    EXPECT_GT(apart, Placements() / 3);
    EXPECT_LE(inexact, apart / 100);
  }
}

// Source: closed form, the least of the depths below base and side. Along the normal found the depth is right, so it is no
// less; how much more it is than the least depends on how close a polytope of 32 vertices comes to the curve.
TEST(DistanceOfCone, DepthOfAPointIsTheLeastToTwoThousandthsOfTheRadius) {
  Dice dice(8);
  const RoundCore<double> core = RoundCoreOf(ConeShape(kRadius_m, kHeight_m));
  double worst = 0;
  int deep = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p = dice.Direction() * dice.Uniform(0, 0.015);
    const double rho = std::hypot(p(0), p(1));
    const double exact_m =
        std::min(p(2) - core.Low_m(), (core.radius_m - rho) * core.side_rho - (p(2) - core.Low_m()) * core.side_z);
    if (exact_m < 1e-4) continue;
    ++deep;
    internal::RoundPair<double> pair{.a = core, .b = Core<double>(), .R_AB = Mat3::Identity(), .p_AB_m = p};
    PairCache<double> cache;
    const CoreDistance<double> found = DistanceOfRound(pair, 1.0, &cache);
    ASSERT_EQ(found.relation, CoreRelation::kOverlap);
    EXPECT_GE(-found.distance_m, exact_m - 1e-12);
    worst = std::max(worst, (-found.distance_m - exact_m) / core.radius_m);
  }
  EXPECT_GT(deep, 1000);
  EXPECT_LT(worst, 2e-3);
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
