#include "host_tools/stability/device_model.h"

#include <fmt/core.h>

#include <numbers>

#include "hal/sim/presets.h"
#include "host_tools/devices/device_file.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/link/host_error.h"
#include "host_tools/rig/device_numbers.h"
#include "tactus/haptic/handle_estimate.h"

namespace tactus::host {
namespace {

using Gains = internal::HandleGains<double>;

struct NamedParameters {
  const char* name;
  hal::DeviceParameters (*parameters)();
};

constexpr NamedParameters kSimulated[] = {{"falcon-class", [] { return hal::FalconClass(); }}};

}  // namespace

DeviceModel ModelOf(const std::string& name, const hal::DeviceParameters& device) {
  return {.name = name,
          .linear = {.mass_kg = device.mass_kg,
                     .damping_Ns_per_m = device.damping_Ns_per_m,
                     .coulomb_N = device.coulomb_N,
                     .resolution_m = device.resolution_m,
                     .ideal_m = Gains::kIdeal_m},
          .angular = {.mass_kg = device.inertia_kgm2,
                      .damping_Ns_per_m = device.damping_Nms_per_rad,
                      .coulomb_N = device.coulomb_Nm,
                      .resolution_m = device.resolution_rad,
                      .ideal_m = Gains::kIdeal_rad}};
}

DeviceModel ModelOf(const hal::DevicePreset& preset) {
  const hal::PresetAtHandle at = hal::AtHandle(preset);
  const double lag_s = 1 / (2 * std::numbers::pi * preset.bandwidth_Hz);
  return {.name = preset.name,
          .linear = {.mass_kg = at.mass_kg,
                     .damping_Ns_per_m = at.damping_Ns_per_m,
                     .coulomb_N = at.coulomb_N,
                     .resolution_m = at.resolution_m,
                     .ideal_m = Gains::kIdeal_m},
          .angular = {},
          .directions = DirectionsOf(preset),
          .turns = false,
          .delay_s = 1e-6 * (preset.delay_us + preset.jitter_us / 2) + lag_s};
}

DeviceModel ModelOf(const SimulatedChoice& choice) {
  if (choice.is_file()) return ModelOf(ReadDeviceNumbers(choice.device));
  return choice.preset() != nullptr ? ModelOf(*choice.preset()) : ModelOf("the Falcon class", hal::FalconClass());
}

DeviceModel DeclaredModel(const std::string& name, const DeviceConfig<double>& device) {
  return {.name = name,
          .linear = {.mass_kg = device.mass_kg,
                     .damping_Ns_per_m = 0,
                     .coulomb_N = {},
                     .resolution_m = device.resolution_m,
                     .ideal_m = Gains::kIdeal_m},
          .angular = {.mass_kg = device.inertia_kgm2,
                      .damping_Ns_per_m = 0,
                      .coulomb_N = {},
                      .resolution_m = device.resolution_rad,
                      .ideal_m = Gains::kIdeal_rad}};
}

DeviceModel ModelOf(const DeviceNumbers& numbers) {
  return {.name = numbers.name,
          .linear = {.mass_kg = numbers.mass_kg,
                     .damping_Ns_per_m = numbers.damping_Ns_per_m,
                     .coulomb_N = numbers.coulomb_N,
                     .resolution_m = numbers.resolution_m,
                     .ideal_m = Gains::kIdeal_m},
          .angular = {},
          .turns = false,
          .delay_s = numbers.delay_s};
}

DeviceModel ModelNamed(const std::string& name) {
  if (IsDeviceFile(name)) return ModelOf(ReadDeviceNumbers(name));
  for (const NamedParameters& simulated : kSimulated)
    if (name == simulated.name) return ModelOf(name, simulated.parameters());
  if (const hal::DevicePreset* const preset = hal::FindPreset(name); preset != nullptr) return ModelOf(*preset);
  if (const RealDevice* const real = FindRealDevice(name); real != nullptr)
    return DeclaredModel(name, ConfigOf(real->capabilities()).device);
  throw HostError(fmt::format("no device '{}'; there is: {}", name, ModelNames()));
}

std::string ModelNames() {
  std::string names;
  for (const NamedParameters& simulated : kSimulated) names += fmt::format("{}, ", simulated.name);
  names += PresetNames();
  for (const RealDevice& real : RealDevices())
    if (hal::FindPreset(real.name) == nullptr) names += std::string(", ") + real.name;
  return names;
}

std::vector<AxisDevice> AxesOf(const DeviceModel& device, bool angular) {
  if (angular) return {device.angular};
  if (device.directions.empty()) return {device.linear};
  std::vector<AxisDevice> axes;
  for (const Direction& direction : device.directions) {
    axes.push_back(device.linear);
    axes.back().mass_kg = direction.mass_kg;
    axes.back().damping_Ns_per_m = direction.damping_Ns_per_m;
  }
  return axes;
}

AxisLoop LoopOf(const Config<double>& config, const DeviceModel& device, bool angular) {
  const int delay = config.device.command_delay_ticks;
  const WorkspaceConfig<double>& map = config.workspace;  // the tool is as heavy as the hand feels it: workspace.h
  return {.period_s = config.period_s,
          .delay_ticks = device.delay_s ? *device.delay_s / config.period_s : delay,
          .declared_delay_ticks = delay,
          .declared_mass = angular ? config.device.inertia_kgm2 : config.device.mass_kg,
          .tool_mass_kg = angular ? config.tool.inertia_kgm2.maxCoeff() * map.force_scale / map.scale
                                  : config.tool.mass_kg * map.force_scale * map.scale};
}

AxisCoupling CouplingOf(const CouplingConfig<double>& coupling, bool angular) {
  if (angular) {
    return {.stiffness_N_per_m = coupling.angular_stiffness_Nm_per_rad,
            .damping_Ns_per_m = coupling.angular_damping_Nms_per_rad};
  }
  return {.stiffness_N_per_m = coupling.stiffness_N_per_m, .damping_Ns_per_m = coupling.damping_Ns_per_m};
}

}  // namespace tactus::host
