#pragma once
#include <string>
#include <vector>

#include "host_tools/stability/axis_loop.h"

namespace tactus::host {

/// Which condition is the first to end as K grows.
enum class StabilityLimit {
  kNone,        ///< none below the largest stiffness that is searched
  kMovingPole,  ///< the loop with the tool held oscillates and grows
  kCalmPole,    ///< … within a count or two, and no friction holds it there
  kFreePole,    ///< the loop with the tool free grows
  kDevice,      ///< passivity: the device's damping
  kFriction,    ///< passivity: Coulomb friction against a count
};

const char* Name(StabilityLimit limit);

/// A largest stiffness, and what ends it.
struct LargestStiffness {
  double N_per_m = 0;
  StabilityLimit by = StabilityLimit::kNone;
};

/// What is to be expected of an axis before any force goes out; of several, the worst of each.
struct StabilityReport {
  /// Wrong input by its name, "mass_kg must be above 0"; empty: the rest is valid.
  std::string refusal;
  int first = 0;  ///< of several axes, the one whose largest stable K is the lowest

  /// Largest K at this B at which the linear loop without a hand is stable in every regime. Within a count friction may hold
  /// what would grow: up to 2 f_c/q, where f_c is known, that regime does not count.
  LargestStiffness stable;
  double stable_moving_N_per_m = 0, stable_calm_N_per_m = 0, stable_free_N_per_m = 0;
  double growth = 0;  ///< largest |z| of the closed loop at this K and B, of the regimes that count; > 1: unstable
  /// Largest K at this B at which the loop is passive with any hand; 0: at none.
  LargestStiffness passive;
  double needed_damping_Ns_per_m = 0;  ///< b that passivity asks for at this K and B; infinite: H(z) is unstable

  // Slow against T: a wall at the handle, and the loop's own coupling looks a period ahead, K x + (B + T K) v.
  double stable_closed_form_N_per_m = 0;   ///< (b + B)/(t_d + T/2), own: (b + B)/(t_d - T/2), infinite at t_d < T/2
  double passive_closed_form_N_per_m = 0;  ///< (b - B)/(t_d + T/2), own: (b - B)/(t_d + 3 T/2); not below 0
  double friction_N_per_m = 0;             ///< 2 f_c/q [AbbottOkamura05]; infinite: no count; NaN: f_c unknown

  bool is_stable = false;
  bool is_passive = false;
  bool hunts = false;  ///< limit cycle at the edge of a count, f_c < K q/2; false if f_c is unknown
};

/// Passivity, stability and limit cycle, and what would be good: docs/stability.md has the equations.
///
/// Axes       each by itself, and all under the same loop and coupling (AxesOf, device_model.h). At least one
/// Stability  all eigenvalues of device (exact, held, delayed) and H(z) inside the unit circle; K by bisection
/// Passivity  b > (T/2) max over 0 < ω ≤ π/T of Re{(1 - exp(-jωT)) H(exp(jωT)) exp(-jω t_d)}/(1 - cos ωT)
///            [ColgateSchenkel94], K by bisection, and K ≤ 2 f_c/q [AbbottOkamura05]
/// Cost       some 10 ms: configuration time, on the host
/// Errors     what is not finite or out of range is refused by name; then nothing else is valid
StabilityReport Analyse(const std::vector<AxisDevice>& axes, const AxisLoop& loop, const AxisCoupling& coupling);

/// Whether the linear loop is stable on every axis, in every regime that counts. @returns false: the input is wrong as well
bool IsStable(const std::vector<AxisDevice>& axes, const AxisLoop& loop, const AxisCoupling& coupling);

/// A coupling with a margin, and why it is this one.
struct Recommendation {
  AxisCoupling coupling;
  std::string why;
};
/// At most half of the largest stable K, stable with a command that is one period late as well, no more than friction holds
/// still; with the least damping that gives it. The input is good.
/// @param[in] highest_N_per_m  that a Config takes
Recommendation Recommend(const std::vector<AxisDevice>& axes, const AxisLoop& loop, double highest_N_per_m);

/// Largest K at which the loop is stable in this regime, from below: a stiffness above it may be stable again.
/// @param[in] substeps  as DevicePlant
double LargestStable_N_per_m(const AxisDevice& device, const AxisLoop& loop, double damping_Ns_per_m, Regime regime,
                             int substeps = 0);

/// The device's damping that passivity asks for under f = -H y; infinite if H is not stable.
double NeededDamping_Ns_per_m(const DiscreteFilter& H, double period_s, double delay_ticks);

/// Points of the boundary in the plane of K and B.
struct ZWidthPoint {
  double damping_Ns_per_m = 0, stable_N_per_m = 0, passive_N_per_m = 0;
};
std::vector<ZWidthPoint> ZWidth(const std::vector<AxisDevice>& axes, const AxisLoop& loop, double largest_damping_Ns_per_m,
                                int points);

}  // namespace tactus::host
