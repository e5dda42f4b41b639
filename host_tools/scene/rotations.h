#pragma once
#include <cmath>

#include "tactus/core/spatial.h"
#include "tactus/scene/scene.h"

namespace tactus::host {

/// @param[in] axis  a unit vector
inline Rotation TurnTo(const Vector3& axis, double angle_rad) {
  const double s = std::sin(angle_rad / 2);
  return {std::cos(angle_rad / 2), s * axis[0], s * axis[1], s * axis[2]};
}

/// @param[in] v  not zero
inline Vector3 Unit(const Vector3& v) {
  const double norm = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / norm, v[1] / norm, v[2] / norm};
}

using Q = Quaternion<double>;
inline Q ToQ(const Rotation& q) { return Q(q[0], q[1], q[2], q[3]); }
inline Rotation FromQ(const Q& q) { return {q(0), q(1), q(2), q(3)}; }

/// Turns z to `axis`, a unit vector, by the shortest way.
inline Rotation FrameWithZ(const Vector3& axis) {
  const double c = axis[2];
  if (c > 1 - 1e-12) return kNoRotation;
  if (c < -1 + 1e-12) return {0, 1, 0, 0};
  return TurnTo(Unit({-axis[1], axis[0], 0}), std::acos(c));
}

}  // namespace tactus::host
