#pragma once
// The least of a distance function over the surface of a shape's core, by brute force. Shares no formula with the library.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tactus/collide/shape.h"

namespace tactus::test {

/// The outline of a core in its half section, corner by corner: from the shape's sizes, not by the library's functions.
inline std::vector<std::array<double, 2>> OutlineOf(const Shape<double>& shape) {
  const double R = shape.half_m(0), h = shape.half_m(2), r = shape.radius_m;
  switch (shape.kind) {
    case ShapeKind::kCapsule: return {{0, -h}, {0, h}};
    case ShapeKind::kCylinder: return {{0, r - h}, {R - r, r - h}, {R - r, h - r}, {0, h - r}};
    case ShapeKind::kCone: {
      const double H = 2 * h, low = r - H / 4, high = 0.75 * H - r * std::hypot(R, H) / R;
      return {{0, low}, {(high - low) * R / H, low}, {0, high}};
    }
    default: return {{0, 0}};
  }
}

/// A surface of revolution, by angle and by the way along its outline: 0 at the first corner, 1 at the second, …
template <class Distance>
class CoreSearch {
 public:
  using Vec3 = Vec<double, 3>;
  using Mat3 = Mat<double, 3, 3>;

  CoreSearch(const Shape<double>& shape, const Vec3& p_m, const Mat3& R, const Distance& distance)
      : outline_(OutlineOf(shape)), p_m_(p_m), R_(R), distance_(distance) {}

  /// To about 1e-8 m: dense on the edges, dense and then refined on what is between them.
  double Least() const {
    double best = At(0, 0);
    for (std::size_t corner = 0; corner < outline_.size(); ++corner) best = std::min(best, LeastOfEdge(corner));
    for (int start = 0; start < kAngles * kWays * static_cast<int>(Last()); ++start) {
      const double angle = kTurn * (start % kAngles) / kAngles, way = (start / kAngles + 0.5) / kWays;
      if (At(angle, way) <= best + 0.003) best = std::min(best, Descend(angle, way));
    }
    return best;
  }

 private:
  static constexpr int kAngles = 24, kWays = 12, kEdgePlaces = 1000;
  static constexpr double kTurn = 2 * std::numbers::pi;

  double Last() const { return static_cast<double>(outline_.size() - 1); }

  double At(double angle, double way) const {
    way = std::clamp(way, 0.0, Last());
    const auto i = std::min(static_cast<std::size_t>(way), outline_.size() > 1 ? outline_.size() - 2 : 0);
    const auto &from = outline_[i], &to = outline_[std::min(i + 1, outline_.size() - 1)];
    const double t = way - static_cast<double>(i), rho = from[0] + t * (to[0] - from[0]);
    return distance_(p_m_ + R_ * Vec3(rho * std::cos(angle), rho * std::sin(angle), from[1] + t * (to[1] - from[1])));
  }

  double LeastOfEdge(std::size_t corner) const {
    const int places = outline_[corner][0] > 0 ? kEdgePlaces : 1;
    const double way = static_cast<double>(corner);
    double angle = 0, step = kTurn / places, least = At(angle, way);
    const auto look = [&](double other) {
      if (const double there = At(other, way); there < least) least = there, angle = other;
    };
    for (int i = 1; i < places; ++i) look(i * step);
    for (; places > 1 && step > 1e-8; step /= 2) {
      const double middle = angle;
      look(middle - step), look(middle + step);
    }
    return least;
  }

  double Descend(double angle, double way) const {
    double here = At(angle, way);
    for (double step = 1.0 / kAngles; step > 1e-7;) {
      bool moved = false;
      for (int k = 0; k < 8; ++k) {
        const double next_angle = angle + kTurn * step * std::cos(kTurn * k / 8),
                     next_way = way + step * std::sin(kTurn * k / 8);
        const double there = At(next_angle, next_way);
        if (there < here - 1e-9) here = there, angle = next_angle, way = next_way, moved = true;
      }
      if (!moved) step /= 2;
    }
    return here;
  }

  std::vector<std::array<double, 2>> outline_;
  Vec3 p_m_;
  Mat3 R_;
  Distance distance_;
};

template <class Distance>
double LeastOverCore(const Shape<double>& shape, const Vec<double, 3>& p_m, const Mat<double, 3, 3>& R, Distance distance) {
  return CoreSearch<Distance>(shape, p_m, R, distance).Least();
}

}  // namespace tactus::test
