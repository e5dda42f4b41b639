#pragma once
#include <cstdint>
#include <limits>

#include "tactus/collide/core_depth.h"
#include "tactus/collide/core_pair.h"
#include "tactus/collide/simplex.h"

namespace tactus {

/// What a pair keeps from tick to tick: where the last search ended. Zeroed: a cold start. Any content is safe: numbers that
/// are no vertices are ignored, a wrong start costs iterations only.
template <class Scalar>
struct PairCache {
  Vec<Scalar, 3> axis = Vec<Scalar, 3>::Zero();  ///< direction that separated the cores, in A; zero: none
  std::uint8_t size = 0;                         ///< vertices below, at most 3
  std::uint8_t a[3] = {}, b[3] = {};
};

enum class CoreRelation : std::uint8_t {
  kFar,      ///< farther apart than asked for: lower_bound_m is all that is known
  kApart,    ///< distance_m > 0, exact
  kOverlap,  ///< distance_m ≤ 0 is minus the depth
};

/// Distance of two cores, and where.
template <class Scalar>
struct CoreDistance {
  CoreRelation relation = CoreRelation::kApart;
  Scalar distance_m = Scalar(0);     ///< signed: < 0 by the depth where the cores overlap
  Scalar lower_bound_m = Scalar(0);  ///< certified: min over A of n·a less max over B of n·b; the distance is not below it
  Vec<Scalar, 3> normal = Vec<Scalar, 3>::UnitZ();                                            ///< unit, from B into A, in A
  Vec<Scalar, 3> nearest_a_m = Vec<Scalar, 3>::Zero(), nearest_b_m = Vec<Scalar, 3>::Zero();  ///< in A
  std::uint8_t feature_size = 0;  ///< vertices of the nearest features
  std::uint8_t feature_a[3] = {}, feature_b[3] = {};
  std::uint8_t iterations = 0;
  bool is_exact = true;  ///< false: an iteration limit ended the search. lower_bound_m still holds
};

/// Iterations of a distance: 600 000 poses of hulls up to 64 vertices, many almost parallel, needed 17 (docs/collision.md).
inline constexpr int kMaxGjkIterations = 24;

namespace internal {

/// Relative accuracy of |v|² at which the search ends.
template <class Scalar>
inline constexpr Scalar kGjkShare = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-6);
/// Cores nearer than this share of their size count as touching: the direction of v is rounding.
template <class Scalar>
inline constexpr Scalar kTouchShare = sizeof(Scalar) == 8 ? Scalar(1e-11) : Scalar(1e-6);

/// In exact arithmetic each step shortens v. In rounding it may not, by a tiny step across an almost flat face; the one
/// after does. In single precision a search that ends at the first such step is off by 2e-3 of the distance at times.
template <class Scalar>
inline constexpr Scalar kStallShare = sizeof(Scalar) == 8 ? Scalar(1e-13) : Scalar(2e-5);
inline constexpr int kMaxStalls = 4;

template <class Scalar>
Scalar LargestPart(const Vec<Scalar, 3>& y) {
  return Max(Abs(y(0)), Max(Abs(y(1)), Abs(y(2))));
}

/// The simplex where the last search ended, at the present pose; none if it touches the origin, where v is no direction.
template <class Scalar>
void Restart(const CorePair<Scalar>& pair, const PairCache<Scalar>& cache, Simplex<Scalar>* simplex) {
  Scalar size_m = Scalar(0);
  for (int i = 0; i < cache.size && i < 3; ++i) {
    if (!pair.a.HasVertex(cache.a[i]) || !pair.b.HasVertex(cache.b[i]) || simplex->Has(cache.a[i], cache.b[i])) continue;
    simplex->vertex[simplex->size++] = pair.Difference(cache.a[i], cache.b[i]);
    size_m = Max(size_m, LargestPart(simplex->vertex[simplex->size - 1].y));
  }
  if (simplex->size == 0) return;
  Reduce(simplex);
  if (!(Norm(simplex->v) > kTouchShare<Scalar> * size_m)) simplex->size = 0;
}

template <class Scalar>
void Remember(const Simplex<Scalar>& simplex, const Vec<Scalar, 3>& axis, PairCache<Scalar>* cache) {
  cache->axis = axis;
  cache->size = static_cast<std::uint8_t>(simplex.size < 3 ? simplex.size : 3);
  for (int i = 0; i < cache->size; ++i) {
    cache->a[i] = simplex.vertex[i].a;
    cache->b[i] = simplex.vertex[i].b;
  }
}

template <class Scalar>
void TakeNearest(const CorePair<Scalar>& pair, const Simplex<Scalar>& simplex, CoreDistance<Scalar>* result) {
  result->feature_size = static_cast<std::uint8_t>(simplex.size);
  for (int i = 0; i < simplex.size; ++i) {
    const DifferenceVertex<Scalar>& vertex = simplex.vertex[i];
    result->nearest_a_m += simplex.weight[i] * pair.VertexA(vertex.a);
    result->nearest_b_m += simplex.weight[i] * pair.VertexB(vertex.b);
    result->feature_a[i] = vertex.a;
    result->feature_b[i] = vertex.b;
  }
}

/// Cores that overlap, or touch: the depth by DepthOfCores.
template <class Scalar>
CoreDistance<Scalar> Overlap(const CorePair<Scalar>& pair, const Simplex<Scalar>& simplex, const Vec<Scalar, 3>& last_axis,
                             int iterations, PairCache<Scalar>* cache) {
  const CoreDepth<Scalar> depth = DepthOfCores(pair, simplex, last_axis);
  CoreDistance<Scalar> result{.relation = CoreRelation::kOverlap};
  result.distance_m = result.lower_bound_m = -depth.depth_m;
  result.normal = depth.normal;
  result.is_exact = depth.is_exact;
  result.iterations = static_cast<std::uint8_t>(iterations);
  TakeNearest(pair, depth.face, &result);
  Remember(depth.face, depth.normal, cache);
  return result;
}

}  // namespace internal

/// Signed distance of two convex cores by the method of [GJK88], bounded, with a certificate.
///
///     v = argmin |a - b|;   for every unit n:   |v| ≥ min n·a - max n·b                    (weak duality)
///
/// Each step adds the vertex w of A - B farthest against v and takes the nearest point of the simplex. It ends when w is
/// known already, when |v|² - v·w ≤ 1e-12 |v|² (float 1e-6), or when |v| shrinks no more. v·w/|v| is the certificate, and
/// the v where it is largest is the normal. Deviations from the source: only vertex numbers survive a tick; slivers and flat
/// tetrahedra are not trusted; inside a triangle v is its normal; a step that fails to shrink |v| by rounding is taken.
///
/// @param[in]     reach_m  a pair certified to be farther apart is kFar at once
/// @param[in,out] cache    where to start, then where it ended
/// Cost: one support of each core an iteration, at most kMaxGjkIterations; kOverlap adds DepthOfCores
template <class Scalar>
CoreDistance<Scalar> DistanceOfCores(const CorePair<Scalar>& pair, Scalar reach_m, PairCache<Scalar>* cache) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  Simplex<Scalar> simplex[2];
  int now = 0;
  internal::Restart(pair, *cache, &simplex[now]);
  Vec3 v = simplex[now].size > 0 ? simplex[now].v : cache->axis;
  if (!(v.squaredNorm() > Scalar(0))) v = -pair.p_AB_m;
  if (!(v.squaredNorm() > Scalar(0))) v = Vec3::UnitZ();
  const Vec3 first_axis = cache->axis;
  CoreDistance<Scalar> result;
  Scalar size_m = internal::LargestPart(pair.p_AB_m), bound_m = -std::numeric_limits<Scalar>::max();
  int i = 0, stalls = 0;
  for (; i < kMaxGjkIterations; ++i) {
    const int a = pair.SupportA(-v), b = pair.SupportB(v);
    const DifferenceVertex<Scalar> w = pair.Difference(a, b);
    const Scalar v2 = v.squaredNorm(), v_w = v.dot(w.y);
    const Scalar norm_m = Sqrt(v2), here_m = v_w / norm_m;
    if (!(here_m < bound_m)) {
      bound_m = here_m;
      result.normal = v / norm_m;
    }
    if (bound_m > reach_m) {
      internal::Remember(simplex[now], v, cache);
      result.relation = CoreRelation::kFar;
      result.distance_m = result.lower_bound_m = bound_m;
      result.iterations = static_cast<std::uint8_t>(i + 1);
      return result;
    }
    const bool has_point = simplex[now].size > 0;
    if (has_point && (simplex[now].Has(a, b) || v2 - v_w <= internal::kGjkShare<Scalar> * v2)) break;
    const int next = 1 - now;
    simplex[next] = simplex[now];
    simplex[next].vertex[simplex[next].size++] = w;
    Reduce(&simplex[next]);
    size_m = Max(size_m, internal::LargestPart(w.y));
    if (simplex[next].holds_origin) return internal::Overlap(pair, simplex[next], first_axis, i + 1, cache);
    if (has_point) {
      const Scalar next2 = simplex[next].v.squaredNorm();
      if (!(next2 < v2)) ++stalls;
      if (next2 > v2 * (Scalar(1) + internal::kStallShare<Scalar>) || stalls > internal::kMaxStalls ||
          !simplex[next].Has(a, b))
        break;
    }
    now = next;
    v = simplex[now].v;
    const Scalar touch_m = internal::kTouchShare<Scalar> * size_m;
    if (v.squaredNorm() <= touch_m * touch_m) return internal::Overlap(pair, simplex[now], first_axis, i + 1, cache);
  }
  result.distance_m = Norm(v);
  result.lower_bound_m = bound_m;
  result.iterations = static_cast<std::uint8_t>(i < kMaxGjkIterations ? i + 1 : i);
  result.is_exact = i < kMaxGjkIterations;
  internal::TakeNearest(pair, simplex[now], &result);
  internal::Remember(simplex[now], v, cache);
  return result;
}

}  // namespace tactus
