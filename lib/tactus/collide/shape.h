#pragma once
#include <cstdint>
#include <limits>

#include "tactus/collide/hull.h"
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// What a shape is. Each but the half space and the grid is a core (point, segment, box, polytope, cylinder, cone) plus a
/// radius: all points within r of the core. A grid is a body of any form (DistanceGrid); it is no Shape, and a scene alone
/// has it.
enum class ShapeKind : std::uint8_t { kHalfSpace, kSphere, kCapsule, kBox, kHull, kCylinder, kGrid, kTorus, kCone, kHole };

/// A rigid shape in its own frame S, as plain data. Make one by the functions below.
///
///     half space   z ≤ 0
///     sphere       core the origin, r the radius
///     capsule      core the segment |z| ≤ half_m(2), r the radius
///     box          |x_i| ≤ half_m(i) outside; core half_m - r: only edges and corners are round
///     hull         core the Hull beside it, r the rounding, which is *added* outside
///     cylinder     radius half_m(0), ends at z = ± half_m(2) outside; core smaller by r: only the rims are round
///     cone         base of radius half_m(0) at z = -half_m(2)/2, apex at z = 3 half_m(2)/2 outside: the height is 2
///     half_m(2),
///                  the origin the centre of mass. Core: all that is r inside, a cone again; rim and apex are round, and the
///                  apex ends r (L/R - 1) below its place, L the length of the side
///     hole         the half space z ≤ 0 less a round blind hole about z, of radius half_m(0) and depth half_m(2); its mouth
///                  a fillet of r or, if half_m(1) is larger, a chamfer of 45° from radius half_m(0) to half_m(1) at z = 0,
///                  both its edges rounded by r
///     torus        core the circle of radius half_m(0) about z, r the tube's radius; half_m(2) is 0. The one that is not
///                  convex: the rim of a round hole
///
/// Why r > 0: contacts are found from the distance of the cores, which rarely meet, so normals are continuous and single
/// precision suffices (docs/collision.md).
template <class Scalar>
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  Scalar radius_m = Scalar(0);                     ///< r
  Vec<Scalar, 3> half_m = Vec<Scalar, 3>::Zero();  ///< half extents, as above; 0 where the kind has none
};

/// Rounding of the edges of a box, hull, cylinder or cone unless told otherwise [m]: a hand does not feel 0.2 mm on an edge,
/// and a corner led over one at 50 mm/s turns the normal by 7° a tick, where 0.05 mm turns it by 28°.
template <class Scalar>
inline constexpr Scalar kDefaultRounding_m = Scalar(2e-4);
/// The smallest radius [m]. Below it the rounding of Scalar decides the normals: cores that far apart have 1e-4 rad of it.
template <class Scalar>
inline constexpr Scalar kMinRadius_m = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(2e-5);

template <class Scalar>
Shape<Scalar> HalfSpaceShape() {
  return {.kind = ShapeKind::kHalfSpace};
}
template <class Scalar>
Shape<Scalar> SphereShape(Scalar radius_m) {
  return {.kind = ShapeKind::kSphere, .radius_m = radius_m};
}
template <class Scalar>
Shape<Scalar> CapsuleShape(Scalar radius_m, Scalar half_length_m) {
  return {.kind = ShapeKind::kCapsule, .radius_m = radius_m, .half_m = {Scalar(0), Scalar(0), half_length_m}};
}
template <class Scalar>
Shape<Scalar> BoxShape(const Vec<Scalar, 3>& half_m, Scalar rounding_m = kDefaultRounding_m<Scalar>) {
  return {.kind = ShapeKind::kBox, .radius_m = rounding_m, .half_m = half_m};
}
template <class Scalar>
Shape<Scalar> HullShape(Scalar rounding_m = kDefaultRounding_m<Scalar>) {
  return {.kind = ShapeKind::kHull, .radius_m = rounding_m};
}
template <class Scalar>
Shape<Scalar> CylinderShape(Scalar radius_m, Scalar half_length_m, Scalar rounding_m = kDefaultRounding_m<Scalar>) {
  return {.kind = ShapeKind::kCylinder, .radius_m = rounding_m, .half_m = {radius_m, radius_m, half_length_m}};
}

template <class Scalar>
Shape<Scalar> ConeShape(Scalar radius_m, Scalar height_m, Scalar rounding_m = kDefaultRounding_m<Scalar>) {
  return {.kind = ShapeKind::kCone, .radius_m = rounding_m, .half_m = {radius_m, radius_m, height_m / 2}};
}

/// A plate with a round blind hole, whose mouth is a quarter of a torus.
template <class Scalar>
Shape<Scalar> HoleShape(Scalar radius_m, Scalar depth_m, Scalar rim_radius_m) {
  return {.kind = ShapeKind::kHole, .radius_m = rim_radius_m, .half_m = {radius_m, radius_m, depth_m}};
}

/// One whose mouth is a chamfer of 45°, so wide and so deep: more than 0.59 of rim_radius_m, which rounds both its edges.
template <class Scalar>
Shape<Scalar> ChamferedHoleShape(Scalar radius_m, Scalar depth_m, Scalar rim_radius_m, Scalar chamfer_m) {
  return {.kind = ShapeKind::kHole, .radius_m = rim_radius_m, .half_m = {radius_m, radius_m + chamfer_m, depth_m}};
}

template <class Scalar>
Shape<Scalar> TorusShape(Scalar radius_m, Scalar tube_radius_m) {
  return {.kind = ShapeKind::kTorus, .radius_m = tube_radius_m, .half_m = {radius_m, radius_m, Scalar(0)}};
}

/// What is wrong with a shape. The first offending field.
struct ShapeFault {
  const char* what = nullptr;   ///< nullptr: nothing is wrong
  const char* field = nullptr;  ///< the member of Shape

  constexpr explicit operator bool() const { return what != nullptr; }
};

namespace internal {

template <class Scalar>
ShapeFault CheckLength(Scalar x, Scalar least, const char* field) {
  if (!IsFinite(x)) return {"is not finite", field};
  if (x < Scalar(0)) return {"is negative", field};
  if (!(x > Scalar(0))) return {"is zero", field};
  if (x > kMaxExtent_m<Scalar>) return {"is above 10 m", field};
  if (x < least) return {"is too small for this precision (double 1 um, float 20 um)", field};
  return {};
}

/// tan 22.5°: what a rounding of 1 takes off each side of an edge of 135°.
template <class Scalar>
inline constexpr Scalar kTan22_5 = Scalar(0.41421356237309504880);

template <class Scalar>
bool HasChamfer(const Shape<Scalar>& hole) {
  return hole.half_m(1) > hole.half_m(0);
}

/// Width and depth of a hole's chamfer; 0: a fillet.
template <class Scalar>
Scalar ChamferOf_m(const Shape<Scalar>& hole) {
  return hole.half_m(1) - hole.half_m(0);
}

/// A hole's chamfer of c needs a face between its rounded edges, 2 r tan 22.5° < √2 c or r (1 - tan 22.5°) < c, and a wall
/// below the lower of them, c + r tan 22.5° < depth.
template <class Scalar>
ShapeFault CheckMouth(const Shape<Scalar>& hole) {
  if (!(hole.radius_m < hole.half_m(2))) return {"is not below the depth of the hole", "radius_m"};
  const Scalar chamfer_m = ChamferOf_m(hole);
  if (chamfer_m == Scalar(0)) return {};
  if (chamfer_m < Scalar(0)) return {"is narrower at the mouth (y) than below (x)", "half_m"};
  if (!((Scalar(1) - kTan22_5<Scalar>)*hole.radius_m < chamfer_m)) {
    return {"leaves no face between the rounded edges of the chamfer", "radius_m"};
  }
  const bool has_wall = chamfer_m + kTan22_5<Scalar> * hole.radius_m < hole.half_m(2);
  return has_wall ? ShapeFault{} : ShapeFault{"is a chamfer down to the floor of the hole", "half_m"};
}

/// Radius of the largest ball in a cone: R H / (R + √(R² + H²)).
template <class Scalar>
Scalar BallInCone_m(const Shape<Scalar>& shape) {
  const Scalar radius_m = shape.half_m(0), height_m = Scalar(2) * shape.half_m(2);
  return radius_m * height_m / (radius_m + Sqrt(radius_m * radius_m + height_m * height_m));
}

}  // namespace internal

/// The first thing wrong with a shape, or nothing. Call once, when a scene is loaded.
/// @param[in] hull  the polytope of a kHull; else ignored, may be null. What MakeHull made is valid
template <class Scalar>
ShapeFault Validate(const Shape<Scalar>& shape, const Hull<Scalar>* hull = nullptr) noexcept {
  using internal::CheckLength;
  if (shape.kind == ShapeKind::kHalfSpace) return {};
  if (shape.kind > ShapeKind::kHole || shape.kind == ShapeKind::kGrid) return {"is not a kind of shape", "kind"};
  if (const ShapeFault fault = CheckLength(shape.radius_m, kMinRadius_m<Scalar>, "radius_m")) return fault;
  if (shape.kind == ShapeKind::kSphere) return {};
  if (shape.kind == ShapeKind::kHull) {
    return hull == nullptr || hull->vertex_m.size() < 4 ? ShapeFault{"has no polytope", "hull"} : ShapeFault{};
  }
  if (shape.kind == ShapeKind::kTorus) {
    if (const ShapeFault fault = CheckLength(shape.half_m(0), kMinRadius_m<Scalar>, "half_m")) return fault;
    if (!(shape.radius_m < shape.half_m(0))) return {"closes the torus' hole", "radius_m"};
    return shape.half_m(1) == shape.half_m(0) && shape.half_m(2) == Scalar(0) ? ShapeFault{}
                                                                              : ShapeFault{"is none of a torus", "half_m"};
  }
  if (shape.kind == ShapeKind::kCapsule) return CheckLength(shape.half_m(2), kMinRadius_m<Scalar>, "half_m");
  for (int i = 0; i < 3; ++i) {
    if (const ShapeFault fault = CheckLength(shape.half_m(i), kMinRadius_m<Scalar>, "half_m")) return fault;
  }
  const bool is_cone = shape.kind == ShapeKind::kCone, is_hole = shape.kind == ShapeKind::kHole;
  for (int i = 0; i < 3 && !is_cone && !is_hole; ++i) {
    if (!(shape.half_m(i) >= Scalar(2) * shape.radius_m)) return {"is more than half of a half extent", "radius_m"};
  }
  if (is_cone && !(internal::BallInCone_m(shape) >= Scalar(2) * shape.radius_m)) {
    return {"is more than half of the radius of the largest ball inside", "radius_m"};
  }
  if (is_hole) return internal::CheckMouth(shape);
  if ((is_cone || shape.kind == ShapeKind::kCylinder) && !(shape.half_m(0) == shape.half_m(1)))
    return {"x and y differ", "half_m"};
  return {};
}

/// A shape where it stands in the world. Refers to its hull, which must outlive it; made anew each tick.
template <class Scalar>
struct Solid {
  Shape<Scalar> shape;
  const Hull<Scalar>* hull = nullptr;                      ///< of a kHull
  Vec<Scalar, 3> p_WS_m = Vec<Scalar, 3>::Zero();          ///< origin of S
  Mat<Scalar, 3, 3> R_WS = Mat<Scalar, 3, 3>::Identity();  ///< a rotation
};

template <class Scalar>
Solid<Scalar> Place(const Shape<Scalar>& shape, const Vec<Scalar, 3>& p_WS_m, const Mat<Scalar, 3, 3>& R_WS,
                    const Hull<Scalar>* hull = nullptr) {
  Solid<Scalar> solid;
  solid.shape = shape;
  solid.hull = hull;
  solid.p_WS_m = p_WS_m;
  solid.R_WS = R_WS;
  return solid;
}

template <class Scalar>
bool IsFinite(const Solid<Scalar>& solid) {
  for (int i = 0; i < 9; ++i) {
    if (!IsFinite(solid.R_WS(i / 3, i % 3))) return false;
  }
  return IsFinite(solid.p_WS_m);
}

}  // namespace tactus
