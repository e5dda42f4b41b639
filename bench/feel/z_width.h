#pragma once
#include "bench/feel/setup.h"
#include "host_tools/stability/axis_loop.h"

namespace tactus::bench::feel {

/// A handle that is pressed on the plate and gets a blow: does the oscillation grow?
struct Blow {
  LoopSetup setup;                           ///< its stiffness and its delay
  double damping_Ns_per_m = 3;               ///< B
  bool controller = false;                   ///< the passivity controller works
  double press_N = 2;                        ///< a quarter of it is the blow's force: the tool never leaves the plate
  static constexpr double kWatched_s = 0.6;  ///< after the blow
};

/// Whether what the blow began is smaller at the end than at the beginning, or at rest, and nothing had begun before it.
bool Decays(const Blow& blow);

/// Largest K that Decays, between the two, to half a percent by halving the logarithm. @returns `high` if it decays there,
/// 0 if it does not at `low`
double MeasuredLimit_N_per_m(Blow blow, double low_N_per_m, double high_N_per_m);

/// What is predicted for it, by the two sets of gains that the observer goes between.
struct PredictedLimit {
  double low_N_per_m = 0, high_N_per_m = 0;

  /// How far a measured limit is outside the two [%]; 0: between them.
  double Outside_percent(double measured_N_per_m) const;
};
/// @param[in] exact  the exact device, not hal/sim's with its steps
PredictedLimit PredictLimit(const Blow& blow, bool exact);

}  // namespace tactus::bench::feel
