#pragma once
#include "bench/feel/loop.h"
#include "bench/feel/setup.h"

namespace tactus::bench::feel {

/// A strong hand that moves the handle up and down on the plate, always pressing.
struct Sway {
  double amplitude_m = 0;
  double frequency_Hz = 0;  ///< a whole number of cycles in kSwayMeasured_s
  double depth_m = 0.002;   ///< of the middle of the movement, inside the plate
};
inline constexpr double kSwaySettle_s = 1.0, kSwayMeasured_s = 1.0;
Motion SwayMotion(const Sway& sway);

/// How the force follows the hand, against an ideal sensor: exact position e and velocity v in the coupling's own equation
/// against a wall that does not move,
///
///     F(t) = -K e - (h K + B) v
///
struct Following {
  double lag_rad = 0;  ///< of the force against the ideal one; > 0: late
  double gain = 1;     ///< its amplitude, of the ideal one
  /// b that would take the same work from the hand: work of the hand in the cycles / (π ω A²) each. Ideal: B + h K/2, for
  /// the command is held over the period.
  double damping_Ns_per_m = 0;

  double Delay_s(double frequency_Hz) const;
};

/// @param[in] setup  its stiffness is that of the ideal loop; the damping is the default Config's
Following MeasureFollowing(const LoopSetup& setup, const Sway& sway, Controller* controller);
/// … of the whole tick.
Following MeasureFollowing(const LoopSetup& setup, const Sway& sway);

}  // namespace tactus::bench::feel
