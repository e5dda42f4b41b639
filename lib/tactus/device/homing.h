#pragma once
#include <array>
#include <cstdint>

#include "tactus/device/transmission.h"

namespace tactus {

/// How encoders that only count find their zero. The operator holds the handle in a pose whose angles are known and says
/// so (Homing::Start). If that pose is exact, it is the zero. If not, it only tells which index pulse comes next: the hand
/// then moves each joint past one, and the pulse is the zero. No motor is driven.
///
///     index pulses are at   q_k = index_rad + k 2π/N,   k whole
///     a pulse at count c    q = offset + s_q 2π (c - zero)/(counts_per_turn N) from the pose's zero,
///                           k = nearest whole number to (q - index_rad) N/2π;   then zero = c, offset = q_k
template <class Scalar, int kJoints>
struct HomingPlan {
  Vec<Scalar, kJoints> pose_rad = Vec<Scalar, kJoints>::Zero();  ///< the known pose
  std::array<bool, kJoints> has_index = {};                      ///< false: the pose is this joint's zero
  Vec<Scalar, kJoints> index_rad = Vec<Scalar, kJoints>::Zero();
  Scalar largest_index_error = Scalar(0.25);  ///< of the pose, in turns of the motor; above it k would be a guess; < 0.5
  std::int32_t still_counts = 2;              ///< a joint that stays within this many is still
  Scalar still_s = Scalar(0.5);               ///< so long must the pose be held
  Scalar hold_timeout_s = 30;                 ///< from Start until the pose was held
  Scalar index_timeout_s = 60;                ///< from then until every index has come
};

enum class HomingPhase : std::uint8_t {
  kIdle,   ///< nothing is known
  kHold,   ///< waits until the pose is held still
  kIndex,  ///< waits for the index pulses
  kDone,   ///< the calibration's zeros are right
  kFailed,
};

enum class HomingCause : std::uint8_t {
  kNone,
  kNotStill,     ///< the pose was not held still in time
  kNoIndex,      ///< an index did not come in time
  kAmbiguous,    ///< an index is too far from where the pose says: another pose, or counts were lost
  kJumped,       ///< a count moved farther in one period than the device can
  kOutsideLimit  ///< the joint would be outside its range: the pose was another one
};

constexpr const char* Name(HomingPhase phase) {
  switch (phase) {
    case HomingPhase::kIdle: return "not homed";
    case HomingPhase::kHold: return "hold the handle still in its home pose";
    case HomingPhase::kIndex: return "move every joint past its index";
    case HomingPhase::kDone: return "homed";
    case HomingPhase::kFailed: return "homing failed";
  }
  return "unknown";
}

constexpr const char* Name(HomingCause cause) {
  switch (cause) {
    case HomingCause::kNone: return "none";
    case HomingCause::kNotStill: return "the handle was not held still";
    case HomingCause::kNoIndex: return "an index did not come";
    case HomingCause::kAmbiguous: return "an index is not where the home pose says";
    case HomingCause::kJumped: return "a count jumped";
    case HomingCause::kOutsideLimit: return "a joint is outside its range";
  }
  return "unknown";
}

/// What the encoders say in one period.
template <int kJoints>
struct HomingReading {
  std::array<std::int32_t, kJoints> count = {};        ///< wraps
  std::array<bool, kJoints> index_seen = {};           ///< a pulse has come in this period
  std::array<std::int32_t, kJoints> index_count = {};  ///< the count that was latched then
};

/// @returns the first fault of a plan, with the joint as its index
template <class Scalar, int kJoints>
DeviceFault Validate(const HomingPlan<Scalar, kJoints>& plan, const JointLimits<Scalar, kJoints>& limits) noexcept {
  DeviceCheck check;
  for (int i = 0; i < kJoints; ++i) {
    check.Range("pose_rad", static_cast<double>(plan.pose_rad(i)), static_cast<double>(limits.low_rad(i)),
                static_cast<double>(limits.high_rad(i)), i);
    check.Range("index_rad", static_cast<double>(plan.index_rad(i)), -kMostAngle_rad, kMostAngle_rad, i);
  }
  check.Range("largest_index_error", static_cast<double>(plan.largest_index_error), 0.001, 0.499);
  check.Range("still_counts", plan.still_counts, 0, 1e6);
  check.Range("still_s", static_cast<double>(plan.still_s), 0, 60);
  check.Range("hold_timeout_s", static_cast<double>(plan.hold_timeout_s), static_cast<double>(plan.still_s) + 0.1, 3600);
  check.Range("index_timeout_s", static_cast<double>(plan.index_timeout_s), 0.1, 3600);
  return check.fault();
}

/// Homing as a state: Start, then one Step a period until done() or failed(). While it is neither, the device has no pose:
/// samples are not valid and the drives stay off.
template <class Scalar, int kJoints>
class Homing {
 public:
  using Reading = HomingReading<kJoints>;
  using JointCalibration = Calibration<Scalar, kJoints>;

  /// @param[in] plan, limits, calibration  as their Validate accepts them
  /// @param[in] most_counts  that a joint can move in one period; > 0
  Homing(const HomingPlan<Scalar, kJoints>& plan, const JointLimits<Scalar, kJoints>& limits,
         const JointCalibration& calibration, std::int32_t most_counts) noexcept
      : plan_(plan), limits_(limits), calibration_(calibration), most_counts_(most_counts) {}

  /// The operator says: the handle is in its home pose. Begins anew from any phase.
  void Start() noexcept {
    phase_ = HomingPhase::kHold;
    cause_ = HomingCause::kNone;
    joint_ = -1;
    phase_s_ = still_s_ = 0;
    has_last_ = false;
    found_ = {};
  }

  void Step(const Reading& reading, Scalar period_s) noexcept;

  HomingPhase phase() const noexcept { return phase_; }
  HomingCause cause() const noexcept { return cause_; }
  int joint() const noexcept { return joint_; }  ///< that failed, or is waited for; -1: none
  bool done() const noexcept { return phase_ == HomingPhase::kDone; }
  bool failed() const noexcept { return phase_ == HomingPhase::kFailed; }

  /// 0 to 1: half for the pose, half for the joints whose index has come.
  Scalar progress() const noexcept;

  /// With the zeros that were found. Of use when done().
  const JointCalibration& calibration() const noexcept { return calibration_; }

 private:
  void Hold(const Reading& reading, Scalar period_s) noexcept;
  void TakePose(const Reading& reading) noexcept;
  void Search(const Reading& reading) noexcept;
  bool TakeIndex(int i, const Reading& reading) noexcept;
  void Finish(const Reading& reading) noexcept;
  void Fail(HomingCause cause, int joint) noexcept {
    phase_ = HomingPhase::kFailed;
    cause_ = cause;
    joint_ = joint;
  }

  HomingPlan<Scalar, kJoints> plan_;
  JointLimits<Scalar, kJoints> limits_;
  JointCalibration calibration_;
  std::int32_t most_counts_ = 0;
  HomingPhase phase_ = HomingPhase::kIdle;
  HomingCause cause_ = HomingCause::kNone;
  int joint_ = -1;
  Scalar phase_s_ = 0, still_s_ = 0;
  bool has_last_ = false;
  std::array<std::int32_t, kJoints> last_ = {}, still_from_ = {};
  std::array<bool, kJoints> found_ = {};
};

namespace internal {

/// From a to b on the circle of 2³² counts.
constexpr std::int32_t CountsFrom(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(b) - static_cast<std::uint32_t>(a));
}
constexpr bool IsWithin(std::int32_t moved, std::int32_t most) { return moved <= most && moved >= -most; }

/// The nearest whole number; |x| < 2³¹.
template <class Scalar>
Scalar NearestWhole(Scalar x) noexcept {
  return static_cast<Scalar>(static_cast<std::int32_t>(x < Scalar(0) ? x - Scalar(0.5) : x + Scalar(0.5)));
}

/// How far an angle is from the nearest pulse, in turns of the motor, and where that pulse is.
template <class Scalar>
struct NearestIndex {
  Scalar q_rad = 0, error_turns = 0;
};

template <class Scalar>
NearestIndex<Scalar> IndexNear(const MotorCalibration<Scalar>& m, Scalar index_rad, Scalar q_rad) noexcept {
  const Scalar turns = (q_rad - index_rad) * m.turns_per_joint_turn / kTurn_rad<Scalar>, k = NearestWhole(turns);
  return {.q_rad = index_rad + k * kTurn_rad<Scalar> / m.turns_per_joint_turn, .error_turns = turns - k};
}

template <class Scalar>
bool AngleOfCount(const MotorCalibration<Scalar>& m, std::int32_t count, Scalar* q_rad) noexcept {
  Vec<Scalar, 1> q;
  const bool ok = AnglesOfCounts<Scalar, 1>({m}, {count}, &q).ok();
  *q_rad = q(0);
  return ok;
}

}  // namespace internal

/// Whether an index pulse, after homing, came where it must: at most `most_turns` of the motor beside. One that does not
/// says that counts were lost or made up, and every pose since then is wrong.
template <class Scalar>
bool IndexAgrees(const MotorCalibration<Scalar>& m, Scalar index_rad, std::int32_t index_count, Scalar most_turns) noexcept {
  Scalar q = 0;
  return internal::AngleOfCount(m, index_count, &q) && Abs(internal::IndexNear(m, index_rad, q).error_turns) <= most_turns;
}

template <class Scalar, int kJoints>
void Homing<Scalar, kJoints>::Step(const Reading& reading, Scalar period_s) noexcept {
  if (phase_ != HomingPhase::kHold && phase_ != HomingPhase::kIndex) return;
  for (int i = 0; has_last_ && i < kJoints; ++i) {
    if (!internal::IsWithin(internal::CountsFrom(last_[i], reading.count[i]), most_counts_)) {
      return Fail(HomingCause::kJumped, i);
    }
  }
  if (!has_last_) still_from_ = reading.count;
  last_ = reading.count;
  has_last_ = true;
  phase_s_ += period_s;
  if (phase_ == HomingPhase::kHold) return Hold(reading, period_s);
  Search(reading);
}

template <class Scalar, int kJoints>
void Homing<Scalar, kJoints>::Hold(const Reading& reading, Scalar period_s) noexcept {
  still_s_ += period_s;
  int moving = -1;
  for (int i = 0; i < kJoints; ++i) {
    if (!internal::IsWithin(internal::CountsFrom(still_from_[i], reading.count[i]), plan_.still_counts)) moving = i;
  }
  if (moving >= 0) {
    still_from_ = reading.count;
    still_s_ = 0;
  }
  if (still_s_ >= plan_.still_s) return TakePose(reading);
  if (phase_s_ >= plan_.hold_timeout_s) Fail(HomingCause::kNotStill, moving);
}

template <class Scalar, int kJoints>
void Homing<Scalar, kJoints>::TakePose(const Reading& reading) noexcept {
  for (int i = 0; i < kJoints; ++i) {
    calibration_[i].zero_count = reading.count[i];
    calibration_[i].offset_rad = plan_.pose_rad(i);
    found_[i] = !plan_.has_index[i];
  }
  phase_ = HomingPhase::kIndex;
  phase_s_ = 0;
  Search(reading);
}

template <class Scalar, int kJoints>
void Homing<Scalar, kJoints>::Search(const Reading& reading) noexcept {
  joint_ = -1;
  for (int i = 0; i < kJoints; ++i) {
    if (!found_[i] && reading.index_seen[i] && !TakeIndex(i, reading)) return;
    if (!found_[i] && joint_ < 0) joint_ = i;
  }
  if (joint_ < 0) return Finish(reading);
  if (phase_s_ >= plan_.index_timeout_s) Fail(HomingCause::kNoIndex, joint_);
}

template <class Scalar, int kJoints>
bool Homing<Scalar, kJoints>::TakeIndex(int i, const Reading& reading) noexcept {
  const std::int32_t count = reading.index_count[i];
  const bool in_this_period = internal::IsWithin(internal::CountsFrom(count, reading.count[i]), most_counts_);
  Scalar q = 0;
  const bool counted = internal::AngleOfCount(calibration_[i], count, &q);
  const internal::NearestIndex<Scalar> index = internal::IndexNear(calibration_[i], plan_.index_rad(i), q);
  const bool near = counted && Abs(index.error_turns) <= plan_.largest_index_error;
  if (!in_this_period || !near) {
    Fail(in_this_period ? HomingCause::kAmbiguous : HomingCause::kJumped, i);
    return false;
  }
  calibration_[i].zero_count = count;
  calibration_[i].offset_rad = index.q_rad;
  found_[i] = true;
  return true;
}

template <class Scalar, int kJoints>
void Homing<Scalar, kJoints>::Finish(const Reading& reading) noexcept {
  Vec<Scalar, kJoints> q;
  const KinematicResult counted = AnglesOfCounts(calibration_, reading.count, &q);
  if (!counted.ok()) return Fail(HomingCause::kOutsideLimit, counted.joint);
  const KinematicResult inside = CheckAngles(q, limits_);
  if (!inside.ok()) return Fail(HomingCause::kOutsideLimit, inside.joint);
  phase_ = HomingPhase::kDone;
}

template <class Scalar, int kJoints>
Scalar Homing<Scalar, kJoints>::progress() const noexcept {
  if (phase_ == HomingPhase::kDone) return Scalar(1);
  if (phase_ == HomingPhase::kHold) {
    return plan_.still_s > Scalar(0) ? Scalar(0.5) * Min(still_s_ / plan_.still_s, Scalar(1)) : Scalar(0);
  }
  if (phase_ != HomingPhase::kIndex) return Scalar(0);
  int found = 0;
  for (const bool one : found_) found += one ? 1 : 0;
  return Scalar(0.5) + Scalar(0.5) * static_cast<Scalar>(found) / static_cast<Scalar>(kJoints);
}

}  // namespace tactus
