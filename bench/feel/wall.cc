#include "bench/feel/wall.h"

#include <cmath>
#include <numbers>

#include "bench/feel/spectrum.h"

namespace tactus::bench::feel {
namespace {

constexpr double kPlaceX_m = 0.045, kPlaceY_m = 0.005;  // on the plate, away from the hole

double Omega_radps(const Sway& sway) { return 2 * std::numbers::pi * sway.frequency_Hz; }

/// The ideal force's phasor for z = A Re(exp(jωt)), t = 0 at the first measured sample.
std::complex<double> IdealForce(const LoopSetup& setup, const Sway& sway) {
  const CouplingConfig<double> coupling = ConfigFor(setup).coupling;
  const double z_Ns_per_m = kPeriod_s * coupling.stiffness_N_per_m + coupling.damping_Ns_per_m;
  const std::complex<double> z_m = std::polar(sway.amplitude_m, Omega_radps(sway) * kSwaySettle_s);
  return -(coupling.stiffness_N_per_m + std::complex<double>(0, Omega_radps(sway)) * z_Ns_per_m) * z_m;
}

}  // namespace

Motion SwayMotion(const Sway& sway) {
  const double middle_m = RestHeight_m() - sway.depth_m, omega_radps = Omega_radps(sway);
  return [=](double t_s) { return Vec3(kPlaceX_m, kPlaceY_m, middle_m + sway.amplitude_m * std::cos(omega_radps * t_s)); };
}

double Following::Delay_s(double frequency_Hz) const { return lag_rad / (2 * std::numbers::pi * frequency_Hz); }

// The hand comes from above: a tool that is placed inside an obstacle gives no force.
Following MeasureFollowing(const LoopSetup& setup, const Sway& sway, Controller* controller) {
  constexpr double kClear_m = 0.004, kApproach_s = 0.5;
  const Motion on_plate = SwayMotion(sway);
  const Motion motion = [=](double t_s) {
    const double left = std::max(0.0, 1 - t_s / kApproach_s);
    return Vec3(on_plate(t_s) + Vec3(0, 0, (sway.depth_m + kClear_m) * left));
  };
  LedHandle handle(motion, setup.device.resolution_m);
  Loop loop(&handle, controller, setup.late_ticks);
  const std::vector<Period> periods = loop.Run(kSwaySettle_s + kSwayMeasured_s);
  std::vector<double> force_N;
  double work_J = 0;
  for (std::size_t k = static_cast<std::size_t>(Ticks(kSwaySettle_s)); k < periods.size(); ++k) {
    force_N.push_back(periods[k].answer.force_N().z());
    work_J -= periods[k].work_J;
  }
  const std::complex<double> ratio = Phasor(force_N, sway.frequency_Hz) / IdealForce(setup, sway);
  const double cycles = kSwayMeasured_s * sway.frequency_Hz;
  const double square = sway.amplitude_m * sway.amplitude_m;
  return {.lag_rad = -std::arg(ratio),
          .gain = std::abs(ratio),
          .damping_Ns_per_m = work_J / (cycles * std::numbers::pi * Omega_radps(sway) * square)};
}

Following MeasureFollowing(const LoopSetup& setup, const Sway& sway) {
  TickController controller(ConfigFor(setup));
  return MeasureFollowing(setup, sway, &controller);
}

}  // namespace tactus::bench::feel
