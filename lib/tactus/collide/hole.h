#pragma once
#include "tactus/collide/chamfer.h"
#include "tactus/collide/peg_in_hole.h"
#include "tactus/collide/torus.h"

namespace tactus {
namespace internal {

/// Whether contacts of a shape with a hole are known. A cylinder's or cone's edge is looked for in the hole that its
/// rounding leaves, which must be one.
template <class Scalar>
bool MeetsHole(const Shape<Scalar>& hole, const Shape<Scalar>& other) {
  if (IsRound(other.kind)) return other.radius_m < hole.half_m(0);
  return other.kind == ShapeKind::kSphere || other.kind == ShapeKind::kCapsule;
}

/// A hole in a plate, as everything of the rounding r less: of the core of another shape then bare points are in question.
/// Its mouth's plane is r higher, and so is its floor.
template <class Scalar>
PlateWithHole<Scalar> GrownPlate(const Shape<Scalar>& hole, Scalar r_m) {
  return {.hole_radius_m = hole.half_m(0) - r_m, .hole_depth_m = hole.half_m(2), .rim_radius_m = hole.radius_m + r_m};
}

template <class Scalar>
ChamferedPlate<Scalar> GrownMouth(const Shape<Scalar>& hole, Scalar r_m) {
  return {GrownPlate(hole, r_m), ChamferOf_m(hole) + kTan22_5<Scalar> * hole.radius_m + r_m};
}

/// A hole in a plate against another shape. Frame H: the hole's own.
///
///     a point of the core, grown plate (hole R - r, fillet s + r):   wall R - r - ρ, floor z + depth - r, plate z - r
///     the fillet, a ball of s on the circle of radius R + s at z = -s:   |P - core| - s - r
///     a chamfer: its face besides, and balls of s on the circles at both its edges (chamfer.h)
///
/// A cylinder at a fillet is CollidePegWithHole's peg: its core, in the grown plate. Else the ends of the core (a ball's
/// middle, the two of a capsule, a cone's apex, the edge of its base, both of a cylinder) meet wall, floor, plate and the
/// face, and the fillet is a torus (TorusCollider), the edges of a chamfer are two: what of a torus is not the hole's is
/// inside the plate, so no contact with it is a ghost. A ball that fits the hole is held by the planes of six fixed
/// directions of the wall, besides the nearest place, and one in a chamfer by those of its face: there alone the normal
/// would turn about the axis at once.
template <class Scalar>
class HoleCollider {
  using Vec3 = Vec<Scalar, 3>;
  using Found = ContactSet<Scalar, kMaxPairContacts>;

 public:
  HoleCollider(const Solid<Scalar>& hole, const Solid<Scalar>& other, Scalar margin_m)
      : hole_(hole),
        other_(other),
        margin_m_(margin_m),
        r_m_(other.shape.radius_m),
        has_chamfer_(HasChamfer(hole.shape)),
        mouth_(GrownMouth(hole.shape, other.shape.radius_m)),
        plate_(has_chamfer_ ? mouth_.Outer() : mouth_.plate) {
    RelativePose(hole, other, &R_HS_, &p_HS_m_);
  }

  /// Report is PairReport, which collide.h has.
  /// @param[in] turn  the hole is A for the caller: the normal, from B into A, points into the plate
  template <class Report>
  Report Run(bool turn, PairContacts<Scalar>* contacts) {
    Report report;
    if (other_.shape.kind == ShapeKind::kCylinder && !has_chamfer_) {
      const RoundCore<Scalar> core = RoundCoreOf(other_.shape);
      CollidePegWithHole(Peg<Scalar>{core.radius_m, Scalar(2) * core.half_m}, plate_, InGrown(p_HS_m_), Vec3(R_HS_.col(2)),
                         margin_m_, &found_);
      TakePeg();
    } else {
      TakeEnds();
      report.cores_overlap = TakeRims<Report>();
    }
    TransformContacts(hole_.p_WS_m, hole_.R_WS, &found_);
    report.gap_m = found_.points().empty() ? margin_m_ : found_.min_gap_m();
    for (ContactPoint<Scalar> contact : found_.points()) {
      report.gap_m = Min(report.gap_m, contact.gap_m);
      if (turn) contact.normal = -contact.normal;
      (void)contacts->push_back(contact);  // of the same capacity
    }
    report.is_far = contacts->empty();
    report.dropped = static_cast<std::uint8_t>(found_.dropped());
    return report;
  }

 private:
  static constexpr int kOfWall = 2, kOfChamfer = 4, kOfLowRim = 6;  ///< in ids, beside the 0 of the fillet or the high rim

  Vec3 InGrown(const Vec3& p_H_m) const { return p_H_m - r_m_ * Vec3(Vec3::UnitZ()); }
  Vec3 FromGrown(const Vec3& p_m) const { return p_m + r_m_ * Vec3(Vec3::UnitZ()); }

  /// An edge of a cylinder or a cone, so high on its axis: with wall, floor, plate and the face of a chamfer.
  void CollideEdge(int end, Scalar height_m) {
    const Vec3 axis = R_HS_.col(2), center_m = InGrown(Vec3(p_HS_m_ + height_m * axis));
    const Scalar radius_m = RoundCoreOf(other_.shape).radius_m;
    CollideEdgeWithHole(end, center_m, axis, radius_m, plate_, margin_m_, &found_);
    if (has_chamfer_) CollideEdgeWithChamfer(end, center_m, axis, radius_m, mouth_, margin_m_, &found_);
  }

  /// Contacts of edges and of the fillet, brought from the grown plate to half way between the two surfaces; with ids of a
  /// pair of shapes.
  void TakePeg() {
    for (ContactPoint<Scalar>& contact : found_.points()) {
      const int feature = contact.id / kFeatureStride;
      const bool of_rim = feature == static_cast<int>(PegFeature::kRim);  // on the fillet; else on the core's edge
      const Scalar along_m = of_rim ? contact.gap_m / 2 - r_m_ : -r_m_ - contact.gap_m / 2;
      contact.point_m = FromGrown(contact.point_m) + along_m * contact.normal;
      contact.id = FeatureId(FeatureKind::kEdges, feature, contact.id % kFeatureStride);
    }
  }

  void TakeEnds() {
    const Vec3 axis = R_HS_.col(2);
    switch (other_.shape.kind) {
      case ShapeKind::kCapsule:
        TakePoint(0, InGrown(Vec3(p_HS_m_ - other_.shape.half_m(2) * axis)));
        TakePoint(1, InGrown(Vec3(p_HS_m_ + other_.shape.half_m(2) * axis)));
        break;
      case ShapeKind::kCylinder: {
        const RoundCore<Scalar> core = RoundCoreOf(other_.shape);
        CollideEdge(0, core.Low_m());
        CollideEdge(1, core.High_m());
        TakePeg();
        break;
      }
      case ShapeKind::kCone: {
        const RoundCore<Scalar> core = RoundCoreOf(other_.shape);
        CollideEdge(0, core.Low_m());
        TakePeg();
        TakePoint(1, InGrown(Vec3(p_HS_m_ + core.High_m() * axis)));
        break;
      }
      default: TakePoint(0, InGrown(p_HS_m_));
    }
  }

  /// @param[in] p_m  in the frame of the grown plate
  void TakePoint(int end, const Vec3& p_m) {
    const PlateSurface<Scalar> top{plate_};
    const FloorSurface<Scalar> floor{plate_};
    const bool fits = plate_.hole_radius_m > Scalar(0);
    const bool is_inside = !fits && p_m(2) < -plate_.rim_radius_m;  // placed where it cannot get to: out is up
    if (is_inside || top.Applies(p_m, margin_m_)) Add(FeatureId(FeatureKind::kVertexA, end, 0), p_m, top.Measure(p_m));
    if (AxisDistance(p_m) < hole_.shape.half_m(0)) Add(FeatureId(FeatureKind::kVertexA, end, 1), p_m, floor.Measure(p_m));
    if (has_chamfer_) TakeChamfer(end, p_m);
    if (fits) TakeWall(end, p_m);
  }

  /// The planes touch the cone on the side of its material, so that none of them is nearer than the cone.
  void TakeChamfer(int end, const Vec3& p_m) {
    const ChamferSurface<Scalar> face{mouth_};
    Scalar least_m = margin_m_;
    for (int i = 0; i < kCircleSamples; i += 2) {
      const CircleDirection<Scalar> d = CircleSample<Scalar>(i);
      const Scalar along_m = d.cos * p_m(0) + d.sin * p_m(1), gap_m = face.GapAt(along_m, p_m(2));
      if (!face.AppliesAt(along_m, p_m(2))) continue;
      least_m = Min(least_m, gap_m);
      Add(FeatureId(FeatureKind::kRim, kOfChamfer + end, i), p_m, ChamferSurface<Scalar>::Measure(p_m, d, gap_m));
    }
    const ContactPoint<Scalar> nearest = face.Measure(p_m);
    if (face.Applies(p_m, margin_m_) && nearest.gap_m < least_m - kWorthwhile_m<Scalar>)
      Add(FeatureId(FeatureKind::kRim, kOfChamfer + end, kCircleSamples), p_m, nearest);
  }

  void TakeWall(int end, const Vec3& p_m) {
    const WallSurface<Scalar> wall{plate_};
    if (!wall.Applies(p_m, margin_m_)) return;
    Scalar least_m = margin_m_;
    for (int i = 0; i < kCircleSamples; i += 2) {
      const CircleDirection<Scalar> d = CircleSample<Scalar>(i);
      const Scalar gap_m = plate_.hole_radius_m - (d.cos * p_m(0) + d.sin * p_m(1));
      least_m = Min(least_m, gap_m);
      Add(FeatureId(FeatureKind::kRim, kOfWall + end, i), p_m,
          {.normal = {-d.cos, -d.sin, Scalar(0)}, .tangent = Vec3::UnitZ(), .gap_m = gap_m});
    }
    const ContactPoint<Scalar> nearest = wall.Measure(p_m);
    if (nearest.gap_m < least_m - kWorthwhile_m<Scalar>)
      Add(FeatureId(FeatureKind::kRim, kOfWall + end, kCircleSamples), p_m, nearest);
  }

  /// Half way between the ball of r about p and the surface.
  void Add(std::int32_t id, const Vec3& p_m, ContactPoint<Scalar> contact) {
    if (!(contact.gap_m <= margin_m_)) return;
    contact.id = id;
    contact.point_m = FromGrown(p_m) - (r_m_ + contact.gap_m / 2) * contact.normal;
    found_.Add(contact);
  }

  /// @returns whether the fillet's circle, or one of a chamfer's, is in the core
  template <class Report>
  bool TakeRims() {
    const Scalar s_m = hole_.shape.radius_m;
    if (!has_chamfer_) return TakeRim<Report>(0, hole_.shape.half_m(0) + s_m, s_m);
    const Scalar corner_m = mouth_.corner_m - r_m_;
    const bool low = TakeRim<Report>(kOfLowRim, hole_.shape.half_m(0) + s_m, corner_m);
    const bool high = TakeRim<Report>(0, hole_.shape.half_m(0) + corner_m, s_m);
    return low || high;
  }

  /// Balls of s along a circle so far below the plate.
  template <class Report>
  bool TakeRim(int number, Scalar radius_m, Scalar below_m) {
    const Solid<Scalar> rim = Place(TorusShape(radius_m, hole_.shape.radius_m), Vec3(Scalar(0), Scalar(0), -below_m),
                                    Mat<Scalar, 3, 3>(Mat<Scalar, 3, 3>::Identity()));
    PairContacts<Scalar> contacts;
    const Solid<Scalar> other = Place(other_.shape, p_HS_m_, R_HS_);
    const Report report = TorusCollider<Scalar>(rim, other, margin_m_).template Run<Report>(false, &contacts);
    for (ContactPoint<Scalar> contact : contacts) {
      contact.id += FeatureId(FeatureKind::kNearest, number, 0);
      found_.Add(contact);
    }
    return report.cores_overlap;
  }

  const Solid<Scalar>&hole_, &other_;
  const Scalar margin_m_, r_m_;
  const bool has_chamfer_;
  const ChamferedPlate<Scalar> mouth_;
  const PlateWithHole<Scalar> plate_;  ///< the grown plate; of one with a chamfer, wall and plate outside of its corners
  Mat<Scalar, 3, 3> R_HS_;
  Vec3 p_HS_m_;
  Found found_;
};

}  // namespace internal
}  // namespace tactus
