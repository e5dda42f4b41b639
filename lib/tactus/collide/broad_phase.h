#pragma once
#include <cstdint>
#include <limits>

#include "tactus/collide/round_core.h"
#include "tactus/core/fixed_vector.h"

namespace tactus {

/// A box along the world's axes.
template <class Scalar>
struct WorldBox {
  Vec<Scalar, 3> low_m, high_m;
};

namespace internal {

/// Half extents of a shape in its own frame, radius included; `middle` is their centre.
template <class Scalar>
void ExtentsOf(const Shape<Scalar>& shape, const Hull<Scalar>* hull, Vec<Scalar, 3>* middle_m, Vec<Scalar, 3>* half_m) {
  using Vec3 = Vec<Scalar, 3>;
  *middle_m = Vec3::Zero();
  *half_m = shape.half_m;
  const bool adds_radius =
      shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kTorus;
  if (adds_radius) *half_m += Vec3::Constant(shape.radius_m);
  if (shape.kind == ShapeKind::kCone) (*middle_m)(2) = shape.half_m(2) / 2;
  if (shape.kind != ShapeKind::kHull) return;
  Vec3 low = hull->vertex_m[0], high = low;
  for (const Vec3& p : hull->vertex_m) {
    for (int x = 0; x < 3; ++x) {
      low(x) = Min(low(x), p(x));
      high(x) = Max(high(x), p(x));
    }
  }
  *middle_m = (low + high) / 2;
  *half_m = (high - low) / 2 + Vec3::Constant(shape.radius_m);
}

}  // namespace internal

/// A shape's box in its own frame, for the broad phase: taken once, when a scene is loaded.
template <class Scalar>
struct LocalBox {
  Vec<Scalar, 3> middle_m = Vec<Scalar, 3>::Zero(), half_m = Vec<Scalar, 3>::Zero();
  bool is_endless = false;  ///< a half space, or a plate with a hole

  LocalBox() = default;
  LocalBox(const Shape<Scalar>& shape, const Hull<Scalar>* hull)
      : is_endless(shape.kind == ShapeKind::kHalfSpace || shape.kind == ShapeKind::kHole) {
    internal::ExtentsOf(shape, hull, &middle_m, &half_m);
  }
};

/// A shape's box in the world, wider by the margin:  |R| half + margin.
template <class Scalar>
WorldBox<Scalar> BoxAt(const LocalBox<Scalar>& box, const Vec<Scalar, 3>& p_WS_m, const Mat<Scalar, 3, 3>& R_WS,
                       Scalar margin_m) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  if (box.is_endless)
    return {Vec3::Constant(-std::numeric_limits<Scalar>::max()), Vec3::Constant(std::numeric_limits<Scalar>::max())};
  const Vec3 middle = p_WS_m + Times(R_WS, box.middle_m);
  Vec3 half;
  for (int x = 0; x < 3; ++x) {
    half(x) = Abs(R_WS(x, 0)) * box.half_m(0) + Abs(R_WS(x, 1)) * box.half_m(1) + Abs(R_WS(x, 2)) * box.half_m(2) + margin_m;
  }
  return {middle - half, middle + half};
}

/// Two shapes by their numbers, a < b.
struct ShapePair {
  std::uint8_t a, b;
};

/// All pairs of shapes whose boxes overlap, in the order of their numbers: every pair is looked at, 276 of 24 shapes, which
/// costs less than keeping a sweep sorted. Deterministic, bounded. None is left out: what touches nothing because there was
/// no room for its pair would be a wall that lets a hand through.
///
/// @param[in] box    of each shape, widened by half of the pair's margin or more
/// @param[in] body   which body each belongs to: shapes of one body are no pair, nor are two below 0, whose way no contact
///                   changes
/// @param[in] visit  gets each ShapePair
template <class Scalar, int kShapes, class Visit>
void FindPairs(const FixedVector<WorldBox<Scalar>, kShapes>& box, const FixedVector<std::int16_t, kShapes>& body,
               const Visit& visit) noexcept {
  static_assert(kShapes <= 255);
  TACTUS_CHECK(box.size() == body.size());
  const WorldBox<Scalar>* boxes = box.begin();
  const std::int16_t* bodies = body.begin();
  for (int i = 0; i < box.size(); ++i) {
    const WorldBox<Scalar> one = boxes[i];
    for (int j = i + 1; j < box.size(); ++j) {
      if (bodies[i] == bodies[j] || (bodies[i] < 0 && bodies[j] < 0)) continue;
      const WorldBox<Scalar>& other = boxes[j];
      if (one.low_m(0) > other.high_m(0) || other.low_m(0) > one.high_m(0)) continue;
      if (one.low_m(1) > other.high_m(1) || other.low_m(1) > one.high_m(1)) continue;
      if (one.low_m(2) > other.high_m(2) || other.low_m(2) > one.high_m(2)) continue;
      visit(ShapePair{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)});
    }
  }
}

}  // namespace tactus
