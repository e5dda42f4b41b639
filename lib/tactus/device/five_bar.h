#pragma once
#include "tactus/device/geometry_check.h"
#include "tactus/device/triangle.h"

namespace tactus {

/// Five-bar pantograph with equal arms (Haply 2-DoF): base joints O₁ = (0, 0) and O₂ = (d, 0), cranks l to the elbows A and
/// B, outer links L that meet in the handle E.
///
///     A = l u₁,  B = (d, 0) + l u₂,  uᵢ = (cos θᵢ, sin θᵢ)
///     E = (A + B)/2 + √(L² - h²) n,  h = |B - A|/2,  n = B - A turned by +90°, of length 1
///     e_A·Ė = e_A·Ȧ,  e_B·Ė = e_B·Ḃ    with e_A = (E - A)/L, e_B = (E - B)/L: the outer links keep their length. So
///     J = N⁻¹ diag(l u₁×e_A, l u₂×e_B),  N = [e_Aᵀ; e_Bᵀ],  det N = e_A×e_B
///     U = -g·(m_e (A + B) + m_E E)
///
/// Frames    D: origin in O₁, x to O₂, y towards the hand, z out of the plane
/// Branch    θ₁ turned outwards (left), θ₂ outwards (right), E on the +90° side of AB
/// Singular  e_A×e_B = 0: outer links aligned, E cannot be held; u×e = 0: an arm is stretched or folded
/// Numbers   docs/kinematics.md, section 2
template <class Scalar>
struct FiveBar {
  using Real = Scalar;
  static constexpr int kMotors = 2, kSensed = 0, kRows = 3;
  using Angles = Vec<Scalar, 2>;
  using Point = Vec<Scalar, 2>;

  Scalar crank_m = Scalar(0.05), outer_m = Scalar(0.07), base_m = Scalar(0.02);  // Haply's l, L, d
  Scalar elbow_mass_kg = 0;          // m_e, as at each elbow: crank's first moment / l + half the outer link. Not published
  Scalar handle_mass_kg = 0;         // m_E, as at the handle: handle + half of both outer links
  Scalar least_sine = Scalar(0.05);  // of every angle above; below it forces and positions are too uncertain
  Scalar off_surface_m = Scalar(1e-3);  // how far a point's z may be from 0
  JointLimits<Scalar, 2> limits = {Angles(Scalar(0.7), Scalar(-0.4)), Angles(Scalar(3.54), Scalar(2.44))};  // ours

  DeviceFault Validate() const noexcept {
    DeviceCheck check;
    check.Length("crank_m", static_cast<double>(crank_m));
    check.Length("outer_m", static_cast<double>(outer_m));
    check.Range("base_m", static_cast<double>(base_m), 0, DeviceCheck::kMostLink_m);
    check.Range("elbow_mass_kg", static_cast<double>(elbow_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("handle_mass_kg", static_cast<double>(handle_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("least_sine", static_cast<double>(least_sine), DeviceCheck::kLeastSine, DeviceCheck::kMostSine);
    check.Range("off_surface_m", static_cast<double>(off_surface_m), 1e-6, 0.01);
    check.Limits(limits);
    return check.fault();
  }
  JointLimits<Scalar, 2> Limits() const noexcept { return limits; }

  KinematicResult Forward(const Angles& q_rad, HandlePose<Scalar>* pose) const noexcept {
    *pose = {};
    Links links;
    const KinematicResult result = Close(q_rad, &links);
    if (result.ok()) pose->p_DH << links.E, Scalar(0);
    return result;
  }

  KinematicResult Inverse(const HandlePose<Scalar>& pose, Angles* q_rad) const noexcept {
    q_rad->setZero();
    if (const KinematicResult bad = CheckPlace(pose.p_DH); !bad.ok()) return bad;
    if (Abs(pose.p_DH(2)) > off_surface_m) return KinematicFailure(KinematicCause::kOffSurface);
    const Point E(pose.p_DH(0), pose.p_DH(1)), E2(pose.p_DH(0) - base_m, pose.p_DH(1));
    const TriangleAngle<Scalar> first = AngleOfTriangle(crank_m, Norm(E), outer_m);
    const TriangleAngle<Scalar> second = AngleOfTriangle(crank_m, Norm(E2), outer_m);
    if (!first.closes) return KinematicFailure(KinematicCause::kUnreachable, 0);
    if (!second.closes) return KinematicFailure(KinematicCause::kUnreachable, 1);
    const Angles q(TurnInto(Atan2(E(1), E(0)) + first.angle_rad, limits.low_rad(0), limits.high_rad(0)),
                   TurnInto(Atan2(E2(1), E2(0)) - second.angle_rad, limits.low_rad(1), limits.high_rad(1)));
    if (const KinematicResult bad = CheckAngles(q, limits); !bad.ok()) return bad;
    Links links = Elbows(q);
    links.E = E;
    if (const KinematicResult bad = CheckLinks(&links); !bad.ok()) return bad;
    *q_rad = q;
    return {};
  }

  KinematicResult Jacobian(const Angles& q_rad, Mat<Scalar, 3, 2>* J) const noexcept {
    J->setZero();
    Links links;
    const KinematicResult result = Close(q_rad, &links);
    if (result.ok()) *J = JacobianOf(links);
    return result;
  }

  /// τ = ∂U/∂θ = -m_e l u⊥·g - m_E Jᵀ g.
  KinematicResult HoldingTorque(const Angles& q_rad, const Vec<Scalar, 3>& g_D, Vec<Scalar, 2>* tau_Nm) const noexcept {
    tau_Nm->setZero();
    if (const KinematicResult bad = CheckGravity(g_D); !bad.ok()) return bad;
    Links links;
    if (const KinematicResult bad = Close(q_rad, &links); !bad.ok()) return bad;
    const Vec<Scalar, 2> handle = TorquesOfWrench<Scalar, 3, 2>(JacobianOf(links), g_D);
    const Vec<Scalar, 2> elbow =
        crank_m * Vec<Scalar, 2>(links.u1(0) * g_D(1) - links.u1(1) * g_D(0), links.u2(0) * g_D(1) - links.u2(1) * g_D(0));
    *tau_Nm = -elbow_mass_kg * elbow - handle_mass_kg * handle;
    return {};
  }

 private:
  struct Links {
    Point u1, u2, A, B, E, eA, eB;
    Scalar sine1, sine2, sineE;  // u₁×e_A, u₂×e_B, e_A×e_B
  };

  static Scalar Cross2(const Point& a, const Point& b) { return a(0) * b(1) - a(1) * b(0); }

  Links Elbows(const Angles& q) const {
    Links links;
    links.u1 << Cos(q(0)), Sin(q(0));
    links.u2 << Cos(q(1)), Sin(q(1));
    links.A = crank_m * links.u1;
    links.B = Point(base_m, Scalar(0)) + crank_m * links.u2;
    return links;
  }

  KinematicResult Close(const Angles& q, Links* links) const {
    if (const KinematicResult bad = CheckAngles(q, limits); !bad.ok()) return bad;
    *links = Elbows(q);
    const Point AB = links->B - links->A;
    const Scalar length = Norm(AB), h = length / 2;
    if (h > outer_m) return KinematicFailure(KinematicCause::kUnreachable);
    if (!(length > least_sine * outer_m)) return KinematicFailure(KinematicCause::kSingular);
    const Scalar rise = Sqrt((outer_m - h) * (outer_m + h));
    links->E = (links->A + links->B) / 2 + (rise / length) * Point(-AB(1), AB(0));
    return CheckLinks(links);
  }

  /// Fills in the outer links' directions and the sines.
  KinematicResult CheckLinks(Links* links) const {
    links->eA = (links->E - links->A) / outer_m;
    links->eB = (links->E - links->B) / outer_m;
    links->sine1 = Cross2(links->u1, links->eA);
    links->sine2 = Cross2(links->u2, links->eB);
    links->sineE = Cross2(links->eA, links->eB);
    if (!(Abs(links->sineE) >= least_sine)) return KinematicFailure(KinematicCause::kSingular);
    if (!(Abs(links->sine1) >= least_sine)) return KinematicFailure(KinematicCause::kSingular, 0);
    if (!(Abs(links->sine2) >= least_sine)) return KinematicFailure(KinematicCause::kSingular, 1);
    if (links->sineE < 0) return KinematicFailure(KinematicCause::kOtherBranch);
    if (links->sine1 > 0) return KinematicFailure(KinematicCause::kOtherBranch, 0);
    if (links->sine2 < 0) return KinematicFailure(KinematicCause::kOtherBranch, 1);
    return {};
  }

  Mat<Scalar, 3, 2> JacobianOf(const Links& links) const {
    const Scalar first = crank_m * links.sine1 / links.sineE, second = crank_m * links.sine2 / links.sineE;
    Mat<Scalar, 3, 2> J;
    J << first * links.eB(1), -second * links.eA(1),  //
        -first * links.eB(0), second * links.eA(0),   //
        Scalar(0), Scalar(0);
    return J;
  }
};

}  // namespace tactus
