#pragma once
#include <cmath>

#include "host_tools/solve/problem_document.h"

namespace tactus::test {

using host::Vector3;

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 operator*(double s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double Dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector3 Unit(const Vector3& a) { return (1 / std::sqrt(Dot(a, a))) * a; }
/// A unit vector perpendicular to the unit vector n.
inline Vector3 Perpendicular(const Vector3& n) {
  return Unit(Cross(n, std::abs(n[0]) < 0.7 ? Vector3{1, 0, 0} : Vector3{0, 1, 0}));
}

}  // namespace tactus::test
