#pragma once
#include <array>
#include <cstddef>

namespace tactus {

/// The largest stiffness that a device bears, by the damping of the coupling: what `tactus serve` knows of its device.
/// Between two dampings it lies on the straight line between theirs. It is 0 beyond the last one, and next to one that
/// bears none.
struct StableStiffness {
  static constexpr int kPoints = 33;
  std::array<double, kPoints> damping{};  ///< from 0, ascending [N·s/m, N·m·s/rad]
  std::array<double, kPoints> highest{};  ///< K that is stable with it, and so is every lower one; 0: none [N/m, N·m/rad]

  double At(double B) const noexcept {
    for (std::size_t i = 1; i < kPoints; ++i) {
      if (B > damping[i]) continue;
      if (B == damping[i]) return highest[i];
      if (B == damping[i - 1]) return highest[i - 1];
      if (highest[i - 1] <= 0 || highest[i] <= 0) return 0;
      const double share = (B - damping[i - 1]) / (damping[i] - damping[i - 1]);
      return highest[i - 1] + share * (highest[i] - highest[i - 1]);
    }
    return 0;
  }
};

}  // namespace tactus
