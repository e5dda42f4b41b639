#include "host_tools/session/servo_config.h"

#include "firmware/servo/config_from_wire.h"
#include "hal/sim/parameters.h"

namespace tactus::host {

Config<double> PegInHoleConfig() {
  const hal::DeviceParameters device = hal::FalconClass();
  Config<double> config;
  config.device.mass_kg = device.mass_kg;
  config.device.inertia_kgm2 = device.inertia_kgm2;
  config.device.resolution_m = device.resolution_m;
  config.device.resolution_rad = device.resolution_rad;
  config.limits.max_force_N = device.max_force_N;
  config.limits.max_torque_Nm = device.max_torque_Nm;
  return config;
}

CouplingConfig<double> CouplingIn(const wire::Config& message, std::uint32_t period_us) {
  Config<double> config;
  static_cast<void>(servo::ConfigFromWire(message, period_us, &config));  // the controller says why it refuses one
  return config.coupling;
}

void BePatient(wire::Config* config) {
  const wire::ConfigHighest highest = servo::HighestToWire();
  config->mutate_pacing(wire::Pacing::kSample);
  config->mutate_guard_hold_ticks(highest.config().guard_hold_ticks());
  config->mutate_guard_silence_ticks(highest.config().guard_silence_ticks());
}

}  // namespace tactus::host
