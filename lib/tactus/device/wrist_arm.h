#pragma once
#include "tactus/device/gimbal_arm.h"

namespace tactus {

/// Six degrees of freedom: a LinkArm and three *driven* axes through the wrist's centre W; the handle is at r_H from it.
/// q = α, β, γ, g₁, g₂, g₃.
///
///     p_DH = p_DW + R_DH r_H,   R_DH = R_DF R_FH(g)
///     ω = Ω q̇,  Ω = [ẑ, 0, -y_F | R_DF A(g)]           β leaves the forearm's direction alone: the parallelogram
///     v = J_arm (α̇, β̇, γ̇) + ω × R_DH r_H               J = [v; ω] per q̇, 6×6
///     U = U_arm - m_t g·(p_DW + R_DH c_H)              the tool's mass with its centre at c_H from W
/// Singular  the arm's, and cos g₂ = 0
template <class Scalar>
struct WristArm {
  using Real = Scalar;
  static constexpr int kMotors = 6, kSensed = 0, kRows = 6;
  using Angles = Vec<Scalar, 6>;
  using Vec3 = Vec<Scalar, 3>;
  using Mat3 = Mat<Scalar, 3, 3>;

  GimbalArm<Scalar> base;               // its gimbal is the wrist; the tool's mass is not in its wrist_mass_kg
  Vec3 handle_H_m = Vec3::Zero();       // r_H
  Scalar tool_mass_kg = 0;              // m_t
  Vec3 tool_centre_H_m = Vec3::Zero();  // c_H

  DeviceFault Validate() const noexcept {
    if (const DeviceFault fault = base.Validate()) return fault;
    DeviceCheck check;
    for (int i = 0; i < 3; ++i) {
      check.Range("handle_H_m", static_cast<double>(handle_H_m(i)), -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m, i);
    }
    check.Range("tool_mass_kg", static_cast<double>(tool_mass_kg), 0, DeviceCheck::kMostMass_kg);
    for (int i = 0; i < 3; ++i) {
      check.Range("tool_centre_H_m", static_cast<double>(tool_centre_H_m(i)), -DeviceCheck::kMostLink_m,
                  DeviceCheck::kMostLink_m, i);
    }
    return check.fault();
  }
  JointLimits<Scalar, 6> Limits() const noexcept { return base.Limits(); }

  KinematicResult Forward(const Angles& q_rad, HandlePose<Scalar>* pose) const noexcept {
    *pose = {};
    if (const KinematicResult bad = CheckWrist(q_rad); !bad.ok()) return bad;
    const KinematicResult result = base.Forward(q_rad, pose);
    if (result.ok()) pose->p_DH += Times(pose->R_DH, handle_H_m);
    return result;
  }

  KinematicResult Inverse(const HandlePose<Scalar>& pose, Angles* q_rad) const noexcept {
    q_rad->setZero();
    if (const KinematicResult bad = CheckPlace(pose.p_DH); !bad.ok()) return bad;
    if (const KinematicResult bad = CheckRotation(pose.R_DH); !bad.ok()) return bad;
    HandlePose<Scalar> wrist = pose;
    wrist.p_DH -= Times(pose.R_DH, handle_H_m);
    return base.Inverse(wrist, q_rad);
  }

  KinematicResult Jacobian(const Angles& q_rad, Mat<Scalar, 6, 6>* J) const noexcept {
    J->setZero();
    return Rates(q_rad, handle_H_m, J);
  }

  /// τ = ∂U/∂q.
  KinematicResult HoldingTorque(const Angles& q_rad, const Vec3& g_D, Vec<Scalar, 6>* tau_Nm) const noexcept {
    tau_Nm->setZero();
    Vec3 arm;
    if (const KinematicResult bad = base.HoldingTorque(q_rad, g_D, &arm); !bad.ok()) return bad;
    Mat<Scalar, 6, 6> rates = Mat<Scalar, 6, 6>::Zero();
    if (const KinematicResult bad = Rates(q_rad, tool_centre_H_m, &rates); !bad.ok()) return bad;
    Vec<Scalar, 6> weight = Vec<Scalar, 6>::Zero();
    weight.template head<3>() = tool_mass_kg * g_D;
    *tau_Nm = -TorquesOfWrench<Scalar, 6, 6>(rates, weight);
    tau_Nm->template head<3>() += arm;
    return {};
  }

 private:
  KinematicResult CheckWrist(const Angles& q) const {
    if (const KinematicResult bad = CheckAngles(q, base.Limits()); !bad.ok()) return bad;
    const bool open = Cos(q(4)) >= base.arm.least_sine;
    return open ? KinematicResult{} : KinematicFailure(KinematicCause::kSingular, 4);
  }

  /// Velocity of the point at r_H from the wrist's centre, and angular velocity, per q̇; J untouched on failure.
  KinematicResult Rates(const Angles& q_rad, const Vec3& r_H_m, Mat<Scalar, 6, 6>* J) const {
    if (const KinematicResult bad = CheckWrist(q_rad); !bad.ok()) return bad;
    const Vec3 arm_q = q_rad.template head<3>(), g = q_rad.template tail<3>();
    Mat3 arm_J, R_DF;
    if (const KinematicResult bad = base.arm.Jacobian(arm_q, &arm_J); !bad.ok()) return bad;
    if (const KinematicResult bad = base.arm.ForearmAxes(arm_q, &R_DF); !bad.ok()) return bad;
    const Vec3 r_D = Times(R_DF, Times(Gimbal<Scalar>::Rotation(g), r_H_m));
    const Mat3 fore = LinkArm<Scalar>::ForearmRates(base.arm.axes, R_DF);
    const Mat3 wrist = GimbalArm<Scalar>::Product(R_DF, Gimbal<Scalar>::Axes(g));
    for (int j = 0; j < 6; ++j) {
      const Vec3 omega = j < 3 ? Vec3(fore.col(j)) : Vec3(wrist.col(j - 3));
      Vec3 v = Cross(omega, r_D);
      if (j < 3) v += arm_J.col(j);
      J->col(j) << v, omega;
    }
    return {};
  }
};

}  // namespace tactus
