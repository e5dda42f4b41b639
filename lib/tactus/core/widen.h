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

}  // namespace tactus
