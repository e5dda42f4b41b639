#pragma once
#include "tactus/device/geometry_check.h"

namespace tactus {

/// Hapkit: a paddle that turns about one pivot O, its handle at radius r. The capstan's ratio belongs to the calibration.
///
///     p_OH = r (sin θ, cos θ, 0)         J = r (cos θ, -sin θ, 0)ᵀ         U = -m ρ g·(sin θ, cos θ, 0)
///
/// Frames    D: origin in the pivot, y from the pivot to the handle at θ = 0, x to the right, z towards the user
/// Singular  nowhere: |J| = r
/// Numbers   docs/kinematics.md, section 1
template <class Scalar>
struct Hapkit {
  using Real = Scalar;
  static constexpr int kMotors = 1, kSensed = 0, kRows = 3;
  using Angles = Vec<Scalar, 1>;

  Scalar handle_radius_m = Scalar(0.070);  // IDSIA's variant; Stanford's has 0.090 with a 5 mm pulley
  Scalar mass_kg = 0;                      // of the paddle: not published; 0 switches gravity compensation off
  Scalar mass_radius_m = Scalar(0.035);    // ρ, of its centre from the pivot: a guess, half of r
  Scalar off_surface_m = Scalar(1e-3);     // how far from the arc a point may be to count as on it
  JointLimits<Scalar, 1> limits = {Angles(Scalar(-0.7853981633974483)), Angles(Scalar(0.7853981633974483))};  // 90° sector

  DeviceFault Validate() const noexcept {
    DeviceCheck check;
    check.Length("handle_radius_m", static_cast<double>(handle_radius_m));
    check.Range("mass_kg", static_cast<double>(mass_kg), 0, DeviceCheck::kMostMass_kg);
    check.Range("mass_radius_m", static_cast<double>(mass_radius_m), 0, DeviceCheck::kMostLink_m);
    check.Range("off_surface_m", static_cast<double>(off_surface_m), 1e-6, 0.01);
    check.Limits(limits);
    return check.fault();
  }
  JointLimits<Scalar, 1> Limits() const noexcept { return limits; }

  KinematicResult Forward(const Angles& q_rad, HandlePose<Scalar>* pose) const noexcept {
    *pose = {};
    if (const KinematicResult bad = CheckAngles(q_rad, limits); !bad.ok()) return bad;
    pose->p_DH = handle_radius_m * Outward(q_rad(0));
    return {};
  }

  /// @returns kOffSurface: the point is further than off_surface_m from the arc. The angle is that of the nearest point.
  KinematicResult Inverse(const HandlePose<Scalar>& pose, Angles* q_rad) const noexcept {
    *q_rad = Angles::Zero();
    if (const KinematicResult bad = CheckPlace(pose.p_DH); !bad.ok()) return bad;
    const Scalar x = pose.p_DH(0), y = pose.p_DH(1), z = pose.p_DH(2);
    const bool on_arc = Abs(Sqrt(x * x + y * y) - handle_radius_m) <= off_surface_m && Abs(z) <= off_surface_m;
    if (!on_arc) return KinematicFailure(KinematicCause::kOffSurface);
    const Angles q(Atan2(x, y));
    if (const KinematicResult bad = CheckAngles(q, limits); !bad.ok()) return bad;
    *q_rad = q;
    return {};
  }

  KinematicResult Jacobian(const Angles& q_rad, Vec<Scalar, 3>* J) const noexcept {
    J->setZero();
    if (const KinematicResult bad = CheckAngles(q_rad, limits); !bad.ok()) return bad;
    *J = handle_radius_m * Turned(q_rad(0));
    return {};
  }

  /// τ = ∂U/∂θ = -m ρ g·(cos θ, -sin θ, 0).
  KinematicResult HoldingTorque(const Angles& q_rad, const Vec<Scalar, 3>& g_D, Vec<Scalar, 1>* tau_Nm) const noexcept {
    tau_Nm->setZero();
    if (const KinematicResult bad = CheckAngles(q_rad, limits); !bad.ok()) return bad;
    if (const KinematicResult bad = CheckGravity(g_D); !bad.ok()) return bad;
    (*tau_Nm)(0) = -mass_kg * mass_radius_m * Scalar(g_D.dot(Turned(q_rad(0))));
    return {};
  }

 private:
  static Vec<Scalar, 3> Outward(Scalar theta) { return Vec<Scalar, 3>(Sin(theta), Cos(theta), Scalar(0)); }
  static Vec<Scalar, 3> Turned(Scalar theta) { return Vec<Scalar, 3>(Cos(theta), -Sin(theta), Scalar(0)); }
};

}  // namespace tactus
