#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/collide/core_pair.h"
#include "tactus/collide/simplex.h"

namespace tactus {

/// How deep two cores overlap.
template <class Scalar>
struct CoreDepth {
  Scalar depth_m = Scalar(0);                       ///< ≥ 0: the least translation that separates them
  Vec<Scalar, 3> normal = Vec<Scalar, 3>::UnitZ();  ///< unit, in A: A moved by depth_m along it touches B only
  Simplex<Scalar> face;                             ///< the face of A - B nearest to the origin, with weights
  bool is_exact = true;  ///< false: a limit ended it; depth_m is that along the normal, the least may be less
};

/// Vertices of the polytope that grows: 600 000 poses needed 15 beyond the first four (docs/collision.md).
inline constexpr int kMaxEpaVertices = 32;

namespace internal {

/// The polytope of [vandenBergen01] inside A - B. Faces look away from its middle, so the origin may lie outside at first:
/// the face of least signed distance is the one to push.
template <class Pair>
class GrowingPolytope {
  using Scalar = typename Pair::Real;
  using Vec3 = Vec<Scalar, 3>;
  struct Face {
    std::uint8_t corner[3];
    bool is_alive;
    Vec3 n;    ///< unit, outward; zero for a face without area, which is neither pushed nor seen
    Scalar d;  ///< n·corner
  };

 public:
  explicit GrowingPolytope(const Pair& pair) : pair_(pair) {}

  CoreDepth<Scalar> Run(const Simplex<Scalar>& start, const Vec3& last_axis) {
    for (int i = 0; i < start.size; ++i) vertex_[vertices_++] = start.vertex[i];
    size_m_ = Scalar(0);
    if (!GrowToTetrahedron()) return Flat(last_axis);
    middle_ = (vertex_[0].y + vertex_[1].y + vertex_[2].y + vertex_[3].y) / Scalar(4);
    for (const auto& corner : {std::array<std::uint8_t, 3>{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}) {
      AddFace(corner[0], corner[1], corner[2]);
    }
    bool is_exact = false;
    Face best = faces_[Lowest()];  // the one that least translates the two apart
    Scalar best_m = std::numeric_limits<Scalar>::max(), least_m = -std::numeric_limits<Scalar>::max();
    while (vertices_ < kMaxEpaVertices && !is_exact) {  // each pass adds a vertex or ends
      const Face& face = faces_[Lowest()];
      const DifferenceVertex<Scalar> w = Farthest(face.n);
      if (face.n.dot(w.y) < best_m) {
        best_m = face.n.dot(w.y);
        best = face;
      }
      const Scalar missing_m = face.n.dot(w.y) - face.d;
      const bool is_known = Has(w);
      if (is_known && missing_m > kBroken * size_m_) return Between(best, best_m - least_m);
      least_m = Max(least_m, face.d);
      is_exact = missing_m <= kShare * size_m_ || is_known;
      if (!is_exact && !Push(w)) break;
    }
    return is_exact ? Answer(faces_[Lowest()], true) : Answer(best, false);
  }

 private:
  static constexpr bool kIsDouble = std::numeric_limits<Scalar>::digits > 24;
  static constexpr Scalar kShare = kIsDouble ? Scalar(1e-12) : Scalar(1e-6);  // of the size: the depth's accuracy
  static constexpr Scalar kSeen = kIsDouble ? Scalar(1e-14) : Scalar(2e-7);   // above a plane by more: seen
  /// Points of a curve that are close to each other make faces that rounding turns inside out: such a face has a vertex of
  /// the polytope's own above it by more than this. What was found before is the answer.
  static constexpr Scalar kBroken = kIsDouble ? Scalar(1e-9) : Scalar(1e-4);
  static constexpr Scalar kThin = kIsDouble ? Scalar(1e-10) : Scalar(1e-4);  // a sine or thickness below: none
  static constexpr int kMaxFaces = 2 * kMaxEpaVertices;

  DifferenceVertex<Scalar> Farthest(const Vec3& d) const { return pair_.Farthest(d); }

  bool Has(const DifferenceVertex<Scalar>& w) const {
    for (int i = 0; i < vertices_; ++i) {
      if (vertex_[i].y == w.y) return true;
    }
    return false;
  }

  // The vertices already there, as far as they span something, and farthest ones for what is missing. What is missing when
  // A - B has no such extent: flat_ says along which direction.
  bool GrowToTetrahedron() {
    const int offered = vertices_;
    const DifferenceVertex<Scalar> given[4] = {vertex_[0], vertex_[1], vertex_[2], vertex_[3]};
    vertices_ = 0;
    for (int i = 0; i < offered; ++i) size_m_ = Max(size_m_, Scalar(given[i].y.norm()));
    for (const Vec3& d : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
      const Vec3 across = Farthest(d).y - Farthest(-d).y;
      size_m_ = Max(size_m_, Norm(across));
    }
    for (int i = 0; i < offered; ++i) (void)Take(given[i]);
    for (int i = 0; i < 3 && vertices_ < 1; ++i) (void)Take(Farthest(Vec3::UnitX()));
    while (vertices_ < 4) {
      if (!TakeFarthestAcross()) return false;
    }
    return true;
  }

  // Takes w if it adds a dimension.
  bool Take(const DifferenceVertex<Scalar>& w) {
    const Vec3 from = vertices_ > 0 ? Vec3(w.y - vertex_[0].y) : Vec3(Vec3::Zero());
    bool adds = true;
    if (vertices_ == 1) adds = Norm(from) > kThin * size_m_;
    if (vertices_ == 2) {
      const Vec3 e = vertex_[1].y - vertex_[0].y;
      adds = Norm(Cross(e, from)) > kThin * size_m_ * Norm(e);
    }
    if (vertices_ == 3) {
      const Vec3 n = Normal(0, 1, 2);
      adds = Abs(n.dot(from)) > kThin * size_m_;
    }
    if (adds) vertex_[vertices_++] = w;
    return adds;
  }

  bool TakeFarthestAcross() {
    if (vertices_ == 3) {
      flat_ = Normal(0, 1, 2);
      return Take(Farthest(flat_)) || Take(Farthest(-flat_));
    }
    for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
      Vec3 d = axis;
      if (vertices_ == 2) {
        d = Cross(Vec3(vertex_[1].y - vertex_[0].y), axis);
        const Scalar length = Norm(d);
        if (!(length > Scalar(0.1) * Norm(Vec3(vertex_[1].y - vertex_[0].y)))) continue;
        d /= length;
      }
      flat_ = d;
      if (Take(Farthest(d)) || Take(Farthest(-d))) return true;
    }
    return false;
  }

  Vec3 Normal(int i, int j, int k) const {
    const Vec3 e = vertex_[j].y - vertex_[i].y, f = vertex_[k].y - vertex_[i].y;
    const Vec3 n = Cross(e, f);
    const Scalar length = Norm(n);
    if (!(length > kThin * Norm(e) * Norm(f))) return Vec3::Zero();
    return n / length;
  }

  void AddFace(int i, int j, int k) {
    int at = 0;
    while (at < face_count_ && faces_[at].is_alive) ++at;
    if (at == kMaxFaces) return;  // Euler: 2 · 32 - 4 are the most
    if (at == face_count_) ++face_count_;
    Face& face = faces_[at];
    face.is_alive = true;
    face.n = Normal(i, j, k);
    const bool inward = face.n.dot(Vec3(middle_ - vertex_[i].y)) > Scalar(0);
    if (inward && vertices_ == 4) {  // the first four; later ones are wound by the horizon
      face.n = -face.n;
      const int swap = j;
      j = k;
      k = swap;
    }
    face.corner[0] = static_cast<std::uint8_t>(i);
    face.corner[1] = static_cast<std::uint8_t>(j);
    face.corner[2] = static_cast<std::uint8_t>(k);
    face.d = face.n.dot(vertex_[i].y);
    if (!(face.n.squaredNorm() > Scalar(0))) face.d = std::numeric_limits<Scalar>::max();
  }

  int Lowest() const {
    int lowest = -1;
    for (int i = 0; i < face_count_; ++i) {
      if (faces_[i].is_alive && (lowest < 0 || faces_[i].d < faces_[lowest].d)) lowest = i;
    }
    return lowest;
  }

  // Replaces the faces that w sees by a fan from w to their outline. @returns whether there was room
  bool Push(const DifferenceVertex<Scalar>& w) {
    std::uint8_t from[kMaxFaces], to[kMaxFaces];
    int edges = 0;
    for (int f = 0; f < face_count_; ++f) {
      Face& face = faces_[f];
      if (!face.is_alive || !(face.n.dot(w.y) - face.d > kSeen * size_m_)) continue;
      face.is_alive = false;
      for (int c = 0; c < 3; ++c) {
        if (!Toggle(face.corner[c], face.corner[(c + 1) % 3], from, to, &edges)) return false;
      }
    }
    const int number = vertices_++;
    vertex_[number] = w;
    for (int e = 0; e < edges; ++e) AddFace(from[e], to[e], number);
    return true;
  }

  // An edge that two of the faces share is inside the hole: it goes with its second mention.
  static bool Toggle(std::uint8_t p, std::uint8_t q, std::uint8_t* from, std::uint8_t* to, int* edges) {
    for (int e = 0; e < *edges; ++e) {
      if (from[e] != q || to[e] != p) continue;
      --*edges;
      from[e] = from[*edges];
      to[e] = to[*edges];
      return true;
    }
    if (*edges == kMaxFaces) return false;
    from[*edges] = p;
    to[*edges] = q;
    ++*edges;
    return true;
  }

  CoreDepth<Scalar> Answer(const Face& face, bool is_exact) const {
    CoreDepth<Scalar> result;
    result.depth_m = Max(is_exact ? face.d : face.n.dot(Farthest(face.n).y), Scalar(0));
    result.normal = -face.n;
    result.is_exact = is_exact;
    result.face.size = 3;
    for (int c = 0; c < 3; ++c) result.face.vertex[c] = vertex_[face.corner[c]];
    Weigh(face, &result.face);
    return result;
  }

  // The depth lies between what `best` needs and that much less.
  CoreDepth<Scalar> Between(const Face& best, Scalar unknown_m) const {
    CoreDepth<Scalar> result = Answer(best, false);
    result.is_exact = unknown_m <= kBroken * size_m_;
    return result;
  }

  // The foot of the origin on the face, as weights of its corners.
  static void Weigh(const Face& face, Simplex<Scalar>* simplex) {
    Simplex<Scalar> moved = *simplex;
    for (int c = 0; c < 3; ++c) moved.vertex[c].y -= face.d * face.n;
    Reduce(&moved);
    *simplex = moved;
  }

  // A - B has no thickness along flat_: cores that cross, such as two segments, are nowhere deep.
  CoreDepth<Scalar> Flat(const Vec3& last_axis) const {
    CoreDepth<Scalar> result;
    const bool known = last_axis.squaredNorm() > Scalar(0);
    if (vertices_ == 3) {
      result.normal = known && flat_.dot(last_axis) < Scalar(0) ? Vec3(-flat_) : flat_;
    } else if (vertices_ == 2) {
      result.normal = flat_;
    } else if (known) {
      result.normal = last_axis / Norm(last_axis);
    }
    result.face.size = vertices_;
    for (int i = 0; i < vertices_; ++i) result.face.vertex[i] = vertex_[i];
    Reduce(&result.face);
    return result;
  }

  const Pair& pair_;
  DifferenceVertex<Scalar> vertex_[kMaxEpaVertices];
  int vertices_ = 0;
  Face faces_[kMaxFaces];
  int face_count_ = 0;
  Vec3 middle_ = Vec3::Zero(), flat_ = Vec3::UnitZ();
  Scalar size_m_ = Scalar(0);
};

}  // namespace internal

/// The depth of cores that overlap, by the expanding polytope of [vandenBergen01], bounded: the nearest face of a polytope
/// inside A - B is pushed out until it is a face of A - B. Deviation: faces look away from the polytope's middle, not from
/// the origin, so any simplex starts it; cores whose difference is flat (two segments that cross) are 0 deep along its
/// normal.
///
/// @param[in] pair       Farthest(d): the vertex of A - B farthest along d
/// @param[in] start      vertices to start from, at least one
/// @param[in] last_axis  decides the sense of a flat difference's normal; zero: none known
template <class Pair, class Scalar = typename Pair::Real>
CoreDepth<Scalar> DepthOfCores(const Pair& pair, const Simplex<Scalar>& start, const Vec<Scalar, 3>& last_axis) noexcept {
  return internal::GrowingPolytope<Pair>(pair).Run(start, last_axis);
}

}  // namespace tactus
