#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

#include "hal/devices/motor_port.h"
#include "tactus/device/homing.h"

namespace tactus::hal {

/// Whether the counts of a device have a place, and how they get one anew.
///
/// Sensors that know where they are (PortTraits::is_absolute) have it for good. Counters have it from the start: their user
/// has put the handle into its home pose before they had power. They lose it with what puts their numbers in doubt: a jump,
/// a sensor that failed, counters that began anew. From then on there is no position and no force, until the device has
/// homed by itself (PortReading::homings) or by its pose: Ask, and the handle held still in it. No motor is driven.
///
/// @tparam kMotors  all of them are homed at once; joints that are only measured keep their place
template <class Real, int kMotors>
class CountReference {
 public:
  using Motors = Calibration<Real, kMotors>;
  using Limits = JointLimits<Real, kMotors>;

  /// @param motors    valid; the home pose is where they are at zero_count
  /// @param port      outlives this
  /// @param period_s  of the loop
  CountReference(const Motors& motors, const Limits& limits, Real period_s, const MotorPort& port)
      : port_(port),
        period_s_(period_s),
        is_posture_(!Validate(PlanOf(motors), limits)),
        motors_(motors),
        homing_(PlanOf(motors), limits, motors, kAnyStep) {}

  /// The operator says: the handle is held in its home pose. Any thread. @returns kNotReady: it has no such pose
  Status Ask() noexcept {
    const PortTraits& traits = port_.traits();
    if (traits.is_absolute || !traits.has_home_pose || !is_posture_) return Status::kNotReady;
    asked_.store(true, std::memory_order_relaxed);
    return Status::kOk;
  }

  /// Once a period, before its positions are used. @param enabled  the drives are on: it does not begin to home
  void Step(const PortReading& reading, bool enabled) noexcept {
    if (std::exchange(restarts_, reading.restarts) != reading.restarts) Lose();
    if (std::exchange(homings_, reading.homings) != reading.homings) missing_ = PortCause::kNone;
    if (asked_.exchange(false, std::memory_order_relaxed) && !enabled) {
      homing_.Start();
      missing_ = PortCause::kHoldStill;
    }
    if (missing_ == PortCause::kHoldStill && reading.valid && reading.is_new) Hold(reading);
  }

  /// What has failed may have cost the counters their place.
  void NoteFailure(PortCause cause) noexcept {
    if (cause == PortCause::kPositionJump || cause == PortCause::kSensorFault) Lose();
  }

  /// kNone: the counts have their place; kReferenceLost; kHoldStill: it homes; kNotStill: it could not.
  PortCause missing() const noexcept { return missing_; }
  const Motors& motors() const noexcept { return motors_; }

 private:
  static constexpr std::int32_t kAnyStep = INT32_MAX;  // a pose that was held still has no use for what was before

  /// Held by hand: still within 0.3 degrees, twice the tremor of half a millimetre at 0.2 m. Ours.
  static HomingPlan<Real, kMotors> PlanOf(const Motors& motors) {
    constexpr Real kStill_turns = Real(0.3) / 360;
    constexpr std::int32_t kFewest = 2;  // the edges of one slot
    HomingPlan<Real, kMotors> plan;
    Real fewest = Real(kAnyStep);
    for (int i = 0; i < kMotors; ++i) {
      const auto& motor = motors[static_cast<std::size_t>(i)];
      plan.pose_rad(i) = motor.offset_rad;
      fewest = Min(fewest, kStill_turns * motor.counts_per_turn * motor.turns_per_joint_turn);
    }
    plan.still_counts = fewest > kFewest ? static_cast<std::int32_t>(fewest) : kFewest;
    return plan;
  }

  void Lose() {
    if (!port_.traits().is_absolute && missing_ != PortCause::kHoldStill) missing_ = PortCause::kReferenceLost;
  }

  void Hold(const PortReading& reading) {
    HomingReading<kMotors> counts;
    for (int i = 0; i < kMotors; ++i) counts.count[static_cast<std::size_t>(i)] = reading.count[i];
    homing_.Step(counts, period_s_);
    if (homing_.failed()) missing_ = PortCause::kNotStill;
    if (!homing_.done()) return;
    motors_ = homing_.calibration();
    missing_ = PortCause::kNone;
  }

  const MotorPort& port_;
  const Real period_s_;
  const bool is_posture_;  // the home pose is one of the mechanism's
  Motors motors_;
  Homing<Real, kMotors> homing_;
  PortCause missing_ = PortCause::kNone;
  std::uint32_t restarts_ = 0, homings_ = 0;
  std::atomic<bool> asked_{false};
};

}  // namespace tactus::hal
