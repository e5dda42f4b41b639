#pragma once
#include <array>
#include <cstddef>

#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"
#include "tactus/device/transmission.h"

namespace tactus::hal {

/// Ripple of one motor's torque over its shaft.
struct TorqueRipple {
  double share = 0;           ///< r: of the torque that flows
  double cogging_Nm = 0;      ///< τ_g, at the motor's shaft, without current
  double waves_per_turn = 0;  ///< p
};

/// The way from a command to torques at the joints: transport, jitter, the drive's lag and ceiling, the motor's ripple.
///
/// Equations  u(t) = the command that was sent delay + jitter ago, in the order of sending; |u| ≤ I_max
///            di/dt = 2π f (u - i)                                       f bandwidth; 0: i = u
///            τ_j = s_I N k_t i (1 + r sin(p N q)) + N τ_g sin(p N q)
/// Method     u is its mean over a substep; for such a u the lag's step is exact, and so is the substep's mean of i, which τ
/// has
template <int kMotors>
class SimDrive {
 public:
  static constexpr int kPending = 64;  ///< commands under way; with more the oldest act at once

  struct Options {
    Calibration<double, kMotors> motors = {};
    std::array<TorqueRipple, static_cast<std::size_t>(kMotors)> ripple = {};
    double bandwidth_Hz = 0;
    double delay_s = 0, jitter_s = 0;
    double substep_s = 1e-4;
  };

  explicit SimDrive(const Options& options)
      : options_(options),
        share_(ShareOf(6.283185307179586 * options.bandwidth_Hz * options.substep_s)),
        left_(options.bandwidth_Hz > 0 ? share_ / (6.283185307179586 * options.bandwidth_Hz * options.substep_s) : 0) {}

  /// Sent now, at `now_s` of the clock that Step counts in. @param chance  in [0, 1): of the jitter
  void Send(const Vec<double, kMotors>& current_A, double now_s, double chance) {
    if (count_ == kPending) Take();
    Pending& last = pending_[static_cast<std::size_t>((first_ + count_++) % kPending)];
    last.due_s = Max(now_s + options_.delay_s + chance * options_.jitter_s, newest_s_);
    last.current_A = current_A;
    newest_s_ = last.due_s;
  }

  /// Lets the substep that begins at `from_s` pass. @returns the torques at the joints in it
  Vec<double, kMotors> Step(double from_s, const Vec<double, kMotors>& q_rad) {
    const double h = options_.substep_s, to_s = from_s + h;
    Vec<double, kMotors> before = Vec<double, kMotors>::Zero();  // what the mean has more for a change within the substep
    while (count_ > 0 && pending_[static_cast<std::size_t>(first_)].due_s < to_s) {
      const double share = Max(pending_[static_cast<std::size_t>(first_)].due_s - from_s, 0.0) / h;
      before += share * (asked_A_ - pending_[static_cast<std::size_t>(first_)].current_A);
      Take();
    }
    const Vec<double, kMotors> mean = asked_A_ + before;
    Vec<double, kMotors> tau;
    for (int i = 0; i < kMotors; ++i) {
      const double most_A = options_.motors[static_cast<std::size_t>(i)].max_current_A;
      const double asked_A = Clamp(mean(i), -most_A, most_A), behind_A = current_A_(i) - asked_A;
      current_A_(i) -= share_ * behind_A;
      tau(i) = TorqueOf(i, asked_A + left_ * behind_A, q_rad(i));
    }
    return tau;
  }

  const Vec<double, kMotors>& current_A() const { return current_A_; }

 private:
  struct Pending {
    double due_s = 0;
    Vec<double, kMotors> current_A = Vec<double, kMotors>::Zero();
  };

  /// 1 - exp(-x) without libm; 1 for no lag.
  static double ShareOf(double x) {
    if (!(x > 0)) return 1;
    const double small = Min(x, 40.0) / 32;  // e^x = (e^(x/32))^32
    double sum = 1, term = 1;
    for (int n = 1; n <= 16; ++n) sum += (term *= small / n);
    for (int n = 0; n < 5; ++n) sum *= sum;
    return 1 - 1 / sum;
  }

  void Take() {
    asked_A_ = pending_[static_cast<std::size_t>(first_)].current_A;
    first_ = (first_ + 1) % kPending;
    --count_;
  }

  double TorqueOf(int i, double current_A, double q_rad) const {
    const MotorCalibration<double>& m = options_.motors[static_cast<std::size_t>(i)];
    const TorqueRipple& ripple = options_.ripple[static_cast<std::size_t>(i)];
    const double smooth = current_A / CurrentPerTorque(m);
    if (!(ripple.waves_per_turn > 0)) return smooth;
    const double wave = Sin(ripple.waves_per_turn * m.turns_per_joint_turn * q_rad);
    return smooth * (1 + ripple.share * wave) + m.turns_per_joint_turn * ripple.cogging_Nm * wave;
  }

  const Options options_;
  const double share_, left_;  ///< of what the current lags: made good in a substep; there in its mean
  std::array<Pending, static_cast<std::size_t>(kPending)> pending_ = {};
  int first_ = 0, count_ = 0;
  double newest_s_ = 0;
  Vec<double, kMotors> asked_A_ = Vec<double, kMotors>::Zero(), current_A_ = Vec<double, kMotors>::Zero();
};

}  // namespace tactus::hal
