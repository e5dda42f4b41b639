// Distances of a cone, certified: bounds from above and below that share no code with the search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cone_by_hand.h"
#include "solids.h"
#include "tactus/collide/broad_phase.h"
#include "touch.h"

namespace tactus {
namespace {

using test::CoreByHand;
using test::Dice;
using test::Turn;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;

constexpr double kRadius_m = 0.012, kHeight_m = 0.03;

int Placements() { return test::Placements(2000); }

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

}  // namespace
}  // namespace tactus
