#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"

namespace tactus {

/// Directions sampled on a circle, every 30°: our shapes are smooth at that scale, so no minimum hides between two samples.
inline constexpr int kCircleSamples = 12;
inline constexpr double kCircleSpacing_rad = 0.52359877559829887308;
/// Parabolas after the first one; the spacing shrinks four times each, to 0.5°. What is left in the gap is below 1e-9 radii.
inline constexpr int kCircleRefinements = 3;

/// A direction in the plane of a circle.
template <class Scalar>
struct CircleDirection {
  Scalar cos = Scalar(1);
  Scalar sin = Scalar(0);

  static CircleDirection At(Scalar angle_rad) { return {Cos(angle_rad), Sin(angle_rad)}; }
  CircleDirection Turned(const CircleDirection& by) const { return {cos * by.cos - sin * by.sin, sin * by.cos + cos * by.sin}; }
  CircleDirection Reversed() const { return {cos, -sin}; }
};

/// Direction number i of kCircleSamples, without rounding in the multiples of 90°.
template <class Scalar>
CircleDirection<Scalar> CircleSample(int i) noexcept {
  constexpr Scalar kQuarter[4] = {Scalar(1), Scalar(0.86602540378443864676), Scalar(0.5), Scalar(0)};
  const Scalar c = kQuarter[i % 3], s = kQuarter[3 - i % 3];
  switch (i / 3) {
    case 0: return {c, s};
    case 1: return {-s, c};
    case 2: return {-c, -s};
    default: return {s, -c};
  }
}

/// Goes from a sampled minimum of a smooth function on the circle to the minimum itself, by parabolas through three values.
///
/// Through g₋, g, g₊ at φ - δ, φ, φ + δ the parabola is lowest at φ + δ (g₋ - g₊) / (2 (g₋ - 2g + g₊)); no step exceeds δ.
///
/// @param[in] gap    CircleDirection → Scalar
/// @param[in] start  a sample whose neighbours, kCircleSpacing_rad away, are no lower: before ≥ here ≤ after
template <class Scalar, class Gap>
CircleDirection<Scalar> RefineMinimum(const Gap& gap, CircleDirection<Scalar> start, Scalar before, Scalar here,
                                      Scalar after) noexcept {
  CircleDirection<Scalar> direction = start;
  Scalar delta_rad = Scalar(kCircleSpacing_rad);
  for (int i = 0;; ++i) {
    const Scalar curvature = before - Scalar(2) * here + after;
    if (curvature > Scalar(0)) {
      const Scalar steps = Clamp((before - after) / (Scalar(2) * curvature), Scalar(-1), Scalar(1));
      direction = direction.Turned(CircleDirection<Scalar>::At(steps * delta_rad));
    }
    if (i == kCircleRefinements) return direction;
    delta_rad /= Scalar(4);
    const CircleDirection<Scalar> delta = CircleDirection<Scalar>::At(delta_rad);
    before = gap(direction.Turned(delta.Reversed()));
    here = gap(direction);
    after = gap(direction.Turned(delta));
  }
}

}  // namespace tactus
