#include "host_tools/rig/rig_choice.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "hal/sim/held_sim_device.h"
#include "hal/sim/presets.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/link/host_error.h"
#include "host_tools/report/text_file.h"
#include "host_tools/rig/device_numbers.h"
#include "host_tools/rig/held_as_device.h"

namespace tactus::host {
namespace {

constexpr const char* kNoHand = "none";
constexpr std::string_view kEmulator = "-emulator";

hal::Hand HandOf(const std::string& name) {
  if (name == kNoHand) return {.name = kNoHand, .what = "nobody holds it", .full = hal::NoHand()};
  return HandNamed(name);
}

/// Of a device that is a file; nothing: it is none.
std::optional<DeviceNumbers> FileNumbers(const std::string& device) {
  if (!IsDeviceFile(device)) return std::nullopt;
  return ReadDeviceNumbers(device);
}

hal::DeviceCapabilities CanOf(const hal::DevicePreset& preset) {
  hal::DeviceCapabilities can;
  can.name = preset.name;
  can.peak_force_N = static_cast<float>(preset.max_force_N.value);
  can.continuous_force_N =
      static_cast<float>(preset.max_force_N * preset.joint[0].continuous_current_A / preset.joint[0].max_current_A);
  const std::array<hal::PresetAxis, 3> axes = hal::AxesAtHandle(preset);
  for (std::size_t i = 0; i < 3; ++i) {
    can.sensed[i] = can.actuated[i] = axes[i].moves;
    can.sensed[3 + i] = can.actuated[3 + i] = false;
  }
  return can;
}

/// A scene whose hand stays where it is, as a file for the emulator: it is there as long as this object.
class StillScene {
 public:
  StillScene() : path_((std::filesystem::temp_directory_path() / fmt::format("tactus_still_{}.toml", getpid())).string()) {
    WriteText(
        path_,
        "title = \"Still\"\nshows = \"A hand that holds the handle and goes nowhere.\"\n[tool]\nmass_kg = 0.05\n"
        "[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\nmaterial = \"steel\"\n[[world]]\nkind = \"half-space\"\n"
        "position_m = [0, 0, -0.1]\nmaterial = \"wall\"\n[[hand]]\nname = \"stay\"\nduration_s = 0.5\nto_m = [0, 0, 0]\n");
  }
  ~StillScene() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  StillScene(const StillScene&) = delete;
  StillScene& operator=(const StillScene&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace

void RigChoice::AddOptions(CLI::App* command, Reach reach) {
  command
      ->add_option("--device", device,
                   "which: host (the simulated Falcon class), " + PresetNames() +
                       ", a file of tactus identify --preset-out, or NAME-emulator, NAME: " + RealDeviceNames())
      ->capture_default_str();
  command->add_option("--hand", hand, "on a simulated device: none, " + HandNames())->capture_default_str();
  command->add_option("--force", force_N, "ceiling of every command [N] (default: half of what the device declares)");
  command->add_option("--speed", speed_mps, "ceiling of the handle's speed [m/s]: more is a stop")->capture_default_str();
  if (reach == Reach::kHere)
    command->add_option("--reach", reach_m, "ceiling of the way from where it starts [m]: more is a stop")
        ->capture_default_str();
  command->add_option("--fault", faults, "of an emulated device, as tactus emulate has it");
  command->add_option("--seed", seed, "of a simulated hand's unrest")->capture_default_str();
}

std::unique_ptr<hal::Device> RigChoice::Simulated() const {
  if (!faults.empty()) throw HostError("--fault is for an emulated device: give --device NAME-emulator");
  const hal::Hand held = HandOf(hand);
  if (const hal::DevicePreset* const preset = hal::FindPreset(device); preset != nullptr) {
    return std::make_unique<HeldAsDevice>(
        hal::MakePreset(*preset, {.hand = held, .script = {}, .seed = seed, .period_us = kPeriod_us}), CanOf(*preset));
  }
  const std::optional<DeviceNumbers> numbers = FileNumbers(device);
  if (device != "host" && !numbers)
    throw HostError(fmt::format("no device '{}'; there is: host, {}, a file, and NAME-emulator of {}", device, PresetNames(),
                                RealDeviceNames()));
  // A script of one movement that goes nowhere: this device asks for the movement that is under way.
  static constexpr hal::HandMove kStay[] = {{.name = "stay", .duration_s = 1}};
  const hal::DeviceParameters parameters = numbers ? ParametersOf(*numbers) : hal::FalconClass();
  hal::DeviceCapabilities can;
  can.name = numbers ? "of a file" : "falcon-class";
  can.peak_force_N = static_cast<float>(parameters.max_force_N.value);
  return std::make_unique<HeldAsDevice>(
      std::make_unique<hal::HeldSimDevice>(held, hal::HandScript{.moves = kStay, .count = 1}, seed, kPeriod_us, parameters,
                                           numbers ? LateTicksOf(*numbers, kPeriod_us) : 0),
      can);
}

std::unique_ptr<EmulatedRun> RigChoice::Emulated() const {
  if (hand != kNoHand) throw HostError("--hand is for a device at the host; an emulated one is in a relaxed hand");
  const std::string name = device.substr(0, device.size() - kEmulator.size());
  const StillScene still;
  return std::make_unique<EmulatedRun>(name, still.path(), seed, faults, kPeriod_us);
}

double RigChoice::lift_m() const {
  constexpr double kStill_m = 0.001;  // several counts of any device
  if (!emulated()) return kStill_m;
  const RealDevice* const real = FindRealDevice(device.substr(0, device.rfind(kEmulator)));
  return real != nullptr ? real->lift_m : kStill_m;
}

Ceilings RigChoice::CeilingsFor(const hal::DeviceCapabilities& can) const {
  const auto declared_N = static_cast<double>(can.peak_force_N);
  const double most_N = declared_N > 0 ? declared_N : 1;  // of a device that declares nothing: a weak push
  Ceilings ceilings{.force_N = force_N.value_or(most_N / 2), .speed_mps = speed_mps, .reach_m = reach_m};
  const auto refuse = [](const char* what, double value, double most) {
    if (!(value > 0 && value <= most)) throw HostError(fmt::format("{} {:g}: give a number up to {:g}", what, value, most));
  };
  refuse("--force", ceilings.force_N, most_N);
  refuse("--speed", ceilings.speed_mps, 2);
  refuse("--reach", ceilings.reach_m, 0.1);
  return ceilings;
}

Ceilings RigChoice::SmallCeilingsFor(const hal::DeviceCapabilities& can) const {
  constexpr double kShare = 0.15;  // above every simulated device's friction (0.02 to 0.08 of its largest force)
  Ceilings ceilings = CeilingsFor(can);
  if (!force_N) ceilings.force_N *= 2 * kShare;
  return ceilings;
}

std::optional<std::array<KnownAxis, 3>> RigChoice::Known() const {
  if (emulated()) return std::nullopt;
  const hal::HandParameters held = HandOf(hand).full;
  std::array<KnownAxis, 3> known;
  const hal::DevicePreset* const preset = hal::FindPreset(device);
  const std::optional<DeviceNumbers> numbers = FileNumbers(device);
  const hal::DeviceParameters of_mass = numbers ? ParametersOf(*numbers) : hal::FalconClass();
  for (std::size_t i = 0; i < 3; ++i) {
    KnownAxis& axis = known[i];
    if (preset != nullptr) {
      const hal::PresetAxis at = hal::AxesAtHandle(*preset)[i];
      const double lag_s = 1 / (2 * std::numbers::pi * preset->bandwidth_Hz);
      axis = {.moves = at.moves,
              .mass_kg = at.mass_kg,
              .damping_Ns_per_m = at.damping_Ns_per_m,
              .coulomb_N = at.coulomb_N,
              .resolution_m = at.resolution_m,
              .delay_s = 1e-6 * (preset->delay_us + preset->jitter_us / 2) + lag_s};
    } else {
      axis = {.moves = true,
              .mass_kg = of_mass.mass_kg,
              .damping_Ns_per_m = of_mass.damping_Ns_per_m,
              .coulomb_N = of_mass.coulomb_N,
              .resolution_m = of_mass.resolution_m,
              .delay_s = numbers ? 1e-6 * kPeriod_us * LateTicksOf(*numbers, kPeriod_us) : 0};
    }
    axis.mass_kg += held.mass_kg;
    axis.damping_Ns_per_m += held.damping_Ns_per_m;
    axis.stiffness_N_per_m = held.stiffness_N_per_m;
  }
  return known;
}

}  // namespace tactus::host
