#pragma once
#include <array>

#include "hal/devices/motor_device.h"
#include "tactus/device/five_bar.h"

namespace tactus::hal {

/// What two drives that turn the cranks of a pantograph without gears have in common, whoever made them. They take torques.
struct DrivePair {
  static constexpr int kDrives = 2;
  using Counts = std::array<double, kDrives>;
  static constexpr double kCountsPerTurn = 8192;  ///< ours, where a set does not say: positions are floats
  static constexpr Counts kCounts = {kCountsPerTurn, kCountsPerTurn};
  static constexpr float kMost_Nm = 0.25f;  ///< ours: of a motor
  static constexpr float kMost_Radps = 46;  ///< of a crank: 2.3 m/s at its end

  /// The nearest count: the drives tell turns, so a set's counts a turn say only how finely they are read.
  /// @param turns  |turns| ≤ 1000
  static constexpr std::int32_t CountOf(float turns, double counts_per_turn) {
    constexpr double kMost = 1 << 30;  // far beyond what MotorDevice takes for a position
    const double counts = Clamp(static_cast<double>(turns) * counts_per_turn, -kMost, kMost);
    return static_cast<std::int32_t>(counts < 0 ? counts - 0.5 : counts + 0.5);
  }
  /// Of a set in use.
  static Counts CountsOf(const MotorDeviceConfig<FiveBar<double>>& config) {
    return {config.motors[0].counts_per_turn, config.motors[1].counts_per_turn};
  }
};

/// A direct-drive pantograph of Haply's size in W's x-z plane: position 0 of each drive where its arm is straight out.
MotorDeviceConfig<FiveBar<double>> DrivePantographConfig(const char* name, double period_s) noexcept;

}  // namespace tactus::hal
