#include "host_tools/devices/simulated.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "hal/sim/held_sim_device.h"
#include "hal/sim/presets.h"
#include "host_tools/link/host_error.h"
#include "host_tools/report/limit_cycle.h"
#include "host_tools/rig/device_numbers.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

template <class Items>
std::string Names(const Items& items) {
  std::string names;
  for (const auto& item : items) names += (names.empty() ? "" : ", ") + std::string(item.name);
  return names;
}

template <class Items>
std::string Lines(const Items& items) {
  std::string lines;
  for (const auto& item : items) lines += fmt::format("  {:<14} {}\n", item.name, item.what);
  return lines;
}

int InTicks(double delay_us, std::uint32_t period_us) {
  return std::min(static_cast<int>(std::lround(delay_us / period_us)), kMaxCommandDelay_ticks);
}

/// Periods, to the nearest, that a command takes to act: transport and half of the jitter. With the drive's lag the Falcon
/// would be told two, not one, and under a hand that changes its grip the passivity controller would work in 98 % of the
/// ticks, not in 3 %.
int DelayInTicks(const hal::DevicePreset& preset, std::uint32_t period_us) {
  return InTicks(preset.delay_us + preset.jitter_us / 2, period_us);
}

}  // namespace

hal::DeviceParameters ParametersOf(const DeviceNumbers& numbers) {
  constexpr auto kMeasured = hal::Provenance::kDerived;
  hal::DeviceParameters device = hal::FalconClass();
  device.mass_kg = {numbers.mass_kg, kMeasured};
  device.damping_Ns_per_m = {numbers.damping_Ns_per_m, kMeasured};
  device.coulomb_N = {numbers.coulomb_N.value_or(0), kMeasured};
  device.resolution_m = {numbers.resolution_m, kMeasured};
  if (numbers.max_force_N > 0) device.max_force_N = {numbers.max_force_N, kMeasured};
  device.max_torque_Nm = {0, kMeasured};
  return device;
}

int LateTicksOf(const DeviceNumbers& numbers, std::uint32_t period_us) { return InTicks(1e6 * numbers.delay_s, period_us); }

const hal::Hand& HandNamed(const std::string& name) {
  for (const hal::Hand& hand : hal::Hands()) {
    if (name == hand.name) return hand;
  }
  throw HostError(fmt::format("no hand '{}'; there is: {}", name, HandNames()));
}

std::string PresetNames() { return Names(hal::DevicePresets()); }
std::string HandNames() { return Names(hal::Hands()); }
std::string PresetList() { return Lines(hal::DevicePresets()); }
std::string HandList() { return Lines(hal::Hands()); }

void SimulatedChoice::AddHandOption(CLI::App* command) {
  command
      ->add_option("--hand", hand,
                   "on the simulated device at the host: " + HandNames() + "; list: what they are (docs/presets.md)")
      ->capture_default_str()
      ->check([](const std::string& name) -> std::string {
        if (name == "list") return "";
        const auto hands = hal::Hands();
        const bool known = std::any_of(hands.begin(), hands.end(), [&](const hal::Hand& h) { return name == h.name; });
        return known ? "" : fmt::format("no hand '{}'; there is: {}", name, HandNames());
      });
}

std::unique_ptr<hal::HeldDevice> SimulatedChoice::Make(const hal::HandScript& script, std::uint64_t seed,
                                                       std::uint32_t period_us) const {
  const hal::Hand& held = HandNamed(hand);
  if (preset() != nullptr)
    return hal::MakePreset(*preset(), {.hand = held, .script = script, .seed = seed, .period_us = period_us});
  if (is_file()) {
    const DeviceNumbers numbers = ReadDeviceNumbers(device);
    return std::make_unique<hal::HeldSimDevice>(held, script, seed, period_us, ParametersOf(numbers),
                                                LateTicksOf(numbers, period_us));
  }
  return std::make_unique<hal::HeldSimDevice>(held, script, seed, period_us);
}

Config<double> SimulatedChoice::ConfigOf(std::uint32_t period_us) const {
  Config<double> config = PegInHoleConfig();
  if (is_file()) {
    const DeviceNumbers numbers = ReadDeviceNumbers(device);
    config.device.mass_kg = numbers.mass_kg;
    config.device.resolution_m = numbers.resolution_m;
    config.device.command_delay_ticks = LateTicksOf(numbers, period_us);
    if (numbers.max_force_N > 0) config.limits.max_force_N = numbers.max_force_N;
  }
  if (preset() == nullptr) return config;
  const hal::PresetAtHandle at = hal::AtHandle(*preset());
  config.device.mass_kg = at.mass_kg;
  config.device.resolution_m = at.resolution_m;
  if (preset()->turns) config.device.resolution_rad = preset()->gimbal_count_rad;
  config.device.command_delay_ticks = DelayInTicks(*preset(), period_us);
  config.limits.max_force_N = preset()->max_force_N;
  return config;
}

namespace {

/// Along which axes of W the handle of a preset moves, and what is lost along the others.
std::string MovesAlong(const hal::DevicePreset& preset) {
  const std::array<hal::PresetAxis, 3> axes = hal::AxesAtHandle(preset);
  std::string moves, lost;
  for (std::size_t i = 0; i < 3; ++i) {
    std::string& names = axes[i].moves ? moves : lost;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", "xyz"[i]);
  }
  if (lost.empty()) return "moves along x, y, z; torques are not felt";
  return fmt::format(
      "moves along {} alone: along {} neither the hand's motion nor a force is there, and torques are not felt", moves,
      lost);
}

}  // namespace

std::vector<std::string> SimulatedChoice::Expect(const CouplingConfig<double>& coupling) const {
  hal::DeviceParameters numbers = hal::FalconClass();
  const std::string in_hand = fmt::format("in a hand: {}", HandNamed(hand).what);
  if (is_file()) {
    const DeviceNumbers device_numbers = ReadDeviceNumbers(device);
    const double late_ms = 1e3 * device_numbers.delay_s;
    return {fmt::format("{}: one mass with the numbers of {}", device_numbers.name, device),
            fmt::format("at the handle {:.3g} kg, count {:.3g} um, friction {:.2g} N; command {:.3g} ms late",
                        device_numbers.mass_kg, 1e6 * device_numbers.resolution_m, device_numbers.coulomb_N.value_or(0),
                        late_ms),
            LimitCycleReport(ParametersOf(device_numbers), coupling).front(), in_hand};
  }
  if (preset() == nullptr) {
    std::vector<std::string> sentences = LimitCycleReport(numbers, coupling);
    if (hand != SimulatedChoice().hand) sentences.push_back(in_hand);
    return sentences;
  }
  const hal::PresetAtHandle at = hal::AtHandle(*preset());
  numbers.resolution_m.value = at.resolution_m;
  numbers.coulomb_N.value = at.coulomb_N;
  return {fmt::format("{} (simulated; docs/presets.md)", preset()->what),
          fmt::format("at the handle {:.3g} kg, count {:.3g} um, friction {:.2g} N; command {:.3g} ms late", at.mass_kg,
                      1e6 * at.resolution_m, at.coulomb_N, 1e-3 * preset()->delay_us),
          MovesAlong(*preset()), LimitCycleReport(numbers, coupling).front(), in_hand};
}

}  // namespace tactus::host
