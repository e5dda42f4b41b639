#include "host_tools/rig/excitation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::host {
namespace {

struct Line {
  double ratio, share, phase_rad;
};
constexpr Line kLines[] = {{0.31, 0.25, 0},
                           {1, 0.55, 1.1},
                           {2.17, 0.14 / (2.17 * 2.17), 2.9},
                           {3.59, 0.14 / (3.59 * 3.59), 4.4},
                           {5.23, 0.14 / (5.23 * 5.23), 0.7}};

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

Load LoadOf(const AxisNumbers& axis, const Multisine& sine) {
  Load load;
  constexpr int kSteps = 1500;
  for (int i = 0; i < kSteps; ++i) {
    const Reference r = sine.At(kRise_s + 0.0047 * i);
    const double f = ForceFor(axis, r);
    load.rms_N += f * f / kSteps;
    load.peak_N = std::max(load.peak_N, std::abs(f));
    load.speed_mps = std::max(load.speed_mps, std::abs(r.v_mps));
  }
  load.rms_N = std::sqrt(load.rms_N);
  return load;
}

}  // namespace

Reference Multisine::At(double t_s) const {
  Reference s;
  for (const Line& line : kLines) {
    const double f = line.ratio * main_Hz, w = 2 * std::numbers::pi * f;
    if (f > highest_Hz) continue;
    const double a = line.share * amplitude_m, c = std::cos(w * t_s + line.phase_rad),
                 q = std::sin(w * t_s + line.phase_rad);
    s.x_m += a * q;
    s.v_mps += a * w * c;
    s.a_mps2 -= a * w * w * q;
    s.j_mps3 -= a * w * w * w * c;
  }
  const Reference r = Rise(t_s);
  return {.x_m = r.x_m * s.x_m,
          .v_mps = r.x_m * s.v_mps + r.v_mps * s.x_m,
          .a_mps2 = r.x_m * s.a_mps2 + 2 * r.v_mps * s.v_mps + r.a_mps2 * s.x_m,
          .j_mps3 = r.x_m * s.j_mps3 + 3 * r.v_mps * s.a_mps2 + 3 * r.a_mps2 * s.v_mps + r.j_mps3 * s.x_m};
}

double Multisine::Fastest_mps() const { return LoadOf({}, *this).speed_mps; }

double ForceFor(const AxisNumbers& axis, const Reference& r) {
  constexpr double kSoft_mps = 0.004;  // the sign's ramp, so that a force does not chatter
  const double sign = std::clamp(r.v_mps / kSoft_mps, -1.0, 1.0);
  return axis.mass_kg * r.a_mps2 + axis.damping_Ns_per_m * r.v_mps + axis.stiffness_N_per_m * r.x_m + axis.coulomb_N * sign +
         axis.offset_N;
}

Multisine ChooseMultisine(const AxisNumbers& axis, const Budget& budget, double share) {
  // If nothing is within the budget: too little for a fit, which says so.
  Multisine best{.amplitude_m = 0.04 * budget.amplitude_m, .main_Hz = 2, .highest_Hz = budget.highest_Hz};
  double best_mHz = -1;
  const double rub_N = std::min(axis.coulomb_N, 0.8 * budget.rms_N);  // friction is not shared
  const double rms_N = rub_N + share * (budget.rms_N - rub_N), peak_N = rub_N + share * (budget.peak_N - rub_N);
  for (double s = 1; s > 0.04; s *= 0.85) {
    for (double f = 9; f >= 1; f /= 1.12) {
      const Multisine sine{.amplitude_m = s * share * budget.amplitude_m, .main_Hz = f, .highest_Hz = budget.highest_Hz};
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
