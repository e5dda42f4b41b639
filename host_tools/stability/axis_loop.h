#pragma once
#include <optional>

#include "host_tools/stability/discrete_filter.h"

namespace tactus::host {

/// One axis of a device: what the hand holds, without the hand. For a rotation read N·m, kg·m² and rad.
struct AxisDevice {
  double mass_kg = 0;               ///< m
  double damping_Ns_per_m = 0;      ///< b
  std::optional<double> coulomb_N;  ///< f_c; nothing: nobody has measured it
  double resolution_m = 0;          ///< q, one count; 0: not quantised
  double ideal_m = 1e-6;            ///< a finer count: the servo loop takes the samples as they are
};

/// What the velocity, and with it the force, is made from.
enum class Estimate {
  kShipped,   ///< haptic/handle_estimate.h: an observer with the device's mass and the command; below ideal_m the last step
  kLastStep,  ///< B (y_k - y_(k-1))/T, and K y_k: what [ColgateSchenkel94] has
  kWindow,    ///< the same over `window` samples
  kLowPass,   ///< the last step behind a filter of the first order
};

/// Between sample and force.
struct AxisLoop {
  double period_s = 0.001;       ///< T
  double delay_ticks = 0;        ///< d = t_d/T: from the sample to the force, beyond the hold; fractions allowed
  int declared_delay_ticks = 0;  ///< of them, what the observer has been told
  Estimate estimate = Estimate::kShipped;
  int window = 15;           ///< kWindow: samples
  double cut_off_Hz = 50;    ///< kLowPass
  double declared_mass = 0;  ///< that the observer believes [kg]; 0: the true one
  double tool_mass_kg = 0.1;
};

/// The virtual coupling of an axis.
struct AxisCoupling {
  double stiffness_N_per_m = 0;  ///< K
  double damping_Ns_per_m = 0;   ///< B
};

/// Which linear loop it is. The observer has two sets of gains (haptic/handle_estimate.h, w), and the tool is either held by
/// what it touches or goes along.
enum class Regime {
  kMoving,  ///< tool held, w = 1: the handle moves by more than counts
  kCalm,    ///< tool held, w = 0: it moves within a count or two
  kFree,    ///< tool free, w = 1
};

/// Force on the handle for each position of the handle, f = -H y, as the servo loop has it: the estimate, the coupling of
/// haptic/coupling.h with a tool that is held (v₁ = 0: K x̂ + (T K + B) v̂) or free, the command's way back into the observer.
DiscreteFilter CouplingFilter(const AxisDevice& device, const AxisLoop& loop, const AxisCoupling& coupling, Regime regime);

/// The device from the force that is commanded to the position that is sampled: m x″ + b x′ = f, f held over a period and
/// d periods late, exactly. @param[in] substeps  > 0: as hal/sim steps it, so many implicit steps a period; d whole
DiscreteFilter DevicePlant(const AxisDevice& device, const AxisLoop& loop, int substeps = 0);

}  // namespace tactus::host
