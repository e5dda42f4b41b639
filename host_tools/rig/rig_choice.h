#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hal/api/device.h"
#include "host_tools/command_line.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/rig/guarded_device.h"

namespace tactus::host {

/// What a device's numbers are known to be, for a comparison: of a simulated one, with the hand on it.
struct KnownAxis {
  bool moves = false;
  double mass_kg = 0, damping_Ns_per_m = 0, stiffness_N_per_m = 0, coulomb_N = 0, resolution_m = 0, delay_s = 0;
};

/// A device for a tool that excites it: `--device PRESET|host|FILE|NAME-emulator`, `--hand`, and its ceilings.
class RigChoice {
 public:
  std::string device = "host", hand = "none";
  std::optional<double> force_N;
  std::vector<std::string> faults;  ///< of an emulated device, as tactus emulate has them
  double speed_mps = 0.8, reach_m = 0.02;
  std::uint64_t seed = 1;
  static constexpr std::uint32_t kPeriod_us = 1000;

  enum class Reach : std::uint8_t { kHere, kOther };  ///< kOther: the command has a --reach of its own
  void AddOptions(CLI::App* command, Reach reach = Reach::kHere);
  /// @throws HostError: no such device or hand, or no number of a ceiling
  std::unique_ptr<hal::Device> Simulated() const;
  std::unique_ptr<EmulatedRun> Emulated() const;
  bool emulated() const { return device.ends_with("-emulator"); }
  /// How far the handle may go when the drives come on, as the real device declares it; 1 mm of a simulated one.
  double lift_m() const;
  /// Ceilings of what the user asks and the device declares: half of its largest force, if nothing else is said.
  Ceilings CeilingsFor(const hal::DeviceCapabilities& can) const;
  /// The same for a look at a device that nobody knows: 0.15 of its largest force, if nothing else is said.
  Ceilings SmallCeilingsFor(const hal::DeviceCapabilities& can) const;
  /// Of a simulated device.
  std::optional<std::array<KnownAxis, 3>> Known() const;
};

}  // namespace tactus::host
