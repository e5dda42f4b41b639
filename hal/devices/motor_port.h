#pragma once
#include <cstdint>

#include "hal/api/device.h"
#include "hal/api/motor_io.h"
#include "tactus/core/scalar.h"
#include "tactus/core/status.h"

namespace tactus::hal {

/// Joints that a device measures and does not drive, at most.
inline constexpr int kMaxSensed = 3;

/// What is wrong with a device's electronics or its line, by name.
enum class PortCause : std::uint8_t {
  kNone,
  kClosed,         ///< the line is gone: unplugged, reset, its other end ended
  kSilent,         ///< no answer in time
  kCorrupt,        ///< bytes came, but no answer in time that makes sense
  kOutOfRange,     ///< an answer's number is outside of what it may be
  kOtherDevice,    ///< an answer names another model
  kRefused,        ///< the device says that it has not taken commands
  kRestarted,      ///< the device has started anew: what it was set up with is gone
  kNotHomed,       ///< its positions have no reference yet
  kReferenceLost,  ///< its counts have jumped or begun anew: where they stand is not known
  kHoldStill,      ///< it homes by its pose, and waits until the handle is still
  kNotStill,       ///< it was not, and it has no reference
  kNotLoaded,      ///< its program could not be loaded, or does not run
  kSensorFault,    ///< a position sensor reports a fault, or stands still
  kDriveFault,     ///< a drive reports a fault
  kPositionJump,   ///< a position moved farther than a hand can
  kUnreachable,    ///< the positions belong to no posture of the mechanism
  kNotFinite,      ///< a command was no number
};

constexpr const char* Name(PortCause cause) {
  switch (cause) {
    case PortCause::kNone: return "none";
    case PortCause::kClosed: return "the line is gone";
    case PortCause::kSilent: return "no answer in time";
    case PortCause::kCorrupt: return "bytes that are no answer";
    case PortCause::kOutOfRange: return "a number out of its range";
    case PortCause::kOtherDevice: return "another device answers";
    case PortCause::kRefused: return "the device refuses commands";
    case PortCause::kRestarted: return "the device has started anew";
    case PortCause::kNotHomed: return "not homed";
    case PortCause::kReferenceLost: return "the reference is lost, for the counts jumped or began anew: home it again";
    case PortCause::kHoldStill: return "it homes: hold the handle still in its home pose";
    case PortCause::kNotStill: return "not homed, for the handle was not held still: home it again";
    case PortCause::kNotLoaded: return "its program does not run";
    case PortCause::kSensorFault: return "a position sensor has failed";
    case PortCause::kDriveFault: return "a drive reports a fault";
    case PortCause::kPositionJump: return "a position jumped";
    case PortCause::kUnreachable: return "no posture has these positions";
    case PortCause::kNotFinite: return "a command was no number";
  }
  return "unknown";
}

/// The same in the words of the device's interface.
constexpr DeviceCause ToDeviceCause(PortCause cause) {
  switch (cause) {
    case PortCause::kNone: return DeviceCause::kNone;
    case PortCause::kNotHomed:
    case PortCause::kReferenceLost:
    case PortCause::kHoldStill:
    case PortCause::kNotStill: return DeviceCause::kHomingFailed;
    case PortCause::kDriveFault:
    case PortCause::kRefused:
    case PortCause::kNotFinite: return DeviceCause::kDriveFault;
    default: return DeviceCause::kNoSignal;
  }
}

/// What a device's electronics are. Constant: nothing that comes over the line changes it.
struct PortTraits {
  const char* name = "";
  int motors = 0;                        ///< 1 to kMaxMotors; the first of each array
  int sensed = 0;                        ///< joints that are only measured, 0 to kMaxSensed
  float max_current_A[kMaxMotors] = {};  ///< ceiling of the electronics; > 0 for each motor that is there
  /// No hand and no motor moves a count faster, per second. 0: not checked.
  float max_speed_counts_per_s = 0;
  /// The same of a motor's joint, where the counts a turn are the set's [rad/s]: instead of the one above. 0: that one.
  float max_joint_radps[kMaxMotors] = {};
  /// All counts the same for so long, while the hand is pushed with more than 0.3 N: kSensorFault. 0: not checked. A hand
  /// that rests in the friction of a device stands as still: only for a device whose counts flicker, or that is known to
  /// freeze.
  std::uint32_t frozen_after_us = 0;
  std::uint32_t max_age_us = 10'000;  ///< an older reading is no reading: kSilent
  /// Its sensors know where they are, so that no jump takes their place away. false: they count (CountReference).
  bool is_absolute = false;
  /// A user can hold the handle where the counts are zero_count. false: it homes by itself, or not at all.
  bool has_home_pose = true;
};

/// What the electronics said last.
struct PortReading {
  std::int32_t count[kMaxMotors] = {};   ///< of each motor's encoder
  std::int32_t sensed[kMaxSensed] = {};  ///< of each joint that is only measured
  std::uint32_t age_us = 0;              ///< since the bytes came
  bool valid = false;                    ///< there is one
  bool is_new = false;                   ///< it has come since the last Poll
  bool e_stop = false;
  std::uint8_t buttons = 0;                         ///< that are held, from bit 0
  std::uint32_t restarts = 0;                       ///< of its counters, where the handle was: each costs their place
  std::uint32_t homings = 0;                        ///< of its own: each gives the counts their place
  DeviceState state = DeviceState::kUninitialised;  ///< as it is now; what has to stay remembered, MotorDevice remembers
  PortCause missing = PortCause::kSilent;           ///< why nothing newer came, where age_us is too much
  PortCause cause = PortCause::kNone;               ///< of kFaulted; of kUninitialised and kHoming: what it waits for
};

/// Motors and encoders of a haptic device at the end of its own line, in its own protocol: counts in, currents out.
///
/// One unit each way. A device that tells angles gets counts by its resolution. A drive that takes torques has a calibration
/// with 1 N·m/A: its amperes are newton metres.
///
/// All calls come from the tick context. None waits, allocates or takes more than a bounded number of bytes. A port starts
/// with its outputs off, sets its device up by itself in Poll, and lets no current out before Enable.
class MotorPort {
 public:
  virtual ~MotorPort() = default;

  const PortTraits& traits() const noexcept { return DoTraits(); }

  /// Takes what has come; sets up, asks again and recovers where that is due. Once in each period, before Write.
  /// @param[in] now_us  the loop's time
  PortReading Poll(std::uint32_t now_us) noexcept { return DoPoll(now_us); }

  /// Commands all motors, until the next Write or Zero. @param[in] current_A  numbers; beyond a ceiling they are clamped
  /// @returns kOk; kWouldBlock: nothing was sent, an answer is awaited or there is no room; kNotReady: not set up, or not
  /// enabled: zeros were sent if anything; kNotFinite: zeros were sent instead; kClosed: the line is gone.
  Status Write(const float (&current_A)[kMaxMotors]) noexcept {
    for (int i = 0; i < traits().motors; ++i) {
      if (IsFinite(current_A[i])) continue;
      const Status zeros = DoZero();
      return zeros == Status::kOk ? Status::kNotFinite : zeros;
    }
    return DoWrite(current_A);
  }

  /// No current in any motor; also keeps the line alive. @returns as Write.
  Status Zero() noexcept { return DoZero(); }

  /// Behind zeros: commands may let current out.
  void Enable() noexcept { DoEnable(true); }
  /// Behind zeros: none may any more.
  void Disable() noexcept { DoEnable(false); }

 private:
  virtual const PortTraits& DoTraits() const noexcept = 0;
  virtual PortReading DoPoll(std::uint32_t now_us) noexcept = 0;
  virtual Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept = 0;  ///< they are finite
  virtual Status DoZero() noexcept = 0;
  virtual void DoEnable(bool on) noexcept = 0;
};

}  // namespace tactus::hal
