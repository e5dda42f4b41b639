#pragma once
#include <array>
#include <atomic>

#include "hal/api/device.h"
#include "hal/devices/count_reference.h"
#include "hal/devices/motor_port.h"
#include "tactus/core/spatial.h"
#include "tactus/device/actuate.h"
#include "tactus/device/count_steps.h"
#include "tactus/device/gimbal.h"
#include "tactus/device/joint_friction.h"
#include "tactus/device/joint_wall.h"
#include "tactus/device/kinematics.h"

namespace tactus::hal {

/// What turns a port's counts and currents into a mechanism's pose and wrench.
template <DeviceKinematics D>
struct MotorDeviceConfig {
  using Real = typename D::Real;
  static constexpr auto kDriven = static_cast<std::size_t>(D::kMotors),
                        kJoints = kDriven + static_cast<std::size_t>(D::kSensed);

  D mechanism;
  Calibration<Real, D::kMotors> motors = {};
  Calibration<Real, D::kSensed> sensed = {};
  std::array<JointWall<Real>, kJoints> walls = {};         ///< of the driven joints; stiffness 0: none
  std::array<JointFriction<Real>, kDriven> friction = {};  ///< that is compensated; share 0: none
  Vec<Real, 3> gravity_D_mps2 = Vec<Real, 3>::Zero();      ///< zero: not compensated
  Vec<Real, 3> p_WD_m = Vec<Real, 3>::Zero();              ///< where D is in W
  Mat<Real, 3, 3> R_WD = Mat<Real, 3, 3>::Identity();      ///< takes D to W
  Real period_s = Real(0.001);                             ///< of the loop
  DeviceCapabilities capabilities;
};

/// Looks at all of it, once, before the loop. @returns the first field that is wrong.
template <DeviceKinematics D>
DeviceFault Validate(const MotorDeviceConfig<D>& config) noexcept {
  if (const DeviceFault fault = config.mechanism.Validate()) return fault;
  if (const DeviceFault fault = Validate(config.motors, config.period_s)) return fault;
  if constexpr (D::kSensed > 0) {
    if (const DeviceFault fault = ValidateSensed(config.sensed)) return fault;
  }
  if (const DeviceFault fault = Validate(config.friction, config.motors, config.period_s)) return fault;
  for (std::size_t i = 0; i < config.walls.size(); ++i) {
    if (config.walls[i].stiffness_Nm_per_rad == 0) continue;
    const std::array<JointWall<typename D::Real>, 1> wall = {config.walls[i]};
    const JointLimits<typename D::Real, D::kMotors + D::kSensed> all = config.mechanism.Limits();
    JointLimits<typename D::Real, 1> limits;
    limits.low_rad(0) = all.low_rad(static_cast<int>(i));
    limits.high_rad(0) = all.high_rad(static_cast<int>(i));
    if (DeviceFault fault = Validate(wall, limits)) return fault.index = static_cast<int>(i), fault;
  }
  if (!CheckGravity(config.gravity_D_mps2).ok()) return {.field = "gravity_D_mps2", .what = "is no acceleration"};
  if (!CheckRotation(config.R_WD).ok()) return {.field = "R_WD", .what = "is no rotation"};
  if (!CheckPlace(config.p_WD_m).ok()) return {.field = "p_WD_m", .what = "is no place"};
  return {};
}

/// A motor port and a mechanism as the loop's device: counts → pose, wrench → currents.
///
///     q = angles of counts,   p_WH = p_WD + R_WD f(q),   I of τ, clamped by one factor
///     τ = Jᵀ R_WDᵀ F + gravity + walls + compensated friction
///
/// No force of an old pose: the currents are zero where the last reading is no posture, or older than the port's max_age_us.
/// What fails while the drives are on stays failed, with its first cause, until the controller has switched them off. Counts
/// that may be at another place since stay failed until they have a reference again (count_reference.h).
/// Currents are within the port's ceilings, the calibration's and the thermal budget.
template <DeviceKinematics D>
class MotorDevice : public Device {
 public:
  using Real = typename D::Real;
  static constexpr int kMotors = D::kMotors, kSensed = D::kSensed;

  /// @param config  valid (Validate)  @param port  outlives this; its traits have as many motors
  MotorDevice(const MotorDeviceConfig<D>& config, MotorPort& port)
      : config_(config), port_(port), reference_(config.motors, LimitsOfMotors(config.mechanism), config.period_s, port) {}

  /// What failed, and stays so until the drives are off; else what the port waits for. Any thread.
  PortCause cause() const noexcept { return told_.load(std::memory_order_relaxed); }
  /// The last failure since the drives were switched on, or the start, for reports. Any thread.
  PortCause last_failure() const noexcept { return last_failure_.load(std::memory_order_relaxed); }
  /// It has got its place anew, and has neither failed nor been switched on since. Any thread.
  bool is_homed_anew() const noexcept { return is_homed_anew_.load(std::memory_order_relaxed); }

 private:
  static constexpr float kPush_N = 0.3f;                  // below, a hand may lie as still as it likes
  static constexpr std::uint32_t kForget_us = 1'000'000;  // behind a longer gap a hand may be anywhere

  static JointLimits<Real, kMotors> LimitsOfMotors(const D& mechanism) {
    const JointLimits<Real, kMotors + kSensed> all = mechanism.Limits();
    JointLimits<Real, kMotors> limits;
    limits.low_rad = all.low_rad.template head<kMotors>();
    limits.high_rad = all.high_rad.template head<kMotors>();
    return limits;
  }

  const DeviceCapabilities& DoCapabilities() const noexcept override { return config_.capabilities; }

  /// Before the first pose what the port waits for counts more than what has failed on the way.
  const char* DoWhy() const noexcept override {
    const PortCause now = has_measured_.load(std::memory_order_relaxed) ? PortCause::kNone : cause();
    return Name(now != PortCause::kNone ? now : last_failure());
  }

  DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    const PortReading reading = port_.Poll(now_us);
    Refer(reading);
    if (now_us - sample_time_us_ > kForget_us) has_q_ = false;
    PortCause wrong = reading.state == DeviceState::kFaulted ? reading.cause : reference_.missing();
    const PortCause step = FollowCounts(reading, now_us);
    if (wrong == PortCause::kNone) wrong = step;
    if (wrong == PortCause::kNone && reading.valid && reading.is_new) wrong = Place(reading, now_us);
    if (wrong == PortCause::kNone && enabled_ && reading.age_us > port_.traits().max_age_us) wrong = reading.missing;
    if (wrong == PortCause::kNone && StandsStill(now_us)) wrong = PortCause::kSensorFault;
    if (wrong == PortCause::kNone && enabled_ && reading.state != DeviceState::kEnabled &&
        reading.state != DeviceState::kReady)
      wrong = reading.cause == PortCause::kNone ? PortCause::kRestarted : reading.cause;
    well_ = wrong == PortCause::kNone && reading.valid && posture_ok_;
    if (wrong != PortCause::kNone) Fail(wrong);
    const bool homes = wrong == PortCause::kHoldStill && failure_ == PortCause::kNone;
    const PortCause shown = failure_ != PortCause::kNone ? failure_ : wrong != PortCause::kNone ? wrong : reading.cause;
    told_.store(shown, std::memory_order_relaxed);
    sample_.age_us = now_us - sample_time_us_;
    DeviceState state = reading.state;
    if (failure_ != PortCause::kNone || wrong != PortCause::kNone) state = DeviceState::kFaulted;
    if (homes) state = DeviceState::kHoming;
    return {
        .sample = sample_,
        .valid = has_measured_.load(std::memory_order_relaxed) && !homes,
        .is_new = reading.is_new && well_,
        .e_stop = reading.e_stop,
        .buttons = well_ ? reading.buttons : std::uint8_t{0},  // what is held in an answer that makes no sense is not known
        .state = state,
        .cause = ToDeviceCause(shown)};
  }

  /// Counts without a place have no step to be compared with. What was missing is no failure any more when it is there.
  void Refer(const PortReading& reading) {
    if (reading.restarts > 0 && !has_measured_.load(std::memory_order_relaxed)) BeginWarm();
    const bool was_there = reference_.missing() == PortCause::kNone;
    reference_.Step(reading, enabled_);
    const bool is_there = reference_.missing() == PortCause::kNone;
    if (!is_there) has_q_ = has_counts_ = posture_ok_ = false;
    if (is_there && !was_there) TellWell(true);
  }

  /// Behind a reset nobody knows what has flowed before: the motors are as warm as they may be for good.
  void BeginWarm() {
    for (std::size_t i = 0; i < heat_.size(); ++i) {
      const Real steady_A = config_.motors[i].continuous_current_A;
      heat_[i].mean_square_A2 = steady_A * steady_A;
    }
  }

  void TellWell(bool is_homed_anew) {
    last_failure_.store(PortCause::kNone, std::memory_order_relaxed);
    is_homed_anew_.store(is_homed_anew, std::memory_order_relaxed);
  }

  /// Every new count is compared with the one before it, whatever else is wrong: one that jumped has lost its place, also
  /// where the mechanism has no posture and beside another fault. @returns kPositionJump, or kNone
  PortCause FollowCounts(const PortReading& reading, std::uint32_t now_us) {
    if (now_us - counted_us_ > kForget_us) has_counts_ = false;
    if (!reading.valid || !reading.is_new || reference_.missing() != PortCause::kNone) return PortCause::kNone;
    const std::uint32_t time_us = now_us - reading.age_us;
    if (Jumped(reading, time_us)) {
      reference_.NoteFailure(PortCause::kPositionJump);
      return posture_ok_ = false, PortCause::kPositionJump;
    }
    for (int i = 0; i < kMotors; ++i) {
      if (count_[i] != reading.count[i]) moved_time_us_ = now_us;
      count_[i] = reading.count[i];
    }
    counted_us_ = time_us;
    has_counts_ = true;
    return PortCause::kNone;
  }

  /// The pose of a new reading. @returns why there is none.
  PortCause Place(const PortReading& reading, std::uint32_t now_us) {
    posture_ok_ = false;
    const std::uint32_t time_us = now_us - reading.age_us;
    DeviceAngles<D> q;
    if (!Angles(reading, &q).ok()) return PortCause::kUnreachable;
    HandlePose<Real> pose;
    if (!config_.mechanism.Forward(q, &pose).ok() || !config_.mechanism.Jacobian(q, &J_).ok())
      return PortCause::kUnreachable;
    const Real dt_s = Real(time_us - sample_time_us_) * Real(1e-6);
    speed_radps_ = has_q_ && dt_s > Real(0) ? DeviceAngles<D>((q - q_) / dt_s) : DeviceAngles<D>(DeviceAngles<D>::Zero());
    q_ = q;
    has_q_ = posture_ok_ = true;
    sample_time_us_ = time_us;
    const Vec<Real, 3> p_W = config_.p_WD_m + Times<Real>(config_.R_WD, pose.p_DH);
    for (int i = 0; i < 3; ++i) sample_.p_WH_m[i] = static_cast<float>(p_W(i));
    TellCounts();
    Orient(pose.R_DH);
    ++sample_.sequence;
    has_measured_.store(true, std::memory_order_relaxed);
    return PortCause::kNone;
  }

  /// Of a position that all motors make. With more motors than it has axes, or rows of a rotation, nothing is said of it.
  void TellCounts() {
    if constexpr (D::kRows == 3 && kMotors <= 3) {
      Mat<Real, 3, kMotors> J_W;
      for (int i = 0; i < kMotors; ++i) J_W.col(i) = Times<Real>(config_.R_WD, Vec<Real, 3>(J_.col(i)));
      sample_.counts = CountStepsOf(config_.motors, J_W);
    }
  }

  KinematicResult Angles(const PortReading& reading, DeviceAngles<D>* q) const {
    std::array<std::int32_t, static_cast<std::size_t>(kMotors)> count;
    for (int i = 0; i < kMotors; ++i) count[static_cast<std::size_t>(i)] = reading.count[i];
    Vec<Real, kMotors> driven;
    const KinematicResult result = AnglesOfCounts(reference_.motors(), count, &driven);
    q->template head<kMotors>() = driven;
    if constexpr (kSensed > 0) {
      std::array<std::int32_t, static_cast<std::size_t>(kSensed)> more;
      for (int i = 0; i < kSensed; ++i) more[static_cast<std::size_t>(i)] = reading.sensed[i];
      Vec<Real, kSensed> angles;
      const KinematicResult of_sensed = AnglesOfCounts(config_.sensed, more, &angles);
      q->template tail<kSensed>() = angles;
      return result.ok() ? of_sensed : result;
    }
    return result;
  }

  /// A counter that was read while it wrapped, a byte that was lost: farther than anything moves in that time.
  bool Jumped(const PortReading& reading, std::uint32_t time_us) const {
    if (!has_counts_) return false;
    for (int i = 0; i < kMotors; ++i) {
      const float most_per_s = MostCountsPerSecond(i);
      const float most = most_per_s * 1e-6f * static_cast<float>(time_us - counted_us_) + 2;
      const std::int64_t way = std::int64_t{reading.count[i]} - count_[i];
      if (most_per_s > 0 && static_cast<float>(way < 0 ? -way : way) > most) return true;
    }
    return false;
  }

  /// By the counts a turn of the set in use: a coarse encoder's jump has few counts.
  float MostCountsPerSecond(int i) const {
    const float joint_radps = port_.traits().max_joint_radps[i];
    if (joint_radps <= 0) return port_.traits().max_speed_counts_per_s;
    const MotorCalibration<Real>& m = config_.motors[static_cast<std::size_t>(i)];
    constexpr Real kTurn = Real(6.283185307179586);
    return joint_radps * static_cast<float>(m.counts_per_turn * m.turns_per_joint_turn / kTurn);
  }

  /// Sensors that stand to the last count while the hand is pushed: dead, or a hand as still as none is.
  bool StandsStill(std::uint32_t now_us) {
    if (!enabled_ || !pushes_) moved_time_us_ = now_us;
    const std::uint32_t most_us = port_.traits().frozen_after_us;
    return most_us > 0 && now_us - moved_time_us_ >= most_us;
  }

  void Orient(const Mat<Real, 3, 3>& R_DH) {
    const Mat<Real, 3, 3> R = config_.R_WD * R_DH;
    const Quaternion<Real> q = QuaternionOf<Real>(R);
    for (int i = 0; i < 4; ++i) sample_.q_WH[i] = static_cast<float>(q(i));
  }

  /// The unit quaternion of a rotation: the largest of its four components by its root, the others by quotients.
  template <class T>
  static Quaternion<T> QuaternionOf(const Mat<T, 3, 3>& R) {
    const T s[4] = {R(0, 0) + R(1, 1) + R(2, 2), R(0, 0) - R(1, 1) - R(2, 2), R(1, 1) - R(2, 2) - R(0, 0),
                    R(2, 2) - R(0, 0) - R(1, 1)};  // 4 w² - 1, 4 x² - 1, 4 y² - 1, 4 z² - 1
    int k = 0;
    for (int i = 1; i < 4; ++i) k = s[i] > s[k] ? i : k;
    const T wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
    const T xy = R(1, 0) + R(0, 1), yz = R(2, 1) + R(1, 2), zx = R(0, 2) + R(2, 0), own = 1 + s[k];
    const Quaternion<T> q[4] = {{own, wx, wy, wz}, {wx, own, xy, zx}, {wy, xy, own, yz}, {wz, zx, yz, own}};
    const Quaternion<T> unit = Normalized<T>(q[k]);
    return unit(0) < T(0) ? Quaternion<T>(-unit) : unit;
  }

  Status DoWriteCommand(const CommandFrame& command, const CommandNote&) noexcept override {
    command_ = {};
    pushes_ = Norm(Vec<float, 3>(command.force_N[0], command.force_N[1], command.force_N[2])) > kPush_N;
    if (!enabled_) {
      // The controller has seen it and let go. What has no reference has failed without it.
      if (well_ || reference_.missing() != PortCause::kNone) failure_ = PortCause::kNone;
      Heat();
      return port_.Zero();
    }
    const KinematicResult result = well_ && failure_ == PortCause::kNone ? Currents(command) : KinematicFailure({});
    Heat();
    if (!result.ok()) {
      if (result.status == Status::kNotFinite) Fail(PortCause::kNotFinite);
      // Zeros that did not go leave the current before: the controller must know. Else this device holds no force.
      return port_.Zero() == Status::kWouldBlock ? Status::kWouldBlock : Status::kClosed;
    }
    float current_A[kMaxMotors] = {};
    for (int i = 0; i < kMotors; ++i) current_A[i] = static_cast<float>(command_.current_A(i));
    return port_.Write(current_A);
  }

  /// @returns not kOk: command_ is zero.
  KinematicResult Currents(const CommandFrame& command) {
    Vec<Real, D::kRows> F;
    const Vec<Real, 3> f_W(Real(command.force_N[0]), Real(command.force_N[1]), Real(command.force_N[2]));
    F.template head<3>() = config_.R_WD.transpose() * f_W;
    if constexpr (D::kRows == 6) {
      const Vec<Real, 3> t_W(Real(command.torque_Nm[0]), Real(command.torque_Nm[1]), Real(command.torque_Nm[2]));
      F.template tail<3>() = config_.R_WD.transpose() * t_W;
    }
    Vec<Real, kMotors> base = Vec<Real, kMotors>::Zero();
    if constexpr (HasMassModel<D>) {
      if (const KinematicResult bad = config_.mechanism.HoldingTorque(q_, config_.gravity_D_mps2, &base); !bad.ok())
        return bad;
    }
    Vec<Real, kMotors> limit_A;
    for (int i = 0; i < kMotors; ++i) {
      const auto n = static_cast<std::size_t>(i);
      base(i) += WallTorque(config_.walls[n], q_(i), speed_radps_(i));
      base(i) += CompensationTorque(config_.friction[n], speed_radps_(i));
      limit_A(i) = Min(AllowedCurrent(config_.motors[n], heat_[n], config_.period_s), Real(port_.traits().max_current_A[i]));
    }
    return CurrentsOfWrench(config_.motors, J_, F, base, limit_A, &command_);
  }

  void Heat() {
    for (int i = 0; i < kMotors; ++i) {
      const auto n = static_cast<std::size_t>(i);
      StepHeat(config_.motors[n], command_.current_A(i), config_.period_s, &heat_[n]);
    }
  }

  void Fail(PortCause cause) {
    if (port_.traits().is_absolute) has_q_ = has_counts_ = false;  // where it is next, it is
    reference_.NoteFailure(cause);
    if (cause != last_failure()) last_failure_.store(cause, std::memory_order_relaxed);
    is_homed_anew_.store(false, std::memory_order_relaxed);
    if (enabled_ && failure_ == PortCause::kNone) failure_ = cause;
  }

  void DoEnable() noexcept override {
    enabled_ = true;
    TellWell(false);
    port_.Enable();
  }
  void DoDisable() noexcept override {
    if (!enabled_)
      has_q_ = has_counts_ = false;  // ForwardingDevice says so again where a hand had time that this device did not see
    enabled_ = false;
    port_.Disable();
  }
  Status DoHome() noexcept override { return reference_.Ask(); }

  const MotorDeviceConfig<D> config_;
  MotorPort& port_;
  CountReference<Real, kMotors> reference_;
  DeviceAngles<D> q_ = DeviceAngles<D>::Zero(), speed_radps_ = DeviceAngles<D>::Zero();
  DeviceJacobian<D> J_ = DeviceJacobian<D>::Zero();
  std::int32_t count_[kMaxMotors] = {};
  std::array<MotorHeat<Real>, static_cast<std::size_t>(kMotors)> heat_ = {};
  MotorCommand<Real, kMotors> command_;
  SensorFrame sample_;
  std::uint32_t sample_time_us_ = 0, counted_us_ = 0, moved_time_us_ = 0;
  bool has_q_ = false, has_counts_ = false, posture_ok_ = false, well_ = false, enabled_ = false, pushes_ = false;
  PortCause failure_ = PortCause::kNone;  // while the drives were on
  std::atomic<PortCause> told_{PortCause::kNone}, last_failure_{PortCause::kNone};
  std::atomic<bool> has_measured_{false}, is_homed_anew_{false};
};

}  // namespace tactus::hal
