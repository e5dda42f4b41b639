#pragma once
#include "tactus/device/transmission.h"

namespace tactus {

/// I²t: how hot a winding is, as the mean square of its current over its thermal time T.
///
///     x ← x + (Δt/T) (I² - x)          a first-order model of the winding; x ≤ I_c² is what it bears for ever
template <class Scalar>
struct MotorHeat {
  Scalar mean_square_A2 = 0;
};

/// The largest current that this tick allows, in [0, max_current].
///
///     room = (I_c² - x)/I_c²,  I² = I_c² + (I_max² - I_c²) min(1, 2 room)       full until half the budget is spent, then
///     less I² ≤ x + (I_c² - x) T/Δt                                                  so that x never exceeds I_c²
///
/// A state that is not a number, or below 0, allows nothing.
template <class Scalar>
Scalar AllowedCurrent(const MotorCalibration<Scalar>& m, const MotorHeat<Scalar>& heat, Scalar period_s) noexcept {
  const Scalar x = heat.mean_square_A2, steady2 = m.continuous_current_A * m.continuous_current_A;
  if (!(x >= Scalar(0) && IsFinite(x))) return Scalar(0);
  const Scalar room = Max(steady2 - x, Scalar(0));
  const Scalar fold = Min(Scalar(2) * room / steady2, Scalar(1));
  const Scalar folded2 = steady2 + (m.max_current_A * m.max_current_A - steady2) * fold;
  const Scalar exact2 = x > steady2 ? steady2 : x + room * (m.thermal_time_s / period_s);
  return Min(Sqrt(Min(folded2, exact2)), m.max_current_A);
}

/// Carries the heat over one tick in which `current_A` flowed. A current that is not a number counts as the
/// largest, one above ten times the largest as that: the state stays a number and recovers.
template <class Scalar>
void StepHeat(const MotorCalibration<Scalar>& m, Scalar current_A, Scalar period_s, MotorHeat<Scalar>* heat) noexcept {
  const Scalar flowed = IsFinite(current_A) ? Min(Abs(current_A), Scalar(10) * m.max_current_A) : m.max_current_A;
  heat->mean_square_A2 += (period_s / m.thermal_time_s) * (flowed * flowed - heat->mean_square_A2);
}

}  // namespace tactus
