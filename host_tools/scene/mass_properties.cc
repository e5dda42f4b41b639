#include "host_tools/scene/mass_properties.h"

#include <fmt/core.h>

#include <algorithm>
#include <numbers>

#include "tactus/core/spatial.h"
#include "tactus/scene/validate.h"

namespace tactus::host {
namespace {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;

/// Volume, and the moments for a density of one.
struct Solid {
  double volume_m3 = 0;
  Vec3 moments = Vec3::Zero();
};

Solid SolidOf(const SceneShape& shape) {
  constexpr double pi = std::numbers::pi;
  const double r = shape.radius_m, r2 = r * r, h = shape.half_m[2];
  switch (shape.kind) {
    case ShapeKind::kSphere: {
      const double V = 4.0 / 3 * pi * r2 * r;
      return {V, Vec3::Constant(0.4 * V * r2)};
    }
    case ShapeKind::kCapsule: {
      const double cylinder = 2 * pi * r2 * h, ball = 4.0 / 3 * pi * r2 * r;
      // Each half ball's centre is 3 r/8 beyond the cylinder's end.
      const double along = cylinder * r2 / 2 + 0.4 * ball * r2;
      const double across = cylinder * (r2 / 4 + h * h / 3) + ball * (0.4 * r2 + h * h + 0.75 * h * r);
      return {cylinder + ball, Vec3(across, across, along)};
    }
    case ShapeKind::kBox: {
      const Vec3 a2(shape.half_m[0] * shape.half_m[0], shape.half_m[1] * shape.half_m[1], h * h);
      const double V = 8 * shape.half_m[0] * shape.half_m[1] * h;
      return {V, V / 3 * Vec3(a2(1) + a2(2), a2(0) + a2(2), a2(0) + a2(1))};
    }
    case ShapeKind::kCylinder: {
      const double R2 = shape.half_m[0] * shape.half_m[0], V = 2 * pi * R2 * h;
      const double across = V * (R2 / 4 + h * h / 3);
      return {V, Vec3(across, across, V * R2 / 2)};
    }
    case ShapeKind::kCone: {  // about its centre of mass, a quarter of the height above the base
      const double R2 = shape.half_m[0] * shape.half_m[0], height = 2 * h, V = pi / 3 * R2 * height;
      const double across = V * (3.0 / 20 * R2 + 3.0 / 80 * height * height);
      return {V, Vec3(across, across, 0.3 * V * R2)};
    }
    default: return {};
  }
}

}  // namespace

std::string SolidInertia(const Scene<>& scene, int first, double mass_kg, Vector3* inertia_kgm2) {
  double volume_m3 = 0;
  Vec3 first_moment = Vec3::Zero();
  Mat3 J = Mat3::Zero();
  for (int i = first; i < scene.shapes.size(); ++i) {
    const SceneShape& shape = scene.shapes[i];
    const Solid solid = SolidOf(shape);
    if (shape.kind == ShapeKind::kHull) return "is missing: a hull's moments are not computed here";
    if (!(solid.volume_m3 > 0)) return "is missing: this shape's moments are not computed here";
    const Vec3 p(shape.p_BS_m[0], shape.p_BS_m[1], shape.p_BS_m[2]);
    const Mat3 R = RotationMatrix(Normalized(Vec<double, 4>(shape.q_BS[0], shape.q_BS[1], shape.q_BS[2], shape.q_BS[3])));
    volume_m3 += solid.volume_m3;
    first_moment += solid.volume_m3 * p;
    J += RotateInertia(R, solid.moments) + solid.volume_m3 * (p.squaredNorm() * Mat3::Identity() - p * p.transpose());
  }
  if (!(volume_m3 > 0)) return "is missing, and there are no shapes to compute it from";
  const Vec3 centre = first_moment / volume_m3;
  const double size = Sqrt(J.trace() / volume_m3);
  if (Norm(centre) > 1e-6 * size) {
    return fmt::format(
        "is missing, and the origin is not the centre of mass, which is at [{:.6g}, {:.6g}, {:.6g}]: move the shapes",
        centre(0), centre(1), centre(2));
  }
  J *= mass_kg / volume_m3;
  const double off = Max(Abs(J(0, 1)), Max(Abs(J(0, 2)), Abs(J(1, 2))));
  if (off > 1e-6 * J.trace()) return "is missing, and the axes are not the principal ones: turn the shapes";
  *inertia_kgm2 = {J(0, 0), J(1, 1), J(2, 2)};
  return "";
}

std::string OutOfBounds(const Vector3& made_kgm2) {
  const auto [least, most] = std::minmax({made_kgm2[0], made_kgm2[1], made_kgm2[2]});
  const bool too_small = least < scene_limit::kLeastInertia_kgm2;
  if (!too_small && most <= scene_limit::kMostInertia_kgm2) return "";
  return fmt::format(
      "its shapes and mass give moments of {:.3g} to {:.3g} kg m2, the {} is {:g}: {}, or inertia_kgm2 of its own", least,
      most, too_small ? "least" : "most", too_small ? scene_limit::kLeastInertia_kgm2 : scene_limit::kMostInertia_kgm2,
      too_small ? "larger shapes, more mass" : "smaller shapes, less mass");
}

}  // namespace tactus::host
