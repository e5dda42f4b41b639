#include "hal/sim/drive_arms.h"

#include <limits>

namespace tactus::hal {
namespace {

constexpr double kCountsPerTurn = 8192;

}  // namespace

auto DriveArms::Options(const HandScript& script, std::uint64_t seed) -> Mechanism::Options {
  Mechanism::Options options;
  constexpr double kOut_rad[kDrives] = {3.14159265358979, 0};
  for (std::size_t i = 0; i < kDrives; ++i) {
    MotorCalibration<double>& motor = options.motors[i];
    motor.counts_per_turn = kCountsPerTurn;
    motor.turns_per_joint_turn = 1;
    motor.offset_rad = kOut_rad[i];
    motor.torque_constant_Nm_per_A = 1;
  }
  options.R_WD << 1, 0, 0, 0, 0, -1, 0, 1, 0;  // the arms' y is W's z
  options.p_WD_m << -0.010, 0, -0.085;
  options.handle = FalconClass();
  options.handle.mass_kg.value = 0.15;
  options.handle.max_force_N.value = 100;  // the motors' torques are the bound here
  options.script = script;
  options.seed = seed;
  return options;
}

DriveArms::DriveArms(const Mechanism::Options& options)
    : arms_(options), counts_per_turn_{options.motors[0].counts_per_turn, options.motors[1].counts_per_turn} {
  constexpr double kMiddle_rad = 2.618;  // 150 and 30 degrees: the handle 15 mm below W's origin
  arms_.Place(Vec<double, 2>(kMiddle_rad, 3.14159265358979 - kMiddle_rad));
}

float DriveArms::TurnsOf(unsigned drive, const BoardFaults& faults) {
  std::array<std::int32_t, kDrives> counts = arms_.Counts();
  if (!was_frozen_ || !faults.frozen) frozen_ = counts;
  was_frozen_ = faults.frozen;
  if (faults.frozen) counts = frozen_;
  if (faults.not_a_number) return std::numeric_limits<float>::quiet_NaN();
  if (faults.zero_positions || faults.sensor_fault) return 0;
  const auto turns = static_cast<float>(counts[drive] / counts_per_turn_[drive]);
  return faults.jump && drive == 1 ? turns + 0.0625f : turns;
}

}  // namespace tactus::hal
