#pragma once
#include "tactus/collide/clip.h"
#include "tactus/collide/core_distance.h"

namespace tactus {

namespace internal {

/// The gap by which the nearest pair must undercut a clipped contact to be one itself [m]: a tenth of what a clip's slack
/// is, and far above rounding.
template <class Scalar>
inline constexpr Scalar kNearestWins_m = Scalar(1e-6);

template <class Scalar>
ContactPlane<Scalar> PlaneOf(const CoreDistance<Scalar>& distance, Scalar radius_a_m, Scalar radius_b_m, Scalar margin_m) {
  const Vec<Scalar, 3> n = distance.normal, u = DefaultTangent(n);
  return {.n = n,
          .u = u,
          .w = Cross(n, u),
          .radii_m = radius_a_m + radius_b_m,
          .radius_b_m = radius_b_m,
          .margin_m = margin_m,
          .distance_m = distance.distance_m};
}

/// Adds the nearest pair unless some contact is as deep.
template <class Scalar>
void AddNearest(const ContactPlane<Scalar>& plane, const Vec<Scalar, 3>& on_b_m, ClippedContacts<Scalar>* contacts) {
  for (int i = 0; i < contacts->size; ++i) {
    if (contacts->at[i].gap_m <= plane.distance_m - plane.radii_m + kNearestWins_m<Scalar>) return;
  }
  contacts->Add(plane.Point(FeatureId(FeatureKind::kNearest), on_b_m, plane.distance_m));
}

}  // namespace internal

/// All contacts of two cores whose distance is known, along its one normal, from what each shows to the other: face on face,
/// edge on face or edge beside edge, and the nearest pair where none of these is as deep.
/// @param[in] a, b          in the frame of `plane`
/// @param[in] nearest_b_m   B's point of the nearest pair
template <class Scalar>
void FindContacts(const internal::ContactPlane<Scalar>& plane, const SupportPolygon<Scalar>& a,
                  const SupportPolygon<Scalar>& b, const Vec<Scalar, 3>& nearest_b_m,
                  internal::ClippedContacts<Scalar>* contacts) noexcept {
  if (a.size > 2 && b.size > 2) {
    internal::FaceClip<Scalar>(plane, a, b).Run(contacts);
  } else if (a.size == 2 && b.size > 2) {
    internal::ClipEdge(plane, a, b, true, contacts);
  } else if (a.size > 2 && b.size == 2) {
    internal::ClipEdge(plane, b, a, false, contacts);
  } else if (a.size == 2 && b.size == 2) {
    internal::EdgeEnds(plane, a, b, contacts);
  }
  internal::AddNearest(plane, nearest_b_m, contacts);
}

/// Brings what is shown to the frame in which its own stands at R, p.
template <class Scalar>
void MoveTo(const Mat<Scalar, 3, 3>& R, const Vec<Scalar, 3>& p_m, SupportPolygon<Scalar>* shown) {
  for (int i = 0; i < shown->size; ++i) shown->point_m[i] = p_m + Times(R, shown->point_m[i]);
  shown->normal = Times(R, shown->normal);
}

/// What a core at a pose shows to the direction d, all in the frame of the pose.
template <class Scalar>
void ShowAt(const Core<Scalar>& core, const Mat<Scalar, 3, 3>& R, const Vec<Scalar, 3>& p_m, const Vec<Scalar, 3>& d,
            SupportPolygon<Scalar>* shown) {
  Show(core, Times(Mat<Scalar, 3, 3>(R.transpose()), d), shown);
  MoveTo(R, p_m, shown);
}

}  // namespace tactus
