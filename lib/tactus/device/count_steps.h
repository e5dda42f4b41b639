#pragma once
#include "tactus/core/frames.h"
#include "tactus/device/transmission.h"

namespace tactus {

/// What one count of each motor does to the handle: step_i = J_i s_q 2π/(counts_per_turn N), in W.
/// @param[in] J_W  ẋ = J_W q̇ of the position, in W
template <class Scalar, std::size_t kMotors>
CountSteps CountStepsOf(const std::array<MotorCalibration<Scalar>, kMotors>& calibration,
                        const Mat<Scalar, 3, static_cast<int>(kMotors)>& J_W) noexcept {
  static_assert(kMotors <= 3);
  CountSteps counts{.motors = kMotors};
  for (std::size_t i = 0; i < kMotors; ++i) {
    const MotorCalibration<Scalar>& m = calibration[i];
    const Scalar count_rad =
        static_cast<Scalar>(m.encoder_sign) * kTurn_rad<Scalar> / (m.counts_per_turn * m.turns_per_joint_turn);
    for (int x = 0; x < 3; ++x) counts.step_m[i][x] = static_cast<float>(J_W(x, static_cast<int>(i)) * count_rad);
  }
  return counts;
}

}  // namespace tactus
