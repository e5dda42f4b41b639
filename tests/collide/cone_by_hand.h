#pragma once
#include <algorithm>
#include <cmath>

#include "tactus/core/eigen.h"

namespace tactus::test {

/// A cone's core, written anew from the cone's sizes: that much inside of base and side.
struct CoreByHand {
  long double radius_m, low_m, high_m;

  CoreByHand(double radius, double height, double rounding) {
    const long double R = radius, H = height, r = rounding, side = std::sqrt(R * R + H * H);
    low_m = -H / 4 + r;
    high_m = 3 * H / 4 - r * side / R;  // the side moves in by r, and its apex down by r over the sine of half its angle
    radius_m = (high_m - low_m) * R / H;
  }
  /// max of d·x over the core: at the rim or at the apex.
  long double Reach(const Vec<long double, 3>& d) const {
    return std::max(d(2) * high_m, d(2) * low_m + radius_m * std::sqrt(d(0) * d(0) + d(1) * d(1)));
  }
  /// |x - core|, from the two lines of its half section.
  long double From(const Vec<long double, 3>& x) const {
    const long double rho = std::sqrt(x(0) * x(0) + x(1) * x(1)), z = x(2);
    const long double side_rho = -radius_m, side_z = high_m - low_m, out = rho - radius_m, up = z - low_m;
    if (up >= 0 && out * side_z - up * side_rho <= 0) return 0;
    const auto from_line = [](long double a, long double b, long double along_a, long double along_b) {
      const long double t = std::clamp((a * along_a + b * along_b) / (along_a * along_a + along_b * along_b), 0.0L, 1.0L);
      return std::hypot(a - t * along_a, b - t * along_b);
    };
    return std::min(from_line(out, up, side_rho, side_z), from_line(out, up, -radius_m, 0));
  }
};

}  // namespace tactus::test
