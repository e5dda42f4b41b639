#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "hal/sim/parameters.h"

namespace tactus::hal {

/// A number and where it is from.
struct Sourced {
  double value = 0;
  Provenance provenance = Provenance::kAssumed;
  const char* source = "";

  constexpr operator double() const { return value; }
};

constexpr const char* Name(Provenance provenance) {
  switch (provenance) {
    case Provenance::kVendor: return "vendor";
    case Provenance::kLibrary: return "library";
    case Provenance::kPublished: return "published";
    case Provenance::kDerived: return "derived";
    case Provenance::kAssumed: return "assumed";
    case Provenance::kRecalled: return "recalled";
  }
  return "unknown";
}

/// One motor and the joint that it drives.
struct PresetJoint {
  Sourced counts_per_turn = {}, turns_per_joint_turn = {};  ///< of the motor's shaft, all edges; N
  Sourced torque_constant_Nm_per_A = {}, max_current_A = {}, continuous_current_A = {}, thermal_time_s = {};
  Sourced inertia_kgm2 = {};  ///< rotor and drum, at the joint
  Sourced damping_Nms_per_rad = {}, coulomb_Nm = {};
  Sourced ripple = {}, cogging_Nm = {}, waves_per_turn = {};  ///< share of the torque; at the shaft; a turn of the shaft
};

/// A simulated device with all its numbers.
struct DevicePreset {
  const char* name;
  const char* what;
  int motors;
  bool turns = false;  ///< a gimbal is measured, and not driven
  const char* mechanism;
  Sourced geometry = {};  ///< its value means nothing: lengths are in `mechanism`
  std::array<PresetJoint, 3> joint = {};
  Sourced link_kg = {}, fore_kg = {},
          handle_kg = {};  ///< docs/presets.md says which part each is; 0 of a device that has none
  Sourced gimbal_count_rad = {};
  Sourced bandwidth_Hz = {}, delay_us = {}, jitter_us = {};
  Sourced max_force_N = {};  ///< what a Config asks of it at most
};

std::span<const DevicePreset> DevicePresets();
/// @returns nullptr: no such name
const DevicePreset* FindPreset(std::string_view name);

}  // namespace tactus::hal
