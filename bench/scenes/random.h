#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tactus::bench {

/// Random numbers that are the same on every platform and compiler (SplitMix64; the distributions of <random> are not).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u) {}

  std::uint64_t Bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// In [low, high)
  double Uniform(double low, double high) { return low + (high - low) * static_cast<double>(Bits() >> 11) * 0x1p-53; }
  /// As likely to be in one decade as in the next.
  double LogUniform(double low, double high) { return low * std::pow(high / low, Uniform(0, 1)); }
  /// In [low, high]
  int Integer(int low, int high) { return low + static_cast<int>(Bits() % static_cast<std::uint64_t>(high - low + 1)); }
  bool Chance(double probability) { return Uniform(0, 1) < probability; }
  double Normal() { return std::sqrt(-2 * std::log(1 - Uniform(0, 1))) * std::cos(2 * std::numbers::pi * Uniform(0, 1)); }
  std::array<double, 3> Normal3(double deviation) {
    return {deviation * Normal(), deviation * Normal(), deviation * Normal()};
  }

 private:
  std::uint64_t state_;
};

}  // namespace tactus::bench
