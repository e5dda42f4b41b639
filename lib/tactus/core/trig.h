#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "tactus/core/scalar.h"

namespace tactus {

// Sine, cosine and arc tangent from +, -, ×, ÷ alone: the same bits on every target, where libm's differ. Bounded time.
// Absolute errors against the exact value of the rounded argument, tested in tests/core/trig_test.cc:
//
//                 |argument|           double        float
//     Sin, Cos    ≤ kMaxAngle_rad      2.3e-16       1.2e-7
//     Atan2       everywhere           5e-16         3e-7         (about one unit in the last place of π)

/// Largest angle that Sin and Cos reduce [rad]; beyond it, as for NaN, the result is NaN.
template <class Scalar>
inline constexpr Scalar kMaxAngle_rad = sizeof(Scalar) == 8 ? Scalar(1e6) : Scalar(8e3);

namespace internal {

/// π/2 = first + second + third; k · first and k · second are exact for every k = round(2x/π), |x| ≤ kMaxAngle_rad.
template <class Scalar>
struct HalfPi;
template <>
struct HalfPi<double> {
  static constexpr double kFirst = 0x1.921fb544p+0, kSecond = 0x1.0b4611a6p-34, kThird = 0x1.3198a2e037073p-69;
};
template <>
struct HalfPi<float> {
  static constexpr float kFirst = 0x1.92p+0f, kSecond = 0x1.fb4p-12f, kThird = 0x1.4442d2p-24f;
};

/// An angle x = r + quadrant · π/2 with |r| ≤ π/4 (and a rounding).
template <class Scalar>
struct ReducedAngle {
  Scalar r;
  std::int32_t quadrant;
};

/// @param[in] x  |x| ≤ kMaxAngle_rad
template <class Scalar>
ReducedAngle<Scalar> ReduceAngle(Scalar x) {
  constexpr Scalar kTwoOverPi = Scalar(0.63661977236758134308);
  const Scalar turns = x * kTwoOverPi;
  const std::int32_t k = static_cast<std::int32_t>(turns + (turns < Scalar(0) ? Scalar(-0.5) : Scalar(0.5)));
  const Scalar n = static_cast<Scalar>(k);
  return {((x - n * HalfPi<Scalar>::kFirst) - n * HalfPi<Scalar>::kSecond) - n * HalfPi<Scalar>::kThird, k & 3};
}

inline constexpr int kLastTerm = 17;  // the highest power in the series below

template <class Scalar>
using Coefficients = std::array<Scalar, kLastTerm + 1>;

/// [n]: 1/n!, rounded to double and then to Scalar.
template <class Scalar>
inline constexpr Coefficients<Scalar> kInverseFactorial = [] {
  Coefficients<Scalar> inverse{Scalar(1)};
  double factorial = 1;
  for (int n = 1; n <= kLastTerm; ++n) {
    factorial *= n;
    inverse[static_cast<std::size_t>(n)] = static_cast<Scalar>(1 / factorial);
  }
  return inverse;
}();

/// [n]: 1/n for n ≥ 1.
template <class Scalar>
inline constexpr Coefficients<Scalar> kInverse = [] {
  Coefficients<Scalar> inverse{};
  for (int n = 1; n <= kLastTerm; ++n) inverse[static_cast<std::size_t>(n)] = Scalar(1) / Scalar(n);
  return inverse;
}();

/// c[kFirst] - x (c[kFirst + 2] - x (… c[kLast])), Horner's way.
template <std::size_t kFirst, std::size_t kLast, class Scalar>
Scalar AlternatingSeries(const Coefficients<Scalar>& c, Scalar x) {
  static_assert(kLast <= kLastTerm && (kLast - kFirst) % 2 == 0);
  Scalar sum = c[kLast];
  for (std::size_t n = kLast - 2; n >= kFirst; n -= 2) sum = c[n] - x * sum;
  return sum;
}

/// r - r³/3! + … up to r¹⁵ (float r⁹): the next term is below 5e-17 (2e-9) for |r| ≤ π/4.
template <class Scalar>
Scalar SinSeries(Scalar r) {
  constexpr int kLast = sizeof(Scalar) == 8 ? 15 : 9;
  const Scalar r2 = r * r;
  return r - r * r2 * AlternatingSeries<3, kLast>(kInverseFactorial<Scalar>, r2);
}

/// 1 - r²/2! + … up to r¹⁶ (float r¹⁰): the next term is below 3e-18 (2e-10) for |r| ≤ π/4.
template <class Scalar>
Scalar CosSeries(Scalar r) {
  constexpr int kLast = sizeof(Scalar) == 8 ? 16 : 10;
  const Scalar r2 = r * r;
  return Scalar(1) - r2 * (Scalar(0.5) - r2 * AlternatingSeries<4, kLast>(kInverseFactorial<Scalar>, r2));
}

/// t - t³/3 + … up to t¹⁷ (float t⁷): the next term is below 4e-19 (1e-9) for |t| ≤ 1/8.
template <class Scalar>
Scalar AtanSeries(Scalar t) {
  constexpr int kLast = sizeof(Scalar) == 8 ? 17 : 7;
  const Scalar t2 = t * t;
  return t - t * t2 * AlternatingSeries<3, kLast>(kInverse<Scalar>, t2);
}

}  // namespace internal

/// sin x.
template <class Scalar>
Scalar Sin(Scalar x) {
  if (!(Abs(x) <= kMaxAngle_rad<Scalar>)) return (x - x) / (x - x);
  const internal::ReducedAngle<Scalar> angle = internal::ReduceAngle(x);
  const Scalar magnitude = (angle.quadrant & 1) != 0 ? internal::CosSeries(angle.r) : internal::SinSeries(angle.r);
  return (angle.quadrant & 2) != 0 ? -magnitude : magnitude;
}

/// cos x.
template <class Scalar>
Scalar Cos(Scalar x) {
  if (!(Abs(x) <= kMaxAngle_rad<Scalar>)) return (x - x) / (x - x);
  const internal::ReducedAngle<Scalar> angle = internal::ReduceAngle(x);
  const Scalar magnitude = (angle.quadrant & 1) != 0 ? internal::SinSeries(angle.r) : internal::CosSeries(angle.r);
  return ((angle.quadrant + 1) & 2) != 0 ? -magnitude : magnitude;
}

/// The angle of the point (x, y), in [-π, π]; 0 for the origin, NaN if a NaN or two infinities come in.
///
/// With a = min(|x|,|y|) / max(|x|,|y|) and the nearest c of 0, 1/4, 1/2, 3/4, 1:  atan a = atan c + atan((a - c)/(1 + a
/// c)), where the last argument is at most 1/8.
template <class Scalar>
Scalar Atan2(Scalar y, Scalar x) {
  constexpr Scalar kPiRest =
      sizeof(Scalar) == 8 ? Scalar(1.2246467991473532e-16) : Scalar(-8.7422777e-8);  // π - kPi<Scalar>
  constexpr Scalar kAtan[5] = {Scalar(0), Scalar(0.24497866312686415417), Scalar(0.46364760900080611621),
                               Scalar(0.64350110879328438680), Scalar(0.78539816339744830962)};
  const Scalar abs_x = Abs(x), abs_y = Abs(y);
  const bool steep = abs_x < abs_y;
  const Scalar low = steep ? abs_x : abs_y, high = steep ? abs_y : abs_x;
  if (high == Scalar(0)) return low;
  const Scalar a = low / high;
  if (!(a <= Scalar(1))) return a - a;
  const int i = static_cast<int>(Scalar(4) * a + Scalar(0.5));
  const Scalar c = Scalar(i) / 4;
  Scalar angle = kAtan[i] + internal::AtanSeries((a - c) / (Scalar(1) + a * c));
  if (steep) angle = kPi<Scalar> / 2 - (angle - kPiRest / 2);
  if (x < Scalar(0)) angle = kPi<Scalar> - (angle - kPiRest);
  return y < Scalar(0) ? -angle : angle;
}

}  // namespace tactus
