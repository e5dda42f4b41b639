#pragma once
#include <utility>

#include "tactus/collide/circle_minima.h"
#include "tactus/collide/clip.h"
#include "tactus/collide/core_pair.h"
#include "tactus/collide/feature_id.h"
#include "tactus/collide/round_core.h"
#include "tactus/contact/friction_frame.h"

namespace tactus {
namespace internal {

/// The point of a core nearest to x, in the shape's frame; x itself inside of it.
template <class Scalar>
Vec<Scalar, 3> NearestOfCore(const Shape<Scalar>& shape, const Vec<Scalar, 3>& x) {
  const Scalar half_m = shape.half_m(2);
  switch (shape.kind) {
    case ShapeKind::kCapsule: return {Scalar(0), Scalar(0), Clamp(x(2), -half_m, half_m)};
    case ShapeKind::kCylinder:
    case ShapeKind::kCone: return RoundCoreOf(shape).Project(x);
    default: return Vec<Scalar, 3>::Zero();
  }
}

/// Shapes for which NearestOfCore knows the core. A box's twelve edges make minima between samples that 24 miss, in one of
/// 10^3 placements by up to 0.02 of the ring's radius: it is no pair.
constexpr bool MeetsTorus(ShapeKind kind) {
  return kind == ShapeKind::kSphere || kind == ShapeKind::kCapsule || IsRound(kind);
}

/// Places on the circle at which the distance is taken, every 15°; those that are contacts by themselves, every 45°; and the
/// minima between them that are looked for. Of two minima within 15° the lower may be missed (torus_test.cc: 2 of 10^5).
inline constexpr int kTorusSamples = 24, kTorusStep = 3, kTorusMinima = 4;

/// A torus against the core of another shape. Frame T: the torus' own.
///
///     P(φ) = R (cos φ, sin φ, 0),   f(φ) = |P(φ) - core|,   gap(φ) = f(φ) - r - r_S
///
/// f is closed form, and the distance of the shapes is its least value. A ball in the ring touches it all around, and then
/// no one nearest point carries it: so each 45th degree is a contact of its own, a ball of the tube's radius, besides the
/// minima. All of them are parts of the torus, so none is a ghost.
template <class Scalar>
class TorusCollider {
  using Vec3 = Vec<Scalar, 3>;
  using Direction = CircleDirection<Scalar>;

 public:
  TorusCollider(const Solid<Scalar>& torus, const Solid<Scalar>& other, Scalar margin_m)
      : torus_(torus), shape_(other.shape), margin_m_(margin_m), radii_m_(torus.shape.radius_m + other.shape.radius_m) {
    RelativePose(torus, other, &R_TS_, &p_TS_m_);
    R_ST_ = R_TS_.transpose();
  }

  /// Report is PairReport, which collide.h has.
  /// @param[in] turn  the torus is A for the caller: the normal, from B into A, points into it
  template <class Report>
  Report Run(bool turn, PairContacts<Scalar>* contacts) {
    turn_ = turn;
    contacts_ = contacts;
    Report report;
    report.gap_m = Sample() - radii_m_;
    constexpr Scalar kHalfStep_rad = Scalar(0.1309);  // 7.5°, above; f is R-Lipschitz
    if (report.gap_m - kHalfStep_rad * torus_.shape.half_m(0) > margin_m_) {
      report.is_far = true;
      report.gap_m -= kHalfStep_rad * torus_.shape.half_m(0);
      return report;
    }
    if (shape_.kind == ShapeKind::kSphere) {
      TakeNearestToBall();
    } else {
      TakeMinima();
    }
    for (const Minimum& minimum : minima_) report.gap_m = Min(report.gap_m, minimum.distance_m - radii_m_);
    int number = 0;
    for (const Minimum& minimum : minima_)
      Add(FeatureId(number++ == 0 ? FeatureKind::kNearest : FeatureKind::kLowest, 0, minimum.sector), minimum.at);
    for (int i = 0; i < kTorusSamples; i += kTorusStep) Add(FeatureId(FeatureKind::kRim, 0, i), DirectionOf(i));
    for (int i = 0; i < contacts->size(); ++i)
      report.gap_m = i == 0 ? (*contacts)[0].gap_m : Min(report.gap_m, (*contacts)[i].gap_m);
    report.is_far = contacts->empty();
    report.cores_overlap = overlap_;
    return report;
  }

 private:
  struct Minimum {
    Direction at;
    Scalar distance_m;
    int sector;  ///< for the id: 0 of the least, of the others 1 more than the sample before it
  };

  static constexpr Scalar kTan7_5 = Scalar(0.13165249758739585347);
  static Direction DirectionOf(int i) {
    const Direction even = CircleSample<Scalar>(i / 2);
    return i % 2 == 0 ? even : even.Turned(kTan7_5);
  }
  Vec3 PlaceOn(const Direction& d) const {
    return {torus_.shape.half_m(0) * d.cos, torus_.shape.half_m(0) * d.sin, Scalar(0)};
  }
  Vec3 FromCore(const Direction& d) const {
    const Vec3 x_S = Times(R_ST_, Vec3(PlaceOn(d) - p_TS_m_));
    return x_S - NearestOfCore(shape_, x_S);
  }

  /// Half of the derivative of f² by the angle, over R: the gradient of |x - core|²/2 is x - nearest.
  Scalar Slope(const Direction& d, const Vec3& from_core_S) const {
    return from_core_S.dot(Times(R_ST_, Vec3(-d.sin, d.cos, Scalar(0))));
  }

  Scalar Sample() {
    Scalar least_m = Scalar(0);
    for (int i = 0; i < kTorusSamples; ++i) {
      const Direction d = DirectionOf(i);
      const Vec3 from_core_S = FromCore(d);
      distance_m_[i] = Norm(from_core_S);
      slope_m_[i] = Slope(d, from_core_S);
      least_m = i == 0 ? distance_m_[0] : Min(least_m, distance_m_[i]);
    }
    return least_m;
  }

  /// Closed form: P is towards the ball's centre. Within 1e-6 R of the axis no direction is told; there the contacts that
  /// stand by themselves are within 1e-7 R of the least distance.
  void TakeNearestToBall() {
    const Scalar rho_m = Sqrt(p_TS_m_(0) * p_TS_m_(0) + p_TS_m_(1) * p_TS_m_(1));
    if (!(rho_m > Scalar(1e-6) * torus_.shape.half_m(0))) return;
    const Direction at{p_TS_m_(0) / rho_m, p_TS_m_(1) / rho_m};
    (void)minima_.push_back({at, Norm(FromCore(at)), 0});  // the first
  }

  /// Between two samples where f goes down and then up is a minimum. The lowest of them, least first.
  void TakeMinima() {
    bool taken[kTorusSamples] = {};
    for (int n = 0; n < kTorusMinima; ++n) {
      int best = -1;
      for (int i = 0; i < kTorusSamples; ++i) {
        if (taken[i] || slope_m_[i] > Scalar(0) || !(slope_m_[Next(i)] > Scalar(0))) continue;
        if (best < 0 || Lower(i) < Lower(best)) best = i;
      }
      if (best < 0) break;
      taken[best] = true;
      const Direction at = Refine(best);
      (void)minima_.push_back({at, Norm(FromCore(at)), 1 + best});  // kTorusMinima of them
    }
    for (int i = 1; i < minima_.size(); ++i) {
      if (minima_[i].distance_m < minima_[0].distance_m) std::swap(minima_[0], minima_[i]);
    }
    if (!minima_.empty()) minima_[0].sector = 0;
  }
  static int Next(int i) { return (i + 1) % kTorusSamples; }
  Scalar Lower(int i) const { return Min(distance_m_[i], distance_m_[Next(i)]); }

  /// The root of the slope between sample i and the next, by false position (Illinois: an end that stays twice counts half).
  /// In t = tan(φ/2), without trigonometry.
  Direction Refine(int i) const {
    constexpr int kSteps = 16;  // where the slope has a kink; elsewhere 6
    const Direction from = DirectionOf(i);
    int side = 0;
    Scalar low = Scalar(0), high = kTan7_5, at_low = slope_m_[i], at_high = slope_m_[Next(i)], t = Scalar(0);
    for (int n = 0; n < kSteps; ++n) {
      t = (low * at_high - high * at_low) / (at_high - at_low);
      const Direction d = from.Turned(t);
      const Scalar slope = Slope(d, FromCore(d));
      if (slope > Scalar(0)) {
        high = t;
        at_high = slope;
        if (side > 0) at_low *= Scalar(0.5);
        side = 1;
      } else {
        low = t;
        at_low = slope;
        if (side < 0) at_high *= Scalar(0.5);
        side = -1;
      }
      if (!(at_high > at_low) || slope == Scalar(0)) break;
    }
    return from.Turned(t);
  }

  void Add(std::int32_t id, const Direction& d) {
    const Vec3 from_core_S = FromCore(d);
    const Scalar distance_m = Norm(from_core_S), gap_m = distance_m - radii_m_;
    if (gap_m > margin_m_) return;
    if (!(distance_m > Scalar(1e-3) * radii_m_)) {  // the circle is in the core: no direction leads out
      overlap_ = true;
      return;
    }
    const Vec3 out = Times(R_TS_, Vec3(-from_core_S / distance_m));  // of the torus
    ContactPoint<Scalar> contact;
    contact.id = id;
    contact.gap_m = gap_m;
    contact.normal = Times(torus_.R_WS, turn_ ? Vec3(-out) : out);
    contact.tangent = ContinuedTangent(contact.normal, Times(torus_.R_WS, Vec3(-d.sin, d.cos, Scalar(0))));
    contact.point_m =
        torus_.p_WS_m + Times(torus_.R_WS, Vec3(PlaceOn(d) + (torus_.shape.radius_m + Scalar(0.5) * gap_m) * out));
    (void)contacts_->push_back(contact);  // kTorusMinima and eight
  }

  const Solid<Scalar>& torus_;
  const Shape<Scalar>& shape_;
  const Scalar margin_m_, radii_m_;
  Mat<Scalar, 3, 3> R_TS_, R_ST_;
  Vec3 p_TS_m_;
  Scalar distance_m_[kTorusSamples], slope_m_[kTorusSamples];
  FixedVector<Minimum, kTorusMinima> minima_;
  PairContacts<Scalar>* contacts_ = nullptr;
  bool turn_ = false, overlap_ = false;
};

}  // namespace internal
}  // namespace tactus
