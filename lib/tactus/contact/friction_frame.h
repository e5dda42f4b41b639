#pragma once
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"

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

}  // namespace tactus
