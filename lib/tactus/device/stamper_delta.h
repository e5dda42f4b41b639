#pragma once
#include <array>

#include "tactus/device/geometry_check.h"
#include "tactus/device/triangle.h"

namespace tactus {

/// Delta of three legs (Novint Falcon; Stamper's): a crank a that the motor turns by θ, a parallelogram of length b that
/// swings sideways by θ₃ between two hinges, and the platform, which only moves in parallel. φ turns D to a leg's own axes
/// (u, v, w).
///
///     C = (r - c + a cos θ, s - f, a sin θ)               crank's end, less the platform's constant offsets
///     p - C = (k cos θ₂, b cos θ₃, k sin θ₂),  k = D + b sin θ₃          the loop; D = d + e, both hinges' offsets
///     0 = H(p, θ) = (k - D)² + Δv² - b²,  k = √(Δu² + Δw²),  Δ = p - C   a torus about C; with D = 0 a sphere
///     n = ½ ∂H/∂p = ((k - D) Δu/k, Δv, (k - D) Δw/k),   |n| = b
///     n·ṗ = n·t θ̇,  t = a (-sin θ, 0, cos θ)              so   J = N⁻¹ diag(n·t),  N = [n₁ᵀ; n₂ᵀ; n₃ᵀ]
///     n·t = a b sin θ₃ sin(θ₂ - θ)
///
/// Forward   three spheres of radius b + D in closed form, then Newton on H: exact at once for D = 0, else 2 to 7 steps
/// Frames    D: origin in the base's centre, z towards the hand, x and y as in libnifalcon
/// Branch    θ₂ > θ (cranks turned outwards), the platform on the hand's side of the cranks
/// Singular  n·t = 0: a leg is stretched; det N = 0: the platform cannot be held
/// Numbers   docs/kinematics.md, section 3
template <class Scalar>
struct StamperDelta {
  using Real = Scalar;
  static constexpr int kMotors = 3, kSensed = 0, kRows = 3;
  static constexpr int kMaxSteps = 12;  // of Newton; 3 are taken in the Falcon's box, 7 at most anywhere (of 10⁵ each)
  using Angles = Vec<Scalar, 3>;
  using Vec3 = Vec<Scalar, 3>;

  Scalar crank_m = Scalar(0.060), shin_m = Scalar(0.1025);                    // a, b
  Scalar hinge_m = Scalar(0.0225);                                            // D = d + e
  Scalar platform_out_m = Scalar(0.01443), platform_side_m = Scalar(-0.025);  // c, f
  Scalar base_out_m = Scalar(0.0400), base_side_m = Scalar(-0.02309);         // r, s
  Angles leg_angle_rad = Angles(Scalar(1.8325957145940461), Scalar(-0.2617993877991494), Scalar(-2.356194490192345));
  Scalar crank_mass_kg = 0;          // as at the crank's end: its first moment / a + half its shin. Not published
  Scalar platform_mass_kg = 0;       // platform, grip and half of every shin. Not published
  Scalar least_sine = Scalar(0.02);  // of n·t/(ab) and det N/b³
  JointLimits<Scalar, 3> limits = {Angles::Constant(Scalar(-0.9)),
                                   Angles::Constant(Scalar(1.8))};  // ours, wider than the stops

  DeviceFault Validate() const noexcept {
    DeviceCheck check;
    check.Length("crank_m", static_cast<double>(crank_m));
    check.Length("shin_m", static_cast<double>(shin_m));
    check.Range("hinge_m", static_cast<double>(hinge_m), 0, 0.5 * static_cast<double>(shin_m));
    for (const auto& [field, x] : {Named{"platform_out_m", platform_out_m}, Named{"platform_side_m", platform_side_m},
                                   Named{"base_out_m", base_out_m}, Named{"base_side_m", base_side_m}}) {
      check.Range(field, static_cast<double>(x), -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m);
    }
    for (int i = 0; i < 3; ++i) check.Range("leg_angle_rad", static_cast<double>(leg_angle_rad(i)), -6.3, 6.3, i);
    check.Range("crank_mass_kg", static_cast<double>(crank_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("platform_mass_kg", static_cast<double>(platform_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("least_sine", static_cast<double>(least_sine), DeviceCheck::kLeastSine, DeviceCheck::kMostSine);
    check.Limits(limits);
    if (!check.fault()) check.That(Abs(Turn()) > Scalar(0.1), "leg_angle_rad", "has two legs in one place", 0);
    return check.fault();
  }
  JointLimits<Scalar, 3> Limits() const noexcept { return limits; }

  KinematicResult Forward(const Angles& q_rad, HandlePose<Scalar>* pose) const noexcept {
    *pose = {};
    Legs legs;
    Vec3 p;
    const KinematicResult result = Close(q_rad, &legs, &p);
    if (result.ok()) pose->p_DH = p;
    return result;
  }

  KinematicResult Inverse(const HandlePose<Scalar>& pose, Angles* q_rad) const noexcept {
    q_rad->setZero();
    if (const KinematicResult bad = CheckPlace(pose.p_DH); !bad.ok()) return bad;
    Angles q;
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = ToLeg(LegAxis(i), pose.p_DH);
      const Scalar out = p(0) - (base_out_m - platform_out_m), side = p(1) - (base_side_m - platform_side_m);
      const Scalar swing2 = (shin_m - side) * (shin_m + side);  // (b sin θ₃)²
      if (!(swing2 > Scalar(0))) return KinematicFailure(KinematicCause::kUnreachable, i);
      const Scalar reach = Sqrt(out * out + p(2) * p(2));
      const TriangleAngle<Scalar> knee = AngleOfTriangle(crank_m, reach, hinge_m + Sqrt(swing2));
      if (!knee.closes) return KinematicFailure(KinematicCause::kUnreachable, i);
      q(i) = TurnInto(Atan2(p(2), out) - knee.angle_rad, limits.low_rad(i), limits.high_rad(i));
    }
    if (const KinematicResult bad = CheckAngles(q, limits); !bad.ok()) return bad;
    Legs legs = Cranks(q);
    if (const KinematicResult bad = CheckLegs(pose.p_DH, &legs); !bad.ok()) return bad;
    *q_rad = q;
    return {};
  }

  KinematicResult Jacobian(const Angles& q_rad, Mat<Scalar, 3, 3>* J) const noexcept {
    J->setZero();
    Legs legs;
    Vec3 p;
    const KinematicResult result = Close(q_rad, &legs, &p);
    if (result.ok()) *J = JacobianOf(legs);
    return result;
  }

  /// τ = ∂U/∂θ = -m_crank t·g - m_platform Jᵀ g.
  KinematicResult HoldingTorque(const Angles& q_rad, const Vec3& g_D, Vec3* tau_Nm) const noexcept {
    tau_Nm->setZero();
    if (const KinematicResult bad = CheckGravity(g_D); !bad.ok()) return bad;
    Legs legs;
    Vec3 p;
    if (const KinematicResult bad = Close(q_rad, &legs, &p); !bad.ok()) return bad;
    const Vec3 platform = TorquesOfWrench<Scalar, 3, 3>(JacobianOf(legs), g_D);
    for (int i = 0; i < 3; ++i) {
      (*tau_Nm)(i) = -crank_mass_kg * Scalar(legs[i].t.dot(g_D)) - platform_mass_kg * platform(i);
    }
    return {};
  }

 private:
  struct Named {
    const char* field;
    Scalar x;
  };
  struct Axis {
    Scalar cosine, sine;  // of φ
  };
  struct Leg {
    Axis axis;
    Vec3 C, t, n;         // in D
    Scalar H, swing, nt;  // swing = k - D
  };
  struct Legs {
    std::array<Leg, 3> leg;
    Scalar det;  // of N
    Leg& operator[](int i) { return leg[static_cast<std::size_t>(i)]; }
    const Leg& operator[](int i) const { return leg[static_cast<std::size_t>(i)]; }
  };

  Axis LegAxis(int i) const { return {Cos(leg_angle_rad(i)), Sin(leg_angle_rad(i))}; }
  static Vec3 ToLeg(const Axis& a, const Vec3& p) {
    return Vec3(a.cosine * p(0) + a.sine * p(1), a.cosine * p(1) - a.sine * p(0), p(2));
  }
  static Vec3 ToBase(const Axis& a, const Vec3& p) {
    return Vec3(a.cosine * p(0) - a.sine * p(1), a.sine * p(0) + a.cosine * p(1), p(2));
  }
  /// Twice the area of the triangle of the legs' directions: below 0, they are counted clockwise seen from the hand.
  Scalar Turn() const {
    const Axis a = LegAxis(0), b = LegAxis(1), c = LegAxis(2);
    return (b.cosine - a.cosine) * (c.sine - a.sine) - (b.sine - a.sine) * (c.cosine - a.cosine);
  }

  Legs Cranks(const Angles& q) const {
    Legs legs;
    for (int i = 0; i < 3; ++i) {
      Leg& leg = legs[i];
      const Scalar cosine = crank_m * Cos(q(i)), sine = crank_m * Sin(q(i));
      leg.axis = LegAxis(i);
      leg.C = ToBase(leg.axis, Vec3(base_out_m - platform_out_m + cosine, base_side_m - platform_side_m, sine));
      leg.t = ToBase(leg.axis, Vec3(-sine, Scalar(0), cosine));
    }
    return legs;
  }

  /// H, n and n·t of every leg, det N. @returns kSingular: a torus has no normal here
  KinematicResult Differentiate(const Vec3& p, Legs* legs) const {
    for (int i = 0; i < 3; ++i) {
      Leg& leg = (*legs)[i];
      const Vec3 delta = ToLeg(leg.axis, p - leg.C);
      const Scalar k = Sqrt(delta(0) * delta(0) + delta(2) * delta(2));
      leg.swing = k - hinge_m;
      if (!(leg.swing > least_sine * shin_m)) return KinematicFailure(KinematicCause::kSingular, i);
      leg.H = leg.swing * leg.swing + delta(1) * delta(1) - shin_m * shin_m;
      leg.n = ToBase(leg.axis, Vec3(leg.swing * delta(0) / k, delta(1), leg.swing * delta(2) / k));
      leg.nt = leg.n.dot(leg.t);
    }
    legs->det = (*legs)[0].n.dot(Cross((*legs)[1].n, (*legs)[2].n));
    return {};
  }

  /// N⁻¹ b, Cramer's way.
  static Vec3 Solve(const Legs& legs, const Vec3& b) {
    const Vec3 first = Cross(legs[1].n, legs[2].n), second = Cross(legs[2].n, legs[0].n),
               third = Cross(legs[0].n, legs[1].n);
    return (b(0) * first + b(1) * second + b(2) * third) / legs.det;
  }
  static Mat<Scalar, 3, 3> JacobianOf(const Legs& legs) {
    Mat<Scalar, 3, 3> J;
    for (int i = 0; i < 3; ++i) J.col(i) = Solve(legs, legs[i].nt * Vec3::Unit(i));
    return J;
  }

  /// The point at distance b + D from the three ends of the cranks, on the hand's side of their plane; where there is none,
  /// a point a fifth of that above their circumcentre.
  Vec3 ThreeSpheres(const Legs& legs) const {
    const Vec3 first = legs[1].C - legs[0].C, second = legs[2].C - legs[0].C;
    const Vec3 normal = Cross(first, second);
    const Scalar area2 = normal.squaredNorm();
    const Vec3 centre =
        (Scalar(second.squaredNorm()) * Cross(normal, first) + Scalar(first.squaredNorm()) * Cross(second, normal)) /
        (Scalar(2) * area2);
    const Scalar radius2 = (shin_m + hinge_m) * (shin_m + hinge_m);
    const Scalar height = Sqrt(Max(radius2 - Scalar(centre.squaredNorm()), radius2 / 25) / area2);
    return legs[0].C + centre + (Turn() < 0 ? -height : height) * normal;
  }

  static Vec3 Residual(const Legs& legs) { return Vec3(legs[0].H, legs[1].H, legs[2].H); }

  /// Newton's step, halved until |H| falls and every leg has a normal there: far from where the closed form starts, with a
  /// large D, a whole one leaves the torus's own branch.
  Vec3 Shortened(const Vec3& p, Vec3 change, const Legs& from) const {
    constexpr int kMostHalves = 6;
    const Scalar before = Residual(from).squaredNorm();
    if (!(Norm(change) > shin_m / 100)) return change;  // Newton's own rate
    for (int halves = 0; halves < kMostHalves; ++halves, change /= Scalar(2)) {
      Legs there = from;
      if (Differentiate(p + change, &there).ok() && Residual(there).squaredNorm() < before) return change;
    }
    return change;
  }

  /// The platform's place for these angles, and the legs there. By whole steps; where these fail, by shortened ones.
  KinematicResult Close(const Angles& q, Legs* legs, Vec3* p) const {
    const KinematicResult whole = CloseBy(false, q, legs, p);
    return whole.ok() || whole.cause == KinematicCause::kJointLimit ? whole : CloseBy(true, q, legs, p);
  }

  KinematicResult CloseBy(bool shortens, const Angles& q, Legs* legs, Vec3* p) const {
    constexpr Scalar kEnough_m = sizeof(Scalar) == 8 ? Scalar(1e-7) : Scalar(3e-5);  // the next step is its square / 0.1 m
    if (const KinematicResult bad = CheckAngles(q, limits); !bad.ok()) return bad;
    *legs = Cranks(q);
    *p = ThreeSpheres(*legs);
    for (int step = 0; step < kMaxSteps; ++step) {
      if (const KinematicResult bad = Differentiate(*p, legs); !bad.ok()) return bad;
      Vec3 change = Solve(*legs, Residual(*legs)) / Scalar(-2);
      if (shortens && IsFinite(change)) change = Shortened(*p, change, *legs);
      if (!(Norm(change) <= shin_m)) return KinematicFailure(KinematicCause::kNoConvergence);
      *p += change;
      if (Norm(change) <= kEnough_m) return CheckLegs(*p, legs);
    }
    return KinematicFailure(KinematicCause::kNoConvergence);
  }

  KinematicResult CheckLegs(const Vec3& p, Legs* legs) const {
    if (const KinematicResult bad = Differentiate(p, legs); !bad.ok()) return bad;
    for (int i = 0; i < 3; ++i) {
      if (!(Abs((*legs)[i].nt) >= least_sine * crank_m * shin_m)) return KinematicFailure(KinematicCause::kSingular, i);
      if ((*legs)[i].nt < 0) return KinematicFailure(KinematicCause::kOtherBranch, i);
    }
    const Scalar side = Turn() < 0 ? -legs->det : legs->det;
    if (!(Abs(side) >= least_sine * shin_m * shin_m * shin_m)) return KinematicFailure(KinematicCause::kSingular);
    return side < 0 ? KinematicFailure(KinematicCause::kOtherBranch) : KinematicResult{};
  }
};

}  // namespace tactus
