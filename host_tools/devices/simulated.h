#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hal/sim/hand_script.h"
#include "hal/sim/hands.h"
#include "hal/sim/held_device.h"
#include "hal/sim/parameters.h"
#include "hal/sim/preset_numbers.h"
#include "host_tools/command_line.h"
#include "host_tools/devices/device_file.h"
#include "tactus/haptic/config.h"

namespace tactus::host {

struct DeviceNumbers;

/// A simulated device at the host and the hand on it: `--device host`, a preset or a file of `tactus identify`,
/// `--hand NAME`.
struct SimulatedChoice {
  /// What a preset or a file touches if no scene is named: the peg in its hole needs torques, and none of them has any.
  static constexpr const char* kScene = "wall_tap";

  /// On top of the first hand's seed: a second hand has a tremor of its own.
  static constexpr std::uint64_t kSecondSeed = 1'000'003;

  std::string device = "host";
  std::string hand = "relaxed";

  /// Adds --hand.
  void AddHandOption(CLI::App* command);
  /// nullptr: it is no preset.
  const hal::DevicePreset* preset() const { return hal::FindPreset(device); }
  /// Whether its numbers are in a file: one mass, as `tactus identify` writes it.
  bool is_file() const { return IsDeviceFile(device); }
  /// Whether it only pushes.
  bool has_no_torque() const { return preset() != nullptr || is_file(); }
  /// Whether only the names are asked for.
  bool lists() const { return device == "list" || hand == "list"; }

  /// @param script  outlives the device  @throws HostError: no such hand, or the file is none of a device
  std::unique_ptr<hal::HeldDevice> Make(const hal::HandScript& script, std::uint64_t seed, std::uint32_t period_us) const;
  /// The demo's Config with what is known of the device. @param period_us  of the loop
  Config<double> ConfigOf(std::uint32_t period_us) const;
  /// What to expect of it with this coupling.
  std::vector<std::string> Expect(const CouplingConfig<double>& coupling) const;
};

/// What a file of `tactus identify` describes: a mass that only pushes, with the Falcon class's rotations, which the hand
/// holds.
hal::DeviceParameters ParametersOf(const DeviceNumbers& numbers);
/// Whole periods that its commands act late: the nearest to its delay, `kMaxCommandDelay_ticks` at most.
int LateTicksOf(const DeviceNumbers& numbers, std::uint32_t period_us);

/// @throws HostError: none of this name; the message has them all
const hal::Hand& HandNamed(const std::string& name);
std::string PresetNames();
std::string HandNames();
/// A line for each.
std::string PresetList();
std::string HandList();

}  // namespace tactus::host
