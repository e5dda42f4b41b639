#pragma once
#include "tactus/collide/round_core.h"

// Distance between a cylinder or a cone and a polytope core.
//
// GJK alone is poor on a curved core: 30 to 50 iterations, each a new point of the rim. Here the
// cylinder is never cut into vertices. Over a set W of at most three vertices of B the problem
//
//     min over p in conv W of |π(p) - p|,     π: the nearest point of the cylinder, in closed form
//
// is solved exactly: a vertex by π; an edge by its one parameter t, in which the square of the distance is convex; the
// inside of a triangle from the cylinder's support point against its normal. With n = (π(p) - p)/|π(p) - p| the cylinder
// lies beyond its own point along n, because π is a projection on a convex set; so max n·b - n·p over the vertices b of B is
// the whole gap between this distance and the certificate, and the farthest b the vertex to add. Each round's distance is
// smaller than the last one's, so no W comes twice: it ends, in 3 to 6 rounds cold and in one warm.

namespace tactus {

/// Rounds of a cylinder against a polytope. 10^5 placements with hulls of up to 64 vertices needed 14.
inline constexpr int kMaxRoundRounds = 24;

namespace internal {

/// A cylinder's or cone's core and a polytope's at its pose in the frame of the first.
template <class Scalar>
struct RoundPair {
  using Real = Scalar;
  RoundCore<Scalar> a;
  Core<Scalar> b;
  Mat<Scalar, 3, 3> R_AB;
  Vec<Scalar, 3> p_AB_m;

  Vec<Scalar, 3> VertexB(int id) const { return p_AB_m + Times(R_AB, b.Vertex(id)); }
  int SupportB(const Vec<Scalar, 3>& d) const { return b.Support(Times(Mat<Scalar, 3, 3>(R_AB.transpose()), d)); }
  DifferenceVertex<Scalar> Farthest(const Vec<Scalar, 3>& d) const {
    const int id = SupportB(-d);
    return {a.Support(d) - VertexB(id), 0, static_cast<std::uint8_t>(id)};
  }
};

/// Steps of the search on one edge. Newton's steps are kept in a bracket; where they leave it, it is
/// halved: 4 to 6 are usual.
inline constexpr int kMaxEdgeSteps = 48;
/// Across a bend Newton's steps may go to and fro: back to the end they came from they do not go, and from this many on
/// every second one halves the bracket.
inline constexpr int kTiredSteps = 10;

/// The nearest point of a set of vertices to a cylinder; `vertex[i].y` holds the vertices themselves.
template <class Scalar>
class RoundNearest {
  using Vec3 = Vec<Scalar, 3>;

 public:
  RoundNearest(const RoundCore<Scalar>& core, const DifferenceVertex<Scalar>* vertex) : core_(core), vertex_(vertex) {}

  void OfferPoint(int i) {
    const Vec3 p = vertex_[i].y;
    best_.Offer(core_.Project(p) - p, i, -1, -1, Scalar(1), Scalar(0), Scalar(0));
  }

  /// f(t) = |π(p) - p|²/2 on p = p_i + t e is convex: f' = (p - π)·e, f'' from the part of e that π does not follow.
  void OfferEdge(int i, int j) {
    const Vec3 start = vertex_[i].y, e = vertex_[j].y - start;
    const Scalar flat =
        std::numeric_limits<Scalar>::epsilon() * Norm(e) * (core_.radius_m + core_.half_m);  // f' below: rounding
    Scalar low = Scalar(0), high = Scalar(1), slope, curvature;
    core_.Slope(start, e, &slope, &curvature);
    if (!(slope < Scalar(0))) return OfferPoint(i);
    for (const Scalar end : {core_.Low_m(), core_.High_m()}) {  // f' bends where the edge crosses the plane of an end
      const Scalar bend = e(2) != Scalar(0) ? (end - start(2)) / e(2) : Scalar(0);
      if (!(bend > low && bend < high)) continue;
      core_.Slope(start + bend * e, e, &slope, &curvature);
      if (Abs(slope) <= flat) return OfferOnEdge(i, j, bend);
      (slope < Scalar(0) ? low : high) = bend;
    }
    core_.Slope(start + low * e, e, &slope, &curvature);
    Scalar t = curvature > Scalar(0) ? Min(low - slope / curvature, high) : high;
    const Scalar done = Scalar(4) * std::numeric_limits<Scalar>::epsilon();
    for (int step = 0; step < kMaxEdgeSteps; ++step) {
      core_.Slope(start + t * e, e, &slope, &curvature);
      if (Abs(slope) <= flat) break;
      (slope < Scalar(0) ? low : high) = t;
      if (t == Scalar(1) && slope < Scalar(0)) return OfferPoint(j);
      const Scalar newton = t - slope / curvature, other = slope < Scalar(0) ? high : low;
      const bool tires = step >= kTiredSteps && step % 2 == 0;
      const bool inside = curvature > Scalar(0) && newton >= low && newton <= high && newton != other && !tires;
      const Scalar next = inside ? newton : (low + high) / 2;
      const Scalar moved = Abs(next - t);
      t = next;
      if (moved <= done) break;
    }
    OfferOnEdge(i, j, t);
  }

  /// The inside of a triangle; its edges are offered beside it.
  void OfferInside(int i, int j, int k) {
    const Vec3 p = vertex_[i].y, e = vertex_[j].y - p, f = vertex_[k].y - p;
    Vec3 n = Cross(e, f);
    const Scalar length2 = n.squaredNorm();
    if (!(length2 > kSliver<Scalar> * e.squaredNorm() * f.squaredNorm())) return;
    n /= Sqrt(length2);
    if (n.dot(p) > Scalar(0)) n = -n;  // towards the middle of the cylinder, the origin
    const Vec3 lowest = core_.Support(-n);
    const Scalar middle_height = -n.dot(p), height = n.dot(Vec3(lowest - p));
    // Where the solid crosses the plane: a point of the crossing. If it is in the triangle, the two meet.
    const Vec3 foot =
        height > Scalar(0) ? Vec3(lowest - height * n) : Vec3(lowest * (middle_height / (middle_height - height)));
    const Vec3 from = foot - p, normal = Cross(e, f);
    const Scalar w_j = normal.dot(Cross(from, f)) / length2, w_k = normal.dot(Cross(e, from)) / length2;
    if (!(w_j >= Scalar(0)) || !(w_k >= Scalar(0)) || !(w_j + w_k <= Scalar(1))) return;
    best_.Offer(height > Scalar(0) ? Vec3(height * n) : Vec3(Vec3::Zero()), i, j, k, Scalar(1) - w_j - w_k, w_j, w_k);
  }

  const Nearest<Scalar>& best() const { return best_; }

 private:
  void OfferOnEdge(int i, int j, Scalar t) {
    const Vec3 p = vertex_[i].y + t * (vertex_[j].y - vertex_[i].y);
    best_.Offer(core_.Project(p) - p, i, j, -1, Scalar(1) - t, t, Scalar(0));
  }

  const RoundCore<Scalar>& core_;
  const DifferenceVertex<Scalar>* vertex_;
  Nearest<Scalar> best_;
};

/// The nearest point of W to the cylinder; W shrinks to the vertices that it needs. The newest vertex is the last.
template <class Scalar>
void ReduceRound(const RoundCore<Scalar>& core, Simplex<Scalar>* w) {
  RoundNearest<Scalar> nearest(core, w->vertex);
  const int last = w->size - 1;
  nearest.OfferPoint(last);
  for (int i = 0; i < last; ++i) {
    nearest.OfferEdge(i, last);
    for (int j = 0; j < i; ++j) nearest.OfferInside(j, i, last);
  }
  DifferenceVertex<Scalar> kept[3];
  const Nearest<Scalar>& best = nearest.best();
  for (int i = 0; i < best.size; ++i) kept[i] = w->vertex[best.index[i]];
  for (int i = 0; i < best.size; ++i) {
    w->vertex[i] = kept[i];
    w->weight[i] = best.weight[i];
  }
  w->size = best.size;
  w->v = best.v;
}

/// Whether the origin, the middle of the cylinder, is inside the tetrahedron.
template <class Scalar>
bool HoldsMiddle(const Simplex<Scalar>& w) {
  Nearest<Scalar> unused;
  return w.size == 4 && OfferTetrahedron(w.vertex, &unused);
}

template <class Scalar>
CoreDistance<Scalar> RoundOverlap(const RoundPair<Scalar>& pair, const Vec<Scalar, 3>& last_axis, int rounds,
                                  PairCache<Scalar>* cache) {
  Simplex<Scalar> start;
  start.vertex[0] = pair.Farthest(Vec<Scalar, 3>::UnitX());
  start.size = 1;
  const CoreDepth<Scalar> depth = DepthOfCores(pair, start, last_axis);
  CoreDistance<Scalar> result;
  result.relation = CoreRelation::kOverlap;
  result.distance_m = result.lower_bound_m = -depth.depth_m;
  result.normal = depth.normal;
  result.is_exact = depth.is_exact;
  result.iterations = static_cast<std::uint8_t>(rounds);
  for (int i = 0; i < depth.face.size; ++i)
    result.nearest_b_m += depth.face.weight[i] * pair.VertexB(depth.face.vertex[i].b);
  *cache = {};
  cache->axis = depth.normal;
  return result;
}

}  // namespace internal

/// Signed distance of a cylinder's or cone's core and a polytope, as derived above; in the frame of the first, which is A.
///
/// @param[in]     reach_m  a pair certified to be farther apart is kFar at once
/// @param[in,out] cache    the vertices of B where the last search ended
/// Cost: a support of B and at most three edges and two triangles a round, at most kMaxRoundRounds; kOverlap adds
/// DepthOfCores, whose depth of a curved core is over by up to 1e-3 of its radius when kMaxEpaVertices ends it
template <class Scalar>
CoreDistance<Scalar> DistanceOfRound(const internal::RoundPair<Scalar>& pair, Scalar reach_m,
                                     PairCache<Scalar>* cache) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  const Vec3 last_axis = cache->axis;
  Simplex<Scalar> w;
  for (int i = 0; i < cache->size && i < 3; ++i) {
    if (!pair.b.HasVertex(cache->b[i]) || w.Has(0, cache->b[i])) continue;
    w.vertex[w.size++] = {pair.VertexB(cache->b[i]), 0, cache->b[i]};
    internal::ReduceRound(pair.a, &w);
  }
  if (w.size == 0) {
    const int id = pair.SupportB(-pair.p_AB_m);
    w.vertex[w.size++] = {pair.VertexB(id), 0, static_cast<std::uint8_t>(id)};
    internal::ReduceRound(pair.a, &w);
  }
  const Scalar size_m = pair.a.radius_m + pair.a.half_m;
  CoreDistance<Scalar> result;
  result.is_exact = false;
  int stalls = 0;
  for (int round = 1; round <= kMaxRoundRounds; ++round) {
    const Scalar distance_m = Norm(w.v);
    if (distance_m <= internal::kTouchShare<Scalar> * size_m) return internal::RoundOverlap(pair, last_axis, round, cache);
    const Vec3 n = w.v / distance_m;
    Vec3 p = Vec3::Zero();
    for (int i = 0; i < w.size; ++i) p += w.weight[i] * w.vertex[i].y;
    const int id = pair.SupportB(n);
    const Vec3 farthest = pair.VertexB(id);
    const Scalar bound_m = distance_m - n.dot(Vec3(farthest - p));
    result.iterations = static_cast<std::uint8_t>(round);
    if (round == 1 || bound_m > result.lower_bound_m) {
      result.lower_bound_m = bound_m;
      result.normal = n;
    }
    result.distance_m = distance_m;
    result.is_exact = w.Has(0, id) || distance_m - bound_m <= internal::kGjkShare<Scalar> * (distance_m + size_m);
    if (bound_m > reach_m || result.is_exact || round == kMaxRoundRounds) break;
    const Simplex<Scalar> before = w;
    w.vertex[w.size++] = {farthest, 0, static_cast<std::uint8_t>(id)};
    if (internal::HoldsMiddle(w)) return internal::RoundOverlap(pair, last_axis, round, cache);
    internal::ReduceRound(pair.a, &w);
    const Scalar v2 = w.v.squaredNorm(), before2 = before.v.squaredNorm();
    if (!(v2 < before2)) ++stalls;
    if (v2 > before2 * (Scalar(1) + internal::kStallShare<Scalar>) || stalls > internal::kMaxStalls || !w.Has(0, id)) {
      w = before;  // rounding: no vertex brings it nearer
      result.is_exact = true;
      break;
    }
  }
  if (result.lower_bound_m > reach_m) {
    result.relation = CoreRelation::kFar;
    result.distance_m = result.lower_bound_m;
  }
  for (int i = 0; i < w.size; ++i) result.nearest_b_m += w.weight[i] * w.vertex[i].y;
  internal::Remember(w, w.v, cache);
  return result;
}

}  // namespace tactus
