#include "hal/devices/drive_pantograph.h"

namespace tactus::hal {

MotorDeviceConfig<FiveBar<double>> DrivePantographConfig(const char* name, double period_s) noexcept {
  MotorDeviceConfig<FiveBar<double>> config;
  constexpr double kStraightOut_rad[2] = {3.14159265358979, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    MotorCalibration<double>& motor = config.motors[i];
    motor.counts_per_turn = DrivePair::kCountsPerTurn;
    motor.turns_per_joint_turn = 1;
    motor.offset_rad = kStraightOut_rad[i];
    motor.torque_constant_Nm_per_A = 1;  // its drives take torques
    motor.max_current_A = static_cast<double>(DrivePair::kMost_Nm);
    motor.continuous_current_A = 0.15;  // ours: the motor is not known
    motor.thermal_time_s = 30;          // ours
  }
  config.R_WD << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  config.p_WD_m << -0.010, 0, -0.085;
  config.period_s = period_s;
  config.capabilities = {.name = name,
                         .sensed = {true, false, true, false, false, false},
                         .actuated = {true, false, true, false, false, false},
                         .resolution_m = 40e-6f,  // 50 mm · 2π/8192, and the linkage
                         .workspace_radius_m = 0.02f,
                         .peak_force_N = 5,
                         .continuous_force_N = 3,
                         .effector_mass_kg = 0.15f,
                         .effector_inertia_kgm2 = 3e-4f,
                         .command_delay_ticks = 1};  // answers are read, and torques go out, at the next edge
  return config;
}

}  // namespace tactus::hal
