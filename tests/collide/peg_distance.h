#pragma once
// Distance from a peg to a plate with a hole by brute force: many points of the peg's surface against the plate's distance
// function, the best of them refined. Shares no formula with the library.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tactus/collide/peg_in_hole.h"
#include "tactus/core/spatial.h"

namespace tactus::test {

using Vec3 = Vec<double, 3>;

/// Where the peg is: its middle and its axis, in S.
struct PegPose {
  Vec3 p_ST_m;
  Vec3 z_T_S;
};

/// Distance of a point outside the plate. In the half plane (radius, z) the plate is a rounded corner and a floor.
inline double PlateDistance(const PlateWithHole<double>& plate, const Vec3& p) {
  const double radius = std::hypot(p.x(), p.y());
  const double into_hole = plate.hole_radius_m + plate.rim_radius_m - radius, above = p.z() + plate.rim_radius_m;
  double corner;
  if (into_hole > 0 && above > 0) {
    corner = std::hypot(into_hole, above) - plate.rim_radius_m;
  } else {
    corner = std::max(into_hole, above) - plate.rim_radius_m;
  }
  return radius < plate.hole_radius_m ? std::min(corner, p.z() + plate.hole_depth_m) : corner;
}

/// A point of the peg's surface: angle, and a way along the outline from the middle of the bottom face, up the side, to the
/// middle of the top face.
inline Vec3 PegPoint(const Peg<double>& peg, const PegPose& pose, double angle, double way) {
  way = std::clamp(way, 0.0, 2 * peg.radius_m + peg.length_m);
  const double radius = std::min({way, peg.radius_m, 2 * peg.radius_m + peg.length_m - way});
  const double axial = std::clamp(way - peg.radius_m, 0.0, peg.length_m) - peg.length_m / 2;
  const Vec3 reference = std::abs(pose.z_T_S.x()) < 0.8 ? Vec3::UnitX() : Vec3::UnitY();
  const Mat<double, 3, 3> cross = CrossMatrix(pose.z_T_S);
  const Vec3 across = cross * reference, v = across / across.norm(), u = -cross * v;
  return pose.p_ST_m + axial * pose.z_T_S + radius * (std::cos(angle) * u + std::sin(angle) * v);
}

/// Smallest distance, to about 1e-8 m.
inline double PegDistance(const Peg<double>& peg, const PlateWithHole<double>& plate, const PegPose& pose) {
  const double outline = 2 * peg.radius_m + peg.length_m, turn = 2 * std::numbers::pi;
  const auto distance = [&](double angle, double way) { return PlateDistance(plate, PegPoint(peg, pose, angle, way)); };
  double best = distance(0, 0);
  // The edges, in one dimension: their valleys can be as narrow as the fillet.
  for (const double edge : {peg.radius_m, peg.radius_m + peg.length_m}) {
    constexpr int kEdgePoints = 2000;
    double angle = 0, step = turn / kEdgePoints, least = distance(angle, edge);
    const auto look = [&](double other) {
      if (const double there = distance(other, edge); there < least) least = there, angle = other;
    };
    for (int i = 1; i < kEdgePoints; ++i) look(i * step);
    for (; step > 1e-8; step /= 2) {
      const double middle = angle;
      look(middle - step), look(middle + step);
    }
    best = std::min(best, least);
  }
  // The faces and the side, in two.
  constexpr int kAngles = 180, kWays = 160;
  for (int i = 0; i < kAngles; ++i) {
    for (int j = 0; j <= kWays; ++j) best = std::min(best, distance(turn * i / kAngles, outline * j / kWays));
  }
  constexpr int kStarts = 24;
  for (int start = 0; start < kStarts * kStarts; ++start) {
    double angle = turn * (start % kStarts) / kStarts, way = outline * (start / kStarts + 0.5) / kStarts;
    double here = distance(angle, way);
    if (here > best + 0.004) continue;  // a start is at most 3 mm from the best point of its cell
    for (double step = 1.0 / kStarts; step > 1e-7;) {
      bool moved = false;
      for (int k = 0; k < 8; ++k) {
        const double next_angle = angle + turn * step * std::cos(turn * k / 8),
                     next_way = way + outline * step * std::sin(turn * k / 8);
        const double there = distance(next_angle, next_way);
        if (there < here) here = there, angle = next_angle, way = next_way, moved = true;
      }
      if (!moved) step /= 2;
    }
    best = std::min(best, here);
  }
  return best;
}

}  // namespace tactus::test
