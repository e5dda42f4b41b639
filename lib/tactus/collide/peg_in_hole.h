#pragma once
#include <cstdint>

#include "tactus/collide/circle_minima.h"
#include "tactus/collide/contact_set.h"
#include "tactus/collide/internal/peg_surfaces.h"
#include "tactus/collide/peg_shapes.h"
#include "tactus/core/eigen.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// Which pair of features a contact belongs to: id = feature * kFeatureStride + number.
enum class PegFeature : std::int32_t {
  kRim,          ///< the fillet against the peg: its side, an end face or an edge
  kBottomWall,   ///< the peg's bottom edge against the wall of the hole
  kBottomFloor,  ///< … against the floor of the hole
  kBottomPlate,  ///< … against the plate beside the hole
  kTopWall,      ///< the peg's top edge, likewise
  kTopFloor,
  kTopPlate,
  kBottomChamfer,  ///< … against the face of a chamfer (chamfer.h)
  kTopChamfer,
};
inline constexpr int kFeatureStride = 16;

/// Finds where a peg touches, or is about to touch, a plate with a hole.
///
/// The nearest points of the two solids always lie on one of three circles: the peg's two edges and the fillet's core
/// (radius hole_radius + rim_radius, at z = -rim_radius). For a point p on a peg's edge and a point q on the core, all exact
/// distances:
///
///     wall    R - ρ(p)          normal -ρ̂        inside the hole below the fillet
///     floor   z(p) + depth      normal  ẑ        inside the hole
///     plate   z(p)              normal  ẑ        beside the hole and its fillet
///     rim     d(q) - rim radius normal -∇d       d: signed distance to the peg (side, face or edge, whatever is nearest)
///
/// Between those regions the nearest feature changes without a step in point or normal: that is what the fillet is for. (A
/// peg that leans against a fillet touches it also where normals have a part along the rim: the edge of one against that of
/// the other.)
///
/// Of each pair come six points at fixed directions of the circle - one contact alone would let the peg turn about it, and
/// points that stay keep their ids for the warm start - and up to two minima of the gap between them, where they
/// are deeper than their fixed neighbours by 0.1 µm or more.
///
/// Cost: 12 distances a pair, 15 more for a minimum.
///
/// @param[in]  p_ST_m    middle of the peg
/// @param[in]  z_T_S     unit, the peg's axis
/// @param[in]  margin_m  points with a larger gap are left out
/// @param[out] contacts  in S. The deepest are kept if they do not all fit; contacts->dropped() says how many are missing
template <class Scalar, int kCapacity>
void CollidePegWithHole(const Peg<Scalar>& peg, const PlateWithHole<Scalar>& plate, const Vec<Scalar, 3>& p_ST_m,
                        const Vec<Scalar, 3>& z_T_S, Scalar margin_m, ContactSet<Scalar, kCapacity>* contacts) noexcept;

/// One edge of a peg against wall, floor and plate, as above: a circle about `center_m` across z_T_S.
/// @param[in] end  0: the features are kBottom…; 1: kTop…
template <class Scalar, int kCapacity>
void CollideEdgeWithHole(int end, const Vec<Scalar, 3>& center_m, const Vec<Scalar, 3>& z_T_S, Scalar radius_m,
                         const PlateWithHole<Scalar>& plate, Scalar margin_m,
                         ContactSet<Scalar, kCapacity>* contacts) noexcept;

/// Rewrites contacts given in S in the world.
template <class Scalar, int kCapacity>
void TransformContacts(const Vec<Scalar, 3>& p_WS_m, const Mat<Scalar, 3, 3>& R_WS,
                       ContactSet<Scalar, kCapacity>* contacts) noexcept {
  for (ContactPoint<Scalar>& contact : contacts->points()) {
    contact.point_m = p_WS_m + Times(R_WS, contact.point_m);
    contact.normal = Times(R_WS, contact.normal);
    contact.tangent = Times(R_WS, contact.tangent);
  }
}

}  // namespace tactus

#include "tactus/collide/peg_in_hole.inl"
