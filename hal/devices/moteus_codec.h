#pragma once
#include "hal/devices/canfd_text.h"

namespace tactus::hal::moteus {

/// The frames of a moteus drive (docs/devices.md): identifier = (source | 0x80 if it shall answer) << 8 | destination; data
/// are subframes that write and read registers, numbers least byte first, 0x50 to fill up.
enum class Mode : std::uint8_t {
  kStopped = 0,  ///< written: clears faults, too
  kFault = 1,
  kPreparing = 2,  ///< to 4
  kPosition = 10,
  kTimeout = 11,  ///< its watchdog has run out; stays until it is stopped
};

inline constexpr float kMost_Turns = 1000;  ///< a position beyond is none
/// No such drive bears more, or measures in such cold or heat: what says so is not right about the rest either. Ours.
inline constexpr float kMost_V = 100, kLeast_degC = -60, kMost_degC = 200;
/// In each command: how long it holds. The drive's own default of 0.1 s is not relied on.
inline constexpr float kWatchdog_s = 0.02f;

/// A request's tag is its source, and the drive answers to it: which request an answer belongs to is never a guess. None is
/// a drive's own number, for an answer would be a command to that one.
inline constexpr int kFirstTag = 0x10, kTags = 96;

constexpr std::uint32_t RequestId(int drive, int tag) {
  return (0x80u | static_cast<unsigned>(kFirstTag + tag)) << 8 | static_cast<unsigned>(drive);
}

/// A torque alone: position mode without a position, without gains, and a question.
/// @param torque_Nm  finite  @param most_Nm  finite: no number would mean all that the drive can
CanFdFrame WriteTorque(int drive, int tag, float torque_Nm, float most_Nm) noexcept;
/// Motor off, and a question.
CanFdFrame WriteStop(int drive, int tag) noexcept;

struct Answer {
  int drive = 0, tag = 0;
  Mode mode = Mode::kStopped;  ///< before the frame that asked: a command takes effect behind it
  float position_turns = 0;    ///< of the output shaft
  bool is_referenced = false;  ///< the position belongs to the rotor or the output, not to where it was switched on
  std::uint8_t fault = 0;      ///< a fault in any mode, or what limits it
  bool refuses = false;        ///< a register is unknown to it, or was not taken
};

/// Whether a fault is one of the position's: 32, 35, 42, 43.
constexpr bool IsOfEncoder(std::uint8_t fault) { return fault == 32 || fault == 35 || fault == 42 || fault == 43; }

/// Whether a code is a fault at all, whatever the mode says: 96 to 103 tell what limits the drive.
constexpr bool IsFault(std::uint8_t fault) { return fault != 0 && (fault < 96 || fault > 103); }

/// @returns kOk; kNotReady: a frame that is not for us; kCorrupt: a subframe that is none, or cut; kOutOfRange: a value is
///          missing, is none, the position is beyond kMost_Turns, or supply or temperature are those of no drive
Status Read(const CanFdFrame& frame, Answer* answer) noexcept;

}  // namespace tactus::hal::moteus
