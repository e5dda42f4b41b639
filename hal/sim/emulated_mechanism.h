#pragma once
#include <array>

#include "hal/api/motor_io.h"
#include "hal/sim/sim_device.h"
#include "hal/sim/small_solve.h"
#include "tactus/device/kinematics.h"
#include "tactus/device/transmission.h"

namespace tactus::hal {

/// A haptic device's mechanics behind its electronics: currents in, counts out, a scripted hand on the handle.
///
/// Equations  τ_i = s_I N k_t I_i - ∂U/∂q_i;   F = R_WD J (JᵀJ)⁻¹ τ (= J⁻ᵀ τ for three motors);   then hal/sim's handle;
///            q = f⁻¹(p);   count_i = zero + s_q (q_i - offset) counts_per_turn N / 2π
/// Choices    the links have no inertia of their own: the handle has it. Where the hand leaves the workspace the handle
///            stands at the last posture, as at a stop.
/// Frames     W is D, turned by R_WD and moved by p_WD, as in the driver's MotorDeviceConfig
template <DeviceKinematics D>
class EmulatedMechanism {
 public:
  using Real = double;
  static constexpr int kMotors = D::kMotors, kSensed = D::kSensed;
  static constexpr auto kCount = static_cast<std::size_t>(kMotors);
  static_assert(std::is_same_v<typename D::Real, double>, "no board in single precision has it");

  struct Options {
    D mechanism;
    Calibration<double, D::kMotors> motors = {};
    Vec<double, 3> gravity_D_mps2 = Vec<double, 3>::Zero();
    Vec<double, 3> p_WD_m = Vec<double, 3>::Zero();
    Mat<double, 3, 3> R_WD = Mat<double, 3, 3>::Identity();
    DeviceParameters handle;  ///< max_force_N bounds what the motors can do to it; resolutions are not used
    HandParameters hand = RelaxedHand();
    HandScript script;
    std::uint64_t seed = 1;
    std::uint32_t period_us = 1000;  ///< that one Advance lets pass
  };

  explicit EmulatedMechanism(const Options& options)
      : options_(options), handle_(options.handle, options.hand, options.script, options.seed, options.period_us) {
    Constrain();
  }

  /// Lets one period pass with these currents in the motors. Not finite ones count as zero.
  void Advance(const float (&current_A)[kMaxMotors]) {
    Vec<double, kMotors> tau;
    for (int i = 0; i < kMotors; ++i) {
      const double I = IsFinite(current_A[i]) ? static_cast<double>(current_A[i]) : 0.0;
      tau(i) = I / CurrentPerTorque(options_.motors[static_cast<std::size_t>(i)]);
    }
    if constexpr (HasMassModel<D>) {
      Vec<double, kMotors> held;
      if (options_.mechanism.HoldingTorque(q_, options_.gravity_D_mps2, &held).ok()) tau -= held;
    }
    const Vec<double, 3> F_W = options_.R_WD * ForceOf(tau);
    CommandFrame command;
    for (int i = 0; i < 3; ++i) command.force_N[i] = static_cast<float>(F_W(i));
    force_W_N_ = F_W;
    handle_.Advance(command);
    Constrain();
  }

  /// Of the encoders, as the driver's calibration has them.
  std::array<std::int32_t, kCount> Counts() const {
    std::array<std::int32_t, kCount> counts{};
    for (std::size_t i = 0; i < kCount; ++i) {
      const MotorCalibration<double>& m = options_.motors[i];
      const double turns = (q_(static_cast<int>(i)) - m.offset_rad) / 6.283185307179586 * m.encoder_sign;
      counts[i] = m.zero_count + static_cast<std::int32_t>(Floor(turns * m.counts_per_turn * m.turns_per_joint_turn + 0.5));
    }
    return counts;
  }

  /// Puts the handle where these angles have it, at rest: held by its user.
  void Place(const Vec<double, D::kMotors + D::kSensed>& q_rad) {
    HandlePose<double> pose;
    if (!options_.mechanism.Forward(q_rad, &pose).ok()) return;
    q_ = q_rad;
    HandleState state = handle_.state();
    state.p_WH_m = options_.p_WD_m + options_.R_WD * pose.p_DH;
    state.v_WH_mps.setZero();
    handle_.set_state(state);
    Constrain();
  }

  const Vec<double, D::kMotors + D::kSensed>& angles_rad() const { return q_; }
  /// Of the motors and of gravity, on the handle, in W, in the last period.
  const Vec<double, 3>& force_W_N() const { return force_W_N_; }
  const SimDevice& handle() const { return handle_; }

 private:
  /// F with Jᵀ F = τ; of the planar mechanisms, the one in the plane.
  Vec<double, 3> ForceOf(const Vec<double, kMotors>& tau) const {
    static_assert(kMotors <= 3 && D::kRows == 3, "a handle that is moved, not turned");
    DeviceJacobian<D> J;
    if (!options_.mechanism.Jacobian(q_, &J).ok()) return Vec<double, 3>::Zero();
    const Mat<double, kMotors, kMotors> JtJ = J.transpose() * J;
    return J * Solved<kMotors>(JtJ, tau);
  }

  /// The handle is where the mechanism lets it be; at the workspace's border it stands.
  void Constrain() {
    HandleState state = handle_.state();
    HandlePose<double> pose;
    pose.p_DH = options_.R_WD.transpose() * (state.p_WH_m - options_.p_WD_m);
    Vec<double, kMotors + kSensed> q;
    at_stop_ = kMotors < 3 ? !Nearest(pose.p_DH, &q) : !options_.mechanism.Inverse(pose, &q).ok();
    if (!at_stop_) q_ = q;
    if (!at_stop_ && kMotors == 3) return;
    if (!options_.mechanism.Forward(q_, &pose).ok()) return;  // never placed: the script starts outside
    state.p_WH_m = options_.p_WD_m + options_.R_WD * pose.p_DH;
    state.v_WH_mps = at_stop_ ? Vec<double, 3>(Vec<double, 3>::Zero()) : Along(state.v_WH_mps);
    handle_.set_state(state);
  }

  /// The posture whose handle is nearest to a point, for a handle on a curve or a surface: Gauss and Newton from the last
  /// one, q ← q + (JᵀJ)⁻¹ Jᵀ (p - f(q)).
  bool Nearest(const Vec<double, 3>& p_D, Vec<double, kMotors + kSensed>* q) const {
    constexpr int kSteps = 5;
    *q = q_;
    for (int i = 0; i < kSteps; ++i) {
      HandlePose<double> there;
      DeviceJacobian<D> J;
      if (!options_.mechanism.Forward(*q, &there).ok() || !options_.mechanism.Jacobian(*q, &J).ok()) return false;
      const Vec<double, 3> way = p_D - there.p_DH;
      q->template head<kMotors>() +=
          Solved<kMotors>(Mat<double, kMotors, kMotors>(J.transpose() * J), Vec<double, kMotors>(J.transpose() * way));
    }
    HandlePose<double> there;
    return options_.mechanism.Forward(*q, &there).ok();
  }

  /// The part of a velocity that the mechanism can have: J (JᵀJ)⁻¹ Jᵀ v.
  Vec<double, 3> Along(const Vec<double, 3>& v_W) const {
    DeviceJacobian<D> J;
    if (!options_.mechanism.Jacobian(q_, &J).ok()) return Vec<double, 3>::Zero();
    const Vec<double, 3> v_D = options_.R_WD.transpose() * v_W;
    const Vec<double, kMotors> rate =
        Solved<kMotors>(Mat<double, kMotors, kMotors>(J.transpose() * J), Vec<double, kMotors>(J.transpose() * v_D));
    return options_.R_WD * Vec<double, 3>(J * rate);
  }

  const Options options_;
  SimDevice handle_;
  Vec<double, kMotors + kSensed> q_ = Vec<double, kMotors + kSensed>::Zero();
  Vec<double, 3> force_W_N_ = Vec<double, 3>::Zero();
  bool at_stop_ = false;
};

}  // namespace tactus::hal
