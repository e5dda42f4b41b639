#pragma once
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/count_chart.h"
#include "tactus/haptic/internal/handle_gains.h"

namespace tactus {

/// Pose and motion of the handle at the start of a period.
template <class Scalar>
struct HandleState {
  Vec<Scalar, 3> p_WH_m = Vec<Scalar, 3>::Zero();
  Quaternion<Scalar> q_WH = IdentityQuaternion<Scalar>();
  Vec<Scalar, 6> twist_W = Vec<Scalar, 6>::Zero();
};

/// The last commands, so that one that acts late is accounted for when it acts.
template <class Scalar>
class CommandHistory {
 public:
  CommandHistory() {
    for (Vec<Scalar, 6>& wrench_W : wrenches_W_) wrench_W.setZero();
  }

  /// Once a tick: the command that was sent last.
  void Push(const Vec<Scalar, 6>& wrench_W) noexcept {
    newest_ = (newest_ + 1) % kLength;
    wrenches_W_[newest_] = wrench_W;
  }
  /// The command that the device held in the period that has just ended, if it takes `delay_ticks` ≤
  /// kMaxCommandDelay_ticks.
  const Vec<Scalar, 6>& Applied(int delay_ticks) const noexcept {
    return wrenches_W_[(newest_ + kLength - delay_ticks) % kLength];
  }

 private:
  static constexpr int kLength = kMaxCommandDelay_ticks + 1;
  Vec<Scalar, 6> wrenches_W_[kLength];
  int newest_ = 0;
};

/// Pose and twist of the handle from its quantised samples and from the wrench that the loop itself has put on it: an
/// observer with the device's mass as its model. Each coordinate by itself: counts of the motors, where the position is from
/// such (CountChart: F/m is A F/m then, and D one count), else x, y, z; of the rotation the vector to the sample. With T the
/// time since the last sample, y the sample, F the wrench held meanwhile, m the device's mass or
/// inertia, D its resolution, K the coupling's stiffness, h the period:
///
///     a  ← a + φ dead(ΔF/m; δ)                                             what the force's change does
///     x⁻ = x + T v + T² a/2,   v⁻ = v + T a,   r = y - x⁻                  prediction, innovation
///     s ← s + λ (r - s)                                                    averaged innovation: the lag
///     w ← max(ramp(|s|/D; c0, c1), ramp(|r|/D; d0, d1), ρ w)               0: rounding explains it, 1: it does not
///     θ  = θ0 + (θ1 - θ0) w,   κ = κ0 + (κ1 - κ0) w
///     β  = θ²/(2 - θ),   γ = κ θ³                                          α-β-γ filter with one parameter
///     r' = r - η (1 - w) clamp(r, ±b D)                                    what may be rounding is believed less
///     x  = clamp(x⁻ + θ r', y ± 1.5 D),   v = v⁻ + β r'/T,   a ← a + γ r'/T²
///
/// with ramp(c; c0, c1) = clamp((c - c0)/(c1 - c0), 0, 1) and dead(u; δ) = u - clamp(u, ±δ). The gain that a motion has
/// called for fades in h0/(1 - ρ) = 50 ms: who sways is followed all the time, not only where it is seen. θ0, θ1, λ, ρ and μ
/// are those of the period h0 = 1 ms; other periods have the same filter in seconds (internal/handle_gains.h).
///
/// The hand takes part of the wrench: φ is the share that accelerates the handle (1: no hand; m/(m + m_hand): the hand goes
/// along; 0: the hand leads). It is learned along the gradient of r², normalised, from what rounding cannot explain, with
/// σ = dx⁻/dφ carried by the same filter:
///
///     φ ← clamp(φ + μ dead(r; b_φ D) σ/(ε D² + σ²), 0, 3)
///
/// Without the force an estimate that is quiet enough for K = 1500 N/m and D = 40 µm lags so much that two thirds of the
/// largest stable stiffness are lost: at an impact all the acceleration is the loop's own. But of a hand that leads slowly
/// at the wall φ is learned in seconds only, and until then the force lags and gives it energy. So changes of the force
/// below δ are not fed while the handle moves, where the filter is fast enough by itself (K h0²/m ≤ k0, about β(θ0)):
///
///     δ = ζ D h/h0³ g (1 - ramp(K h0²/m; k0, k1))
///     z ← clamp(z, y ± p D),   g ← max(g - T/T_g, min(1, 2 |Δz|/D))        g: 1 while y goes further than a play of ± p D
///
/// A device finer than 1 µm (D = 0: ideal) needs no observer: x = y, v = (y - y_last)/T.
///
/// Source: α-β filter with one parameter [BenedictBordner62]; normalised gradient [GoodwinSin84]. Cost: no loop over time,
/// ten divisions a coordinate.
template <class Scalar>
class HandleEstimator {
 public:
  /// Starts afresh with a handle at rest.
  void Reset(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH) noexcept;

  /// Takes a sample, `periods` ≥ 1 after the last one. After more than kMaxPredicted_periods the estimate starts afresh at
  /// the sample, with the mean speed of the gap.
  /// @param[in] applied_wrench_W  on the handle, held since the last sample [N, N·m]
  /// @param[in] chart             what the sample's position is from; it may change from sample to sample
  void Update(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH, const Vec<Scalar, 6>& applied_wrench_W,
              int periods, const DeviceConfig<Scalar>& device, const CouplingConfig<Scalar>& coupling, Scalar period_s,
              const CountChart<Scalar>& chart = CountChart<Scalar>()) noexcept;

  /// The estimate. |x - y| ≤ 1.5 D in every coordinate; rotations to second order of the turn in a period.
  const HandleState<Scalar>& handle() const { return handle_; }

  /// The handle's way since the last sample, for the energy account: Δx + Δs/2, where the lag s is what the estimate still
  /// has to go [m, rad].
  const Vec<Scalar, 6>& way_W() const { return way_W_; }

  /// What the last sample's position was from.
  const CountChart<Scalar>& chart() const { return chart_; }
  /// φ of a coordinate of the chart, or of the rotation.
  Scalar share(int axis) const { return axes_[axis].share; }
  /// s of it [m or counts, rad].
  Scalar lag(int axis) const { return axes_[axis].lag; }

 private:
  /// What a coordinate needs besides x and v; σ, σ_v, σ_a: x⁻, v and a differentiated by φ.
  struct Axis {
    Scalar pushed = Scalar(0);  ///< F/m of the last sample
    Scalar acceleration = Scalar(0);
    Scalar lag = Scalar(0);
    Scalar surprise = Scalar(0);  ///< w
    Scalar share = Scalar(1);
    Scalar sensitivity = Scalar(0), sensitivity_v = Scalar(0), sensitivity_a = Scalar(0);
    Scalar ahead = Scalar(0);   ///< y - x
    Scalar play = Scalar(0);    ///< z - y
    Scalar moving = Scalar(0);  ///< g
  };
  /// What a coordinate is.
  struct Kind {
    Scalar inertia, resolution;
    Scalar unfed;  ///< δ for g = 1
    bool ideal;
  };
  using SampleGains = internal::SampleGains<Scalar>;
  struct Gains {
    Scalar theta, beta, gamma, learning;
  };
  static Kind KindOf(Scalar inertia, Scalar resolution, Scalar ideal, Scalar stiffness, const SampleGains& sample) noexcept;
  static Gains FilterGains(Scalar surprise, const SampleGains& sample) noexcept;
  static void Feed(Scalar pushed, Scalar unfed, Axis* axis) noexcept;
  static void WatchMovement(Scalar step, Scalar resolution, Scalar time_s, Axis* axis) noexcept;
  static void LearnShare(Scalar innovation, const Gains& gains, Scalar resolution, Scalar time_s, Axis* axis) noexcept;
  static Scalar UpdateAxis(Scalar gap, Scalar pushed, const Kind& kind, const SampleGains& sample, Scalar time_s,
                           Scalar* velocity, Axis* axis) noexcept;
  void Restart(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH, const Vec<Scalar, 6>& twist_W) noexcept;
  void Turn(const CountChart<Scalar>& chart) noexcept;
  static void Into(const CountChart<Scalar>& chart, Vec<Scalar, 6>* a) noexcept;
  static void OutOf(const CountChart<Scalar>& chart, Vec<Scalar, 6>* a) noexcept;

  HandleState<Scalar> handle_;
  Vec<Scalar, 6> way_W_ = Vec<Scalar, 6>::Zero();
  Axis axes_[6] = {};  ///< of the chart, and of the rotation
  CountChart<Scalar> chart_;
};

}  // namespace tactus

#include "tactus/haptic/handle_estimate.inl"
