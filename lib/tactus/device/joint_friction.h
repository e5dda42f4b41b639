#pragma once
#include <array>

#include "tactus/device/joint_wall.h"
#include "tactus/device/transmission.h"

namespace tactus {

/// Takes a share of a joint's own friction off the hand. Off as it is made: a compensation gives energy to the hand, and
/// one that is larger than the friction drives the device by itself. The share is therefore at most kMostShare, of numbers
/// that were measured low rather than high.
///
///     τ = share (τ_c sat(q̇/v_s) + B q̇)          sat(x) = x for |x| ≤ 1, else ±1
///
/// What is left of the friction, (1 - share), still takes energy wherever |q̇| ≥ v_s; below v_s the compensation is smaller
/// than its friction too. So joint and compensation together are passive for speeds that are right. They come from counts:
/// v_s must be several counts a period, or the torque follows the rounding and buzzes.
template <class Scalar>
struct JointFriction {
  Scalar share = 0;                ///< 0: off
  Scalar coulomb_Nm = 0;           ///< τ_c, at the joint
  Scalar viscous_Nms_per_rad = 0;  ///< B, at the joint
  Scalar full_speed_radps = 0;     ///< v_s
};

inline constexpr double kMostShare = 0.8;           ///< ours: friction of a capstan varies by a fifth along its way
inline constexpr double kLeastCountsPerPeriod = 4;  ///< v_s: one count of noise is then a quarter of τ_c at most

/// @param[in] calibration  counts of the joints: of the speed that their resolution can tell
/// @returns the first fault, with the joint as its index
template <class Scalar, std::size_t kJoints>
DeviceFault Validate(const std::array<JointFriction<Scalar>, kJoints>& friction,
                     const std::array<MotorCalibration<Scalar>, kJoints>& calibration, Scalar period_s) noexcept {
  DeviceCheck check;
  check.Range("period_s", static_cast<double>(period_s), 1e-6, 1);
  for (std::size_t n = 0; n < kJoints; ++n) {
    const JointFriction<Scalar>& f = friction[n];
    const int i = static_cast<int>(n);
    check.Range("share", static_cast<double>(f.share), 0, kMostShare, i);
    check.Range("coulomb_Nm", static_cast<double>(f.coulomb_Nm), 0, 1e3, i);
    check.Range("viscous_Nms_per_rad", static_cast<double>(f.viscous_Nms_per_rad), 0, 1e3, i);
    if (f.share == Scalar(0) && f.full_speed_radps == Scalar(0)) continue;
    const double count_rad = kTurn_rad<double> / (static_cast<double>(calibration[n].counts_per_turn) *
                                                  static_cast<double>(calibration[n].turns_per_joint_turn));
    check.Range("full_speed_radps", static_cast<double>(f.full_speed_radps),
                kLeastCountsPerPeriod * count_rad / static_cast<double>(period_s), kMostSpeed_radps, i);
  }
  return check.fault();
}

/// The torque at the joint, along its motion; 0 when off, and for a speed that is not a number or absurd.
template <class Scalar>
Scalar CompensationTorque(const JointFriction<Scalar>& f, Scalar speed_radps) noexcept {
  if (!(f.share > Scalar(0)) || !(Abs(speed_radps) <= Scalar(kMostSpeed_radps))) return Scalar(0);
  const Scalar sat = Clamp(speed_radps / f.full_speed_radps, Scalar(-1), Scalar(1));
  return f.share * (f.coulomb_Nm * sat + f.viscous_Nms_per_rad * speed_radps);
}

}  // namespace tactus
