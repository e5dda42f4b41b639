#include "host_tools/rig/excitation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::host {
namespace {

// Two periods without a common one that matters: of the amplitude and of the frequency. Slow, so that a cycle is nearly
// closed.
constexpr double kSwell_s = 3.1, kDeep = 0.55;  // the amplitude goes down by this share and back
constexpr double kChirp_s = 4.3, kSlow = 0.22;  // the frequency goes down to this share of f and back

constexpr double kRise_s = 0.5;

/// The rise w = 10 u³ - 15 u⁴ + 6 u⁵ of u = t/kRise_s, and its derivatives.
Reference Rise(double t_s) {
  const double u = t_s / kRise_s, T = kRise_s;
  if (u >= 1) return {.x_m = 1};
  return {.x_m = u * u * u * (10 + u * (-15 + 6 * u)),
          .v_mps = u * u * (30 + u * (-60 + 30 * u)) / T,
          .a_mps2 = u * (60 + u * (-180 + 120 * u)) / (T * T),
          .j_mps3 = (60 + u * (-360 + 360 * u)) / (T * T * T)};
}

struct Load {
  double rms_N = 0, peak_N = 0, speed_mps = 0;
};

Load LoadOf(const AxisNumbers& axis, const Sweep& sine) {
  Load load;
  constexpr int kSteps = 3000;
  for (int i = 0; i < kSteps; ++i) {
    const Reference r = sine.At(kRise_s + 0.0051 * i);
    const double f = ForceFor(axis, r);
    load.rms_N += f * f / kSteps;
    load.peak_N = std::max(load.peak_N, std::abs(f));
    load.speed_mps = std::max(load.speed_mps, std::abs(r.v_mps));
  }
  load.rms_N = std::sqrt(load.rms_N);
  return load;
}

}  // namespace

// x = s q with q = sin θ:  q′ = θ′ cos θ,  q″ = θ″ cos θ - θ′² sin θ,  q‴ = (θ‴ - θ′³) cos θ - 3 θ′ θ″ sin θ.
Reference Sweep::At(double t_s) const {
  constexpr double u = 2 * std::numbers::pi / kSwell_s, w = 2 * std::numbers::pi / kChirp_s;
  const double f = 2 * std::numbers::pi * main_Hz, mean = f * (1 + kSlow) / 2, swing = f * (1 - kSlow) / 2;
  const double theta = mean * t_s + swing / w * std::sin(w * t_s), theta1 = mean + swing * std::cos(w * t_s),
               theta2 = -swing * w * std::sin(w * t_s), theta3 = -swing * w * w * std::cos(w * t_s);
  const double c = std::cos(theta), q = std::sin(theta), q1 = theta1 * c, q2 = theta2 * c - theta1 * theta1 * q,
               q3 = (theta3 - theta1 * theta1 * theta1) * c - 3 * theta1 * theta2 * q;
  const double deep = amplitude_m * kDeep / 2;
  const double s = amplitude_m - deep + deep * std::cos(u * t_s), s1 = -deep * u * std::sin(u * t_s),
               s2 = -deep * u * u * std::cos(u * t_s), s3 = deep * u * u * u * std::sin(u * t_s);
  const Reference x{.x_m = s * q,
                    .v_mps = s1 * q + s * q1,
                    .a_mps2 = s2 * q + 2 * s1 * q1 + s * q2,
                    .j_mps3 = s3 * q + 3 * s2 * q1 + 3 * s1 * q2 + s * q3};
  const Reference r = Rise(t_s);
  return {.x_m = r.x_m * x.x_m,
          .v_mps = r.x_m * x.v_mps + r.v_mps * x.x_m,
          .a_mps2 = r.x_m * x.a_mps2 + 2 * r.v_mps * x.v_mps + r.a_mps2 * x.x_m,
          .j_mps3 = r.x_m * x.j_mps3 + 3 * r.v_mps * x.a_mps2 + 3 * r.a_mps2 * x.v_mps + r.j_mps3 * x.x_m};
}

double Sweep::Fastest_mps() const { return LoadOf({}, *this).speed_mps; }

double ForceFor(const AxisNumbers& axis, const Reference& r) {
  constexpr double kSoft_mps = 0.004;  // the sign's ramp, so that a force does not chatter
  const double sign = std::clamp(r.v_mps / kSoft_mps, -1.0, 1.0);
  return axis.mass_kg * r.a_mps2 + axis.damping_Ns_per_m * r.v_mps + axis.stiffness_N_per_m * r.x_m + axis.coulomb_N * sign +
         axis.offset_N;
}

Sweep ChooseSweep(const AxisNumbers& axis, const Budget& budget, double share) {
  // If nothing is within the budget: too little for a fit, which says so.
  Sweep best{.amplitude_m = 0.04 * budget.amplitude_m, .main_Hz = 2};
  double best_mHz = -1;
  const double rub_N = std::min(axis.coulomb_N, 0.8 * budget.rms_N);  // friction is not shared
  const double rms_N = rub_N + share * (budget.rms_N - rub_N), peak_N = rub_N + share * (budget.peak_N - rub_N);
  for (double s = 1; s > 0.04; s *= 0.85) {
    for (double f = 9; f >= 1; f /= 1.12) {
      const Sweep sine{.amplitude_m = s * share * budget.amplitude_m, .main_Hz = f};
      const Load load = LoadOf(axis, sine);
      if (load.rms_N > rms_N || load.peak_N > peak_N || load.speed_mps > budget.speed_mps) continue;
      if (s * f > 1.1 * best_mHz) {
        best_mHz = s * f;
        best = sine;
      }
      break;  // slower ones are worse
    }
  }
  return best;
}

}  // namespace tactus::host
