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

/// One sine whose frequency and amplitude go up and down slowly, with periods P = 4.3 s and Q = 3.1 s:
///
///     x(t) = A s(t) sin θ(t),   θ′ = 2π f ((1 + c) + (1 - c) cos(2πt/P))/2,   s = 1 - d (1 - cos(2πt/Q))/2
///
/// with c = 0.22, d = 0.55. One line at a time: m a is then a function of the place over a cycle, and so is what a motor's
/// ripple makes of it, which does no work over a cycle. So what takes energy, b and f_c, and the delay are found beside a
/// ripple that is larger than they are; of two lines at once it would be in them. It begins with half a second of a smooth
/// rise.
struct Sweep {
  double amplitude_m = 0;  ///< A
  double main_Hz = 0;      ///< f, the highest

  Reference At(double t_s) const;
  /// The largest speed, of fifteen seconds.
  double Fastest_mps() const;
};

/// What the excitation may take.
struct Budget {
  double rms_N = 0, peak_N = 0, speed_mps = 0, amplitude_m = 0;
};

/// The fastest motion within the budget, and of those the widest. @param[in] share  of the budget's forces and amplitude
Sweep ChooseSweep(const AxisNumbers& axis, const Budget& budget, double share);

/// The force that moves the axis so.
double ForceFor(const AxisNumbers& axis, const Reference& r);

}  // namespace tactus::host
