#pragma once
#include "bench/feel/z_width.h"
#include "hal/sim/presets.h"

namespace tactus::bench::presets {

/// Beyond this B (N s/m, the default's) the comparison is told and not judged: the analysis takes the lag of a drive as a
/// delay, and what swings fast feels that it weakens as well; and a tool that is pushed aside slides.
inline constexpr double kHighestJudged_Ns_per_m = 3;

/// What stands between a preset's handle and its force.
enum class Parts {
  kLinear,   ///< its joints, masses, viscous friction, line and drives; no counts, Coulomb friction, ripple
  kCounts,   ///< and its counts
  kShipped,  ///< all there is, and the passivity controller
};

/// A preset that is pressed on the plate and gets a blow by its own motors, a quarter of the press.
struct PresetBlow {
  const hal::DevicePreset* preset;
  Parts parts;
  int late_ticks = 0;  ///< on top of its own line; the controller is told
  double damping_Ns_per_m = 3;
};

/// Whether it swings less and less at this stiffness.
bool Decays(const PresetBlow& blow, double stiffness_N_per_m);

/// What is predicted for it.
struct PresetPrediction {
  double reported_N_per_m = 0;  ///< as `tactus stability` has it: the lowest of all directions
  /// Over the directions in which the plate's blow swings it, and over the observer's two sets of gains.
  feel::PredictedLimit driven;
};
PresetPrediction Predict(const PresetBlow& blow);

/// Largest stiffness that decays, to half a percent. @returns `high` if it decays there, 0 if it does not at `low`
double MeasuredLimit_N_per_m(const PresetBlow& blow, double low_N_per_m, double high_N_per_m);

}  // namespace tactus::bench::presets
