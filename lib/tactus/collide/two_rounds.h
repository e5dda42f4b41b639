#pragma once
#include "tactus/collide/round_distance.h"

namespace tactus {

/// Iterations of two cylinders or cones: curved against curved, each iteration a new point of a rim. 10^5 placements: half
/// need 15.
inline constexpr int kMaxTwoRoundIterations = 48;

namespace internal {

/// Two cores of cylinders or cones in the frame of the first.
template <class Scalar>
struct TwoRounds {
  using Real = Scalar;
  RoundCore<Scalar> a, b;
  Mat<Scalar, 3, 3> R_AB;
  Vec<Scalar, 3> p_AB_m;

  Vec<Scalar, 3> SupportB(const Vec<Scalar, 3>& d) const {
    return p_AB_m + Times(R_AB, b.Support(Times(Mat<Scalar, 3, 3>(R_AB.transpose()), d)));
  }
  DifferenceVertex<Scalar> Farthest(const Vec<Scalar, 3>& d) const { return {a.Support(d) - SupportB(-d), 0, 0}; }
};

template <class Scalar>
CoreDistance<Scalar> TwoRoundsOverlap(const TwoRounds<Scalar>& pair, const Simplex<Scalar>& start,
                                      const Vec<Scalar, 3>& last_axis, int iterations, PairCache<Scalar>* cache) {
  const CoreDepth<Scalar> depth = DepthOfCores(pair, start, last_axis);
  CoreDistance<Scalar> result;
  result.relation = CoreRelation::kOverlap;
  result.distance_m = result.lower_bound_m = -depth.depth_m;
  result.normal = depth.normal;
  result.nearest_b_m = pair.SupportB(depth.normal);
  result.is_exact = depth.is_exact;
  result.iterations = static_cast<std::uint8_t>(iterations);
  cache->axis = depth.normal;
  return result;
}

}  // namespace internal

/// Signed distance of two cores of cylinders or cones by [GJK88] on their curved supports, with the certificate of
/// DistanceOfCores; warm by the last axis only. The distance is good to 1e-9 of the size, is_exact says so; the normal to
/// 2e-4 rad.
///
/// Cost: two supports an iteration, at most kMaxTwoRoundIterations
template <class Scalar>
CoreDistance<Scalar> DistanceOfTwoRounds(const internal::TwoRounds<Scalar>& pair, Scalar reach_m,
                                         PairCache<Scalar>* cache) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  const Vec3 last_axis = cache->axis;
  Vec3 v = last_axis.squaredNorm() > Scalar(0) ? last_axis : Vec3(-pair.p_AB_m);
  if (!(v.squaredNorm() > Scalar(0))) v = Vec3::UnitZ();
  const Scalar size_m = pair.a.radius_m + pair.a.half_m + pair.b.radius_m + pair.b.half_m;
  Simplex<Scalar> simplex;
  CoreDistance<Scalar> result;
  result.lower_bound_m = -std::numeric_limits<Scalar>::max();
  Vec3 on_b[4];  // of the simplex' vertices, whose field b numbers them
  // Of the size: the normal then is good to √(2 · 1e-10 · size/distance), 2e-4 rad at 70 mm and 0.4 mm.
  constexpr Scalar kEnough = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-7);
  int stalls = 0;
  for (int i = 1; i <= kMaxTwoRoundIterations; ++i) {
    const Scalar norm_m = Norm(v);
    const Vec3 p = pair.SupportB(v);
    DifferenceVertex<Scalar> w{pair.a.Support(-v) - p, 0, 0};
    const Scalar bound_m = v.dot(w.y) / norm_m;
    result.iterations = static_cast<std::uint8_t>(i);
    if (bound_m > result.lower_bound_m) {
      result.lower_bound_m = bound_m;
      result.normal = v / norm_m;
    }
    if (result.lower_bound_m > reach_m) break;
    if (simplex.size > 0 && norm_m - result.lower_bound_m <= kEnough * size_m) break;
    const Simplex<Scalar> before = simplex;
    for (bool is_free = false; !is_free;) {  // the first number that no vertex has: at most four rounds
      is_free = !simplex.Has(0, w.b);
      if (!is_free) ++w.b;
    }
    on_b[w.b] = p;
    simplex.vertex[simplex.size++] = w;
    Reduce(&simplex);
    if (simplex.holds_origin || Norm(simplex.v) <= internal::kTouchShare<Scalar> * size_m) {
      return internal::TwoRoundsOverlap(pair, simplex, last_axis, i, cache);
    }
    if (before.size > 0 && !(simplex.v.squaredNorm() < norm_m * norm_m) && ++stalls > internal::kMaxStalls) {
      simplex = before;
      break;
    }
    v = simplex.v;
  }
  result.relation = result.lower_bound_m > reach_m ? CoreRelation::kFar : CoreRelation::kApart;
  result.distance_m = result.relation == CoreRelation::kFar ? result.lower_bound_m : Norm(v);
  for (int i = 0; i < simplex.size; ++i) result.nearest_b_m += simplex.weight[i] * on_b[simplex.vertex[i].b];
  constexpr Scalar kExact = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);
  result.is_exact = result.relation == CoreRelation::kFar || result.distance_m - result.lower_bound_m <= kExact * size_m;
  cache->axis = result.normal;
  return result;
}

}  // namespace tactus
