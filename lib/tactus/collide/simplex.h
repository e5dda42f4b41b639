#pragma once
#include <cstdint>
#include <limits>

#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

// The point of a segment, triangle or tetrahedron that is nearest to the origin: what the method of [GJK88] asks at each
// step. A simplex here is one of the difference of two cores, y = a - b, and carries the numbers of the vertices it is made
// of.

/// A vertex of the difference of two cores.
template <class Scalar>
struct DifferenceVertex {
  Vec<Scalar, 3> y;   ///< a - b, in A
  std::uint8_t a, b;  ///< vertex numbers
};

/// Up to four vertices; after Reduce the fewest that hold the nearest point, with its weights.
template <class Scalar>
struct Simplex {
  DifferenceVertex<Scalar> vertex[4];
  Scalar weight[4];  ///< of the nearest point: v = Σ weight y, after Reduce
  Vec<Scalar, 3> v;  ///< the nearest point, after Reduce
  int size = 0;
  bool holds_origin = false;  ///< a tetrahedron with the origin inside

  bool Has(int a, int b) const {
    for (int i = 0; i < size; ++i) {
      if (vertex[i].a == a && vertex[i].b == b) return true;
    }
    return false;
  }
};

namespace internal {

/// Below this squared sine a triangle is a sliver: its normal is rounding, and only its edges count. At the sine's root,
/// 1e-4 in single and 1e-7 in double precision, the normal has 6e-4 and 1e-9 rad of it.
template <class Scalar>
inline constexpr Scalar kSliver = sizeof(Scalar) == 8 ? Scalar(1e-14) : Scalar(1e-8);
/// Below this share of the product of its edges the volume of a tetrahedron is rounding: it holds nothing.
template <class Scalar>
inline constexpr Scalar kFlatVolume = sizeof(Scalar) == 8 ? Scalar(1e-13) : Scalar(1e-6);

/// The nearest point found so far of those that a simplex' parts offer.
template <class Scalar>
struct Nearest {
  Vec<Scalar, 3> v = Vec<Scalar, 3>::Zero();
  Scalar squared = std::numeric_limits<Scalar>::max();
  int size = 0;
  int index[3] = {};
  Scalar weight[3] = {};

  void Offer(const Vec<Scalar, 3>& point, int i, int j, int k, Scalar wi, Scalar wj, Scalar wk) {
    const Scalar here = point.squaredNorm();
    if (!(here < squared)) return;
    v = point;
    squared = here;
    size = k >= 0 ? 3 : j >= 0 ? 2 : 1;
    index[0] = i, index[1] = j, index[2] = k;
    weight[0] = wi, weight[1] = wj, weight[2] = wk;
  }
};

template <class Scalar>
void OfferSegment(const DifferenceVertex<Scalar>* y, int i, int j, Nearest<Scalar>* nearest) {
  const Vec<Scalar, 3>&p = y[i].y, &q = y[j].y;
  const Vec<Scalar, 3> e = q - p;
  const Scalar length2 = e.squaredNorm(), along = -p.dot(e);
  if (!(along > Scalar(0))) return nearest->Offer(p, i, -1, -1, Scalar(1), Scalar(0), Scalar(0));
  if (along >= length2) return nearest->Offer(q, j, -1, -1, Scalar(1), Scalar(0), Scalar(0));
  const Scalar t = along / length2;
  nearest->Offer(p + t * e, i, j, -1, Scalar(1) - t, t, Scalar(0));
}

/// Inside the triangle v = n (n·p)/(n·n): relative accuracy also where |v| is far below the edges, as on face against face.
template <class Scalar>
void OfferTriangle(const DifferenceVertex<Scalar>* y, int i, int j, int k, Nearest<Scalar>* nearest) {
  using Vec3 = Vec<Scalar, 3>;
  const Vec3 &p = y[i].y, &q = y[j].y, &r = y[k].y;
  const Vec3 e = q - p, f = r - p;
  const Vec3 n = Cross(e, f);
  const Scalar n2 = n.squaredNorm();
  if (n2 > kSliver<Scalar> * e.squaredNorm() * f.squaredNorm()) {
    const Vec3 n_x_p = Cross(n, p);
    const Scalar u_r = n_x_p.dot(e);   // n·(p × q)
    const Scalar u_q = -n_x_p.dot(f);  // n·(r × p)
    const Scalar u_p = n2 - u_q - u_r;
    if (u_p >= Scalar(0) && u_q >= Scalar(0) && u_r >= Scalar(0)) {
      const Scalar one = Scalar(1) / n2;
      return nearest->Offer(n * (n.dot(p) * one), i, j, k, u_p * one, u_q * one, u_r * one);
    }
    if (!(u_r >= Scalar(0))) OfferSegment(y, i, j, nearest);
    if (!(u_q >= Scalar(0))) OfferSegment(y, i, k, nearest);
    if (!(u_p >= Scalar(0))) OfferSegment(y, j, k, nearest);
    return;
  }
  OfferSegment(y, i, j, nearest);
  OfferSegment(y, i, k, nearest);
  OfferSegment(y, j, k, nearest);
}

/// @returns whether the origin is inside, beyond doubt; else the faces that it is outside of are offered
template <class Scalar>
bool OfferTetrahedron(const DifferenceVertex<Scalar>* y, Nearest<Scalar>* nearest) {
  using Vec3 = Vec<Scalar, 3>;
  constexpr int kFace[4][4] = {{3, 0, 1, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {0, 1, 2, 3}};  // three corners, the opposite one
  const Vec3 e = y[0].y - y[3].y, f = y[1].y - y[3].y, g = y[2].y - y[3].y;
  const Scalar volume = Cross(e, f).dot(g);
  const bool flat =
      volume * volume <= kFlatVolume<Scalar> * kFlatVolume<Scalar> * e.squaredNorm() * f.squaredNorm() * g.squaredNorm();
  bool inside = !flat;
  for (const auto& face : kFace) {
    const Vec3& p = y[face[0]].y;
    const Vec3 p_to_q = y[face[1]].y - p, p_to_r = y[face[2]].y - p, p_to_opposite = y[face[3]].y - p;
    const Vec3 n = Cross(p_to_q, p_to_r);
    const Scalar side = -n.dot(p), opposite = n.dot(p_to_opposite);
    if (!flat && ((side > Scalar(0)) == (opposite > Scalar(0)) || side == Scalar(0))) continue;  // on the inner side
    inside = false;
    OfferTriangle(y, face[0], face[1], face[2], nearest);
  }
  return inside;
}

}  // namespace internal

/// Finds the point of `simplex` nearest to the origin and drops the vertices that it does not need. The newest vertex is the
/// last.
template <class Scalar>
void Reduce(Simplex<Scalar>* simplex) {
  internal::Nearest<Scalar> nearest;
  simplex->holds_origin = false;
  switch (simplex->size) {
    case 1: nearest.Offer(simplex->vertex[0].y, 0, -1, -1, Scalar(1), Scalar(0), Scalar(0)); break;
    case 2: internal::OfferSegment(simplex->vertex, 0, 1, &nearest); break;
    case 3: internal::OfferTriangle(simplex->vertex, 2, 0, 1, &nearest); break;
    default:
      if (internal::OfferTetrahedron(simplex->vertex, &nearest)) {
        simplex->holds_origin = true;
        simplex->v.setZero();
        return;
      }
  }
  DifferenceVertex<Scalar> kept[3];
  for (int i = 0; i < nearest.size; ++i) kept[i] = simplex->vertex[nearest.index[i]];
  for (int i = 0; i < nearest.size; ++i) {
    simplex->vertex[i] = kept[i];
    simplex->weight[i] = nearest.weight[i];
  }
  simplex->size = nearest.size;
  simplex->v = nearest.v;
}

}  // namespace tactus
