#pragma once
#include "tactus/collide/peg_in_hole.h"
#include "tactus/collide/shape.h"

namespace tactus {
namespace internal {

template <class Scalar>
inline constexpr Scalar kSqrtHalf = Scalar(0.70710678118654752440);

/// A plate whose hole has a chamfer of 45°, c wide and c deep, in place of the fillet. Frame S: PlateWithHole's. In the half
/// section (ρ, z) it is all within the rounding s of a core with two corners:
///
///     low (R + s, -d),  high (R + d, -s),   d = c + s tan 22.5°
///     wall ρ = R,  face ρ - z = R + c,  plate z = 0:   each s off the core, and both edges between them balls of s
///
/// Something of a rounding r less changes no place of the core: R falls by r, and s and d grow by r.
template <class Scalar>
struct ChamferedPlate {
  PlateWithHole<Scalar> plate;  ///< its rim_radius_m is s
  Scalar corner_m;              ///< d > s

  /// The plate as the wall's and the plate's own surfaces take it: they end at the two corners.
  PlateWithHole<Scalar> Outer() const {
    return {.hole_radius_m = plate.hole_radius_m, .hole_depth_m = plate.hole_depth_m, .rim_radius_m = corner_m};
  }
};

/// The cone between the two edges of a chamfer, as a surface of peg_surfaces.h. Its distance, concave on every line of the
/// free side as the wall's is, has no minimum inside of one: ends, edges and the two corners are all there is to measure.
template <class Scalar>
struct ChamferSurface {
  ChamferedPlate<Scalar> mouth;

  /// At a distance from the axis, or from it in one fixed direction: then of the plane that touches the cone there.
  Scalar GapAt(Scalar radial_m, Scalar z_m) const {
    const Scalar s_m = mouth.plate.rim_radius_m;
    return (mouth.plate.hole_radius_m + s_m - radial_m + z_m + mouth.corner_m) * kSqrtHalf<Scalar> - s_m;
  }
  /// Whether the foot lies between the corners and, for a place in the material, no other way out is shorter.
  bool AppliesAt(Scalar radial_m, Scalar z_m) const {
    const Scalar s_m = mouth.plate.rim_radius_m;
    const Scalar up_m = radial_m - (mouth.plate.hole_radius_m + s_m) + z_m + mouth.corner_m;
    const Scalar gap_m = GapAt(radial_m, z_m);
    return up_m >= Scalar(0) && up_m <= Scalar(2) * (mouth.corner_m - s_m) &&
           gap_m >= Min(Scalar(0), Max(mouth.plate.hole_radius_m - radial_m, z_m));
  }

  Scalar Gap(const Vec<Scalar, 3>& p_S) const { return GapAt(AxisDistance(p_S), p_S(2)); }
  bool Applies(const Vec<Scalar, 3>& p_S, Scalar /*margin_m*/) const { return AppliesAt(AxisDistance(p_S), p_S(2)); }

  ContactPoint<Scalar> Measure(const Vec<Scalar, 3>& p_S) const {
    const Scalar radial_m = AxisDistance(p_S);
    const bool on_axis = !(radial_m > Scalar(0));
    const CircleDirection<Scalar> out =
        on_axis ? CircleDirection<Scalar>{} : CircleDirection<Scalar>{p_S(0) / radial_m, p_S(1) / radial_m};
    return Measure(p_S, out, GapAt(radial_m, p_S(2)));
  }
  static ContactPoint<Scalar> Measure(const Vec<Scalar, 3>& p_S, const CircleDirection<Scalar>& out, Scalar gap_m) {
    constexpr Scalar h = kSqrtHalf<Scalar>;
    return {.point_m = p_S,
            .normal = {-h * out.cos, -h * out.sin, h},
            .tangent = {-out.sin, out.cos, Scalar(0)},
            .gap_m = gap_m};
  }
};

}  // namespace internal

/// CollideEdgeWithHole for the face of a chamfer, which an edge meets besides wall, floor and plate:
///
///     gap = (R + s - ρ + z + d)/√2 - s,   normal (-ρ̂ + ẑ)/√2
template <class Scalar, int kCapacity>
void CollideEdgeWithChamfer(int end, const Vec<Scalar, 3>& center_m, const Vec<Scalar, 3>& z_T_S, Scalar radius_m,
                            const internal::ChamferedPlate<Scalar>& mouth, Scalar margin_m,
                            ContactSet<Scalar, kCapacity>* contacts) noexcept {
  const Scalar tilt = Sqrt(Max(Scalar(0), Scalar(1) - z_T_S(2) * z_T_S(2)));  // sine of the angle between the axes
  const Scalar lowest_m = center_m(2) - radius_m * tilt, farthest_m = internal::AxisDistance(center_m) + radius_m;
  const internal::ChamferSurface<Scalar> face{mouth};
  if (lowest_m > margin_m || face.GapAt(farthest_m, lowest_m) > margin_m) return;
  internal::ScanCircle(end == 0 ? PegFeature::kBottomChamfer : PegFeature::kTopChamfer,
                       internal::SampledCircle<Scalar>(internal::PegEdge(center_m, z_T_S, radius_m)), face, margin_m,
                       contacts);
}

}  // namespace tactus
