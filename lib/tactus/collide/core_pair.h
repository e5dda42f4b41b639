#pragma once
#include <cstdint>

#include "tactus/collide/hull.h"
#include "tactus/collide/shape.h"
#include "tactus/collide/simplex.h"
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// A polytope without its radius: a Hull, or a box |x_i| ≤ half_m(i) of which a segment and a point are the cases with
/// zeros. Vertices are numbers: of a box, bit i is set where x_i = +half_m(i).
template <class Scalar>
struct Core {
  Vec<Scalar, 3> half_m = Vec<Scalar, 3>::Zero();
  const Hull<Scalar>* hull = nullptr;  ///< nullptr: a box

  /// The vertex farthest along d.
  int Support(const Vec<Scalar, 3>& d) const {
    if (hull != nullptr) return FarthestOfHull(d);
    return (d(0) > Scalar(0) && half_m(0) > Scalar(0) ? 1 : 0) | (d(1) > Scalar(0) && half_m(1) > Scalar(0) ? 2 : 0) |
           (d(2) > Scalar(0) && half_m(2) > Scalar(0) ? 4 : 0);
  }

  Vec<Scalar, 3> Vertex(int id) const {
    if (hull != nullptr) return hull->vertex_m.begin()[id];
    return Vec<Scalar, 3>((id & 1) != 0 ? half_m(0) : -half_m(0), (id & 2) != 0 ? half_m(1) : -half_m(1),
                          (id & 4) != 0 ? half_m(2) : -half_m(2));
  }

  int VertexCount() const { return hull != nullptr ? hull->vertex_m.size() : 8; }
  /// Whether a vertex number means one: a segment has 0 and 4, a point 0.
  bool HasVertex(int id) const {
    if (hull != nullptr) return id < hull->vertex_m.size();
    return id < 8 && ((id & 1) == 0 || half_m(0) > Scalar(0)) && ((id & 2) == 0 || half_m(1) > Scalar(0)) &&
           ((id & 4) == 0 || half_m(2) > Scalar(0));
  }

 private:
  int FarthestOfHull(const Vec<Scalar, 3>& d) const {
    const Vec<Scalar, 3>* p = hull->vertex_m.begin();
    const int count = hull->vertex_m.size();
    int best = 0;
    Scalar most = d.dot(p[0]);
    for (int i = 1; i < count; ++i) {
      const Scalar along = d.dot(p[i]);
      if (along > most) {
        most = along;
        best = i;
      }
    }
    return best;
  }
};

/// The core of a shape that has a polytope as core: sphere, capsule, box, hull.
template <class Scalar>
Core<Scalar> CoreOf(const Shape<Scalar>& shape, const Hull<Scalar>* hull) {
  using Vec3 = Vec<Scalar, 3>;
  switch (shape.kind) {
    case ShapeKind::kCapsule: return {.half_m = Vec3(Scalar(0), Scalar(0), shape.half_m(2))};
    case ShapeKind::kBox:
      return {.half_m = Vec3(shape.half_m(0) - shape.radius_m, shape.half_m(1) - shape.radius_m,
                             shape.half_m(2) - shape.radius_m)};
    case ShapeKind::kHull: return {.hull = hull};
    default: return {};
  }
}

/// Two cores, all in the frame of the first, A. There the numbers stay as small as the bodies, whatever the world's origin.
template <class Scalar>
struct CorePair {
  using Real = Scalar;

  Core<Scalar> a, b;
  Mat<Scalar, 3, 3> R_AB = Mat<Scalar, 3, 3>::Identity();
  Vec<Scalar, 3> p_AB_m = Vec<Scalar, 3>::Zero();

  Vec<Scalar, 3> VertexA(int id) const { return a.Vertex(id); }
  Vec<Scalar, 3> VertexB(int id) const { return p_AB_m + Times(R_AB, b.Vertex(id)); }
  int SupportA(const Vec<Scalar, 3>& d_A) const { return a.Support(d_A); }
  int SupportB(const Vec<Scalar, 3>& d_A) const { return b.Support(ToB(d_A)); }
  /// The vertex of A - B farthest along d.
  DifferenceVertex<Scalar> Farthest(const Vec<Scalar, 3>& d_A) const { return Difference(SupportA(d_A), SupportB(-d_A)); }
  DifferenceVertex<Scalar> Difference(int id_a, int id_b) const {
    return {VertexA(id_a) - VertexB(id_b), static_cast<std::uint8_t>(id_a), static_cast<std::uint8_t>(id_b)};
  }
  /// A direction of A's frame in B's.
  Vec<Scalar, 3> ToB(const Vec<Scalar, 3>& d) const {
    return Vec<Scalar, 3>(R_AB(0, 0) * d(0) + (R_AB(1, 0) * d(1) + R_AB(2, 0) * d(2)),
                          R_AB(0, 1) * d(0) + (R_AB(1, 1) * d(1) + R_AB(2, 1) * d(2)),
                          R_AB(0, 2) * d(0) + (R_AB(1, 2) * d(1) + R_AB(2, 2) * d(2)));
  }
};

/// Where B stands in A's frame.
template <class Scalar>
void RelativePose(const Solid<Scalar>& a, const Solid<Scalar>& b, Mat<Scalar, 3, 3>* R_AB, Vec<Scalar, 3>* p_AB_m) {
  const Mat<Scalar, 3, 3> R_AW = a.R_WS.transpose();
  for (int i = 0; i < 3; ++i) R_AB->col(i) = Times(R_AW, Vec<Scalar, 3>(b.R_WS.col(i)));
  *p_AB_m = Times(R_AW, Vec<Scalar, 3>(b.p_WS_m - a.p_WS_m));
}

template <class Scalar>
CorePair<Scalar> PairOf(const Solid<Scalar>& a, const Solid<Scalar>& b) {
  CorePair<Scalar> pair{.a = CoreOf(a.shape, a.hull), .b = CoreOf(b.shape, b.hull)};
  RelativePose(a, b, &pair.R_AB, &pair.p_AB_m);
  return pair;
}

}  // namespace tactus
