// Feedback, around what has been learned:  f = f_model(x_w(t + t_d)) + K (x_w - y) + B (v_w - v̂),   K = m ω²,  B = 1.6 m ω,
// with ω = 2π · 6 Hz along and twice that across: slow against the delay, so that any device of its mass is stable, and
// weak, so that f is mostly what the model asks for. v̂ is the last step behind a filter of the first order at 60 Hz.
#include "host_tools/rig/identify.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::host {
namespace {

using Eigen::Vector3d;

constexpr double kFirstMass_kg = 0.1;               // until it is known
constexpr double kLeast_mps = 0.08;                 // friction is looked at above 0.03 m/s (axis_fit.h)
constexpr double kDelayKnown_s = 0.001;             // else the first guess is as good
constexpr double kLeast_kg = 0.005, kMost_kg = 20;  // of a handle: else the fit is of noise
constexpr double kAlong_Hz = 6, kAcross_Hz = 12;    // of the feedback
constexpr double kSettle_s = 0.4, kRound_s = 4.5, kSkip_s = 0.8;
constexpr double kWander_m = 0.0002;  // across, slowly: else encoders that turn alike round alike
constexpr double kMoved_m = 0.0003;   // a push has moved the handle; several counts of any device

class Exciter {
 public:
  Exciter(GuardedDevice& device, const IdentifyOptions& options, int axis, Identification* result)
      : device_(device), options_(options), axis_(axis), result_(*result) {}

  IdentifiedAxis Run() {
    IdentifiedAxis found;
    if (!PushUntilItMoves()) {
      if (Ok()) found.refusal = fmt::format("does not move under {:.2g} N", Ceiling_N());
      return found;
    }
    learned_[axis_].mass_kg = kFirstMass_kg;
    learned_[axis_].coulomb_N = push_N_;
    constexpr double kShares[] = {0.3, 0.6, 1, 1};
    for (const double share : kShares) {
      Plan(share);
      if (!Measure(kRound_s)) return found;
      Learn();
    }
    Plan(1);
    if (sine_.Fastest_mps() < kLeast_mps) {
      found.refusal =
          fmt::format("too slow within its ceilings: {:.2g} m/s, {:g} are needed", sine_.Fastest_mps(), kLeast_mps);
      return found;
    }
    if (!Measure(options_.seconds)) return found;
    return Judge();
  }

 private:
  bool Ok() const { return device_.why().empty(); }
  double Ceiling_N() const { return 0.9 * device_.ceilings().force_N; }

  /// The feedback's part, towards a reference along the axis and zero across.
  Vector3d Feedback(const Reference& r) const {
    const double m = mass_kg_;
    Vector3d w = Vector3d::Constant(2 * std::numbers::pi * kAcross_Hz);
    w(axis_) = 2 * std::numbers::pi * kAlong_Hz;
    Vector3d want_m = wander_m_, want_mps = Vector3d::Zero();
    want_m(axis_) = r.x_m;
    want_mps(axis_) = r.v_mps;
    return m * w.cwiseAbs2().cwiseProduct(want_m - device_.p_m()) + 1.6 * m * w.cwiseProduct(want_mps - v_mps_);
  }

  bool Tick(const Vector3d& force_N) {
    const Vector3d before_m = device_.p_m();
    const bool ok = device_.Tick(force_N);
    const double c = -std::expm1(-2 * std::numbers::pi * 60 * device_.period_s());
    v_mps_ += c * ((device_.p_m() - before_m) / device_.period_s() - v_mps_);
    result_.largest_N = std::max(result_.largest_N, device_.force_N().norm());
    return ok;
  }

  bool Settle(double seconds) {
    for (double t = 0; t < seconds; t += device_.period_s())
      if (!Tick(Feedback({}))) return false;
    return true;
  }

  /// Plus, then minus: a hand or a stop may hold it on one side.
  bool PushUntilItMoves() {
    constexpr double kRamp_s = 0.6;
    for (const double sign : {1.0, -1.0}) {
      const double from_m = device_.p_m()(axis_);
      for (double t = 0; t < kRamp_s; t += device_.period_s()) {
        Vector3d push_N = Vector3d::Zero();
        push_N(axis_) = sign * Ceiling_N() * (t / kRamp_s) * (t / kRamp_s);
        if (!Tick(push_N)) return false;
        if (std::abs(device_.p_m()(axis_) - from_m) < kMoved_m) continue;
        push_N_ = 0.5 * push_N.norm();
        return Settle(kSettle_s);
      }
      if (!Settle(kSettle_s)) return false;
    }
    return false;
  }

  void Plan(double share) {
    const AxisNumbers& axis = learned_[axis_];
    sine_ = ChooseSweep(axis,
                        {.rms_N = options_.rms_N,
                         .peak_N = 0.8 * device_.ceilings().force_N,
                         .speed_mps = std::min(options_.speed_mps, 0.7 * device_.ceilings().speed_mps),
                         .amplitude_m = options_.amplitude_m},
                        share);
  }

  /// Plays the plan and records it. @returns false: stopped
  bool Measure(double seconds) {
    if (!Settle(kSettle_s)) return false;
    const double T = device_.period_s(), lead_s = delay_s_ + T / 2;
    const auto n = static_cast<std::size_t>(seconds / T);
    across_m_ = 0;
    for (AxisRecord& r : record_) r = {.period_s = T, .p_m = {}, .force_N = {}, .wanted = {}};
    at_m_.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const double t = static_cast<double>(k) * T;
      const Reference now = sine_.At(t), ahead = sine_.At(t + lead_s);
      wander_m_.setConstant(kWander_m * std::sin(2 * std::numbers::pi * 0.07 * t));
      wander_m_((axis_ + 1) % 3) = kWander_m * std::sin(2 * std::numbers::pi * 0.11 * t);
      Vector3d force_N = Feedback(now);
      for (int i = 0; i < 3; ++i) force_N(i) += ForceFor(learned_[i], ahead);
      const Vector3d at_m = device_.p_m();
      if (!Tick(force_N)) return false;
      at_m_.push_back(at_m);
      for (int i = 0; i < 3; ++i) {
        AxisRecord& r = record_[i];
        r.p_m.push_back(at_m(axis_));
        r.force_N.push_back(device_.force_N()(i));
        r.wanted.push_back(now);
      }
      across_m_ = std::max(across_m_, (at_m - at_m(axis_) * Vector3d::Unit(axis_)).norm());
    }
    wander_m_.setZero();
    return Settle(kSettle_s);
  }

  /// What forces the last motion took, along and across. What was too small for a fit teaches nothing.
  void Learn() {
    fit_ = FitAxis(record_[axis_], kSkip_s, false);
    if (!fit_.refusal.empty() || !(fit_.mass_kg.value > kLeast_kg && fit_.mass_kg.value < kMost_kg) ||
        !(fit_.mass_kg.half < 0.3 * fit_.mass_kg.value))
      return;
    AxisNumbers& axis = learned_[axis_];
    const double friction_N = axis.coulomb_N, broke_N = 2 * push_N_;  // the push that moved it: no less than its friction
    axis = fit_.numbers();
    if (!(fit_.coulomb_N.half < 0.5 * fit_.coulomb_N.value)) axis.coulomb_N = friction_N;
    axis.coulomb_N = std::min(axis.coulomb_N, broke_N);
    axis.damping_Ns_per_m = std::max(axis.damping_Ns_per_m, 0.0);
    axis.stiffness_N_per_m = std::max(axis.stiffness_N_per_m, 0.0);
    axis.offset_N = std::clamp(axis.offset_N, -broke_N, broke_N);
    mass_kg_ = fit_.mass_kg.value;
    if (fit_.delay_s.half < kDelayKnown_s) delay_s_ = std::clamp(fit_.delay_s.value, 0.0, 0.02);
    for (int i = 0; i < 3; ++i) {
      if (i == axis_) continue;
      const AxisFit across = FitAcross(record_[i], kSkip_s, delay_s_);
      if (across.refusal.empty()) learned_[i] = across.numbers();
    }
  }

  /// What moves across takes force along: p_i m_i, with the m_i that couples both as the force across has it.
  void Couple() {
    std::vector<double>& coupled_kgm = record_[axis_].coupled_kgm;
    coupled_kgm.assign(at_m_.size(), 0);
    for (int i = 0; i < 3; ++i) {
      if (i == axis_) continue;
      const AxisFit across = FitAcross(record_[i], kSkip_s, delay_s_);
      if (!across.refusal.empty()) continue;
      for (std::size_t k = 0; k < at_m_.size(); ++k) coupled_kgm[k] += across.mass_kg.value * at_m_[k](i);
    }
  }

  IdentifiedAxis Judge() {
    Couple();
    IdentifiedAxis found;
    found.excitation = sine_;
    found.across_m = across_m_;
    found.fit = FitAxis(record_[axis_], kSkip_s, true);
    found.resolution_m = FitResolution(record_[axis_], kSkip_s);
    if (!found.fit.refusal.empty()) {
      found.refusal = "the signal is too small: " + found.fit.refusal;
    } else if (!(found.fit.mass_kg.half < 0.5 * found.fit.mass_kg.value)) {
      found.refusal = "the signal is too small: the mass is not known to a half";
    }
    return found;
  }

  GuardedDevice& device_;
  const IdentifyOptions& options_;
  const int axis_;
  Identification& result_;
  AxisNumbers learned_[3];
  AxisRecord record_[3];
  std::vector<Vector3d> at_m_;  // of the same periods
  AxisFit fit_;
  Sweep sine_;
  Vector3d v_mps_ = Vector3d::Zero(), wander_m_ = Vector3d::Zero();
  double push_N_ = 0, mass_kg_ = kFirstMass_kg, delay_s_ = 0.001, across_m_ = 0;
};

/// One delay for all axes, if they agree: a drive may be slower than the others.
void ShareDelay(std::array<IdentifiedAxis, 3>* axes) {
  constexpr double kAgree[] = {0, 0, 1.73, 2.4};  // 99 % of χ² with n - 1 degrees, in half intervals: /1.96²
  double weight = 0, mean_s = 0, apart = 0;
  std::size_t count = 0;
  const auto each = [axes](const auto& visit) {
    for (IdentifiedAxis& axis : *axes)
      if (axis.refusal.empty() && axis.fit.delay_s.half > 0) visit(&axis.fit);
  };
  each([&](const AxisFit* fit) {
    const double w = 1 / (fit->delay_s.half * fit->delay_s.half);
    mean_s += w * fit->delay_s.value;
    weight += w;
    ++count;
  });
  if (count < 2) return;
  mean_s /= weight;
  each([&](const AxisFit* fit) { apart += std::pow((fit->delay_s.value - mean_s) / fit->delay_s.half, 2); });
  if (apart > kAgree[count]) return;
  each([&](AxisFit* fit) { TakeDelay({mean_s, 1 / std::sqrt(weight)}, fit); });
}

}  // namespace

IdentifyOptions OptionsFor(const hal::DeviceCapabilities& can, const Ceilings& ceilings, double seconds) {
  const auto held_N = static_cast<double>(can.continuous_force_N);
  return {.seconds = seconds,
          .amplitude_m = std::min(0.008, 0.4 * ceilings.reach_m),
          .speed_mps = 0.5,
          .rms_N = std::min(0.6 * (held_N > 0 ? held_N : ceilings.force_N), 0.6 * ceilings.force_N)};
}

Identification Identify(GuardedDevice& device, const IdentifyOptions& options) {
  Identification result;
  if (device.Arm()) {
    for (int axis = 0; axis < 3 && device.why().empty(); ++axis)
      result.axis[static_cast<std::size_t>(axis)] = Exciter(device, options, axis, &result).Run();
  }
  ShareDelay(&result.axis);
  result.fault = device.why();
  device.Release();
  result.farthest_m = device.farthest_m();
  result.fastest_mps = device.fastest_mps();
  for (IdentifiedAxis& axis : result.axis)
    if (!result.fault.empty() && axis.refusal.empty()) axis.refusal = "stopped: " + result.fault;
  return result;
}

}  // namespace tactus::host
