#pragma once
#include <bit>
#include <cstdint>

namespace tactus {

/// x as a double, exactly, by its bits: a processor without double hardware would call a library routine for a cast.
///
/// float: 1 sign, 8 exponent (bias 127), 23 fraction bits; double: 1, 11 (bias 1023), 52 (IEEE 754). A subnormal
/// number is its fraction × 2⁻¹⁴⁹; the highest of its bits becomes the leading one of a normal double. A NaN stays one.
constexpr double Widen(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint64_t sign = std::uint64_t{bits >> 31} << 63;
  std::uint64_t exponent = (bits >> 23) & 0xFFu, fraction = std::uint64_t{bits & 0x7F'FFFFu} << 29;
  if (exponent == 0xFF) {
    exponent = 0x7FF;
  } else if (exponent > 0) {
    exponent += 1023 - 127;
  } else if (fraction > 0) {
    const int shift = std::countl_zero(fraction) - 11;  // brings the leading one to bit 52
    exponent = static_cast<std::uint64_t>(1023 - 126 - shift);
    fraction = (fraction << shift) & 0xF'FFFF'FFFF'FFFFu;
  }
  return std::bit_cast<double>(sign | exponent << 52 | fraction);
}
constexpr double Widen(double x) { return x; }

/// x as a float, rounded to nearest, ties to even, by its bits: as a cast, but what is below 1.2e-38 becomes 0.
constexpr float NarrowToFloat(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) << 31;
  const auto exponent = static_cast<std::int32_t>((bits >> 52) & 0x7FFu) - 1023 + 127;
  const std::uint64_t fraction = bits & 0xF'FFFF'FFFF'FFFFu, rest = fraction & 0x1FFF'FFFFu, half = 0x1000'0000u;
  if (exponent == 0x7FF - 1023 + 127 && fraction != 0) return std::bit_cast<float>(sign | 0x7FC0'0000u);
  if (exponent >= 0xFF) return std::bit_cast<float>(sign | 0x7F80'0000u);
  if (exponent <= 0) return std::bit_cast<float>(sign);
  auto magnitude = static_cast<std::uint32_t>(exponent) << 23 | static_cast<std::uint32_t>(fraction >> 29);
  if (rest > half || (rest == half && (magnitude & 1u) != 0)) ++magnitude;  // carries into the exponent, to infinity too
  return std::bit_cast<float>(sign | magnitude);
}
/// A double of the wire in the numbers that a tick computes with.
template <class Scalar>
constexpr Scalar Narrow(double x) {
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    return NarrowToFloat(x);
  } else {
    return x;
  }
}

}  // namespace tactus
