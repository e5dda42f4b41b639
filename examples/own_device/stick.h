#pragma once
#include "tactus/device/geometry_check.h"

/// A force-feedback joystick: two motors turn a stick of length r about crossing axes, a about y, then b about -x.
///
///     p = r (sin a cos b, sin b, cos a cos b) - (0, 0, r)         the knob; the origin is the stick upright
///     J = r [cos a cos b, -sin a sin b;  0, cos b;  -sin a cos b, -cos a sin b]
///
/// This is all that Tactus has to know of a mechanism: five functions.
struct Stick {
  using Real = double;
  static constexpr int kMotors = 2, kSensed = 0, kRows = 3;
  using Angles = tactus::Vec<double, 2>;
  using Limits2 = tactus::JointLimits<double, 2>;

  double length_m = 0.08;

  tactus::DeviceFault Validate() const noexcept {
    tactus::DeviceCheck check;
    check.Length("length_m", length_m);
    return check.fault();
  }

  Limits2 Limits() const noexcept { return {Angles(-0.7, -0.7), Angles(0.7, 0.7)}; }

  tactus::KinematicResult Forward(const Angles& q_rad, tactus::HandlePose<double>* pose) const noexcept {
    *pose = {};
    if (const tactus::KinematicResult bad = tactus::CheckAngles(q_rad, Limits()); !bad.ok()) return bad;
    const double sa = tactus::Sin(q_rad(0)), ca = tactus::Cos(q_rad(0)), sb = tactus::Sin(q_rad(1)),
                 cb = tactus::Cos(q_rad(1));
    pose->p_DH << length_m * sa * cb, length_m * sb, length_m * (ca * cb - 1);
    return {};
  }

  tactus::KinematicResult Inverse(const tactus::HandlePose<double>& pose, Angles* q_rad) const noexcept {
    q_rad->setZero();
    if (const tactus::KinematicResult bad = tactus::CheckPlace(pose.p_DH); !bad.ok()) return bad;
    const double x = pose.p_DH(0), y = pose.p_DH(1), z = pose.p_DH(2) + length_m;
    if (tactus::Abs(tactus::Norm(tactus::Vec<double, 3>(x, y, z)) - length_m) > 1e-3)
      return tactus::KinematicFailure(tactus::KinematicCause::kOffSurface);
    const Angles q(tactus::Atan2(x, z), tactus::Atan2(y, tactus::Sqrt(x * x + z * z)));
    if (const tactus::KinematicResult bad = tactus::CheckAngles(q, Limits()); !bad.ok()) return bad;
    *q_rad = q;
    return {};
  }

  tactus::KinematicResult Jacobian(const Angles& q_rad, tactus::Mat<double, 3, 2>* J) const noexcept {
    J->setZero();
    if (const tactus::KinematicResult bad = tactus::CheckAngles(q_rad, Limits()); !bad.ok()) return bad;
    const double sa = tactus::Sin(q_rad(0)), ca = tactus::Cos(q_rad(0)), sb = tactus::Sin(q_rad(1)),
                 cb = tactus::Cos(q_rad(1));
    *J << ca * cb, -sa * sb, 0, cb, -sa * cb, -ca * sb;
    *J *= length_m;
    return {};
  }
};

static_assert(tactus::DeviceKinematics<Stick>);
