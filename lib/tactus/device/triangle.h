#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"

namespace tactus {

/// The angle between sides a and b of a triangle whose third side is c, in [0, π].
///
///     2ab cos γ = a² + b² - c²
///     2ab sin γ = √(((a + b)² - c²)(c² - (a - b)²))      Heron's factors: no cancellation near a flat triangle
template <class Scalar>
struct TriangleAngle {
  Scalar angle_rad = 0;
  bool closes = false;  ///< false: there is no such triangle, and the angle is 0
};

/// @param[in] a,b,c  [m]  a, b > 0, or the triangle does not close; c ≥ 0
template <class Scalar>
TriangleAngle<Scalar> AngleOfTriangle(Scalar a, Scalar b, Scalar c) noexcept {
  const Scalar wide = (a + b - c) * (a + b + c), narrow = (c - a + b) * (c + a - b);
  if (!(a > Scalar(0) && b > Scalar(0) && wide >= Scalar(0) && narrow >= Scalar(0))) return {};
  const Scalar twice = Sqrt(wide * narrow);
  const Scalar cosine = a * a + b * b - c * c;
  return {.angle_rad = Atan2(twice, cosine), .closes = true};
}

}  // namespace tactus
