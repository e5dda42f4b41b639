#pragma once
#include <array>

namespace tactus::host {

/// A handle along one axis, as identification sees it: f = m a + b v + k x + f_c sgn v + f_0.
struct AxisNumbers {
  double mass_kg = 0, damping_Ns_per_m = 0, stiffness_N_per_m = 0, coulomb_N = 0, offset_N = 0;
};

/// A place to be at, with its derivatives.
struct Reference {
  double x_m = 0, v_mps = 0, a_mps2 = 0, j_mps3 = 0;
};

/// Five sines whose frequencies have no common period that matters, so that no two stretches of a run are alike:
///
///     x(t) = s Σ a_i sin(2π r_i f t + φ_i),   r = 0.31, 1, 2.17, 3.59, 5.23 (those below the highest line)
///     a = 0.25, 0.55 of the amplitude for the first two; a_i r_i² = 0.14 of the amplitude for the rest
///
/// It begins with half a second of a smooth rise.
struct Multisine {
  double amplitude_m = 0;  ///< of all lines together, about
  double main_Hz = 0;      ///< f
  double highest_Hz = 45;  ///< faster lines are left out

  Reference At(double t_s) const;
  /// The largest speed, as far as seven seconds show it.
  double Fastest_mps() const;
};

/// What the excitation may take.
struct Budget {
  double rms_N = 0, peak_N = 0, speed_mps = 0, amplitude_m = 0, highest_Hz = 45;
};

/// The fastest motion within the budget, and of those the widest. @param[in] share  of the budget's forces and amplitude
Multisine ChooseMultisine(const AxisNumbers& axis, const Budget& budget, double share);

/// The force that moves the axis so.
double ForceFor(const AxisNumbers& axis, const Reference& r);

}  // namespace tactus::host
