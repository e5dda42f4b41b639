#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "hal/sim/hand_script.h"
#include "hal/sim/hands.h"
#include "hal/sim/held_device.h"
#include "hal/sim/preset_numbers.h"

namespace tactus::hal {

/// What a simulated device is made with.
struct PresetRequest {
  Hand hand = {};
  HandScript script = {};  ///< outlives the device
  std::uint64_t seed = 1;
  std::uint32_t period_us = 1000;
};

/// What a controller is told of a device, computed from its numbers where the hand's work is: at W's origin.
struct PresetAtHandle {
  double mass_kg = 0;       ///< mean of the directions in which it moves, without a hand
  double resolution_m = 0;  ///< largest over the axes of the root of the sum of squares of a count of each motor
  double coulomb_N = 0;     ///< smallest over the directions in which one axis of W moves
  double damping_Ns_per_m = 0;
  double max_force_N = 0;  ///< smallest peak over those directions, with all motors within their currents
};

/// The handle's own numbers along one axis of W, at W's origin and without a hand, if the others are held.
struct PresetAxis {
  bool moves = false;
  double mass_kg = 0, damping_Ns_per_m = 0, coulomb_N = 0;
  double resolution_m = 0;  ///< root of the sum of squares of a count of each motor
};

/// What the handle is in all directions at once, in W, at its origin and without a hand; 0 along those in which it cannot
/// move.
struct HandleMatrices {
  Mat<double, 3, 3> mass_kg = Mat<double, 3, 3>::Zero(), damping_Ns_per_m = Mat<double, 3, 3>::Zero();
};

std::unique_ptr<HeldDevice> MakePreset(const DevicePreset& preset, const PresetRequest& request);
PresetAtHandle AtHandle(const DevicePreset& preset);
/// x, y, z.
std::array<PresetAxis, 3> AxesAtHandle(const DevicePreset& preset);
HandleMatrices MatricesAtHandle(const DevicePreset& preset);

}  // namespace tactus::hal
