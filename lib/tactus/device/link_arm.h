#pragma once
#include "tactus/device/geometry_check.h"
#include "tactus/device/triangle.h"

namespace tactus {

/// Which way the base's axes lie; M is the mechanism's own frame: z along the yaw axis, x outwards at α = 0.
enum class ArmAxes : std::uint8_t {
  kZUp,  ///< D = M                                     (WoodenHaptics)
  kYUp,  ///< D's x, y, z are M's y, z, x               (Phantom: x to the right, y up, z to the user)
};

/// Arm of a yaw axis and two links in one plane, driven through a parallelogram, so that β and γ are the links' own angles
/// to the vertical, not angles between links: the Phantoms and WoodenHaptics. W is the wrist's centre.
///
///     d_β = (cos α sin β, sin α sin β, cos β)         upper link, β from straight up
///     d_γ = (cos α sin γ, sin α sin γ, -cos γ)        forearm, γ from straight down
///     p_MW = (0, 0, La) + Lb d_β + Lc d_γ             p_DW = R_DM p_MW - o
///     J = [ ẑ × p_MW,  Lb ∂d_β/∂β,  Lc ∂d_γ/∂γ ]      det J = R Lb Lc sin(β + γ) up to its sign,  R = Lb sin β + Lc sin γ
///     U = -g·(S_β d_β + S_γ d_γ),   S_β = m_b l_b + (m_c + m_w) Lb,   S_γ = m_c l_c + m_w Lc
///
/// With g = -g ẑ:  ∂U/∂β = -g S_β sin β,  ∂U/∂γ = +g S_γ sin γ. (Two published codes have other signs and lever arms.)
/// Branch    R > 0 (outwards) and sin(β + γ) > 0 (elbow up)
/// Singular  R = 0: under the yaw axis; sin(β + γ) = 0: stretched or folded
/// Numbers   docs/kinematics.md, sections 4 and 5
template <class Scalar>
struct LinkArm {
  using Real = Scalar;
  static constexpr int kMotors = 3, kSensed = 0, kRows = 3;
  using Angles = Vec<Scalar, 3>;  ///< α, β, γ
  using Vec3 = Vec<Scalar, 3>;
  using Mat3 = Mat<Scalar, 3, 3>;

  ArmAxes axes = ArmAxes::kZUp;
  Scalar base_m = 0, upper_m = 0, fore_m = 0;                     // La, Lb, Lc
  Vec3 origin_D_m = Vec3::Zero();                                 // o: where D's origin is, from M's
  Scalar upper_mass_kg = 0, fore_mass_kg = 0, wrist_mass_kg = 0;  // m_b, m_c, m_w
  Scalar upper_centre_m = 0, fore_centre_m = 0;                   // l_b, l_c, from the link's own joint
  Scalar least_sine = Scalar(0.05);                               // of β + γ, and of R / Lc
  JointLimits<Scalar, 3> limits = {};

  DeviceFault Validate() const noexcept {
    DeviceCheck check;
    check.That(axes <= ArmAxes::kYUp, "axes", "is no arrangement", static_cast<double>(axes));
    check.Range("base_m", static_cast<double>(base_m), -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m);
    check.Length("upper_m", static_cast<double>(upper_m));
    check.Length("fore_m", static_cast<double>(fore_m));
    for (int i = 0; i < 3; ++i) {
      check.Range("origin_D_m", static_cast<double>(origin_D_m(i)), -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m, i);
    }
    check.Range("upper_mass_kg", static_cast<double>(upper_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("fore_mass_kg", static_cast<double>(fore_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("wrist_mass_kg", static_cast<double>(wrist_mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("upper_centre_m", static_cast<double>(upper_centre_m), -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m);
    check.Range("fore_centre_m", static_cast<double>(fore_centre_m), -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m);
    check.Range("least_sine", static_cast<double>(least_sine), DeviceCheck::kLeastSine, DeviceCheck::kMostSine);
    check.Limits(limits);
    return check.fault();
  }
  JointLimits<Scalar, 3> Limits() const noexcept { return limits; }

  KinematicResult Forward(const Angles& q_rad, HandlePose<Scalar>* pose) const noexcept {
    *pose = {};
    Posture posture;
    const KinematicResult result = Stand(q_rad, &posture);
    if (result.ok()) pose->p_DH = Place(posture);
    return result;
  }

  KinematicResult Inverse(const HandlePose<Scalar>& pose, Angles* q_rad) const noexcept {
    q_rad->setZero();
    if (const KinematicResult bad = CheckPlace(pose.p_DH); !bad.ok()) return bad;
    const Vec3 p = ToMechanism(pose.p_DH + origin_D_m);
    const Scalar R = Sqrt(p(0) * p(0) + p(1) * p(1)), h = p(2) - base_m;
    const TriangleAngle<Scalar> shoulder = AngleOfTriangle(upper_m, Sqrt(R * R + h * h), fore_m);
    if (!shoulder.closes) return KinematicFailure(KinematicCause::kUnreachable);
    const Scalar beta = Atan2(R, h) - shoulder.angle_rad;
    const Scalar gamma = Atan2(R - upper_m * Sin(beta), upper_m * Cos(beta) - h);
    const Angles q(Atan2(p(1), p(0)), beta, gamma);
    Posture posture;
    if (const KinematicResult bad = Stand(q, &posture); !bad.ok()) return bad;
    *q_rad = q;
    return {};
  }

  KinematicResult Jacobian(const Angles& q_rad, Mat3* J) const noexcept {
    J->setZero();
    Posture posture;
    const KinematicResult result = Stand(q_rad, &posture);
    if (result.ok()) *J = JacobianOf(posture);
    return result;
  }

  /// τ = ∂U/∂q.
  KinematicResult HoldingTorque(const Angles& q_rad, const Vec3& g_D, Vec3* tau_Nm) const noexcept {
    tau_Nm->setZero();
    if (const KinematicResult bad = CheckGravity(g_D); !bad.ok()) return bad;
    Posture posture;
    if (const KinematicResult bad = Stand(q_rad, &posture); !bad.ok()) return bad;
    const Scalar upper = upper_mass_kg * upper_centre_m + (fore_mass_kg + wrist_mass_kg) * upper_m;
    const Scalar fore = fore_mass_kg * fore_centre_m + wrist_mass_kg * fore_m;
    *tau_Nm = -TorquesOfWrench<Scalar, 3, 3>(Columns(posture, upper, fore), g_D);
    return {};
  }

  /// R_DF of the forearm: x along it, outwards; y the axis of β and γ backwards, horizontal.
  ///
  ///     x = d_γ,  y = (-sin α, cos α, 0),  z = x × y
  KinematicResult ForearmAxes(const Angles& q_rad, Mat3* R_DF) const noexcept {
    R_DF->setIdentity();
    Posture s;
    if (const KinematicResult bad = Stand(q_rad, &s); !bad.ok()) return bad;
    R_DF->col(0) = ToBase(Vec3(s.ca * s.sc, s.sa * s.sc, -s.cc));
    R_DF->col(1) = ToBase(Vec3(-s.sa, s.ca, Scalar(0)));
    R_DF->col(2) = ToBase(Vec3(s.ca * s.cc, s.sa * s.cc, s.sc));
    return {};
  }
  /// The forearm's angular velocity per α̇, β̇, γ̇, in D:  ẑ, 0, -y.
  static Mat3 ForearmRates(const ArmAxes& arm_axes, const Mat3& R_DF) {
    Mat3 W = Mat3::Zero();
    W.col(0) = arm_axes == ArmAxes::kZUp ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::UnitY());
    W.col(2) = -R_DF.col(1);
    return W;
  }

 private:
  struct Posture {
    Scalar ca, sa, cb, sb, cc, sc;  // of α, β, γ
  };

  Vec3 ToBase(const Vec3& p_M) const { return axes == ArmAxes::kZUp ? p_M : Vec3(p_M(1), p_M(2), p_M(0)); }
  Vec3 ToMechanism(const Vec3& p_D) const { return axes == ArmAxes::kZUp ? p_D : Vec3(p_D(2), p_D(0), p_D(1)); }

  KinematicResult Stand(const Angles& q, Posture* s) const {
    if (const KinematicResult bad = CheckAngles(q, limits); !bad.ok()) return bad;
    *s = {Cos(q(0)), Sin(q(0)), Cos(q(1)), Sin(q(1)), Cos(q(2)), Sin(q(2))};
    const Scalar bend = s->sb * s->cc + s->cb * s->sc, R = upper_m * s->sb + fore_m * s->sc;
    if (!(Abs(bend) >= least_sine)) return KinematicFailure(KinematicCause::kSingular, 2);
    if (!(Abs(R) >= least_sine * fore_m)) return KinematicFailure(KinematicCause::kSingular, 0);
    if (bend < 0) return KinematicFailure(KinematicCause::kOtherBranch, 2);
    if (R < 0) return KinematicFailure(KinematicCause::kOtherBranch, 0);
    return {};
  }
  Vec3 Place(const Posture& s) const {
    const Scalar R = upper_m * s.sb + fore_m * s.sc;
    return ToBase(Vec3(s.ca * R, s.sa * R, base_m + upper_m * s.cb - fore_m * s.cc)) - origin_D_m;
  }
  /// d/dq of  upper d_β + fore d_γ.
  Mat3 Columns(const Posture& s, Scalar upper, Scalar fore) const {
    const Scalar R = upper * s.sb + fore * s.sc;
    Mat3 J;
    J.col(0) = ToBase(Vec3(-s.sa * R, s.ca * R, Scalar(0)));
    J.col(1) = ToBase(upper * Vec3(s.ca * s.cb, s.sa * s.cb, -s.sb));
    J.col(2) = ToBase(fore * Vec3(s.ca * s.cc, s.sa * s.cc, s.sc));
    return J;
  }
  Mat3 JacobianOf(const Posture& s) const { return Columns(s, upper_m, fore_m); }
};

}  // namespace tactus
