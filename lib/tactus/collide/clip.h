#pragma once
#include <cstdint>

#include "tactus/collide/contact_set.h"
#include "tactus/collide/feature_id.h"
#include "tactus/collide/support_polygon.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/core/fixed_vector.h"

namespace tactus {

/// Contacts of one pair of shapes.
inline constexpr int kMaxPairContacts = 16;
template <class Scalar>
using PairContacts = FixedVector<ContactPoint<Scalar>, kMaxPairContacts>;

/// A corner within this of the other's outline counts as inside it [m]. Where outlines coincide, ids then do not change with
/// every micrometre of jitter: two equal cubes under 2 µm of it change 2 700 ids in 1 000 ticks at 1 µm, none at 10 µm.
template <class Scalar>
inline constexpr Scalar kClipSlack_m = Scalar(1e-5);

namespace internal {

/// Most points of a clip: each of 16 edges adds at most one corner. Two more: outlines that rounding bends have room.
inline constexpr int kMaxClipPoints = 2 * kFaceCorners + 2;

/// A contact before it is delivered: normal and tangent are the pair's.
template <class Scalar>
struct FoundPoint {
  std::int32_t id;
  Vec<Scalar, 3> point_m;
  Scalar gap_m;
};

/// Room for contacts that costs nothing until they come: to clear 64 of ContactPoint takes 3 000 instructions.
template <class Scalar, int kCapacity>
struct FoundPoints {
  FoundPoint<Scalar> at[kCapacity];
  int size = 0;

  void Add(const FoundPoint<Scalar>& point) {
    if (size < kCapacity) at[size++] = point;  // callers find no more than there is room for
  }
};
template <class Scalar>
using ClippedContacts = FoundPoints<Scalar, kMaxClipPoints>;

/// The plane of contact: seen along the shared normal n, from B into A.
template <class Scalar>
struct ContactPlane {
  Vec<Scalar, 3> n, u, w;  ///< u × w = n, in A
  Scalar radii_m;          ///< r of A and B together
  Scalar radius_b_m;
  Scalar margin_m;
  Scalar distance_m;  ///< of the cores: n separates them by it, so nothing on them is nearer

  /// A contact at that height of A's core above B's. On a tilted face a corner within the slack, but outside of the outline,
  /// would be nearer than the distance.
  FoundPoint<Scalar> Point(std::int32_t id, const Vec<Scalar, 3>& on_b_m, Scalar height_m) const {
    const Scalar gap_m = Max(height_m, distance_m) - radii_m;
    return {id, on_b_m + (radius_b_m + gap_m / 2) * n, gap_m};
  }
};

template <class Scalar>
struct FlatPoint {
  Scalar x, y;
  std::int32_t id;
  std::int16_t edge;  ///< the edge that leaves it: of A (≥ 0, its place in A's polygon), of B (-1 - its place)
};

/// The height above the plane through `origin` along n, of a polygon's face at (x, y).
template <class Scalar>
struct HeightField {
  Scalar at_zero, along_x, along_y;

  HeightField(const ContactPlane<Scalar>& plane, const Vec<Scalar, 3>& normal, const Vec<Scalar, 3>& point_m) {
    const Scalar scale = Scalar(1) / normal.dot(plane.n);
    at_zero = normal.dot(point_m) * scale;
    along_x = -normal.dot(plane.u) * scale;
    along_y = -normal.dot(plane.w) * scale;
  }
  Scalar operator()(Scalar x, Scalar y) const { return at_zero + (along_x * x + along_y * y); }
};

/// Face on face: A's outline is cut by each edge of B's [SutherlandHodgman74], both seen along n; the gap is the height
/// between the two planes.
template <class Scalar>
class FaceClip {
 public:
  FaceClip(const ContactPlane<Scalar>& plane, const SupportPolygon<Scalar>& a, const SupportPolygon<Scalar>& b)
      : plane_(plane), a_(a), b_(b) {}

  void Run(ClippedContacts<Scalar>* contacts) {
    for (int i = 0; i < a_.size; ++i) {  // A's face looks down n: backwards it is counterclockwise
      const int from = a_.size - 1 - i;
      const int edge = (from + a_.size - 1) % a_.size;
      now_[i] = {plane_.u.dot(a_.point_m[from]), plane_.w.dot(a_.point_m[from]),
                 FeatureId(FeatureKind::kVertexA, a_.vertex[from]), static_cast<std::int16_t>(edge)};
    }
    size_ = a_.size;
    for (int i = 0; i < b_.size; ++i) {
      bx_[i] = plane_.u.dot(b_.point_m[i]);
      by_[i] = plane_.w.dot(b_.point_m[i]);
    }
    for (int e = 0; e < b_.size && size_ > 0; ++e) Cut(e);
    Measure(contacts);
  }

 private:
  void Cut(int e) {
    const int to = e + 1 < b_.size ? e + 1 : 0;
    const Scalar ex = bx_[to] - bx_[e], ey = by_[to] - by_[e];
    const Scalar slack = kClipSlack_m<Scalar> * (Abs(ex) + Abs(ey));  // between 1 and √2 times the slack: no square root
    const auto inside = [&](const FlatPoint<Scalar>& p) { return (ex * (p.y - by_[e]) - ey * (p.x - bx_[e])) + slack; };
    int size = 0;
    for (int i = 0; i < size_ && size + 1 < kMaxClipPoints; ++i) {
      const FlatPoint<Scalar>&p = now_[i], &q = now_[i + 1 < size_ ? i + 1 : 0];
      const Scalar at_p = inside(p), at_q = inside(q);
      if (at_p >= Scalar(0)) next_[size++] = p;
      if ((at_p >= Scalar(0)) == (at_q >= Scalar(0))) continue;
      next_[size] = Crossing(p, q, at_p / (at_p - at_q), e);
      if (at_p >= Scalar(0)) next_[size].edge = static_cast<std::int16_t>(-1 - e);  // it leaves: on along e
      ++size;
    }
    for (int i = 0; i < size; ++i) now_[i] = next_[i];
    size_ = size;
  }

  // Where the outline from p to q is cut by B's edge e. If that is an edge of A, or one of B that does not meet e at a
  // corner: between the two; the edges between these cut the latter off again. If it is B's edge beside e: their corner,
  // itself and not that of the outline moved out by the slack.
  FlatPoint<Scalar> Crossing(const FlatPoint<Scalar>& p, const FlatPoint<Scalar>& q, Scalar t, int e) const {
    const int earlier = -1 - p.edge, after = e + 1 < b_.size ? e + 1 : 0;
    if (p.edge >= 0 || (after != earlier && earlier + 1 != e)) {
      const std::int32_t id = p.edge >= 0 ? FeatureId(FeatureKind::kEdges, a_.edge[p.edge], b_.edge[e])
                                          : FeatureId(FeatureKind::kEdges, b_.edge[earlier], b_.edge[e]);
      return {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), id, p.edge};
    }
    const int corner = after == earlier ? earlier : e;
    return {bx_[corner], by_[corner], FeatureId(FeatureKind::kVertexB, b_.vertex[corner]), p.edge};
  }

  void Measure(ClippedContacts<Scalar>* contacts) const {
    const HeightField<Scalar> height_a(plane_, a_.normal, a_.point_m[0]), height_b(plane_, b_.normal, b_.point_m[0]);
    for (int i = 0; i < size_; ++i) {
      const Scalar at_b = height_b(now_[i].x, now_[i].y), height = height_a(now_[i].x, now_[i].y) - at_b;
      if (!(height - plane_.radii_m <= plane_.margin_m) || IsRepeated(now_[i].id, *contacts)) continue;
      const Vec<Scalar, 3> on_b = now_[i].x * plane_.u + now_[i].y * plane_.w + at_b * plane_.n;
      contacts->Add(plane_.Point(now_[i].id, on_b, height));
    }
  }

  // Where an edge of A passes a corner of B within the slack, the outline may turn at that corner twice.
  static bool IsRepeated(std::int32_t id, const ClippedContacts<Scalar>& contacts) {
    for (int i = 0; i < contacts.size; ++i) {
      if (contacts.at[i].id == id) return true;
    }
    return false;
  }

  const ContactPlane<Scalar>& plane_;
  const SupportPolygon<Scalar>&a_, &b_;
  FlatPoint<Scalar> now_[kMaxClipPoints], next_[kMaxClipPoints];
  Scalar bx_[kFaceCorners], by_[kFaceCorners];
  int size_ = 0;
};

/// Edge on face: the part of the edge over the face; its ends are contacts.
/// @param[in] edge_is_of_a  `edge` belongs to A and `face` to B; else the other way about
template <class Scalar>
void ClipEdge(const ContactPlane<Scalar>& plane, const SupportPolygon<Scalar>& edge, const SupportPolygon<Scalar>& face,
              bool edge_is_of_a, ClippedContacts<Scalar>* contacts) {
  using Vec3 = Vec<Scalar, 3>;
  const Vec3 p = edge.point_m[0], along = edge.point_m[1] - p;
  const Scalar px = plane.u.dot(p), py = plane.w.dot(p), dx = plane.u.dot(along), dy = plane.w.dot(along);
  const Scalar sense = edge_is_of_a ? Scalar(1) : Scalar(-1);  // A's face is clockwise along n
  Scalar low = Scalar(0), high = Scalar(1);
  int low_edge = -1, high_edge = -1;
  for (int e = 0; e < face.size; ++e) {
    const int to = e + 1 < face.size ? e + 1 : 0;
    const Scalar bx = plane.u.dot(face.point_m[e]), by = plane.w.dot(face.point_m[e]);
    const Scalar ex = plane.u.dot(face.point_m[to]) - bx, ey = plane.w.dot(face.point_m[to]) - by;
    const Scalar slack = kClipSlack_m<Scalar> * (Abs(ex) + Abs(ey));
    const Scalar at_p = sense * (ex * (py - by) - ey * (px - bx)) + slack;
    const Scalar rate = sense * (ex * dy - ey * dx);
    if (at_p + (rate < Scalar(0) ? Scalar(0) : rate) < Scalar(0)) return;  // all of it is outside
    if (at_p < Scalar(0) && -at_p > low * rate) {
      low = -at_p / rate;
      low_edge = e;
    } else if (at_p + rate < Scalar(0) && at_p < -high * rate) {
      high = -at_p / rate;
      high_edge = e;
    }
  }
  if (low > high) return;
  const HeightField<Scalar> face_height(plane, face.normal, face.point_m[0]);
  for (int end = 0; end < 2; ++end) {
    const Scalar t = end == 0 ? low : high;
    const int cut_by = end == 0 ? low_edge : high_edge;
    const Vec3 on_edge = p + t * along;
    const Scalar at_face = face_height(px + t * dx, py + t * dy), at_edge = plane.n.dot(on_edge);
    const Scalar height = sense * (at_edge - at_face);
    if (!(height - plane.radii_m <= plane.margin_m)) continue;
    const FeatureKind corner = edge_is_of_a ? FeatureKind::kVertexA : FeatureKind::kVertexB;
    std::int32_t id = FeatureId(corner, edge.vertex[end]);
    if (cut_by >= 0) {
      id = edge_is_of_a ? FeatureId(FeatureKind::kEdges, edge.edge[0], face.edge[cut_by])
                        : FeatureId(FeatureKind::kEdges, face.edge[cut_by], edge.edge[0]);
    }
    const Vec3 on_b = edge_is_of_a ? Vec3(on_edge - height * plane.n) : on_edge;
    contacts->Add(plane.Point(id, on_b, height));
  }
}

/// Edge beside edge: the ends of each that lie over the other. The gap of an end is its own distance to the other edge,
/// which grows with the angle between the edges: parallel ones have two contacts, crossing ones none of these.
template <class Scalar>
void EdgeEnds(const ContactPlane<Scalar>& plane, const SupportPolygon<Scalar>& a, const SupportPolygon<Scalar>& b,
              ClippedContacts<Scalar>* contacts) {
  using Vec3 = Vec<Scalar, 3>;
  for (int of = 0; of < 2; ++of) {
    const SupportPolygon<Scalar>&from = of == 0 ? a : b, &onto = of == 0 ? b : a;
    const Vec3 start = onto.point_m[0], along = onto.point_m[1] - start;
    const Scalar length2 = along.squaredNorm(), slack = of == 0 ? kClipSlack_m<Scalar> : -kClipSlack_m<Scalar>;
    for (int end = 0; end < 2; ++end) {
      const Vec3 to_end = from.point_m[end] - start;
      const Scalar t = along.dot(to_end), room = slack * (Abs(along(0)) + Abs(along(1)) + Abs(along(2)));
      if (t < -room || t > length2 + room) continue;
      const Vec3 foot = start + (t / length2) * along;
      const Vec3 across = from.point_m[end] - foot;
      const Scalar distance = Norm(across), height = of == 0 ? plane.n.dot(across) : -plane.n.dot(across);
      const Scalar signed_m = height < Scalar(0) ? height : distance;
      if (!(signed_m - plane.radii_m <= plane.margin_m)) continue;
      const Vec3 on_b = of == 0 ? foot : from.point_m[end];
      const FeatureKind kind = of == 0 ? FeatureKind::kVertexA : FeatureKind::kVertexB;
      contacts->Add(plane.Point(FeatureId(kind, from.vertex[end]), on_b, signed_m));
    }
  }
}

}  // namespace internal

}  // namespace tactus
