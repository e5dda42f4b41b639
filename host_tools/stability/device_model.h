#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hal/sim/parameters.h"
#include "hal/sim/preset_numbers.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/stability/directions.h"
#include "host_tools/stability/stability_report.h"
#include "tactus/haptic/config.h"

namespace tactus::host {

struct DeviceNumbers;

/// A device as far as stability goes: its translations and one axis of its rotations.
struct DeviceModel {
  std::string name;
  AxisDevice linear, angular;              ///< `linear`: a mean over all directions
  std::vector<Direction> directions = {};  ///< of the translations, with masses of their own; empty: all are `linear`
  bool turns = true;                   ///< false: no motor turns the handle, so no loop does, and `angular` means nothing
  std::optional<double> delay_s = {};  ///< from the sample to the force; nothing: what the Config declares
};

/// A simulated device: its own numbers.
DeviceModel ModelOf(const std::string& name, const hal::DeviceParameters& device);
/// A preset at its handle. The lag of its drives counts as delay.
DeviceModel ModelOf(const hal::DevicePreset& preset);
/// What `--device` names: the Falcon class at the host, a preset, or a file of tactus identify.
DeviceModel ModelOf(const SimulatedChoice& choice);
/// A real device, of which only what it declares is known: no damping, the worst case, and an unknown Coulomb friction.
DeviceModel DeclaredModel(const std::string& name, const DeviceConfig<double>& device);
/// A device as `tactus identify` measured it; its rotations are unknown.
DeviceModel ModelOf(const DeviceNumbers& numbers);
/// By its name: a simulated device, a real one by what its driver declares, or a file of tactus identify (a name with a
/// slash or ".toml"). @throws HostError: no such device
DeviceModel ModelNamed(const std::string& name);
std::string ModelNames();

/// The translations, each a mode by itself, or the one rotation.
std::vector<AxisDevice> AxesOf(const DeviceModel& device, bool angular);

/// What a Config says of the loop, for translations or rotations.
AxisLoop LoopOf(const Config<double>& config, const DeviceModel& device, bool angular);
AxisCoupling CouplingOf(const CouplingConfig<double>& coupling, bool angular);

}  // namespace tactus::host
