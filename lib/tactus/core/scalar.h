#pragma once

namespace tactus {

// Scalar functions that compile to instructions, never to calls into libm: libm's results differ between platforms.

template <class Scalar>
constexpr Scalar Min(Scalar a, Scalar b) {
  return b < a ? b : a;
}
template <class Scalar>
constexpr Scalar Max(Scalar a, Scalar b) {
  return a < b ? b : a;
}
template <class Scalar>
constexpr Scalar Clamp(Scalar x, Scalar low, Scalar high) {
  return Min(Max(x, low), high);
}
template <class Scalar>
constexpr Scalar Abs(Scalar x) {
  return x < Scalar(0) ? -x : x;
}

/// √x, correctly rounded on every target (IEEE 754). x ≥ 0.
inline double Sqrt(double x) { return __builtin_sqrt(x); }
inline float Sqrt(float x) { return __builtin_sqrtf(x); }

/// False for NaN and the infinities.
template <class Scalar>
constexpr bool IsFinite(Scalar x) {
  return x - x == Scalar(0);
}

}  // namespace tactus
