#pragma once
#include "tactus/collide/contact_polygon.h"
#include "tactus/collide/round_core.h"

namespace tactus {

namespace internal {

/// A half space z ≤ 0 in its frame P, and a shape in it.
template <class Scalar>
struct AbovePlane {
  Mat<Scalar, 3, 3> R_PS;
  Vec<Scalar, 3> p_PS_m;
  Scalar radius_m;
  Scalar margin_m;

  void Add(std::int32_t id, const Vec<Scalar, 3>& p_P_m, FoundPoints<Scalar, kHullVertices>* contacts) const {
    const Scalar gap_m = p_P_m(2) - radius_m;
    if (!(gap_m <= margin_m)) return;
    contacts->Add({id, Vec<Scalar, 3>(p_P_m(0), p_P_m(1), gap_m / 2), gap_m});
  }
};

/// All vertices of a core: exact, and as many as stand on the plane.
template <class Scalar>
Scalar CoreAbovePlane(const AbovePlane<Scalar>& above, const Core<Scalar>& core,
                      FoundPoints<Scalar, kHullVertices>* contacts) {
  Scalar least_m = std::numeric_limits<Scalar>::max();
  const Vec<Scalar, 3> up_S = above.R_PS.row(2).transpose();
  for (int id = 0; id < core.VertexCount(); ++id) {
    if (!core.HasVertex(id)) continue;
    const Vec<Scalar, 3> p_S = core.Vertex(id);
    const Scalar height_m = above.p_PS_m(2) + up_S.dot(p_S);
    least_m = Min(least_m, height_m);
    if (!(height_m - above.radius_m <= above.margin_m)) continue;
    above.Add(FeatureId(FeatureKind::kVertexA, id), above.p_PS_m + Times(above.R_PS, p_S), contacts);
  }
  return least_m - above.radius_m;
}

/// Sine of the tilt from which the lowest point of a rim has a direction; and to which the ring is needed: at 30° its points
/// beside the lowest are 4 % of the radius higher at least, and a lying cylinder has its line alone.
template <class Scalar>
inline constexpr Scalar kTiltSine = Scalar(1e-3);
template <class Scalar>
inline constexpr Scalar kRingSine = Scalar(0.5);

/// Each end of a cylinder's core, and the base of a cone's: points on its rim at directions fixed in the plane, not in the
/// body, that stay where they are while it twists, and the lowest point c - R (ẑ - (ẑ·a) a)/s, s = |ẑ - (ẑ·a) a|, on its
/// own. Of a lying cylinder the two lowest points are its line. The other end of a cone is its apex.
template <class Scalar>
Scalar CylinderAbovePlane(const AbovePlane<Scalar>& above, const RoundCore<Scalar>& core,
                          FoundPoints<Scalar, kHullVertices>* contacts) {
  using Vec3 = Vec<Scalar, 3>;
  const Vec3 axis = above.R_PS.col(2);
  const Vec3 up = Vec3::UnitZ() - axis(2) * axis;
  const Scalar s = Norm(up);
  const bool has_lowest = s > kTiltSine<Scalar>;
  const Vec3 u = Across(axis, Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY())), w = Cross(axis, u);
  Scalar least_m = std::numeric_limits<Scalar>::max();
  for (int end = 0; end < 2; ++end) {
    const Vec3 center_m = above.p_PS_m + (end == 0 ? core.Low_m() : core.High_m()) * axis;
    if (end == 1 && core.is_cone) {
      least_m = Min(least_m, center_m(2));
      above.Add(FeatureId(FeatureKind::kLowest, end), center_m, contacts);
      continue;
    }
    least_m = Min(least_m, center_m(2) - core.radius_m * s);
    if (center_m(2) - core.radius_m * s - above.radius_m > above.margin_m) continue;
    if (has_lowest) above.Add(FeatureId(FeatureKind::kLowest, end), center_m - (core.radius_m / s) * up, contacts);
    for (int i = 0; s < kRingSine<Scalar> && i < kRimPoints; ++i) {
      const Scalar c = kRimCos<Scalar>[i], t = kRimCos<Scalar>[(i + 6) % kRimPoints];
      above.Add(FeatureId(FeatureKind::kRim, end, i), center_m + core.radius_m * (c * u + t * w), contacts);
    }
  }
  return least_m - above.radius_m;
}

}  // namespace internal

}  // namespace tactus
