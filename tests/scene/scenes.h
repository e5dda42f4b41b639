#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tactus/haptic/config.h"
#include "tactus/scene/scene_step.h"

namespace tactus {

inline constexpr double kGravity_mps2 = 9.81;

/// A solid cube of `side_m`.
inline SceneBody Cube(double mass_kg, double side_m, const Vector3& p_WB_m) {
  const double J = mass_kg * side_m * side_m / 6;
  return {.mass_kg = mass_kg, .inertia_kgm2 = {J, J, J}, .p_WB_m = p_WB_m};
}
inline SceneShape CubeShape(int body, double side_m) {
  return {.kind = ShapeKind::kBox,
          .body = static_cast<std::int16_t>(body),
          .radius_m = 2e-4,
          .half_m = {side_m / 2, side_m / 2, side_m / 2}};
}
inline Rotation TurnAbout(const Vector3& axis, double angle_rad) {
  const double s = std::sin(angle_rad / 2);
  return {std::cos(angle_rad / 2), s * axis[0], s * axis[1], s * axis[2]};
}

}  // namespace tactus
