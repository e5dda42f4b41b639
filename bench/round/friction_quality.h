#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/round/cube.h"

namespace tactus::host {

/// What a hand feels of a friction cone: the cube of 0.2 kg, μ = 0.5 (a thrown one 1 kg, μ = 0.3).
struct FrictionQuality {
  double free_lateral = 0;                   ///< sliding freely, 46 directions: largest |F across v| [μN]
  double pushed_lateral = 0;                 ///< the same pushed with 1.3 μN
  double circle_rms_deg = 0;                 ///< dragged on a circle: angle between F and -v
  double plateau_low = 1, plateau_high = 0;  ///< there: |F| [μN] while it slides
  double throw_off_line_m = 0;               ///< thrown with 2 m/s, 24 directions: largest distance from the line, at rest
  double breakaway_error = 0;                ///< 180 directions, cold: largest |push at which it slips - μN| [μN]
  int ticks = 0, polygon_ticks = 0;          ///< in which a cube slid or stuck; and those whose answer is on the polygon
};

/// A point of the circle drag.
struct CirclePoint {
  double t_s, x_m, y_m, force_x_N, force_y_N, angle_deg;
};

inline constexpr double kTwoPi = 6.283185307179586476925;

/// |F across v| / μN of the last tick.
template <class Scalar>
double LateralShare(const Cube<Scalar>& cube) {
  const auto force = cube.Friction_N();
  return std::abs(force[0] * cube.vy_mps() - force[1] * cube.vx_mps()) / (cube.speed_mps() * cube.limit_N());
}

template <class Scalar>
void Count(const Cube<Scalar>& cube, FrictionQuality* quality) {
  ++quality->ticks;
  quality->polygon_ticks += cube.solution().cone == Cone::kPolygon;
}

/// @param[in] push  of μN, along the motion
template <class Scalar>
double Lateral(Cone cone, int contacts, double push, FrictionQuality* quality) {
  constexpr int kDirections = 46, kTicks = 50;
  double worst = 0;
  for (int d = 0; d < kDirections; ++d) {
    Cube<Scalar> cube(cone, contacts, 0.2, 0.5);
    const double c = std::cos(kTwoPi * d / kDirections), s = std::sin(kTwoPi * d / kDirections);
    cube.SetVelocity(0.5 * c, 0.5 * s);
    for (int tick = 0; tick < kTicks; ++tick) {
      cube.Step(push * cube.limit_N() * c, push * cube.limit_N() * s);
      Count(cube, quality);
      worst = std::max(worst, LateralShare(cube));
    }
  }
  return worst;
}

/// Drags the cube by a spring and damper along a circle of 20 mm, once in 2 s; the first half turn is left out.
/// @param[in] static_friction  μ_s, 0: none
template <class Scalar>
std::vector<CirclePoint> DragCircle(Cone cone, int contacts, FrictionQuality* quality, double static_friction = 0) {
  constexpr double kRadius_m = 0.02, kPeriod_s = 2, kSpring_N_per_m = 2000, kDamper_Ns_per_m = 40;
  constexpr int kTicks = 4000, kFirst = 1000;
  Cube<Scalar> cube(cone, contacts, 0.2, 0.5);
  cube.SetFrictionLaw(static_friction, 0);
  std::vector<CirclePoint> points;
  double squares = 0;
  for (int tick = 0; tick < kTicks; ++tick) {
    const double omega = kTwoPi / kPeriod_s, angle = omega * tick * Cube<Scalar>::kStep_s;
    const double x = kRadius_m * std::cos(angle) - kRadius_m - cube.x_m(), y = kRadius_m * std::sin(angle) - cube.y_m();
    const double vx = -kRadius_m * omega * std::sin(angle) - cube.vx_mps(),
                 vy = kRadius_m * omega * std::cos(angle) - cube.vy_mps();
    cube.Step(kSpring_N_per_m * x + kDamper_Ns_per_m * vx, kSpring_N_per_m * y + kDamper_Ns_per_m * vy);
    Count(cube, quality);
    if (tick < kFirst) continue;
    const auto force = cube.Friction_N();
    const double off = std::atan2(force[0] * -cube.vy_mps() - force[1] * -cube.vx_mps(),
                                  -force[0] * cube.vx_mps() - force[1] * cube.vy_mps()) *
                       360 / kTwoPi;
    const double share = std::hypot(force[0], force[1]) / cube.limit_N();
    quality->plateau_low = std::min(quality->plateau_low, share);
    quality->plateau_high = std::max(quality->plateau_high, share);
    squares += off * off;
    points.push_back({tick * Cube<Scalar>::kStep_s, cube.x_m(), cube.y_m(), force[0], force[1], off});
  }
  quality->circle_rms_deg = std::sqrt(squares / static_cast<double>(points.size()));
  return points;
}

/// Thrown with 2 m/s until it rests. @returns the largest distance from its line
template <class Scalar>
double Throw(Cone cone, int contacts, FrictionQuality* quality) {
  constexpr int kDirections = 24, kTicks = 1000;
  double worst = 0;
  for (int d = 0; d < kDirections; ++d) {
    Cube<Scalar> cube(cone, contacts, 1, 0.3);
    const double c = std::cos(kTwoPi * d / kDirections + 0.05), s = std::sin(kTwoPi * d / kDirections + 0.05);
    cube.SetVelocity(2 * c, 2 * s);
    for (int tick = 0; tick < kTicks; ++tick) {
      cube.Step(0, 0);
      Count(cube, quality);
    }
    worst = std::max(worst, std::abs(cube.x_m() * s - cube.y_m() * c));
  }
  return worst;
}

/// From rest, cold: the least push that moves the cube. @returns the largest error of the threshold
template <class Scalar>
double Breakaway(Cone cone, int contacts, FrictionQuality* quality) {
  constexpr int kDirections = 180;
  constexpr double kFrom = 0.9, kTo = 1.02, kGrid = 0.005, kMoves_mps = sizeof(Scalar) == 8 ? 1e-6 : 1e-4;
  double worst = 0;
  Cube<Scalar> cube(cone, contacts, 0.2, 0.5);
  for (int d = 0; d < kDirections; ++d) {
    double threshold = kTo;
    for (double push = kFrom; push < kTo; push += kGrid) {
      cube.Reset();
      cube.SetVelocity(0, 0);
      cube.Step(push * cube.limit_N() * std::cos(kTwoPi * d / kDirections),
                push * cube.limit_N() * std::sin(kTwoPi * d / kDirections));
      Count(cube, quality);
      if (cube.speed_mps() <= kMoves_mps) continue;
      threshold = push;
      break;
    }
    worst = std::max(worst, std::abs(threshold - 1));
  }
  return worst;
}

template <class Scalar>
FrictionQuality MeasureFriction(Cone cone, int contacts, std::vector<CirclePoint>* circle = nullptr) {
  FrictionQuality quality;
  quality.free_lateral = Lateral<Scalar>(cone, contacts, 0, &quality);
  quality.pushed_lateral = Lateral<Scalar>(cone, contacts, 1.3, &quality);
  const std::vector<CirclePoint> points = DragCircle<Scalar>(cone, contacts, &quality);
  if (circle != nullptr) *circle = points;
  quality.throw_off_line_m = Throw<Scalar>(cone, contacts, &quality);
  quality.breakaway_error = Breakaway<Scalar>(cone, contacts, &quality);
  return quality;
}

}  // namespace tactus::host
