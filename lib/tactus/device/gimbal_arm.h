#pragma once
#include "tactus/device/gimbal.h"
#include "tactus/device/link_arm.h"

namespace tactus {

/// A LinkArm whose handle turns in a gimbal of three measured axes about the wrist's centre (Phantom, Touch, WoodenHaptics).
/// q = α, β, γ, g₁, g₂, g₃.
///
///     p_DH = p_DW,   R_DH = R_DF R_FH         J is the arm's: a force at the wrist's centre turns no gimbal
template <class Scalar>
struct GimbalArm {
  using Real = Scalar;
  static constexpr int kMotors = 3, kSensed = 3, kRows = 3;
  using Angles = Vec<Scalar, 6>;
  using Vec3 = Vec<Scalar, 3>;
  using Mat3 = Mat<Scalar, 3, 3>;

  LinkArm<Scalar> arm;
  JointLimits<Scalar, 3> gimbal_limits = {Vec3(Scalar(-2.6), Scalar(-1.4), Scalar(-3.1)),
                                          Vec3(Scalar(2.6), Scalar(1.4), Scalar(3.1))};  // ours
  DeviceFault Validate() const noexcept {
    if (const DeviceFault fault = arm.Validate()) return fault;
    DeviceCheck check;
    check.Limits(gimbal_limits);
    if (!check.fault()) return {};
    return {"gimbal_limits", check.fault().index, check.fault().what, check.fault().value};
  }
  JointLimits<Scalar, 6> Limits() const noexcept {
    JointLimits<Scalar, 6> all;
    all.low_rad << arm.limits.low_rad, gimbal_limits.low_rad;
    all.high_rad << arm.limits.high_rad, gimbal_limits.high_rad;
    return all;
  }

  KinematicResult Forward(const Angles& q_rad, HandlePose<Scalar>* pose) const noexcept {
    *pose = {};
    if (const KinematicResult bad = Check(q_rad); !bad.ok()) return bad;
    const Vec3 arm_q = q_rad.template head<3>(), g = q_rad.template tail<3>();
    HandlePose<Scalar> wrist;
    if (const KinematicResult bad = arm.Forward(arm_q, &wrist); !bad.ok()) return bad;
    if (const KinematicResult bad = arm.ForearmAxes(arm_q, &wrist.R_DH); !bad.ok()) return bad;
    wrist.R_DH = Product(wrist.R_DH, Gimbal<Scalar>::Rotation(g));
    *pose = wrist;
    return {};
  }

  KinematicResult Inverse(const HandlePose<Scalar>& pose, Angles* q_rad) const noexcept {
    q_rad->setZero();
    if (const KinematicResult bad = CheckRotation(pose.R_DH); !bad.ok()) return bad;
    Vec3 arm_q, g;
    Mat3 R_DF;
    if (const KinematicResult bad = arm.Inverse(pose, &arm_q); !bad.ok()) return bad;
    if (const KinematicResult bad = arm.ForearmAxes(arm_q, &R_DF); !bad.ok()) return bad;
    const Mat3 R_FH = Product(R_DF.transpose(), pose.R_DH);
    if (const KinematicResult bad = Gimbal<Scalar>::Angles(R_FH, arm.least_sine, &g); !bad.ok()) return bad;
    Angles q;
    q << arm_q, g;
    if (const KinematicResult bad = Check(q); !bad.ok()) return bad;
    *q_rad = q;
    return {};
  }

  KinematicResult Jacobian(const Angles& q_rad, Mat3* J) const noexcept {
    J->setZero();
    if (const KinematicResult bad = Check(q_rad); !bad.ok()) return bad;
    return arm.Jacobian(q_rad.template head<3>(), J);
  }
  KinematicResult HoldingTorque(const Angles& q_rad, const Vec3& g_D, Vec3* tau_Nm) const noexcept {
    tau_Nm->setZero();
    if (const KinematicResult bad = Check(q_rad); !bad.ok()) return bad;
    return arm.HoldingTorque(q_rad.template head<3>(), g_D, tau_Nm);
  }

  /// A B, column by column: Eigen's own product of this size is a call.
  static Mat3 Product(const Mat3& A, const Mat3& B) {
    Mat3 C;
    for (int j = 0; j < 3; ++j) C.col(j) = Times<Scalar>(A, B.col(j));
    return C;
  }

 private:
  KinematicResult Check(const Angles& q) const { return CheckAngles(q, Limits()); }
};

}  // namespace tactus
