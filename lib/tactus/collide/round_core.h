#pragma once
#include "tactus/collide/core_distance.h"
#include "tactus/collide/support_polygon.h"

namespace tactus {

/// The core of a cylinder, the solid |z| ≤ half_m, x² + y² ≤ radius_m², or of a cone with its base of that radius at Low_m
/// and its apex at High_m; in its own frame.
template <class Scalar>
struct RoundCore {
  Scalar radius_m, half_m;
  Scalar middle_m = Scalar(0);  ///< of the two ends, on z; 0 of a cylinder
  bool is_cone = false;
  Scalar side_rho = Scalar(1), side_z = Scalar(0);  ///< unit normal of the side, away from the axis and along it

  Scalar Low_m() const { return middle_m - half_m; }
  Scalar High_m() const { return middle_m + half_m; }

  /// The point farthest along d.
  Vec<Scalar, 3> Support(const Vec<Scalar, 3>& d) const {
    const Scalar rho = Sqrt(d(0) * d(0) + d(1) * d(1));
    if (is_cone && d(2) * Scalar(2) * half_m >= rho * radius_m) return {Scalar(0), Scalar(0), High_m()};
    const Scalar scale = rho > Scalar(0) ? radius_m / rho : Scalar(0);
    return Vec<Scalar, 3>(scale * d(0), scale * d(1), d(2) > Scalar(0) && !is_cone ? High_m() : Low_m());
  }

  /// The point nearest to p: p itself inside.
  Vec<Scalar, 3> Project(const Vec<Scalar, 3>& p) const {
    const Scalar rho = Sqrt(p(0) * p(0) + p(1) * p(1));
    if (is_cone && p(2) > Low_m()) return ProjectOnSide(p, rho);
    const Scalar scale = rho > radius_m ? radius_m / rho : Scalar(1);
    return Vec<Scalar, 3>(scale * p(0), scale * p(1), Clamp(p(2), Low_m(), High_m()));
  }

  /// Of f = |π(p) - p|²/2 with π the projection: its first and second derivative along e. The first is (p - π)·e, the second
  /// from the part of e that π does not follow.
  void Slope(const Vec<Scalar, 3>& p, const Vec<Scalar, 3>& e, Scalar* slope, Scalar* curvature) const {
    const Scalar rho2 = p(0) * p(0) + p(1) * p(1);
    *slope = *curvature = Scalar(0);
    if (is_cone && p(2) > Low_m()) return SlopeOnSide(p, e, Sqrt(rho2), slope, curvature);
    if (rho2 > radius_m * radius_m) {
      const Scalar rho = Sqrt(rho2), along = (p(0) * e(0) + p(1) * e(1)) / rho, beyond = rho - radius_m;
      const Scalar flat2 = e(0) * e(0) + e(1) * e(1);
      *slope = beyond * along;
      *curvature = along * along + (flat2 - along * along) * (beyond / rho);
    }
    if (p(2) < Low_m() || p(2) > High_m()) {
      *slope += (p(2) - (p(2) < Low_m() ? Low_m() : High_m())) * e(2);
      *curvature += e(2) * e(2);
    }
  }

 private:
  /// What of a cone's side is nearest to a point above its base.
  struct OnSide {
    Scalar beyond_m;  ///< from the side's line; ≤ 0: inside
    bool is_rim, is_apex;
  };
  OnSide Locate(Scalar rho, Scalar z) const {
    const Scalar out = rho - radius_m, up = z - Low_m(), along = up * side_rho - out * side_z;
    return {out * side_rho + up * side_z, along <= Scalar(0), (High_m() - z) * side_rho + rho * side_z <= Scalar(0)};
  }

  Vec<Scalar, 3> ProjectOnSide(const Vec<Scalar, 3>& p, Scalar rho) const {
    const OnSide at = Locate(rho, p(2));
    if (at.beyond_m <= Scalar(0)) return p;
    if (at.is_apex || !(rho > Scalar(0))) return {Scalar(0), Scalar(0), High_m()};
    const Scalar scale = (at.is_rim ? radius_m : rho - at.beyond_m * side_rho) / rho;
    return {scale * p(0), scale * p(1), at.is_rim ? Low_m() : p(2) - at.beyond_m * side_z};
  }

  void SlopeOnSide(const Vec<Scalar, 3>& p, const Vec<Scalar, 3>& e, Scalar rho, Scalar* slope, Scalar* curvature) const {
    const OnSide at = Locate(rho, p(2));
    if (at.beyond_m <= Scalar(0)) return;
    const Vec<Scalar, 3> off = p - ProjectOnSide(p, rho);
    *slope = off.dot(e);
    *curvature = e.squaredNorm();
    if (at.is_apex || !(rho > Scalar(0))) return;
    const Scalar along = (p(0) * e(0) + p(1) * e(1)) / rho;
    const Scalar around2 = e(0) * e(0) + e(1) * e(1) - along * along;
    if (at.is_rim) {
      *curvature -= around2 * (radius_m / rho);
    } else {
      const Scalar outward = along * side_rho + e(2) * side_z;
      *curvature = outward * outward + around2 * (at.beyond_m * side_rho / rho);
    }
  }
};

constexpr bool IsRound(ShapeKind kind) { return kind == ShapeKind::kCylinder || kind == ShapeKind::kCone; }

/// A cone less its rounding is the same cone, smaller about the centre of the largest ball inside.
template <class Scalar>
RoundCore<Scalar> RoundCoreOf(const Shape<Scalar>& shape) {
  if (shape.kind != ShapeKind::kCone) return {shape.half_m(0) - shape.radius_m, shape.half_m(2) - shape.radius_m};
  const Scalar radius_m = shape.half_m(0), height_m = Scalar(2) * shape.half_m(2);
  const Scalar side_m = Sqrt(radius_m * radius_m + height_m * height_m);
  const Scalar share = Scalar(1) - shape.radius_m / internal::BallInCone_m(shape);
  RoundCore<Scalar> core{share * radius_m, share * shape.half_m(2)};
  core.middle_m = shape.radius_m - height_m / Scalar(4) + core.half_m;
  core.is_cone = true;
  core.side_rho = height_m / side_m;
  core.side_z = radius_m / side_m;
  return core;
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

template <class Scalar>
void ShowEnd(const RoundCore<Scalar>& core, bool up, const Vec<Scalar, 3>& x, const Vec<Scalar, 3>& y,
             SupportPolygon<Scalar>* shown) {
  using Vec3 = Vec<Scalar, 3>;
  const Scalar z = up ? Scalar(1) : Scalar(-1);
  const Vec3 u = Across(Vec3(Vec3::UnitZ()), x, y), w = z * Cross(Vec3(Vec3::UnitZ()), u);
  const Vec3 center_m(Scalar(0), Scalar(0), up ? core.High_m() : core.Low_m());
  shown->size = kRimPoints;
  shown->normal = Vec3(Scalar(0), Scalar(0), z);
  for (int i = 0; i < kRimPoints; ++i) {
    const Scalar c = kRimCos<Scalar>[i], t = kRimCos<Scalar>[(i + 6) % kRimPoints];
    shown->point_m[i] = Vec3(core.radius_m * (c * u + t * w) + center_m);
    shown->vertex[i] = static_cast<std::uint8_t>(kRimPoints * (up ? 1 : 0) + i);
    shown->edge[i] = shown->vertex[i];
  }
}

/// Whether a cone shows the line of its side to d, of which `s` is the part across the axis: the line is tilted by less than
/// 45°, and d nearer to the side's normal than to the axis. There the apex alone is shown, for the line has no direction.
template <class Scalar>
bool ShowsSide(const RoundCore<Scalar>& core, const Vec<Scalar, 3>& d, Scalar s) {
  return Abs(core.side_rho * d(2) - core.side_z * s) <= kShownCos<Scalar> && s >= core.side_rho / Scalar(2);
}

}  // namespace internal

/// What a cylinder or a cone shows to the unit direction d: the polygon on an end, the line of its side, or a cone's apex.
/// In its own frame.
/// @param[in] x, y  two axes of the other body, in this frame
template <class Scalar>
void Show(const RoundCore<Scalar>& core, const Vec<Scalar, 3>& d, const Vec<Scalar, 3>& x, const Vec<Scalar, 3>& y,
          SupportPolygon<Scalar>* shown) {
  using Vec3 = Vec<Scalar, 3>;
  const bool up = d(2) > Scalar(0);
  if (Abs(d(2)) >= kShownCos<Scalar> && !(up && core.is_cone)) return internal::ShowEnd(core, up, x, y, shown);
  const Scalar s = Sqrt(d(0) * d(0) + d(1) * d(1));
  shown->size = 2;
  shown->edge[0] = 2 * kRimPoints;
  for (int end = 0; end < 2; ++end) shown->vertex[end] = static_cast<std::uint8_t>(2 * kRimPoints + end);
  const Vec3 side = s > Scalar(0) ? Vec3(core.radius_m * d(0) / s, core.radius_m * d(1) / s, Scalar(0)) : Vec3(Vec3::Zero());
  shown->point_m[0] = side + Vec3(Scalar(0), Scalar(0), core.Low_m());
  shown->point_m[1] = (core.is_cone ? Vec3(Vec3::Zero()) : side) + Vec3(Scalar(0), Scalar(0), core.High_m());
  if (!core.is_cone || internal::ShowsSide(core, d, s)) return;
  shown->size = 1;
  if (up) {
    shown->point_m[0] = shown->point_m[1];
    shown->vertex[0] = shown->vertex[1];
  }
}

}  // namespace tactus
