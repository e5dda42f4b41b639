#pragma once
#include "tactus/core/capacity.h"
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"

namespace tactus {

/// A unit tangent for the unit normal n, from n alone: the world axis least aligned with n, made perpendicular. No function
/// of n alone is continuous on the whole sphere; this one jumps where the least aligned axis changes.
template <class Scalar>
Vec<Scalar, 3> DefaultTangent(const Vec<Scalar, 3>& n) {
  int axis = 0;
  if (Abs(n(1)) < Abs(n(axis))) axis = 1;
  if (Abs(n(2)) < Abs(n(axis))) axis = 2;
  Vec<Scalar, 3> t = -n(axis) * n;
  t(axis) += Scalar(1);
  return t / Sqrt(t.squaredNorm());
}

/// The tangent for n that continues `previous`, the tangent of the same contact one tick ago: previous - n (n·previous),
/// normalised. Friction directions keep their meaning from tick to tick, so a basis carried over keeps its meaning
/// (theory 2.5). Falls back to DefaultTangent when n has turned so far that less than half of `previous` is left.
template <class Scalar>
Vec<Scalar, 3> ContinuedTangent(const Vec<Scalar, 3>& n, const Vec<Scalar, 3>& previous) {
  const Vec<Scalar, 3> t = previous - n.dot(previous) * n;
  const Scalar squared = t.squaredNorm();
  if (!(squared > Scalar(0.25))) return DefaultTangent(n);
  return t / Sqrt(squared);
}

/// The friction directions in the tangent plane, (cos a_j, sin a_j) with a_j = offset_rad + 2πj/d; of an even number the
/// second half are the first one's opposites, exactly. Planar: +1, -1.
template <class Scalar, int kDof>
void FillDirections(int count, Scalar offset_rad, Vec<Scalar, TangentSize(kDof)>* direction) {
  if constexpr (kDof == 3) {
    direction[0](0) = Scalar(1);
    direction[1](0) = Scalar(-1);
  } else {
    const int half = count % 2 == 0 ? count / 2 : count;
    for (int j = 0; j < half; ++j) {
      const Scalar a = offset_rad + kTurn_rad<Scalar> * static_cast<Scalar>(j) / static_cast<Scalar>(count);
      direction[j] << Cos(a), Sin(a);
    }
    for (int j = half; j < count; ++j) direction[j] = -direction[j - half];
  }
}

}  // namespace tactus
