// The device over a time t under a constant force f, from x and v, with c = b/m and e = exp(-c t):
//
//     v(t) = e v + (1 - e)/c f/m,    x(t) = x + (1 - e)/c v + (t - (1 - e)/c)/c f/m
//
// A force that is d = n + r periods late, 0 ≤ r < 1: the device has f_(k-n-1) for r T, then f_(k-n) for (1 - r) T.
#include "host_tools/stability/axis_loop.h"

#include <cmath>
#include <numbers>

#include "tactus/haptic/handle_estimate.h"

namespace tactus::host {
namespace {

using Gains = internal::HandleGains<double>;

/// (1 - exp(-u))/u and (u - 1 + exp(-u))/u², whole near u = 0 too.
double Phi1(double u) { return std::abs(u) < 1e-6 ? 1 - u / 2 + u * u / 6 : -std::expm1(-u) / u; }
double Phi2(double u) { return std::abs(u) < 1e-3 ? 0.5 - u / 6 + u * u / 24 : (1 - Phi1(u)) / u; }

void Drift(const AxisDevice& device, double t_s, double force_N, double* x, double* v) {
  const double u = device.damping_Ns_per_m / device.mass_kg * t_s, a = force_N / device.mass_kg;
  *x += t_s * Phi1(u) * *v + t_s * t_s * Phi2(u) * a;
  *v = std::exp(-u) * *v + t_s * Phi1(u) * a;
}

/// hal/sim's: v by implicit damping, then x by the new v.
void DriftInSubsteps(const AxisDevice& device, double t_s, int substeps, double force_N, double* x, double* v) {
  const double h = t_s / substeps;
  for (int i = 0; i < substeps; ++i) {
    *v = (device.mass_kg * *v + h * force_N) / (device.mass_kg + h * device.damping_Ns_per_m);
    *x += h * *v;
  }
}

/// x̂ and v̂ of the observer, haptic/handle_estimate.h with w and φ fixed, no dead zone and no clamp. State: x, v, a, and the
/// commands f_(k-1) … f_(k-d-2).
struct Observer {
  double theta, beta, gamma, believed, mass_kg;
  int delay;

  static constexpr int kOwn = 3;
  int states() const { return kOwn + delay + 2; }

  /// @returns {x̂, v̂}
  std::pair<double, double> Update(FilterVector* s, double y, double T) const {
    const double dF = (*s)(kOwn + delay) - (*s)(kOwn + delay + 1);
    const double a = (*s)(2) + dF / mass_kg;
    const double x = (*s)(0) + T * (*s)(1) + T * T * a / 2, v = (*s)(1) + T * a, r = believed * (y - x);
    (*s)(0) = x + theta * r;
    (*s)(1) = v + beta * r / T;
    (*s)(2) = a + gamma * r / (T * T);
    return {(*s)(0), (*s)(1)};
  }
  void Remember(FilterVector* s, double force_N) const {
    for (int i = states() - 1; i > kOwn; --i) (*s)(i) = (*s)(i - 1);
    (*s)(kOwn) = force_N;
  }
};

Observer ObserverOf(const AxisDevice& device, const AxisLoop& loop, bool moving) {
  const auto sample = internal::SampleGains<double>::At(loop.period_s);
  const double w = moving ? 1 : 0, theta = sample.slow + (sample.fast - sample.slow) * w;
  const double kappa = Gains::kCalmJerk + (Gains::kFastJerk - Gains::kCalmJerk) * w;
  return {.theta = theta,
          .beta = theta * theta / (2 - theta),
          .gamma = kappa * theta * theta * theta,
          .believed = 1 - Gains::kDoubt * (1 - w),
          .mass_kg = loop.declared_mass > 0 ? loop.declared_mass : device.mass_kg,
          .delay = loop.declared_delay_ticks};
}

/// The coupling's force on the handle from x̂ and v̂; x_T and v_T of a free tool are the state from `at` on.
struct Coupling {
  double K, B, T, tool_kg;
  bool free;

  double Force(FilterVector* s, int at, double x, double v) const {
    const double Z = T * K + B;
    if (!free) return -(K * x + Z * v);
    const double e = x - (*s)(at), v1 = (tool_kg * (*s)(at + 1) + T * (K * e + Z * v)) / (tool_kg + T * Z);
    (*s)(at) += T * v1;
    (*s)(at + 1) = v1;
    return -(K * e + Z * (v - v1));
  }
};

DiscreteFilter ObservedFilter(const Observer& observer, const Coupling& coupling) {
  const int at = observer.states();
  return FilterOf(at + (coupling.free ? 2 : 0), [&](FilterVector* s, double y) {
    const auto [x, v] = observer.Update(s, y, coupling.T);
    const double force_N = coupling.Force(s, at, x, v);
    observer.Remember(s, force_N);
    return -force_N;
  });
}

/// v̂ = (y_k - y_(k-n))/(n T), then v ← v + c (v̂ - v) with c = 1: no filter.
DiscreteFilter DifferencedFilter(int n, double c, const Coupling& coupling) {
  return FilterOf(n + 1 + (coupling.free ? 2 : 0), [&](FilterVector* s, double y) {
    double& v = (*s)(n);
    v += c * ((y - (*s)(n - 1)) / (n * coupling.T) - v);
    const double speed = v;
    for (int i = n - 1; i > 0; --i) (*s)(i) = (*s)(i - 1);
    (*s)(0) = y;
    return -coupling.Force(s, n + 1, y, speed);
  });
}

}  // namespace

DiscreteFilter CouplingFilter(const AxisDevice& device, const AxisLoop& loop, const AxisCoupling& coupling, Regime regime) {
  const double T = loop.period_s;
  const Coupling force{.K = coupling.stiffness_N_per_m,
                       .B = coupling.damping_Ns_per_m,
                       .T = T,
                       .tool_kg = loop.tool_mass_kg,
                       .free = regime == Regime::kFree};
  if (loop.estimate == Estimate::kShipped) {
    if (device.resolution_m < device.ideal_m) return DifferencedFilter(1, 1, force);
    return ObservedFilter(ObserverOf(device, loop, regime != Regime::kCalm), force);
  }
  // The others have the plain wall's force K y + B v̂, without the coupling's look ahead by a period.
  Coupling plain = force;
  if (!plain.free) plain.B -= T * plain.K;
  if (loop.estimate == Estimate::kWindow) return DifferencedFilter(loop.window, 1, plain);
  const double c = loop.estimate == Estimate::kLowPass ? -std::expm1(-2 * std::numbers::pi * loop.cut_off_Hz * T) : 1;
  return DifferencedFilter(1, c, plain);
}

// State: x, v, f_(k-1) … f_(k-n-1).
DiscreteFilter DevicePlant(const AxisDevice& device, const AxisLoop& loop, int substeps) {
  const int n = static_cast<int>(std::floor(loop.delay_ticks));
  const double late_s = (loop.delay_ticks - n) * loop.period_s;
  const int states = 2 + n + 1;
  DiscreteFilter plant = FilterOf(states, [&](FilterVector* s, double force_N) {
    const double y = (*s)(0), before_N = (*s)(2 + n), now_N = n > 0 ? (*s)(1 + n) : force_N;
    double& x = (*s)(0);
    double& v = (*s)(1);
    if (substeps > 0) {
      DriftInSubsteps(device, loop.period_s, substeps, now_N, &x, &v);
    } else {
      Drift(device, late_s, before_N, &x, &v);
      Drift(device, loop.period_s - late_s, now_N, &x, &v);
    }
    for (int i = states - 1; i > 2; --i) (*s)(i) = (*s)(i - 1);
    (*s)(2) = force_N;
    return y;
  });
  return plant;
}

}  // namespace tactus::host
