#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "solids.h"
#include "touch.h"

namespace tactus {
namespace {

using test::Dice;
using test::Touch;
using test::Turn;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kRadius_m = 0.01, kHalf_m = 0.02;

Solid<double> Cylinder(const Vec3& p_m, const Mat3& R = Mat3::Identity()) {
  return Place(CylinderShape(kRadius_m, kHalf_m), p_m, R);
}

TEST(CylinderOnPlane, StandsOnEightPointsLiesOnTwo) {
  const Solid<double> plane = Place(HalfSpaceShape<double>(), Vec3(0, 0, 0), Mat3(Mat3::Identity()));
  EXPECT_EQ(Touch(Cylinder(Vec3(0, 0, kHalf_m + 1e-4)), plane).At(1e-4), 8);
  const Touch lying(Cylinder(Vec3(0, 0, kRadius_m + 1e-4), Turn(M_PI / 2, 0, 0)), plane);
  EXPECT_EQ(lying.contacts.size(), 2);
  EXPECT_EQ(lying.At(1e-4), 2);
  const Touch turned(plane, Cylinder(Vec3(0, 0, kHalf_m + 1e-4)));
  EXPECT_EQ(turned.contacts[0].normal, Vec3(-Vec3::UnitZ()));
}

TEST(CylinderOnPlane, GapIsThatOfTheLowestPoint) {  // closed form: c_z - h |a_z| - R √(1 - a_z²) of the core, less r
  const Solid<double> plane = Place(HalfSpaceShape<double>(), Vec3(0, 0, 0), Mat3(Mat3::Identity()));
  Dice dice(1);
  for (int i = 0; i < 2000; ++i) {
    const Solid<double> cylinder = Cylinder(Vec3(0.1, -0.2, dice.Uniform(-0.03, 0.03)), dice.Rotation());
    const double a = cylinder.R_WS(2, 2), r = kDefaultRounding_m<double>;
    const double gap_m =
        cylinder.p_WS_m(2) - (kHalf_m - r) * std::abs(a) - (kRadius_m - r) * std::sqrt(std::max(0.0, 1 - a * a)) - r;
    const Touch touch(cylinder, plane);
    EXPECT_NEAR(touch.report.gap_m, gap_m, 1e-9);  // √(1 - a²) here loses half the digits at a = 1
    EXPECT_EQ(static_cast<int>(touch.Ids().size()), touch.contacts.size());
    double least_m = 1;
    for (const ContactPoint<double>& contact : touch.contacts) least_m = std::min(least_m, contact.gap_m);
    // Upright to 1e-3 the ring stands for the lowest point: short by 1e-3 · R (1 - cos π/8) at most.
    if (!touch.report.is_far) {
      EXPECT_NEAR(least_m, gap_m, 1e-6);
    }
  }
}

TEST(CylinderOnPlane, PointsStayWhereTheyAreWhileItTwists) {
  const Solid<double> plane = Place(HalfSpaceShape<double>(), Vec3(0, 0, 0), Mat3(Mat3::Identity()));
  const Touch before(Cylinder(Vec3(0, 0, kHalf_m)), plane), after(Cylinder(Vec3(0, 0, kHalf_m), Turn(0, 0, 0.3)), plane);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(before.contacts[i].id, after.contacts[i].id);
    EXPECT_LT((before.contacts[i].point_m - after.contacts[i].point_m).norm(), 1e-15);
  }
}

TEST(CylinderOnBox, StandsOnEightPointsLiesOnTwo) {
  const Solid<double> box = Place(BoxShape(Vec3(0.03, 0.03, 0.02)), Vec3(0, 0, -0.02), Mat3(Mat3::Identity()));
  for (const bool turned : {false, true}) {
    const auto touch = [&](const Solid<double>& cylinder) { return turned ? Touch(box, cylinder) : Touch(cylinder, box); };
    const Touch standing = touch(Cylinder(Vec3(0, 0, kHalf_m + 1e-4)));
    EXPECT_EQ(standing.At(1e-4), 8);
    EXPECT_EQ(standing.contacts.size(), 8);
    EXPECT_NEAR(standing.contacts[0].normal(2), turned ? -1 : 1, 1e-12);
    const Touch lying = touch(Cylinder(Vec3(0, 0, kRadius_m + 1e-4), Turn(M_PI / 2, 0, 0)));
    EXPECT_EQ(lying.At(1e-4), 2);
    EXPECT_EQ(lying.contacts.size(), 2);
  }
}

// Whichever comes first, and however much wider the lower one is: its edges meet far outside of the upper one's.
TEST(CylinderOnCylinder, ANarrowOneStandsOnEightPointsOfAWideOne) {
  for (const double wide_m : {0.012, 0.0167, 0.03, 0.2}) {
    const Solid<double> base = Place(CylinderShape(wide_m, 0.01), Vec3(0, 0, -0.01), Mat3(Mat3::Identity())),
                        top = Cylinder(Vec3(0, 0, kHalf_m + 1e-4));
    EXPECT_EQ(Touch(top, base).At(1e-4), 8) << wide_m;
    EXPECT_EQ(Touch(base, top).At(1e-4), 8) << wide_m;
  }
}

TEST(CylinderOnCylinder, StackedHasEightParallelHasTwoCrossedHasOne) {
  const Solid<double> base = Cylinder(Vec3(0, 0, 0));
  EXPECT_GE(Touch(Cylinder(Vec3(0, 0, 2 * kHalf_m + 1e-4)), base).At(1e-4), 8);
  EXPECT_EQ(Touch(Cylinder(Vec3(2 * kRadius_m + 1e-4, 0, 0.005)), base).At(1e-4), 2);
  const Touch crossed(Cylinder(Vec3(2 * kRadius_m + 1e-4, 0, 0.005), Turn(1, 0, 0)), base);
  EXPECT_EQ(crossed.contacts.size(), 1);
  EXPECT_NEAR(crossed.report.gap_m, 1e-4, 1e-9);
}

// Distance from above and below, by nothing of the library's search: a point of the polytope and its nearest of the cylinder
// are no nearer than the truth, the separation along the normal, over all of the polytope's vertices, is no more.
template <class Scalar>
void ExpectCertified(const Core<Scalar>& other, double size_m, double tolerance_m, double least_m, unsigned seed,
                     int placements) {
  Dice dice(seed);
  const RoundCore<Scalar> core{Scalar(0.4 * size_m), Scalar(0.5 * size_m)};
  int apart = 0, most = 0, inexact = 0;
  PairCache<Scalar> cache;
  for (int i = 0; i < placements; ++i) {
    internal::RoundPair<Scalar> pair{.a = core, .b = other, .R_AB = dice.Rotation().cast<Scalar>(), .p_AB_m = {}};
    pair.p_AB_m = (dice.Direction() * dice.Uniform(0.4, 1.5) * size_m).template cast<Scalar>();
    const CoreDistance<Scalar> found = DistanceOfRound(pair, Scalar(100 * size_m), &cache);
    most = std::max<int>(most, found.iterations);
    if (found.relation != CoreRelation::kApart || static_cast<double>(found.distance_m) < least_m) continue;
    ++apart;
    inexact += found.is_exact ? 0 : 1;
    const Vec<long double, 3> n = found.normal.template cast<long double>();
    const long double rho = std::sqrt(n(0) * n(0) + n(1) * n(1));
    long double along =
        -(static_cast<long double>(core.radius_m) * rho + static_cast<long double>(core.half_m) * std::abs(n(2)));
    long double most_b = -1e9L;
    for (int v = 0; v < other.VertexCount(); ++v) {
      if (!other.HasVertex(v)) continue;
      const Vec<long double, 3> q = pair.p_AB_m.template cast<long double>() +
                                    pair.R_AB.template cast<long double>() * other.Vertex(v).template cast<long double>();
      most_b = std::max(most_b, n.dot(q));
    }
    along -= most_b;
    const Vec<Scalar, 3> b = found.nearest_b_m;
    const double above = static_cast<double>(Norm(Vec<Scalar, 3>(core.Project(b) - b)));
    ASSERT_NEAR(static_cast<double>(found.distance_m), above, tolerance_m) << i;
    ASSERT_NEAR(static_cast<double>(found.distance_m), static_cast<double>(along), tolerance_m) << i;
  }
  EXPECT_GT(apart, placements / 5);
  EXPECT_EQ(inexact, 0);
  EXPECT_LT(most, kMaxRoundRounds);
}

// 1e-10 of the size: the certificate's own 1e-12, and the rounding of the direction of the shortest distance, 1e-6 m.
TEST(DistanceOfRound, IsCertifiedAgainstEveryPolytope) {
  const Hull<double> h12 = test::BallHull<double>(12, 0.02, 1), h64 = test::BallHull<double>(64, 0.02, 3),
                     prism = test::Prism<double>(8, 0.02, 0.01);
  Core<double> point, segment, box, of12, of64, of_prism;
  segment.half_m = Vec3(0, 0, 0.02);
  box.half_m = Vec3(0.02, 0.015, 0.01);
  of12.hull = &h12, of64.hull = &h64, of_prism.hull = &prism;
  unsigned seed = 0;
  for (const Core<double>& other : {point, segment, box, of12, of64, of_prism}) {
    ExpectCertified<double>(other, 0.04, 4e-12, 1e-6, ++seed, 5000);
  }
}

// 24 bits of 40 mm are 2 nm, of a direction over 0.1 mm 2e-5 rad, 0.5 um at the far end.
TEST(DistanceOfRound, IsCertifiedInFloat) {
  const Hull<float> h32 = test::BallHull<float>(32, 0.02, 1);
  Core<float> box, hull;
  box.half_m = Vec<float, 3>(0.02f, 0.015f, 0.01f);
  hull.hull = &h32;
  ExpectCertified<float>(box, 0.04, 1e-6, 1e-4, 1, 5000);
  ExpectCertified<float>(hull, 0.04, 1e-6, 1e-4, 2, 5000);
}

// Source: closed form, min(R - ρ, h - |z|). Along the normal found the depth is right, so it is no less; how much more it is
// than the least depends on how close the polytope of 32 vertices comes to the curve.
TEST(DistanceOfRound, DepthOfAPointIsTheLeastToTwoThousandthsOfTheRadius) {
  Dice dice(8);
  const RoundCore<double> core{0.01, 0.015};
  double worst = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p = dice.Direction() * dice.Uniform(0, 0.012);
    const double rho = std::sqrt(p(0) * p(0) + p(1) * p(1)), exact_m = std::min(0.01 - rho, 0.015 - std::abs(p(2)));
    if (exact_m < 1e-4) continue;
    internal::RoundPair<double> pair{.a = core, .b = Core<double>(), .R_AB = Mat3::Identity(), .p_AB_m = p};
    PairCache<double> cache;
    const CoreDistance<double> found = DistanceOfRound(pair, 1.0, &cache);
    ASSERT_EQ(found.relation, CoreRelation::kOverlap);
    EXPECT_GE(-found.distance_m, exact_m - 1e-12);
    worst = std::max(worst, (-found.distance_m - exact_m) / core.radius_m);
  }
  EXPECT_LT(worst, 2e-3);  // measured 1e-3
}

TEST(DistanceOfTwoRounds, IsCertified) {
  Dice dice(9);
  const RoundCore<double> a{0.01, 0.02}, b{0.015, 0.01};
  int apart = 0, inexact = 0;
  for (int i = 0; i < 10000; ++i) {
    internal::TwoRounds<double> pair{a, b, dice.Rotation(), dice.Direction() * dice.Uniform(0.02, 0.06)};
    PairCache<double> cache;
    const CoreDistance<double> found = DistanceOfTwoRounds(pair, 1.0, &cache);
    if (found.relation != CoreRelation::kApart || found.distance_m < 1e-5) continue;
    ++apart;
    const double above = (a.Project(found.nearest_b_m) - found.nearest_b_m).norm();
    inexact += found.is_exact ? 0 : 1;
    EXPECT_NEAR(found.distance_m, above, 4e-8) << i;  // 1e-6 of the size
    EXPECT_NEAR(found.distance_m, -pair.Farthest(-found.normal).y.dot(-found.normal), 4e-8) << i;
  }
  EXPECT_GT(apart, 3000);
  EXPECT_LE(inexact, apart / 100);
}

TEST(Cylinder, PlacedInsideHasAFiniteAnswer) {
  const Hull<double> h12 = test::BallHull<double>(12, 0.02, 1);
  for (const Solid<double>& other :
       {Cylinder(Vec3(0.001, 0, 0), Turn(0.3, 0.2, 0)), Place(SphereShape(0.01), Vec3(0, 0, 0), Mat3(Mat3::Identity())),
        Place(CapsuleShape(0.004, 0.02), Vec3(0, 0, 0), Mat3(Mat3::Identity())),
        Place(BoxShape(Vec3(0.02, 0.02, 0.02)), Vec3(0, 0, 0.001), Mat3(Mat3::Identity())),
        Place(HullShape<double>(), Vec3(0, 0, 0), Mat3(Mat3::Identity()), &h12)}) {
    const Touch touch(Cylinder(Vec3(0, 0, 0)), other);
    EXPECT_TRUE(touch.report.cores_overlap);
    EXPECT_LT(touch.report.gap_m, -1e-3);
    EXPECT_FALSE(touch.contacts.empty());
    for (const ContactPoint<double>& contact : touch.contacts)
      EXPECT_TRUE(IsFinite(contact.point_m) && IsFinite(contact.normal));
  }
}

}  // namespace
}  // namespace tactus
