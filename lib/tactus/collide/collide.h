#pragma once
#include "tactus/collide/contact_polygon.h"
#include "tactus/collide/half_space.h"
#include "tactus/collide/hole.h"
#include "tactus/collide/reduce.h"
#include "tactus/collide/torus.h"
#include "tactus/collide/two_rounds.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/core/status.h"

namespace tactus {

/// How a pair's search ended.
template <class Scalar>
struct PairReport {
  Status status = Status::kOk;  ///< kNotFinite: a pose or the margin. kOutOfRange: no pair (two half spaces, a grid, a torus
                                ///< or hole with what it does not meet), margin < 0, an empty hull, > 1 km off
  bool is_far = false;          ///< the gap is above the margin: no contacts, gap_m is a lower bound of it
  bool cores_overlap = false;   ///< deeper than both radii: "placed inside", or a fault of the motion; gaps are right still
  bool is_exact = true;         ///< false: an iteration limit, or float's noise: the gap is off by more than the tolerance
  Scalar gap_m = Scalar(0);     ///< signed distance of the two surfaces
  std::uint8_t iterations = 0;  ///< of the distance; 1 or 2: warm
  std::uint8_t dropped = 0;     ///< contacts beyond kMaxPairContacts that were not kept
};

namespace internal {

/// More contacts than fit: those that ReduceContacts keeps.
template <class Scalar, int kFound>
int ReduceFound(const Vec<Scalar, 3>& normal, FoundPoints<Scalar, kFound>* found) {
  FixedVector<ContactPoint<Scalar>, kFound> list;
  for (int i = 0; i < found->size; ++i) {
    ContactPoint<Scalar> contact;
    contact.id = found->at[i].id;
    contact.point_m = found->at[i].point_m;
    contact.gap_m = found->at[i].gap_m;
    contact.normal = normal;
    (void)list.push_back(contact);  // of the same capacity
  }
  const int dropped = ReduceContacts(kMaxPairContacts, Mat<Scalar, 3, 3>(Mat<Scalar, 3, 3>::Identity()), {}, &list);
  found->size = list.size();
  for (int i = 0; i < list.size(); ++i) found->at[i] = {list[i].id, list[i].point_m, list[i].gap_m};
  return dropped;
}

/// Brings the contacts that were found in the frame of `frame` to the world.
/// @param[in] normal, tangent  of all of them, in that frame
/// @param[in] turn             the normal's sense is the other one
template <class Scalar, int kFound>
void Deliver(const Solid<Scalar>& frame, const Vec<Scalar, 3>& normal, const Vec<Scalar, 3>& tangent, bool turn,
             FoundPoints<Scalar, kFound>* found, PairReport<Scalar>* report, PairContacts<Scalar>* contacts) {
  if (found->size > kMaxPairContacts) report->dropped = static_cast<std::uint8_t>(ReduceFound(normal, found));
  ContactPoint<Scalar> contact;
  contact.normal = Times(frame.R_WS, normal);
  if (turn) contact.normal = -contact.normal;
  contact.tangent = Times(frame.R_WS, tangent);
  for (int i = 0; i < found->size; ++i) {
    contact.id = found->at[i].id;
    contact.point_m = frame.p_WS_m + Times(frame.R_WS, found->at[i].point_m);
    contact.gap_m = found->at[i].gap_m;
    (void)contacts->push_back(contact);  // reduced to fit
  }
}

template <class Scalar>
PairReport<Scalar> ReportOf(const CoreDistance<Scalar>& distance, Scalar radii_m, Scalar margin_m) {
  const Scalar gap_m = distance.distance_m - radii_m;
  return {.is_far = distance.relation == CoreRelation::kFar || gap_m > margin_m,
          .cores_overlap = distance.relation == CoreRelation::kOverlap,
          .is_exact = distance.is_exact,
          .gap_m = gap_m,
          .iterations = distance.iterations};
}

template <class Scalar>
PairReport<Scalar> CollideCores(const Solid<Scalar>& a, const Solid<Scalar>& b, Scalar margin_m, PairCache<Scalar>* cache,
                                PairContacts<Scalar>* contacts) {
  const CorePair<Scalar> pair = PairOf(a, b);
  const Scalar radii_m = a.shape.radius_m + b.shape.radius_m;
  const CoreDistance<Scalar> distance = DistanceOfCores(pair, margin_m + radii_m, cache);
  PairReport<Scalar> report = ReportOf(distance, radii_m, margin_m);
  if (report.is_far) return report;
  ClippedContacts<Scalar> found;
  SupportPolygon<Scalar> shown_a, shown_b;
  Show(pair.a, Vec<Scalar, 3>(-distance.normal), &shown_a);
  ShowAt(pair.b, pair.R_AB, pair.p_AB_m, distance.normal, &shown_b);
  const ContactPlane<Scalar> plane = PlaneOf(distance, a.shape.radius_m, b.shape.radius_m, margin_m);
  FindContacts(plane, shown_a, shown_b, distance.nearest_b_m, &found);
  Deliver(a, plane.n, plane.u, false, &found, &report, contacts);
  return report;
}

/// A cylinder or a cone against a polytope, or against another of them. In its frame it is A.
/// @param[in] turn  it is B for the caller
template <class Scalar>
PairReport<Scalar> CollideRound(const Solid<Scalar>& round, const Solid<Scalar>& other, bool turn, Scalar margin_m,
                                PairCache<Scalar>* cache, PairContacts<Scalar>* contacts) {
  using Vec3 = Vec<Scalar, 3>;
  const RoundCore<Scalar> core = RoundCoreOf(round.shape), other_core = RoundCoreOf(other.shape);
  const bool is_two = IsRound(other.shape.kind);
  const RoundPair<Scalar> pair = [&] {
    RoundPair<Scalar> made{.a = core, .b = CoreOf(other.shape, other.hull), .R_AB = {}, .p_AB_m = {}};
    RelativePose(round, other, &made.R_AB, &made.p_AB_m);
    return made;
  }();
  const Scalar radii_m = round.shape.radius_m + other.shape.radius_m, reach_m = margin_m + radii_m;
  const CoreDistance<Scalar> distance =
      is_two ? DistanceOfTwoRounds(TwoRounds<Scalar>{core, other_core, pair.R_AB, pair.p_AB_m}, reach_m, cache)
             : DistanceOfRound(pair, reach_m, cache);
  PairReport<Scalar> report = ReportOf(distance, radii_m, margin_m);
  if (report.is_far) return report;
  SupportPolygon<Scalar> shown_a, shown_b;
  Show(core, Vec3(-distance.normal), Vec3(pair.R_AB.col(0)), Vec3(pair.R_AB.col(1)), &shown_a);
  if (is_two) {
    const Mat<Scalar, 3, 3> R_BA = pair.R_AB.transpose();
    Show(other_core, Times(R_BA, distance.normal), Vec3(R_BA.col(0)), Vec3(R_BA.col(1)), &shown_b);
    MoveTo(pair.R_AB, pair.p_AB_m, &shown_b);
  } else {
    ShowAt(pair.b, pair.R_AB, pair.p_AB_m, distance.normal, &shown_b);
  }
  ClippedContacts<Scalar> found;
  const ContactPlane<Scalar> plane = PlaneOf(distance, round.shape.radius_m, other.shape.radius_m, margin_m);
  FindContacts(plane, shown_a, shown_b, distance.nearest_b_m, &found);
  Deliver(round, plane.n, plane.u, turn, &found, &report, contacts);
  return report;
}

/// @param[in] turn  the plane is A: the normal, from B into A, points into the plane
template <class Scalar>
PairReport<Scalar> CollidePlane(const Solid<Scalar>& plane, const Solid<Scalar>& solid, bool turn, Scalar margin_m,
                                PairContacts<Scalar>* contacts) {
  AbovePlane<Scalar> above{.R_PS = {}, .p_PS_m = {}, .radius_m = solid.shape.radius_m, .margin_m = margin_m};
  RelativePose(plane, solid, &above.R_PS, &above.p_PS_m);
  FoundPoints<Scalar, kHullVertices> found;
  PairReport<Scalar> report;
  if (IsRound(solid.shape.kind)) {
    report.gap_m = CylinderAbovePlane(above, RoundCoreOf(solid.shape), &found);
  } else {
    report.gap_m = CoreAbovePlane(above, CoreOf(solid.shape, solid.hull), &found);
  }
  report.is_far = report.gap_m > margin_m;
  Deliver(plane, Vec<Scalar, 3>(Vec<Scalar, 3>::UnitZ()), Vec<Scalar, 3>(Vec<Scalar, 3>::UnitX()), turn, &found, &report,
          contacts);
  return report;
}

/// Farthest place from the world's origin [m]: squares of it keep finite, and a hand's workspace is a thousand times
/// smaller.
template <class Scalar>
inline constexpr Scalar kMaxPlace_m = Scalar(1000);

template <class Scalar>
Status CheckPair(const Solid<Scalar>& a, const Solid<Scalar>& b, Scalar margin_m) {
  if (!IsFinite(a) || !IsFinite(b) || !IsFinite(margin_m)) return Status::kNotFinite;
  if (margin_m < Scalar(0)) return Status::kOutOfRange;
  if (a.shape.kind == ShapeKind::kHalfSpace && b.shape.kind == ShapeKind::kHalfSpace) return Status::kOutOfRange;
  if (a.shape.kind == ShapeKind::kTorus && !MeetsTorus(b.shape.kind)) return Status::kOutOfRange;
  if (b.shape.kind == ShapeKind::kTorus && !MeetsTorus(a.shape.kind)) return Status::kOutOfRange;
  if (a.shape.kind == ShapeKind::kHole && !MeetsHole(a.shape, b.shape)) return Status::kOutOfRange;
  if (b.shape.kind == ShapeKind::kHole && !MeetsHole(b.shape, a.shape)) return Status::kOutOfRange;
  for (const Solid<Scalar>* solid : {&a, &b}) {
    if (solid->shape.kind == ShapeKind::kGrid) return Status::kOutOfRange;  // CollideGrid's
    if (LargestPart(solid->p_WS_m) > kMaxPlace_m<Scalar>) return Status::kOutOfRange;
    if (solid->shape.kind == ShapeKind::kHull && (solid->hull == nullptr || solid->hull->vertex_m.empty())) {
      return Status::kOutOfRange;
    }
  }
  return Status::kOk;
}

template <class Scalar>
PairReport<Scalar> CollideTorus(const Solid<Scalar>& torus, const Solid<Scalar>& other, bool turn, Scalar margin_m,
                                PairContacts<Scalar>* contacts) {
  return TorusCollider<Scalar>(torus, other, margin_m).template Run<PairReport<Scalar>>(turn, contacts);
}

template <class Scalar>
PairReport<Scalar> CollideHole(const Solid<Scalar>& hole, const Solid<Scalar>& other, bool turn, Scalar margin_m,
                               PairContacts<Scalar>* contacts) {
  return HoleCollider<Scalar>(hole, other, margin_m).template Run<PairReport<Scalar>>(turn, contacts);
}

}  // namespace internal

/// Finds where two shapes touch, or are about to: the contacts of one pair, ready for ToContact.
///
///     gap = |distance of the cores| - r_A - r_B;   all contacts share one normal, from B into A, but those of a torus or
///     hole point = midway between the two surfaces;     contacts with gap > margin are left out
///
/// Cost, which pairs, how exact: docs/collision.md. Bounded; no heap.
///
/// @param[in]     a, b      valid shapes (Validate) at finite poses; a half space with a half space is no pair,
///                          nor is a torus or hole but with a sphere, capsule, cylinder or cone
/// @param[in]     margin_m  ≥ 0: what the pair can move towards each other in a tick, see ReachMargin_m
/// @param[in,out] cache     of this pair, in this order, from tick to tick; zeroed at first. Any content is safe
/// @param[out]    contacts  at most kMaxPairContacts, in the world; cleared first. Empty unless report.status is kOk
template <class Scalar>
PairReport<Scalar> Collide(const Solid<Scalar>& a, const Solid<Scalar>& b, Scalar margin_m, PairCache<Scalar>* cache,
                           PairContacts<Scalar>* contacts) noexcept {
  contacts->clear();
  if (const Status status = internal::CheckPair(a, b, margin_m); status != Status::kOk) return {.status = status};
  if (!IsFinite(cache->axis)) *cache = {};
  if (a.shape.kind == ShapeKind::kHole) return internal::CollideHole(a, b, true, margin_m, contacts);
  if (b.shape.kind == ShapeKind::kHole) return internal::CollideHole(b, a, false, margin_m, contacts);
  if (b.shape.kind == ShapeKind::kHalfSpace) return internal::CollidePlane(b, a, false, margin_m, contacts);
  if (a.shape.kind == ShapeKind::kHalfSpace) return internal::CollidePlane(a, b, true, margin_m, contacts);
  if (a.shape.kind == ShapeKind::kTorus) return internal::CollideTorus(a, b, true, margin_m, contacts);
  if (b.shape.kind == ShapeKind::kTorus) return internal::CollideTorus(b, a, false, margin_m, contacts);
  if (IsRound(a.shape.kind)) return internal::CollideRound(a, b, false, margin_m, cache, contacts);
  if (IsRound(b.shape.kind)) return internal::CollideRound(b, a, true, margin_m, cache, contacts);
  return internal::CollideCores(a, b, margin_m, cache, contacts);
}

/// A contact of the solver's problem from one of a pair. Friction and the rest are the caller's to set.
/// @param[in] pair  number of the pair in the scene, in [0, 4095]: makes the id one of the whole problem
/// @param[in] body_a, body_b  the bodies that the shapes a and b belong to, or kFixed
template <class Scalar>
Contact<Scalar, 6> ToContact(const ContactPoint<Scalar>& point, int pair, int body_a, int body_b) noexcept {
  return {.id = static_cast<std::int32_t>(pair) * kPairIdStride + point.id,
          .a = body_a,
          .b = body_b,
          .point_m = point.point_m,
          .normal = point.normal,
          .tangent = point.tangent,
          .gap_m = point.gap_m};
}

}  // namespace tactus
