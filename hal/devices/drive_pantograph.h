#pragma once
#include "hal/devices/motor_device.h"
#include "tactus/device/five_bar.h"

namespace tactus::hal {

/// What two drives that turn the cranks of a pantograph without gears have in common, whoever made them. They take torques.
struct DrivePair {
  static constexpr int kDrives = 2;
  static constexpr float kCountsPerTurn = 8192;           ///< ours: positions are floats
  static constexpr float kMost_Nm = 0.25f;                ///< ours: of a motor
  static constexpr float kMost_CountsPerSecond = 60'000;  ///< 46 rad/s of a crank: 2.3 m/s at its end

  /// The nearest count. @param turns  |turns| ≤ 1000
  static constexpr std::int32_t CountOf(float turns) {
    const float counts = turns * kCountsPerTurn;
    return static_cast<std::int32_t>(counts < 0 ? counts - 0.5f : counts + 0.5f);
  }
};

/// A direct-drive pantograph of Haply's size in W's x-z plane: position 0 of each drive where its arm is straight out.
MotorDeviceConfig<FiveBar<double>> DrivePantographConfig(const char* name, double period_s) noexcept;

}  // namespace tactus::hal
