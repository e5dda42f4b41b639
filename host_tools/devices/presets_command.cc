#include "host_tools/devices/presets_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "hal/sim/presets.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

/// 1280, 0.00955, 9e-05
std::string Digits(double value) { return fmt::format("{:.4g}", value); }

std::string Row(const char* what, const std::string& value, const hal::Sourced& number) {
  return fmt::format("| {} | {} | {}: {} |\n", what, value, Name(number.provenance), number.source);
}

/// A number of every joint: one value where they are alike.
std::string JointRow(const hal::DevicePreset& preset, const char* what, const hal::Sourced hal::PresetJoint::*number) {
  const hal::Sourced& first = preset.joint[0].*number;
  std::string values = Digits(first.value);
  bool alike = true;
  for (std::size_t i = 1; i < static_cast<std::size_t>(preset.motors); ++i) {
    const hal::Sourced& next = preset.joint[i].*number;
    alike = alike && next.value == first.value;
    values += ", " + Digits(next.value);
  }
  return Row(what, alike ? Digits(first.value) : values, first);
}

std::string JointRows(const hal::DevicePreset& preset) {
  using J = hal::PresetJoint;
  return JointRow(preset, "counts a turn of the shaft", &J::counts_per_turn) +
         JointRow(preset, "N", &J::turns_per_joint_turn) +
         JointRow(preset, "torque constant [N m/A]", &J::torque_constant_Nm_per_A) +
         JointRow(preset, "largest current [A]", &J::max_current_A) +
         JointRow(preset, "continuous current [A]", &J::continuous_current_A) +
         JointRow(preset, "thermal time [s]", &J::thermal_time_s) +
         JointRow(preset, "inertia at the joint [kg m²]", &J::inertia_kgm2) +
         JointRow(preset, "viscous friction at the joint [N m s/rad]", &J::damping_Nms_per_rad) +
         JointRow(preset, "Coulomb friction at the joint [N m]", &J::coulomb_Nm) +
         JointRow(preset, "torque ripple, share", &J::ripple) +
         JointRow(preset, "cogging at the shaft [N m]", &J::cogging_Nm) +
         JointRow(preset, "waves of both a turn of the shaft", &J::waves_per_turn);
}

std::string MassRows(const hal::DevicePreset& preset) {
  std::string rows;
  if (preset.link_kg > 0)
    rows += Row("mass of a crank's end, elbow, paddle or upper link [kg]", Digits(preset.link_kg), preset.link_kg);
  if (preset.fore_kg > 0) rows += Row("mass of the forearm [kg]", Digits(preset.fore_kg), preset.fore_kg);
  if (preset.handle_kg > 0) rows += Row("mass at the handle [kg]", Digits(preset.handle_kg), preset.handle_kg);
  return rows;
}

std::string TableOf(const hal::DevicePreset& preset) {
  std::string text =
      fmt::format("### `{}`: {}\n\n| number | value | mark: source |\n|---|---|---|\n", preset.name, preset.what);
  text += Row("mechanism", preset.mechanism, preset.geometry) + JointRows(preset) + MassRows(preset);
  if (preset.turns) text += Row("a count of the gimbal [rad]", Digits(preset.gimbal_count_rad), preset.gimbal_count_rad);
  text += Row("bandwidth of the drive [Hz]", Digits(preset.bandwidth_Hz), preset.bandwidth_Hz) +
          Row("transport delay [µs]", Digits(preset.delay_us), preset.delay_us) +
          Row("jitter on top, 0 to [µs]", Digits(preset.jitter_us), preset.jitter_us) +
          Row("largest force that is asked for [N]", Digits(preset.max_force_N), preset.max_force_N);
  const hal::PresetAtHandle at = hal::AtHandle(preset);
  text += fmt::format(
      "\nComputed at the middle of its workspace, without a hand: {:.3f} kg, a count {:.1f} µm, friction {:.3f} N, damping "
      "{:.2f} N s/m, peak {:.1f} N.\n",
      at.mass_kg, 1e6 * at.resolution_m, at.coulomb_N, at.damping_Ns_per_m, at.max_force_N);
  return text;
}

}  // namespace

std::string PresetTables(const std::string& name) {
  if (!name.empty()) {
    const hal::DevicePreset* const preset = hal::FindPreset(name);
    if (preset == nullptr) throw HostError(fmt::format("no preset '{}'; there is: {}", name, PresetNames()));
    return TableOf(*preset);
  }
  std::string text;
  for (const hal::DevicePreset& preset : hal::DevicePresets()) text += (text.empty() ? "" : "\n") + TableOf(preset);
  return text;
}

void AddPresetsCommand(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const command =
      app.add_subcommand("presets", "Print the numbers of the simulated devices, and where each is from (Markdown)");
  command->add_option("NAME", *name, "one of: " + PresetNames() + " (default: all)");
  command->callback([name] {
    fmt::print("{}", PresetTables(*name));
    if (std::fflush(stdout) != 0) throw HostError("cannot write the tables to standard output");
  });
}

}  // namespace tactus::host
