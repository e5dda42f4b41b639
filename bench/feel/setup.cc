#include "bench/feel/setup.h"

#include "host_tools/session/servo_config.h"

namespace tactus::bench::feel {
namespace {

/// All that depends on how the Config describes a device.
void Describe(const LoopSetup& setup, Config<double>* config) {
  config->device.mass_kg = setup.declared_mass_share * setup.device.mass_kg;
  config->device.inertia_kgm2 = setup.device.inertia_kgm2;
  config->device.resolution_m = setup.device.resolution_m;
  config->device.resolution_rad = setup.device.resolution_rad;
  config->device.command_delay_ticks = setup.late_ticks;
}

}  // namespace

Config<double> ConfigFor(const LoopSetup& setup) {
  Config<double> config = host::PegInHoleConfig();
  Describe(setup, &config);
  config.limits.max_force_N = setup.device.max_force_N;
  config.limits.max_torque_Nm = setup.device.max_torque_Nm;
  config.coupling.stiffness_N_per_m = setup.stiffness_N_per_m;
  config.period_s = setup.period_s();
  return config;
}

Config<double> ObserverConfigFor(const LoopSetup& setup) {
  Config<double> config = ConfigFor(setup);
  config.passivity.enabled = false;
  config.passivity.tank_J = 1e6;
  return config;
}

hal::DeviceParameters Device(double mass_kg, double coulomb_N, double resolution_m) {
  hal::DeviceParameters device = hal::FalconClass();
  device.mass_kg.value = mass_kg;
  device.coulomb_N.value = coulomb_N;
  device.resolution_m.value = resolution_m;
  return device;
}

double RestHeight_m() { return ToolConfig<double>().length_m / 2; }

}  // namespace tactus::bench::feel
