#include "tactus/collide/core_distance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "solids.h"

namespace tactus {
namespace {

using test::Dice;
using Real = long double;
using RVec = Vec<Real, 3>;
using RMat = Mat<Real, 3, 3>;

// --- brute force for two boxes, in long double ---------------------------------------------------------------------

struct BruteBox {
  RMat R;
  RVec p, half;

  RVec Corner(int i) const {
    return p +
           R * RVec((i & 1) != 0 ? half(0) : -half(0), (i & 2) != 0 ? half(1) : -half(1), (i & 4) != 0 ? half(2) : -half(2));
  }
  Real DistanceTo(const RVec& q) const {
    const RVec local = R.transpose() * (q - p);
    return (local.array().abs() - half.array()).max(Real(0)).matrix().norm();
  }
  Real Reach(const RVec& n) const { return (R.transpose() * n).cwiseAbs().dot(half); }
};

Real SegmentDistance(const RVec& p, const RVec& d, const RVec& q, const RVec& e) {
  const RVec r = p - q;
  const Real a = d.dot(d), b = d.dot(e), c = e.dot(e), f = d.dot(r), g = e.dot(r), det = a * c - b * b;
  Real best = 1e9L;
  const auto offer = [&](Real s, Real t) {
    best = std::min(best, RVec(r + std::clamp(s, Real(0), Real(1)) * d - std::clamp(t, Real(0), Real(1)) * e).norm());
  };
  if (det > 1e-12L * a * c) {
    const Real s = (b * g - c * f) / det, t = (a * g - b * f) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) offer(s, t);
  }
  for (const Real s : {Real(0), Real(1)}) offer(s, (g + s * b) / c);
  for (const Real t : {Real(0), Real(1)}) offer((t * b - f) / a, t);
  return best;
}

// Apart: the least over corners and the other box, and over pairs of edges. Overlapping: minus the least overlap along the
// 15 axes of the separating axis theorem.
Real BruteDistance(const BruteBox& a, const BruteBox& b) {
  Real separation = -1e9L;
  const auto offer = [&](RVec n) {
    if (n.norm() < 1e-9L) return;
    n.normalize();
    separation = std::max(separation, std::abs(n.dot(b.p - a.p)) - a.Reach(n) - b.Reach(n));
  };
  for (int i = 0; i < 3; ++i) {
    offer(a.R.col(i));
    offer(b.R.col(i));
    for (int j = 0; j < 3; ++j) offer(Cross(RVec(a.R.col(i)), RVec(b.R.col(j))));
  }
  if (separation <= 0) return separation;
  Real distance = 1e9L;
  for (int i = 0; i < 8; ++i) distance = std::min({distance, a.DistanceTo(b.Corner(i)), b.DistanceTo(a.Corner(i))});
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      for (int u = 0; u < 3; ++u) {
        for (int w = 0; w < 3; ++w) {
          if ((i >> u & 1) != 0 || (j >> w & 1) != 0) continue;
          const RVec p = a.Corner(i), q = b.Corner(j);
          distance = std::min(distance, SegmentDistance(p, a.Corner(i | 1 << u) - p, q, b.Corner(j | 1 << w) - q));
        }
      }
    }
  }
  return distance;
}

template <class Scalar>
BruteBox BruteA(const CorePair<Scalar>& pair) {
  return {RMat::Identity(), RVec::Zero(), pair.a.half_m.template cast<Real>()};
}
template <class Scalar>
BruteBox BruteB(const CorePair<Scalar>& pair) {
  return {pair.R_AB.template cast<Real>(), pair.p_AB_m.template cast<Real>(), pair.b.half_m.template cast<Real>()};
}

template <class Scalar>
void ExpectDistanceOfBoxes(double tolerance, double tolerance_near) {
  Dice dice(1);
  const Core<Scalar> a{.half_m = {Scalar(0.5), Scalar(0.4), Scalar(0.3)}},
      b{.half_m = {Scalar(0.3), Scalar(0.3), Scalar(0.3)}};
  int overlapping = 0;
  for (int i = 0; i < 3000; ++i) {
    const CorePair<Scalar> pair = test::DrawPair(i % 2 == 0 ? a : b, b, 1, &dice);
    PairCache<Scalar> cache;
    const CoreDistance<Scalar> found = DistanceOfCores(pair, Scalar(10), &cache);
    const double truth = static_cast<double>(BruteDistance(BruteA(pair), BruteB(pair)));
    ASSERT_NEAR(static_cast<double>(found.distance_m), truth, std::abs(truth) < 1e-3 ? tolerance_near : tolerance) << i;
    ASSERT_TRUE(found.is_exact) << i;
    overlapping += found.relation == CoreRelation::kOverlap ? 1 : 0;
  }
  EXPECT_GT(overlapping, 100);
}

// Source: features and axes in long double, above. Tolerances: 1e-9 of the size is a thousandth of what is promised. Single
// precision: 24 bits, ten roundings at size 1 are 6e-7, |v|² ends at 1e-6 of itself; nearer than 1e-3, v itself is rounding
// of the vertices' difference (1e-7) and slivers of a sine of 1e-4 are not trusted. 1e5 placements: 9e-7 and 2.4e-5.
TEST(DistanceOfCores, IsThatOfBruteForceForBoxes) { ExpectDistanceOfBoxes<double>(1e-9, 1e-9); }
TEST(DistanceOfCores, IsThatOfBruteForceForBoxesInFloat) { ExpectDistanceOfBoxes<float>(2e-6, 1e-4); }

// --- every pair of cores: primal and dual ------------------------------------------------------------------------------

template <class Scalar>
struct Cores {
  Hull<Scalar> h12 = test::BallHull<Scalar>(12, 0.5, 1), h32 = test::BallHull<Scalar>(32, 0.5, 2),
               h64 = test::BallHull<Scalar>(64, 0.5, 3), prism = test::Prism<Scalar>(8, 0.4, 0.3);
  std::vector<Core<Scalar>> list{Point(),    Box(0, 0, 0.5), Box(0.5, 0.4, 0.3), Box(0.3, 0.3, 0.3),
                                 Of(&prism), Of(&h12),       Of(&h32),           Of(&h64)};

  static Core<Scalar> Point() { return Core<Scalar>(); }
  static Core<Scalar> Box(double x, double y, double z) {
    Core<Scalar> core;
    core.half_m = Vec<double, 3>(x, y, z).cast<Scalar>();
    return core;
  }
  static Core<Scalar> Of(const Hull<Scalar>* hull) {
    Core<Scalar> core;
    core.hull = hull;
    return core;
  }
};

// The distance is exact if the two nearest points are that far apart (not nearer than the truth), and the cores are
// separated by as much along the normal, counted by hand over all vertices (not farther).
template <class Scalar>
void ExpectCertificate(const CorePair<Scalar>& pair, const CoreDistance<Scalar>& found, double tolerance) {
  const RVec n = found.normal.template cast<Real>();
  const double along = static_cast<double>(test::SeparationByHand(pair, n));
  const double between = static_cast<double>((found.nearest_a_m - found.nearest_b_m).template cast<Real>().dot(n));
  EXPECT_NEAR(static_cast<double>(found.distance_m), along, tolerance);
  EXPECT_NEAR(static_cast<double>(found.distance_m), between, tolerance);
  EXPECT_NEAR(static_cast<double>(n.norm()), 1, sizeof(Scalar) == 8 ? 1e-14 : 1e-6);
  EXPECT_LE(static_cast<double>(found.lower_bound_m), along + tolerance);
}

template <class Scalar>
void ExpectCertificates(int placements, double tolerance, double least_distance) {
  const Cores<Scalar> cores;
  Dice dice(2);
  int most_iterations = 0;
  for (const Core<Scalar>& a : cores.list) {
    for (const Core<Scalar>& b : cores.list) {
      PairCache<Scalar> cache;  // carried from one placement to an unrelated one: any start must do
      for (int i = 0; i < placements && !testing::Test::HasFailure(); ++i) {
        const CorePair<Scalar> pair = test::DrawPair(a, b, 1, &dice);
        const CoreDistance<Scalar> found = DistanceOfCores(pair, Scalar(10), &cache);
        most_iterations = std::max<int>(most_iterations, found.iterations);
        EXPECT_TRUE(found.is_exact);
        if (std::abs(static_cast<double>(found.distance_m)) < least_distance) continue;
        ExpectCertificate(pair, found, tolerance);
      }
    }
  }
  EXPECT_LT(most_iterations, kMaxGjkIterations);
}

// Nearer than 1e-6 of the size the direction of v is rounding (1e-16 / 1e-6), and with it the separation along it: no radius
// is that small. In float 3e-3: 6e-8 / 3e-3 = 2e-5, and twice the size of lever.
TEST(DistanceOfCores, IsCertifiedByItsNormal) { ExpectCertificates<double>(300, 1e-9, 1e-6); }
TEST(DistanceOfCores, IsCertifiedByItsNormalInFloat) { ExpectCertificates<float>(300, 1e-4, 3e-3); }

TEST(DistanceOfCores, StopsEarlyWhenFarAndTellsALowerBound) {
  const Cores<double> cores;
  Dice dice(3);
  int far = 0;
  for (int i = 0; i < 2000; ++i) {
    const CorePair<double> pair = test::DrawPair(cores.list[2], cores.list[6], 1, &dice);
    PairCache<double> cold, warm;
    const double exact = DistanceOfCores(pair, 10.0, &cold).distance_m;
    const CoreDistance<double> found = DistanceOfCores(pair, 0.05, &warm);
    if (found.relation == CoreRelation::kFar) {
      ++far;
      EXPECT_GT(found.distance_m, 0.05);
      EXPECT_LE(found.distance_m, exact + 1e-14);
      EXPECT_EQ(DistanceOfCores(pair, 0.05, &warm).iterations, 1);  // the last axis separates still
    } else {
      EXPECT_NEAR(found.distance_m, exact, 1e-12);  // the same search
    }
  }
  EXPECT_GT(far, 400);
}

TEST(DistanceOfCores, IsWarmAfterASmallMotion) {
  const Cores<double> cores;
  Dice dice(4);
  int cold_iterations = 0, warm_iterations = 0;
  for (int i = 0; i < 500; ++i) {
    CorePair<double> pair = test::DrawPair(cores.list[6], cores.list[7], 1, &dice);
    PairCache<double> cache;
    cold_iterations += DistanceOfCores(pair, 10.0, &cache).iterations;
    pair.p_AB_m += 1e-5 * dice.Direction();
    const CoreDistance<double> warm = DistanceOfCores(pair, 10.0, &cache);
    if (warm.relation == CoreRelation::kApart) warm_iterations += warm.iterations;
  }
  EXPECT_LT(warm_iterations, cold_iterations / 3);
}

TEST(DistanceOfCores, TakesAnyCache) {
  const Cores<double> cores;
  Dice dice(5);
  for (int i = 0; i < 2000; ++i) {
    const CorePair<double> pair =
        test::DrawPair(cores.list[static_cast<std::size_t>(dice.Below(8))], cores.list[5], 1, &dice);
    PairCache<double> cold, wild;
    wild.axis = dice.Direction() * (i % 3);
    wild.size = static_cast<std::uint8_t>(dice.Below(256));
    for (int k = 0; k < 3; ++k) {
      wild.a[k] = static_cast<std::uint8_t>(dice.Below(256));
      wild.b[k] = static_cast<std::uint8_t>(dice.Below(256));
    }
    EXPECT_NEAR(DistanceOfCores(pair, 10.0, &wild).distance_m, DistanceOfCores(pair, 10.0, &cold).distance_m, 1e-9);
  }
}

// Cores without volume that cross have no depth, and a normal across both.
TEST(DistanceOfCores, SegmentsThatCrossAreZeroDeep) {
  const Core<double> segment{.half_m = {0, 0, 0.5}}, point{};
  CorePair<double> pair{.a = segment, .b = segment};
  pair.R_AB = RotationMatrix(ExpMap(Vec<double, 3>(0.7, 0, 0)));
  PairCache<double> cache;
  CoreDistance<double> found = DistanceOfCores(pair, 1.0, &cache);
  EXPECT_NEAR(found.distance_m, 0, 1e-12);
  EXPECT_NEAR(std::abs(found.normal(0)), 1, 1e-12);
  pair.b = point;
  cache = {};
  found = DistanceOfCores(pair, 1.0, &cache);
  EXPECT_NEAR(found.distance_m, 0, 1e-12);
  EXPECT_NEAR(found.normal(2), 0, 1e-12);
  pair.a = point;
  cache = {.axis = {0, -2, 0}};
  found = DistanceOfCores(pair, 1.0, &cache);
  EXPECT_NEAR(found.distance_m, 0, 1e-12);
  EXPECT_EQ(found.normal, (Vec<double, 3>(0, -1, 0)));  // where it was known before, it stays
}

}  // namespace
}  // namespace tactus
