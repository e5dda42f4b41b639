#pragma once
#include <functional>

#include "bench/feel/loop.h"
#include "bench/feel/setup.h"
#include "host_tools/stability/axis_loop.h"

namespace tactus::bench::feel {

/// A swing that a blow begins, and when it counts as one.
struct Swing {
  double size_m = 0;       ///< that the blow makes: no more had begun before it
  double at_rest_m = 0;    ///< rms below which friction has stopped it; a limit cycle of one count has 0.35 counts and more
  double wait_s = 0;       ///< before the blow
  double watched_s = 0.6;  ///< after the blow
  double window_s = 0.1;   ///< at the beginning of that and at its end, by whose rms it is judged
};

/// Whether what `kick` began is smaller at the end than at the beginning, or at rest, and nothing had begun before it.
bool SwingDecays(Loop* loop, double period_s, const Swing& swing, const std::function<void()>& kick);

/// Largest K that decays, between the two, to half a percent by halving the logarithm. @returns `high` if it decays there,
/// 0 if it does not at `low`
double LargestThatDecays(const std::function<bool(double K)>& decays, double low_N_per_m, double high_N_per_m);

/// A handle that is pressed on the plate and gets a blow: does the oscillation grow?
struct Blow {
  LoopSetup setup;              ///< its stiffness and its delay
  double damping_Ns_per_m = 3;  ///< B
  bool controller = false;      ///< the passivity controller works
  double press_N = 2;           ///< a quarter of it is the blow's force: the tool never leaves the plate
};

bool Decays(const Blow& blow);

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
