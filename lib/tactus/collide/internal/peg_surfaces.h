#pragma once
// The four surfaces of peg_in_hole.h, each measured at a point of a circle. A surface offers
//     Gap(p)              signed distance, smooth over the whole circle
//     Applies(p, margin)  whether the surface is the one that p can touch
//     Measure(p)          gap, normal, tangent and point of contact
#include "tactus/collide/contact_set.h"
#include "tactus/collide/peg_shapes.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus::internal {

/// Distance from the hole's axis.
template <class Scalar>
Scalar AxisDistance(const Vec<Scalar, 3>& p_S) {
  return Sqrt(p_S(0) * p_S(0) + p_S(1) * p_S(1));
}

/// Whether a point inside the plate's material is nearer to the wall than to the top.
template <class Scalar>
bool IsNearerToWall(Scalar radial_m, Scalar hole_radius_m, Scalar z_m) {
  return radial_m - hole_radius_m <= -z_m;
}

template <class Scalar>
struct WallSurface {
  PlateWithHole<Scalar> plate;

  Scalar Gap(const Vec<Scalar, 3>& p_S) const { return plate.hole_radius_m - AxisDistance(p_S); }

  bool Applies(const Vec<Scalar, 3>& p_S, Scalar margin_m) const {
    return p_S(2) < -plate.rim_radius_m && p_S(2) > -plate.hole_depth_m - margin_m &&
           IsNearerToWall(AxisDistance(p_S), plate.hole_radius_m, p_S(2));
  }

  ContactPoint<Scalar> Measure(const Vec<Scalar, 3>& p_S) const {
    const Scalar radial_m = AxisDistance(p_S);
    // A hole narrower than the margin: on its axis all of the wall is equally near.
    const bool on_axis = !(radial_m > Scalar(0));
    return {.point_m = p_S,
            .normal = on_axis ? Vec<Scalar, 3>(-Vec<Scalar, 3>::UnitX())
                              : Vec<Scalar, 3>(-p_S(0) / radial_m, -p_S(1) / radial_m, Scalar(0)),
            .tangent = Vec<Scalar, 3>::UnitZ(),
            .gap_m = plate.hole_radius_m - radial_m};
  }
};

template <class Scalar>
struct FloorSurface {
  PlateWithHole<Scalar> plate;

  Scalar Gap(const Vec<Scalar, 3>& p_S) const { return p_S(2) + plate.hole_depth_m; }
  bool Applies(const Vec<Scalar, 3>& p_S, Scalar margin_m) const {
    return AxisDistance(p_S) < plate.hole_radius_m + margin_m;
  }
  ContactPoint<Scalar> Measure(const Vec<Scalar, 3>& p_S) const { return {.point_m = p_S, .gap_m = Gap(p_S)}; }
};

template <class Scalar>
struct PlateSurface {
  PlateWithHole<Scalar> plate;

  Scalar Gap(const Vec<Scalar, 3>& p_S) const { return p_S(2); }
  bool Applies(const Vec<Scalar, 3>& p_S, Scalar /*margin_m*/) const {
    const Scalar radial_m = AxisDistance(p_S);
    return radial_m > plate.hole_radius_m + plate.rim_radius_m && !IsNearerToWall(radial_m, plate.hole_radius_m, p_S(2));
  }
  ContactPoint<Scalar> Measure(const Vec<Scalar, 3>& p_S) const { return {.point_m = p_S, .gap_m = Gap(p_S)}; }
};

/// The fillet as a ball of the rim's radius that runs along the core circle, against the peg.
template <class Scalar>
struct RimSurface {
  Peg<Scalar> peg;
  PlateWithHole<Scalar> plate;
  Vec<Scalar, 3> p_ST_m;
  Vec<Scalar, 3> z_T_S;

  /// Where a point lies with respect to the peg.
  struct PegCoordinates {
    Scalar axial_m;           ///< along the axis, from the middle
    Vec<Scalar, 3> across_m;  ///< from the axis to the point
    Scalar radial_m;          ///< length of across_m
    Scalar beyond_side_m;     ///< > 0: outside the side's cylinder
    Scalar beyond_end_m;      ///< > 0: outside the slab between the end faces
  };

  [[gnu::always_inline]] PegCoordinates Locate(const Vec<Scalar, 3>& q_S) const {
    PegCoordinates at;
    const Vec<Scalar, 3> p_Tq_S = q_S - p_ST_m;
    at.axial_m = p_Tq_S.dot(z_T_S);
    at.across_m = p_Tq_S - at.axial_m * z_T_S;
    at.radial_m = Norm(at.across_m);
    at.beyond_side_m = at.radial_m - peg.radius_m;
    at.beyond_end_m = Abs(at.axial_m) - peg.length_m / 2;
    return at;
  }

  static Scalar Distance(const PegCoordinates& at) {
    if (at.beyond_side_m > Scalar(0) && at.beyond_end_m > Scalar(0)) {
      return Sqrt(at.beyond_side_m * at.beyond_side_m + at.beyond_end_m * at.beyond_end_m);
    }
    return Max(at.beyond_side_m, at.beyond_end_m);
  }

  /// ∇d, the unit vector out of the peg.
  [[gnu::always_inline]] Vec<Scalar, 3> Outward(const PegCoordinates& at) const {
    const Vec<Scalar, 3> end = at.axial_m < Scalar(0) ? Vec<Scalar, 3>(-z_T_S) : z_T_S;
    if (at.beyond_end_m >= at.beyond_side_m && at.beyond_side_m <= Scalar(0)) return end;
    const Vec<Scalar, 3> side = at.across_m / at.radial_m;  // outside the side, or nearer to it than to the axis' ends
    if (at.beyond_end_m <= Scalar(0)) return side;
    return (at.beyond_side_m * side + at.beyond_end_m * end) / Distance(at);
  }

  Scalar Gap(const Vec<Scalar, 3>& q_S) const { return Distance(Locate(q_S)) - plate.rim_radius_m; }

  /// The ball is material only where its surface is the fillet, up and towards the hole's axis; a fifth of a radian more
  /// lets the two sides of a tilted peg be measured alike. A core inside the peg is to be got out of it on the shortest way,
  /// whatever that is.
  [[gnu::always_inline]] bool Applies(const Vec<Scalar, 3>& q_S, Scalar /*margin_m*/) const {
    constexpr Scalar kSlack = Scalar(0.2);
    const PegCoordinates at = Locate(q_S);
    if (at.radial_m <= Scalar(0.01) * peg.radius_m && at.beyond_end_m < at.beyond_side_m)
      return false;  // on the axis: no side
    if (Distance(at) < Scalar(0)) return true;
    const Vec<Scalar, 3> normal = -Outward(at);
    const Scalar outwards = (normal(0) * q_S(0) + normal(1) * q_S(1)) / AxisDistance(q_S);
    return normal(2) >= -kSlack && outwards <= kSlack;
  }

  // Inlined, as Applies() is: who asks for both locates the point once.
  [[gnu::always_inline]] ContactPoint<Scalar> Measure(const Vec<Scalar, 3>& q_S) const {
    const PegCoordinates at = Locate(q_S);
    const Vec<Scalar, 3> normal = -Outward(at);
    return {.point_m = q_S + plate.rim_radius_m * normal,
            .normal = normal,
            .tangent = Tangent(q_S, normal),
            .gap_m = Distance(at) - plate.rim_radius_m};
  }

  /// Along the rim, or, where the normal itself does so, across it.
  static Vec<Scalar, 3> Tangent(const Vec<Scalar, 3>& q_S, const Vec<Scalar, 3>& normal) {
    const Scalar radial_m = AxisDistance(q_S);
    const Vec<Scalar, 3> along(-q_S(1) / radial_m, q_S(0) / radial_m, Scalar(0));
    const Scalar part = normal.dot(along);
    const Vec<Scalar, 3> reference = Abs(part) < Scalar(0.9) ? along : Vec<Scalar, 3>::UnitZ();
    const Vec<Scalar, 3> tangent = reference - normal.dot(reference) * normal;
    return tangent / Norm(tangent);
  }
};

}  // namespace tactus::internal
