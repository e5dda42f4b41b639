#pragma once
#include <array>
#include <cstdint>

#include "hal/sim/chance.h"
#include "hal/sim/hand_script.h"
#include "hal/sim/hands.h"
#include "hal/sim/held_device.h"
#include "hal/sim/joint_step.h"
#include "hal/sim/loose_wrist.h"
#include "hal/sim/sim_drive.h"
#include "tactus/device/actuate.h"
#include "tactus/device/count_steps.h"

namespace tactus::hal {

/// A haptic device by its joints: real kinematics, masses of links and handle, friction of each joint, an encoder and a
/// drive on each motor; with a scripted hand on its handle.
///
/// Sample    counts of each motor → q → f(q): the position's rounding is the device's own
/// Command   F → τ = Jᵀ F at the *measured* posture → currents, by one factor within their limits and the I²t budget, as a
///           driver does it (hal/devices) → SimDrive → torques
/// Motion    StepJoints, ten substeps a tick. Past its limits or near a singularity the device stands, as at a stop
/// Left out  gravity (held as if compensated); elasticity of cables and links; back-EMF; friction that depends on the load
/// Frames    W is D, turned by R_WD and moved by p_WD. A rotation that is not measured is the identity
template <DeviceKinematics D>
class PresetDevice final : public HeldDevice {
 public:
  static constexpr int kMotors = D::kMotors, kSensed = D::kSensed, kSubsteps = 10;
  static_assert(D::kRows == 3 && std::is_same_v<typename D::Real, double>);
  using Angles = DeviceAngles<D>;
  using Rates = Vec<double, kMotors>;

  struct Options {
    D mechanism;
    Calibration<double, kMotors> motors = {};
    std::array<TorqueRipple, static_cast<std::size_t>(kMotors)> ripple = {};
    Rates inertia_kgm2 = Rates::Zero(), damping_Nms_per_rad = Rates::Zero(), coulomb_Nm = Rates::Zero();
    double bandwidth_Hz = 0, delay_s = 0, jitter_s = 0;
    double count_rad = 0;  ///< of a measured gimbal; 0: not quantised
    Angles home_rad = Angles::Zero();
    Vec<double, 3> p_WD_m = Vec<double, 3>::Zero();
    Mat<double, 3, 3> R_WD = Mat<double, 3, 3>::Identity();
    Hand hand = {};
    HandScript script;
    std::uint64_t seed = 1;
    std::uint32_t period_us = 1000;  ///< that one Advance lets pass
  };

  /// The handle starts where the script does, or at the nearest place that it can reach from home.
  explicit PresetDevice(const Options& options)
      : options_(options),
        tick_s_(options.period_us / 1e6),
        h_s_(tick_s_ / kSubsteps),
        drive_({.motors = options.motors,
                .ripple = options.ripple,
                .bandwidth_Hz = options.bandwidth_Hz,
                .delay_s = options.delay_s,
                .jitter_s = options.jitter_s,
                .substep_s = h_s_}),
        chance_(options.seed),
        hand_(options.hand.full),
        q_(options.home_rad) {
    const HandTarget<double> start = options_.script.TargetAt(0);
    SeekPlace(options_.R_WD.transpose() * (start.p_WS_m - options_.p_WD_m));
    wrist_.q_WH = start.q_WS;
    Stand(q_, Rates::Zero());
  }

  SensorFrame Sample() const override { return sample_; }

  void Advance(const CommandFrame& command) override { AdvanceWith(CurrentsOf(command)); }

  /// Lets one tick pass with these currents asked of the drives, whoever made them.
  void AdvanceWith(const Rates& current_A) {
    const double now_s = tick_ * tick_s_;
    drive_.Send(current_A, now_s, chance_.Share());
    if (options_.hand.changes()) hand_ = options_.hand.At(now_s);
    Vec<double, 3> push_N, turn_Nm;
    for (int i = 0; i < 3; ++i) push_N(i) = chance_.Signed() * hand_.tremor_N + options_.hand.Sway_N(now_s);
    for (int i = 0; i < 3; ++i) turn_Nm(i) = chance_.Signed() * hand_.tremor_Nm;
    tau_Nm_.setZero();
    HandTarget<double> before = options_.script.TargetAt(now_s);
    for (int i = 0; i < kSubsteps; ++i) {
      const double from_s = now_s + i * h_s_;
      const HandTarget<double> after = options_.script.TargetAt(from_s + h_s_);
      Substep(from_s, before, after, push_N);
      if constexpr (kSensed == 3) wrist_.Step(hand_, before, after, turn_Nm, h_s_);
      before = after;
    }
    for (int i = 0; i < kMotors; ++i) {
      const auto n = static_cast<std::size_t>(i);
      StepHeat(options_.motors[n], drive_.current_A()(i), tick_s_, &heat_[n]);
    }
    ++tick_;
    Measure();
  }

  const char* move() const override {
    return options_.script.count == 0 ? "" : options_.script.MoveAt(tick_ * tick_s_).name;
  }
  bool clutch() const override { return options_.script.count > 0 && options_.script.MoveAt(tick_ * tick_s_).clutch; }
  double given_J() const override { return given_J_; }
  double taken_J() const override { return taken_J_; }
  double stopped_s() const override { return static_cast<double>(stopped_) * h_s_; }
  double hottest() const override {
    double most = 0;
    for (int i = 0; i < kMotors; ++i) most = Max(most, heat_share(i));
    return most;
  }
  Vec<double, 3> motor_force_N() const override {
    const Mat<double, kMotors, kMotors> JtJ = rows_.J.transpose() * rows_.J;
    return options_.R_WD * (rows_.J * Solved<kMotors>(JtJ, tau_Nm_));
  }
  Vec<double, 3> p_WH_m() const override { return PlaceOf(q_); }
  Vec<double, 3> v_WH_mps() const override { return options_.R_WD * (rows_.J * rate_); }

  /// Puts the joints at these angles with these rates. @returns false: no posture; nothing changes
  bool Stand(const Angles& q_rad, const Rates& rate_radps) {
    MassRowsOf<D> rows;
    if (!RowsAt(options_.mechanism, q_rad, hand_.mass_kg, &rows).ok()) return false;
    q_ = q_rad;
    rate_ = rate_radps;
    rows_ = rows;
    Measure();
    return true;
  }

  const Angles& angles_rad() const { return q_; }
  const Rates& rates_radps() const { return rate_; }
  const Rates& current_A() const { return drive_.current_A(); }
  const std::array<std::int32_t, static_cast<std::size_t>(kMotors)>& counts() const { return counts_; }
  double heat_share(int motor) const {
    const auto n = static_cast<std::size_t>(motor);
    return heat_[n].mean_square_A2 / (options_.motors[n].continuous_current_A * options_.motors[n].continuous_current_A);
  }
  /// With the hand's mass on the handle.
  Mat<double, kMotors, kMotors> mass_matrix() const { return MassMatrix(rows_, options_.inertia_kgm2); }
  double kinetic_J() const { return KineticEnergy(rows_, options_.inertia_kgm2, rate_); }
  /// Since the start: of the hand on the handle; to heat in friction and at stops.
  double hand_J() const { return hand_J_; }
  double lost_J() const { return lost_J_; }
  /// Substeps in which it stood at its stop.
  std::uint64_t stopped() const { return stopped_; }

 private:
  /// What is no number is no current: the driver's answer to a broken command.
  Rates CurrentsOf(const CommandFrame& command) const {
    Vec<double, 3> F_W;
    for (int i = 0; i < 3; ++i) F_W(i) = static_cast<double>(command.force_N[i]);
    MotorCommand<double, kMotors> currents;
    Rates limit_A;
    for (int i = 0; i < kMotors; ++i) {
      const auto n = static_cast<std::size_t>(i);
      limit_A(i) = AllowedCurrent(options_.motors[n], heat_[n], tick_s_);
    }
    (void)CurrentsOfWrench<double, 3, kMotors>(options_.motors, measured_J_, options_.R_WD.transpose() * F_W, Rates::Zero(),
                                               limit_A, &currents)
        .ok();
    return currents.current_A;
  }

  void Substep(double from_s, const HandTarget<double>& before, const HandTarget<double>& after,
               const Vec<double, 3>& push_W_N) {
    JointForces<kMotors> f{.tau_Nm = drive_.Step(from_s, q_.template head<kMotors>()),
                           .viscous = options_.damping_Nms_per_rad,
                           .coulomb = options_.coulomb_Nm,
                           .inertia = options_.inertia_kgm2,
                           .hand_stiffness_N_per_m = hand_.stiffness_N_per_m,
                           .hand_damping_Ns_per_m = hand_.damping_Ns_per_m};
    tau_Nm_ += f.tau_Nm / kSubsteps;
    const Vec<double, 3> want_m = (before.p_WS_m + after.p_WS_m) / 2, pace_mps = (after.p_WS_m - before.p_WS_m) / h_s_;
    const Vec<double, 3> hand_W = hand_.stiffness_N_per_m * (want_m - PlaceOf(q_)) + hand_.damping_Ns_per_m * pace_mps;
    f.hand_D_N = options_.R_WD.transpose() * (hand_W + push_W_N);
    MassRowsOf<D> middle, end;
    if (!RowsAt(options_.mechanism, Moved(rate_, h_s_ / 2), hand_.mass_kg, &middle).ok() ||
        !RowsAt(options_.mechanism, Moved(rate_, h_s_), hand_.mass_kg, &end).ok()) {
      return Stop();
    }
    const JointStep<kMotors> step = StepJoints(rows_, middle, end, rate_, f, h_s_);
    const Angles q = Moved(step.mean_radps, h_s_);
    if (!RowsAt(options_.mechanism, q, hand_.mass_kg, &end).ok()) return Stop();
    q_ = q;
    rate_ = step.rate_radps;
    rows_ = end;
    hand_J_ += step.hand_J;
    lost_J_ += step.lost_J;
    (step.motor_J > 0 ? given_J_ : taken_J_) += Abs(step.motor_J);
  }

  Angles Moved(const Rates& rate, double dt_s) const {
    Angles q = q_;
    q.template head<kMotors>() += dt_s * rate;
    return q;
  }

  /// At the end of its reach: what it had of motion is gone.
  void Stop() {
    lost_J_ += kinetic_J();
    rate_.setZero();
    ++stopped_;
  }

  Vec<double, 3> PlaceOf(const Angles& q) const {
    HandlePose<double> pose;
    (void)options_.mechanism.Forward(q, &pose).ok();  // where it stands there is a posture
    return options_.p_WD_m + options_.R_WD * pose.p_DH;
  }

  /// Gauss and Newton from home towards a place, as far as there are postures.
  void SeekPlace(const Vec<double, 3>& p_D) {
    constexpr int kSteps = 40;
    for (int i = 0; i < kSteps; ++i) {
      HandlePose<double> there;
      Mat<double, 3, kMotors> J;
      if (!options_.mechanism.Forward(q_, &there).ok() || !options_.mechanism.Jacobian(q_, &J).ok()) return;
      const Mat<double, kMotors, kMotors> JtJ = J.transpose() * J;
      const Rates way = Solved<kMotors>(JtJ, J.transpose() * (p_D - there.p_DH));
      const Angles next = Moved(way, 0.5);
      if (!options_.mechanism.Jacobian(next, &J).ok()) return;
      q_ = next;
    }
  }

  /// What the encoders say now, as a driver reads it. A posture that rounding made impossible leaves the last one.
  void Measure() {
    Rates driven;
    for (int i = 0; i < kMotors; ++i) {
      const auto n = static_cast<std::size_t>(i);
      const MotorCalibration<double>& m = options_.motors[n];
      const double turns = (q_(i) - m.offset_rad) / 6.283185307179586 * m.encoder_sign;
      counts_[n] = m.zero_count + static_cast<std::int32_t>(Floor(turns * m.counts_per_turn * m.turns_per_joint_turn + 0.5));
    }
    sample_.sequence = tick_ + 1;
    if (!AnglesOfCounts(options_.motors, counts_, &driven).ok()) return;
    Angles q = q_;
    q.template head<kMotors>() = driven;
    if constexpr (kSensed == 3) Gimbal(&q);
    HandlePose<double> pose;
    if (!options_.mechanism.Forward(q, &pose).ok() || !options_.mechanism.Jacobian(q, &measured_J_).ok()) return;
    const Vec<double, 3> p_W = options_.p_WD_m + options_.R_WD * pose.p_DH;
    for (int i = 0; i < 3; ++i) sample_.p_WH_m[i] = static_cast<float>(p_W(i));
    const Mat<double, 3, kMotors> J_W = options_.R_WD * measured_J_;
    sample_.counts = CountStepsOf(options_.motors, J_W);
    if constexpr (kSensed == 3) {
      const Quaternion<double> turned = QuaternionOfRotation(Mat<double, 3, 3>(options_.R_WD * pose.R_DH));
      for (int i = 0; i < 4; ++i) sample_.q_WH[i] = static_cast<float>(turned(i));
    }
  }

  /// The measured angles of the gimbal in which the hand turns the handle; where it cannot turn there, the last ones.
  void Gimbal(Angles* q) {
    HandlePose<double> pose;
    Angles found;
    if (!options_.mechanism.Forward(q_, &pose).ok()) return;
    pose.R_DH = options_.R_WD.transpose() * RotationMatrix<double>(wrist_.q_WH);
    if (options_.mechanism.Inverse(pose, &found).ok()) q_.template tail<kSensed>() = found.template tail<kSensed>();
    const double count = options_.count_rad;
    for (int i = kMotors; i < kMotors + kSensed; ++i) (*q)(i) = count > 0 ? count * Floor(q_(i) / count + 0.5) : q_(i);
  }

  const Options options_;
  const double tick_s_, h_s_;
  SimDrive<kMotors> drive_;
  Chance chance_;
  HandParameters hand_;
  Angles q_;
  Rates rate_ = Rates::Zero(), tau_Nm_ = Rates::Zero();  ///< tau: mean of the last tick
  MassRowsOf<D> rows_;
  LooseWrist wrist_;
  Mat<double, 3, kMotors> measured_J_ = Mat<double, 3, kMotors>::Zero();
  std::array<std::int32_t, static_cast<std::size_t>(kMotors)> counts_ = {};
  std::array<MotorHeat<double>, static_cast<std::size_t>(kMotors)> heat_ = {};
  SensorFrame sample_;
  std::uint32_t tick_ = 0;
  double given_J_ = 0, taken_J_ = 0, hand_J_ = 0, lost_J_ = 0;
  std::uint64_t stopped_ = 0;
};

}  // namespace tactus::hal
