#pragma once
#include <memory>
#include <vector>

#include "bench/feel/loop.h"
#include "hal/sim/presets.h"

namespace tactus::bench::presets {

/// What a command's way to the handle takes, beyond the hold.
struct Delay {
  double stated_s = 0;    ///< delay + half of the jitter + 1/(2π bandwidth)
  double measured_s = 0;  ///< area above the answer to a step, mean of several
};

/// How the loop is with a hand that holds this device against a plate, or moves it freely.
struct Touch {
  double hold_N = 0;    ///< rms of the command's vector in 100-500 Hz; the worst place
  double free_N = 0;    ///< the same, moved up and down without contact
  double step_N = 0;    ///< largest change from one command to the next, in holds
  double rest_mps = 0;  ///< rms speed of the true handle, held by a hand without unrest; the worst place
  double active = 0;    ///< share of the ticks in which the passivity controller worked
  int holds = 0, faults = 0;
};

/// The demo's Config for this device, its plate so that the peg stands on it with the handle at a height of `top_m`, far
/// from its hole.
Config<double> ConfigFor(const hal::DevicePreset& preset, double top_m);

Delay MeasureDelay(const hal::DevicePreset& preset);

/// @param places  of the plate, in which the counts stand differently
Touch MeasureTouch(const hal::DevicePreset& preset, const hal::Hand& hand, int places, std::uint64_t seed);

}  // namespace tactus::bench::presets
