#pragma once
#include "tactus/core/eigen.h"

namespace tactus {

/// r × d: the angular part of the generalised direction of d at the lever r.
template <class Scalar>
[[gnu::always_inline]] inline Vec<Scalar, 3> Moment(const Vec<Scalar, 3>& r, const Vec<Scalar, 3>& d) {
  return {r(1) * d(2) - r(2) * d(1), r(2) * d(0) - r(0) * d(2), r(0) * d(1) - r(1) * d(0)};
}
template <class Scalar>
Vec<Scalar, 1> Moment(const Vec<Scalar, 2>& r, const Vec<Scalar, 2>& d) {
  return Vec<Scalar, 1>(r(0) * d(1) - r(1) * d(0));
}

/// v + ω × r: the velocity at the lever r of a body's twist.
template <class Scalar>
[[gnu::always_inline]] inline Vec<Scalar, 3> VelocityAt(const Vec<Scalar, 6>& twist, const Vec<Scalar, 3>& r) {
  const Vec<Scalar, 3> spin = twist.template tail<3>();
  return twist.template head<3>() + Moment(spin, r);
}
template <class Scalar>
Vec<Scalar, 2> VelocityAt(const Vec<Scalar, 3>& twist, const Vec<Scalar, 2>& r) {
  return {twist(0) - twist(2) * r(1), twist(1) + twist(2) * r(0)};
}

}  // namespace tactus
