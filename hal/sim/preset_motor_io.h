#pragma once
#include <memory>

#include "hal/sim/emulated_motors.h"
#include "hal/sim/preset_device.h"

namespace tactus::hal {

/// A preset's motors, mechanics and hand behind an I/O board: currents in, counts out. A Read is one period of the board's
/// loop, which is the period of the options.
template <DeviceKinematics D>
class PresetMotorIo final : public EmulatedMotors {
 public:
  using Options = typename PresetDevice<D>::Options;
  static constexpr int kMotors = D::kMotors;

  explicit PresetMotorIo(const Options& options) : traits_(TraitsOf(options)), device_(options) {}

  const PresetDevice<D>& device() const { return device_; }

 private:
  /// No joint of a hand-held device turns faster; ours.
  static constexpr double kFastest_radps = 150;

  static MotorTraits TraitsOf(const Options& options) {
    MotorTraits traits{.motors = kMotors, .senses_current = true};
    for (int i = 0; i < kMotors; ++i) {
      const MotorCalibration<double>& motor = options.motors[static_cast<std::size_t>(i)];
      traits.counts_per_turn[i] = static_cast<std::uint32_t>(motor.counts_per_turn + 0.5);
      traits.max_current_A[i] = static_cast<float>(motor.max_current_A);
      const double counts_per_rad = motor.counts_per_turn * motor.turns_per_joint_turn / kTurn_rad<double>;
      const auto step = static_cast<std::uint32_t>(kFastest_radps * counts_per_rad * 1e-6 * options.period_us) + 2;
      traits.max_step_counts = step > traits.max_step_counts ? step : traits.max_step_counts;
    }
    return traits;
  }

  const MotorTraits& DoTraits() const noexcept override { return traits_; }

  MotorReading DoRead() noexcept override {
    Vec<double, kMotors> current_A;
    for (int i = 0; i < kMotors; ++i) current_A(i) = static_cast<double>(flowing_A(i));
    device_.AdvanceWith(current_A);
    MotorReading reading;
    for (int i = 0; i < kMotors; ++i) {
      reading.count[i] = device_.counts()[static_cast<std::size_t>(i)];
      reading.current_A[i] = flowing_A(i);
    }
    return reading;
  }

  const MotorTraits traits_;
  PresetDevice<D> device_;
};

}  // namespace tactus::hal
