#pragma once
#include <cstdint>
#include <span>

#include "tactus/core/eigen.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

inline constexpr int kHullVertices = 64;
inline constexpr int kHullEdges = 3 * kHullVertices - 6;  ///< Euler's most
inline constexpr int kHullFaces = 2 * kHullVertices - 4;
inline constexpr int kFaceCorners = 16;  ///< of one face: what a clip has room for. A rounder face is a cylinder's

/// Largest coordinate and length [m]: its square and cube keep their digits in single precision.
template <class Scalar>
inline constexpr Scalar kMaxExtent_m = Scalar(10);

/// A convex polytope with its neighbourhoods, as plain data: indices, no pointers. Read only after MakeHull.
///
/// Edge e is the half edges 2e and 2e + 1, one for each of its two faces; half edge i's opposite is i ^ 1.
template <class Scalar>
struct Hull {
  struct HalfEdge {
    std::uint8_t origin;  ///< vertex where it starts
    std::uint8_t face;    ///< on its left, seen from outside
    std::uint16_t next;   ///< half edge of the same face
  };

  FixedVector<Vec<Scalar, 3>, kHullVertices> vertex_m;
  FixedVector<Vec<Scalar, 3>, kHullFaces> normal;  ///< unit, outward
  FixedVector<HalfEdge, 2 * kHullEdges> half_edge;
  FixedVector<std::uint16_t, kHullFaces> first_of_face;       ///< a half edge of the face
  FixedVector<std::uint16_t, kHullVertices> first_of_vertex;  ///< a half edge that starts there

  /// The next half edge that starts at the same vertex.
  int Around(int i) const { return half_edge[i ^ 1].next; }
};

/// What is wrong with a polytope's data.
struct HullFault {
  const char* what = nullptr;  ///< nullptr: nothing is wrong
  const char* list = nullptr;  ///< "vertices" or "faces"
  int index = -1;              ///< place in that list; -1: it is none

  constexpr explicit operator bool() const { return what != nullptr; }
};

/// Faces as lists of vertex numbers one after the other: face f has counts[f] corners.
struct HullFaces {
  std::span<const std::uint8_t> counts;
  std::span<const std::uint8_t> corners;  ///< counterclockwise seen from outside
};

namespace internal {

/// Room for rounding in "lies in the plane" and "lies below it", as a share of the size.
template <class Scalar>
inline constexpr Scalar kPlaneShare = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(2e-6);
/// A hull thinner than this share of its size is flat; neighbouring faces must turn by more than this [rad].
template <class Scalar>
inline constexpr Scalar kFlatShare = Scalar(1e-4);

/// Builds a Hull from faces; each member checks one thing. See MakeHull.
template <class Scalar>
class HullMaker {
  using Vec3 = Vec<Scalar, 3>;
  using HalfEdge = typename Hull<Scalar>::HalfEdge;

 public:
  HullMaker(std::span<const Vec3> vertices_m, const HullFaces& faces, Hull<Scalar>* hull)
      : vertices_m_(vertices_m), faces_(faces), hull_(*hull) {}

  HullFault Run() {
    hull_ = Hull<Scalar>{};
    if (const HullFault fault = TakeVertices()) return fault;
    if (const HullFault fault = TakeFaces()) return fault;
    if (const HullFault fault = PairEdges()) return fault;
    if (const HullFault fault = CheckClosed()) return fault;
    for (int f = 0; f < hull_.first_of_face.size(); ++f) {
      if (const HullFault fault = CheckFace(f)) return fault;
    }
    return CheckTurns();
  }

 private:
  HullFault TakeVertices() {
    if (vertices_m_.size() < 4) return {"are fewer than 4", "vertices"};
    if (vertices_m_.size() > kHullVertices) return {"are more than 64", "vertices"};
    Vec3 low = vertices_m_[0], high = vertices_m_[0];
    for (const Vec3& p : vertices_m_) {
      const int i = hull_.vertex_m.size();
      if (!IsFinite(p)) return {"is not finite", "vertices", i};
      for (int x = 0; x < 3; ++x) {
        if (Abs(p(x)) > kMaxExtent_m<Scalar>) return {"is beyond 10 m", "vertices", i};
        low(x) = Min(low(x), p(x));
        high(x) = Max(high(x), p(x));
      }
      (void)hull_.vertex_m.push_back(p);
    }
    const Vec3 diagonal = high - low;
    size_m_ = Norm(diagonal);
    if (!(size_m_ >= Scalar(1e-4))) return {"span less than 0.1 mm", "vertices"};
    return {};
  }

  HullFault TakeFaces() {
    if (faces_.counts.size() < 4) return {"are fewer than 4", "faces"};
    if (faces_.counts.size() > kHullFaces) return {"are more than 124", "faces"};
    std::size_t at = 0;
    for (const std::uint8_t count : faces_.counts) {
      const int f = hull_.first_of_face.size();
      if (count < 3) return {"has fewer than 3 corners", "faces", f};
      if (count > kFaceCorners) return {"has more than 16 corners: use a cylinder", "faces", f};
      if (at + count > faces_.corners.size()) return {"lacks corners", "faces", f};
      for (std::size_t c = 0; c < count; ++c) {
        if (faces_.corners[at + c] >= vertices_m_.size()) return {"names a vertex that is not there", "faces", f};
      }
      (void)hull_.first_of_face.push_back(0);
      at += count;
    }
    return at == faces_.corners.size() ? HullFault{} : HullFault{"have corners left over", "faces"};
  }

  // The half edge from p to q among those placed, or -1. One that is not placed yet has no face.
  int Find(std::uint8_t p, std::uint8_t q) const {
    for (int i = 0; i < hull_.half_edge.size(); ++i) {
      if (hull_.half_edge[i].origin == p && hull_.half_edge[i ^ 1].origin == q) return i;
    }
    return -1;
  }

  HullFault PairEdges() {
    std::size_t at = 0;
    for (int f = 0; f < hull_.first_of_face.size(); ++f) {
      const std::size_t count = faces_.counts[static_cast<std::size_t>(f)];
      int first = -1, last = -1;
      for (std::size_t c = 0; c < count; ++c) {
        const std::uint8_t p = faces_.corners[at + c], q = faces_.corners[at + (c + 1) % count];
        if (p == q) return {"repeats a corner", "faces", f};
        int i = Find(p, q);
        if (i < 0) {
          i = hull_.half_edge.size();
          if (hull_.half_edge.push_back({p, kNoFace, 0}) != Status::kOk) return {"have more than 186 edges", "faces"};
          (void)hull_.half_edge.push_back({q, kNoFace, 0});
        }
        if (hull_.half_edge[i].face != kNoFace) return {"has an edge that another face has in the same sense", "faces", f};
        hull_.half_edge[i].face = static_cast<std::uint8_t>(f);
        if (last >= 0) hull_.half_edge[last].next = static_cast<std::uint16_t>(i);
        if (first < 0) first = i;
        last = i;
      }
      hull_.half_edge[last].next = static_cast<std::uint16_t>(first);
      hull_.first_of_face[f] = static_cast<std::uint16_t>(first);
      at += count;
    }
    return {};
  }

  HullFault CheckClosed() {
    hull_.first_of_vertex.resize(hull_.vertex_m.size());
    for (std::uint16_t& first : hull_.first_of_vertex) first = kNoEdge;
    for (int i = 0; i < hull_.half_edge.size(); ++i) {
      if (hull_.half_edge[i].face == kNoFace)
        return {"has an edge without a neighbour", "faces", hull_.half_edge[i ^ 1].face};
      hull_.first_of_vertex[hull_.half_edge[i].origin] = static_cast<std::uint16_t>(i);
    }
    for (int v = 0; v < hull_.vertex_m.size(); ++v) {
      if (hull_.first_of_vertex[v] == kNoEdge) return {"is in no face", "vertices", v};
    }
    if (hull_.vertex_m.size() + hull_.first_of_face.size() != 2 + hull_.half_edge.size() / 2) {
      return {"do not close to one body without holes", "faces"};
    }
    return {};
  }

  // Newell's normal; then all vertices below the plane, the face's own in it.
  HullFault CheckFace(int f) {
    const int first = hull_.first_of_face[f];
    const Vec3 base = hull_.vertex_m[hull_.half_edge[first].origin];
    Vec3 area = Vec3::Zero();
    int i = first;
    for (int c = 0; c < kFaceCorners; ++c) {
      const int next = hull_.half_edge[i].next;
      const Vec3 p = hull_.vertex_m[hull_.half_edge[i].origin] - base,
                 q = hull_.vertex_m[hull_.half_edge[next].origin] - base;
      area += Cross(p, q);
      i = next;
      if (i == first) break;
    }
    const Scalar twice_m2 = Norm(area);
    if (!(twice_m2 > Scalar(1e-7) * size_m_ * size_m_)) return {"has no area", "faces", f};
    const Vec3 n = area / twice_m2;
    (void)hull_.normal.push_back(n);
    const Scalar room_m = kPlaneShare<Scalar> * size_m_;
    Scalar lowest_m = Scalar(0), highest_m = Scalar(0);
    for (const Vec3& p : hull_.vertex_m) {
      const Vec3 from = p - base;
      lowest_m = Min(lowest_m, n.dot(from));
      highest_m = Max(highest_m, n.dot(from));
    }
    if (highest_m > room_m && lowest_m >= -room_m) return {"is wound inward", "faces", f};
    if (highest_m > room_m) return {"has vertices on both sides: not convex", "faces", f};
    if (lowest_m > -kFlatShare<Scalar> * size_m_) return {"has all vertices in its plane: flat", "faces", f};
    return CheckCorners(f, n);
  }

  HullFault CheckCorners(int f, const Vec3& n) const {
    int i = hull_.first_of_face[f];
    const Vec3 base = hull_.vertex_m[hull_.half_edge[i].origin];
    for (int c = 0; c < faces_.counts[static_cast<std::size_t>(f)]; ++c) {
      const int j = hull_.half_edge[i].next, k = hull_.half_edge[j].next;
      const Vec3 p = hull_.vertex_m[hull_.half_edge[i].origin], q = hull_.vertex_m[hull_.half_edge[j].origin];
      const Vec3 from = p - base, before = q - p, after = hull_.vertex_m[hull_.half_edge[k].origin] - q;
      if (n.dot(from) < -Scalar(4) * kPlaneShare<Scalar> * size_m_) return {"is not plane", "faces", f};
      if (!(n.dot(Cross(before, after)) > kFlatShare<Scalar> * Norm(before) * Norm(after))) {
        return {"has a corner that is none, or not convex", "faces", f};
      }
      i = j;
    }
    return {};
  }

  HullFault CheckTurns() const {
    for (int i = 0; i < hull_.half_edge.size(); i += 2) {
      const Vec3 turn = Cross(hull_.normal[hull_.half_edge[i].face], hull_.normal[hull_.half_edge[i + 1].face]);
      const Scalar cos = hull_.normal[hull_.half_edge[i].face].dot(hull_.normal[hull_.half_edge[i + 1].face]);
      if (cos > Scalar(0) && !(Norm(turn) > kFlatShare<Scalar>)) {
        return {"lies in one plane with its neighbour: make them one", "faces", hull_.half_edge[i].face};
      }
    }
    return {};
  }

  static constexpr std::uint8_t kNoFace = 255;  // faces are numbered below 124
  static constexpr std::uint16_t kNoEdge = 0xFFFF;
  std::span<const Vec3> vertices_m_;
  HullFaces faces_;
  Hull<Scalar>& hull_;
  Scalar size_m_ = Scalar(0);
};

}  // namespace internal

/// Checks a polytope's vertices and faces and links them. Refused, by name: NaN; too few, too many; faces that are open, not
/// plane, without area, wound inward, of a body that is not convex or flat; neighbours in one plane.
///
/// @param[in]  vertices_m  4 to 64, in S
/// @param[out] hull        valid when no fault is returned
/// Cost: for loading: (half edges)² / 2, at most 70 000 comparisons
template <class Scalar>
HullFault MakeHull(std::span<const Vec<Scalar, 3>> vertices_m, const HullFaces& faces, Hull<Scalar>* hull) noexcept {
  return internal::HullMaker<Scalar>(vertices_m, faces, hull).Run();
}

}  // namespace tactus
