#pragma once
#include "tactus/collide/core_distance.h"
#include "tactus/collide/support_polygon.h"

namespace tactus {

/// The core of a cylinder: the solid |z| ≤ half_m, x² + y² ≤ radius_m², in its own frame.
template <class Scalar>
struct RoundCore {
  Scalar radius_m, half_m;

  /// The point farthest along d.
  Vec<Scalar, 3> Support(const Vec<Scalar, 3>& d) const {
    const Scalar rho = Sqrt(d(0) * d(0) + d(1) * d(1));
    const Scalar scale = rho > Scalar(0) ? radius_m / rho : Scalar(0);
    return Vec<Scalar, 3>(scale * d(0), scale * d(1), d(2) > Scalar(0) ? half_m : -half_m);
  }
  /// The point nearest to p: p itself inside.
  Vec<Scalar, 3> Project(const Vec<Scalar, 3>& p) const {
    const Scalar rho = Sqrt(p(0) * p(0) + p(1) * p(1));
    const Scalar scale = rho > radius_m ? radius_m / rho : Scalar(1);
    return Vec<Scalar, 3>(scale * p(0), scale * p(1), Clamp(p(2), -half_m, half_m));
  }
};

template <class Scalar>
RoundCore<Scalar> RoundCoreOf(const Shape<Scalar>& shape) {
  return {shape.half_m(0) - shape.radius_m, shape.half_m(2) - shape.radius_m};
}

/// Corners of the polygon that an end of a cylinder shows, at directions fixed in the other body: a body that twists does
/// not move its contacts. Between them an edge of the other body is met 1 - cos(π/8) = 7.6 % of the radius late; in the
/// direction of a tilt the nearest pair makes that good.
inline constexpr int kRimPoints = 8;

namespace internal {

/// cos 45° i; sin is the same six places on.
template <class Scalar>
inline constexpr Scalar kRimCos[kRimPoints] = {
    Scalar(1),  Scalar(0.70710678118654752),  Scalar(0), Scalar(-0.70710678118654752),
    Scalar(-1), Scalar(-0.70710678118654752), Scalar(0), Scalar(0.70710678118654752)};

/// A unit vector across the unit `axis`, and fixed with x and y, of which it takes the one that is not along the axis.
template <class Scalar>
Vec<Scalar, 3> Across(const Vec<Scalar, 3>& axis, const Vec<Scalar, 3>& x, const Vec<Scalar, 3>& y) {
  const Scalar along_x = axis.dot(x), along_y = axis.dot(y);
  const Vec<Scalar, 3> across =
      Abs(along_x) < Scalar(0.8) ? Vec<Scalar, 3>(x - along_x * axis) : Vec<Scalar, 3>(y - along_y * axis);
  return across / Norm(across);
}

}  // namespace internal

/// What a cylinder shows to the unit direction d: the polygon on an end, or the line of its side. In its own frame.
/// @param[in] x, y  two axes of the other body, in the cylinder's frame
template <class Scalar>
void Show(const RoundCore<Scalar>& core, const Vec<Scalar, 3>& d, const Vec<Scalar, 3>& x, const Vec<Scalar, 3>& y,
          SupportPolygon<Scalar>* shown) {
  using Vec3 = Vec<Scalar, 3>;
  const bool up = d(2) > Scalar(0);
  const Scalar s = Sqrt(d(0) * d(0) + d(1) * d(1));
  if (Abs(d(2)) >= kShownCos<Scalar>) {
    const Scalar z = up ? Scalar(1) : Scalar(-1);
    const Vec3 u = internal::Across(Vec3(Vec3::UnitZ()), x, y), w = z * Cross(Vec3(Vec3::UnitZ()), u);
    shown->size = kRimPoints;
    shown->normal = Vec3(Scalar(0), Scalar(0), z);
    for (int i = 0; i < kRimPoints; ++i) {
      const Scalar c = internal::kRimCos<Scalar>[i], t = internal::kRimCos<Scalar>[(i + 6) % kRimPoints];
      shown->point_m[i] = Vec3(core.radius_m * (c * u + t * w) + core.half_m * shown->normal);
      shown->vertex[i] = static_cast<std::uint8_t>(kRimPoints * (up ? 1 : 0) + i);
      shown->edge[i] = shown->vertex[i];
    }
  } else {
    const Vec3 side(core.radius_m * d(0) / s, core.radius_m * d(1) / s, Scalar(0));
    shown->size = 2;
    for (int end = 0; end < 2; ++end) {
      shown->point_m[end] = side + Vec3(Scalar(0), Scalar(0), end == 0 ? -core.half_m : core.half_m);
      shown->vertex[end] = static_cast<std::uint8_t>(2 * kRimPoints + end);
    }
    shown->edge[0] = 2 * kRimPoints;
  }
}

}  // namespace tactus
