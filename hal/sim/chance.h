#pragma once
#include <cstdint>

namespace tactus::hal {

/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers on every machine.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [0, 1).
  double Share() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
  /// Uniform in [-1, 1).
  double Signed() { return 2 * Share() - 1; }

 private:
  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace tactus::hal
