#pragma once
// Distance from a plate with a hole and a chamfer. Shares no formula with the library.
#include <algorithm>
#include <cmath>

#include "tactus/collide/shape.h"

namespace tactus::test {

/// Signed, of a point in the hole's frame. In the half section (ρ, z) the plate is a polygon of two corners grown by the
/// rounding, and the floor. The corners are where the lines of wall, chamfer and plate cross, each moved in by the rounding.
inline double ChamferedPlateDistance(const Shape<double>& hole, const Vec<double, 3>& p_m) {
  const double R = hole.half_m(0), mouth = hole.half_m(1), s = hole.radius_m;
  const auto square = [](double a, double b) { return a * a + b * b; };  // a third of the time of std::hypot
  const double rho = std::sqrt(square(p_m.x(), p_m.y())), z = p_m.z();
  const double wall = R + s, face = mouth + std::sqrt(2) * s;  // ρ = wall, ρ - z = face
  const double low = wall - face, high = face - s;             // their crossings
  const double to_wall = wall - rho, to_face = (face - rho + z) / std::sqrt(2), to_top = z + s;
  double core = std::max({to_wall, to_face, to_top});
  if (core > 0) {
    const double along = std::clamp(((rho - wall) + (z - low)) / 2, 0.0, high - wall);
    core = std::sqrt(std::min({square(rho - wall, z - std::min(z, low)), square(rho - std::max(rho, high), z + s),
                               square(rho - wall - along, z - low - along)}));
  }
  return rho < R ? std::min(core - s, z + hole.half_m(2)) : core - s;
}

}  // namespace tactus::test
