#pragma once
#include <array>

#include "tactus/device/geometry_check.h"

namespace tactus {

inline constexpr double kMostSpeed_radps = 1e5;  ///< no joint turns faster

/// A spring and a damper that keep a joint off its stop, from a soft limit on.
///
///     e = q - high > 0:   τ = -clamp(K e + B q̇, 0, τ_max)          it pushes back, and never pulls
///     e = low - q > 0:    τ = +clamp(K e - B q̇, 0, τ_max)
template <class Scalar>
struct JointWall {
  Scalar low_rad = 0, high_rad = 0;  ///< the soft limits, inside the joint's range
  Scalar stiffness_Nm_per_rad = 0;   ///< K
  Scalar damping_Nms_per_rad = 0;    ///< B
  Scalar max_torque_Nm = 0;          ///< τ_max
};

/// @param[in] limits  of the joints: soft limits must be inside
/// @returns the first fault, with the joint as its index
template <class Scalar, std::size_t kJoints>
DeviceFault Validate(const std::array<JointWall<Scalar>, kJoints>& walls,
                     const JointLimits<Scalar, static_cast<int>(kJoints)>& limits) noexcept {
  DeviceCheck check;
  for (std::size_t n = 0; n < kJoints; ++n) {
    const JointWall<Scalar>& wall = walls[n];
    const int i = static_cast<int>(n);
    check.Range("walls.low_rad", static_cast<double>(wall.low_rad), static_cast<double>(limits.low_rad(i)),
                static_cast<double>(limits.high_rad(i)), i);
    check.Range("walls.high_rad", static_cast<double>(wall.high_rad), static_cast<double>(wall.low_rad),
                static_cast<double>(limits.high_rad(i)), i);
    check.Range("walls.stiffness_Nm_per_rad", static_cast<double>(wall.stiffness_Nm_per_rad), 0, 1e4, i);
    check.Range("walls.damping_Nms_per_rad", static_cast<double>(wall.damping_Nms_per_rad), 0, 1e3, i);
    check.Range("walls.max_torque_Nm", static_cast<double>(wall.max_torque_Nm), 0, 1e3, i);
  }
  return check.fault();
}

/// The wall's torque on its joint; 0 between the soft limits, and for an angle or a speed that is not a number or absurd.
template <class Scalar>
Scalar WallTorque(const JointWall<Scalar>& wall, Scalar q_rad, Scalar speed_radps) noexcept {
  if (!(Abs(q_rad) <= Scalar(kMostAngle_rad) && Abs(speed_radps) <= Scalar(kMostSpeed_radps))) return Scalar(0);
  const Scalar K = wall.stiffness_Nm_per_rad, B = wall.damping_Nms_per_rad, most = wall.max_torque_Nm;
  if (q_rad > wall.high_rad) return -Clamp(K * (q_rad - wall.high_rad) + B * speed_radps, Scalar(0), most);
  if (q_rad < wall.low_rad) return Clamp(K * (wall.low_rad - q_rad) - B * speed_radps, Scalar(0), most);
  return Scalar(0);
}

}  // namespace tactus
