#pragma once
#include "tactus/core/scalar.h"

namespace tactus {

/// Directions sampled on a circle, every 30°.
inline constexpr int kCircleSamples = 12;
/// Golden sections of the 60° around a sampled minimum. 12 leave 0.2° for the last parabola: where the edge of a peg crosses
/// the rim of a hole the gap is a valley as narrow as the fillet seen from the axis, about 1° at 0.2 mm in 10 mm.
inline constexpr int kGoldenSections = 12;

/// A direction in the plane of a circle.
template <class Scalar>
struct CircleDirection {
  Scalar cos = Scalar(1);
  Scalar sin = Scalar(0);

  CircleDirection Opposite() const { return {-cos, -sin}; }

  /// Turned by the angle φ with t = tan(φ/2): cos φ = (1 - t²)/(1 + t²), sin φ = 2t/(1 + t²).
  CircleDirection Turned(Scalar t) const {
    const Scalar scale = Scalar(1) / (Scalar(1) + t * t);
    const Scalar c = (Scalar(1) - t * t) * scale, s = Scalar(2) * t * scale;
    return {cos * c - sin * s, sin * c + cos * s};
  }
};

/// The first half of the kCircleSamples directions, without rounding in the multiples of 90°. The others lie opposite.
template <class Scalar>
inline constexpr CircleDirection<Scalar> kHalfCircle[kCircleSamples / 2] = {
    {Scalar(1), Scalar(0)}, {Scalar(0.86602540378443864676), Scalar(0.5)},  {Scalar(0.5), Scalar(0.86602540378443864676)},
    {Scalar(0), Scalar(1)}, {Scalar(-0.5), Scalar(0.86602540378443864676)}, {Scalar(-0.86602540378443864676), Scalar(0.5)}};

/// Direction number i of kCircleSamples.
template <class Scalar>
CircleDirection<Scalar> CircleSample(int i) noexcept {
  constexpr int kHalf = kCircleSamples / 2;
  return i < kHalf ? kHalfCircle<Scalar>[i] : kHalfCircle<Scalar>[i - kHalf].Opposite();
}

/// One value of a function of t.
template <class Scalar>
struct ArcValue {
  Scalar t;
  Scalar gap;
};

/// Where the parabola through three values, a.t < b.t < c.t with b the lowest, is lowest; b.t if they are on a line.
template <class Scalar>
Scalar ParabolaVertex(const ArcValue<Scalar>& a, const ArcValue<Scalar>& b, const ArcValue<Scalar>& c) noexcept {
  const Scalar left = (b.t - a.t) * (b.gap - c.gap), right = (b.t - c.t) * (b.gap - a.gap);
  const Scalar curvature = Scalar(2) * (left - right);
  if (!(Abs(curvature) > Scalar(0))) return b.t;
  return Clamp(b.t - ((b.t - a.t) * left - (b.t - c.t) * right) / curvature, a.t, c.t);
}

/// Goes from a sampled minimum to the minimum itself: golden sections between the neighbouring samples, which find a narrow
/// valley as well as a wide one, then one parabola. No trigonometry: the arc is searched in t = tan(φ/2).
///
/// @param[in] gap            CircleDirection → Scalar, with one minimum between the neighbours
/// @param[in] before, after  its values at the neighbouring samples, 30° away; both no lower than at the sample itself
template <class Scalar, class Gap>
CircleDirection<Scalar> RefineMinimum(const Gap& gap, const CircleDirection<Scalar>& sample, Scalar before,
                                      Scalar after) noexcept {
  constexpr Scalar kTan15 = Scalar(0.26794919243112270647), kGolden = Scalar(0.61803398874989484820);
  const auto at = [&gap, &sample](Scalar t) { return ArcValue<Scalar>{t, gap(sample.Turned(t))}; };
  ArcValue<Scalar> low{-kTan15, before}, high{kTan15, after};
  ArcValue<Scalar> left = at(high.t - kGolden * (high.t - low.t)), right = at(low.t + kGolden * (high.t - low.t));
  for (int i = 0; i < kGoldenSections; ++i) {
    if (left.gap < right.gap) {
      high = right;
      right = left;
      left = at(high.t - kGolden * (high.t - low.t));
    } else {
      low = left;
      left = right;
      right = at(low.t + kGolden * (high.t - low.t));
    }
  }
  const bool left_is_best = left.gap < right.gap;
  const ArcValue<Scalar> best = left_is_best ? left : right;
  const ArcValue<Scalar> vertex = at(left_is_best ? ParabolaVertex(low, left, right) : ParabolaVertex(left, right, high));
  return sample.Turned(vertex.gap < best.gap ? vertex.t : best.t);
}

}  // namespace tactus
