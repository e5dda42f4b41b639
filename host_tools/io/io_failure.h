#pragma once
#include <cstdint>

#include "hal/api/device.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// Why an I/O board, its line or its session is not to be trusted with force.
enum class IoFailure : std::uint8_t {
  kNone,
  // What the board itself says.
  kEStop,
  kDriveFault,
  kBrownOut,
  kEncoderFault,
  kEncoderJump,
  kCurrentSense,
  kCommandTimeout,
  kCommandRefused,
  kLatePeriods,
  kClockLost,
  kOutputWrong,
  kUnknownFault,
  // What the host sees of the line.
  kUnplugged,
  kSilent,
  kBadFrames,
  kLate,
  // What the host sees of the board.
  kOtherSession,
  kRestarted,
  kOtherBoard,
  kTakesNothing,
  kNotArmed,
  kDisarmed,
  kStopped,
  kTimeStands,
  kNonsense,
};

constexpr const char* Name(IoFailure failure) {
  switch (failure) {
    case IoFailure::kNone: return "";
    case IoFailure::kEStop: return "the e-stop is pressed";
    case IoFailure::kDriveFault: return "a drive reports a fault";
    case IoFailure::kBrownOut: return "the supply of the drives is too low";
    case IoFailure::kEncoderFault: return "an encoder has failed, by its own check";
    case IoFailure::kEncoderJump:
      return "a count jumped farther than the mechanism moves: look at the encoders and their wires";
    case IoFailure::kCurrentSense: return "a measured current is not the one that was written";
    case IoFailure::kCommandTimeout: return "no command came to the board in time";
    case IoFailure::kCommandRefused: return "the board had a command that is no number or above its ceiling";
    case IoFailure::kLatePeriods: return "the board has too many late periods, or its drives take nothing";
    case IoFailure::kClockLost: return "the board's clock stands still";
    case IoFailure::kOutputWrong: return "the board was about to write what its state does not allow";
    case IoFailure::kUnknownFault: return "the board is in a fault that it does not name";
    case IoFailure::kUnplugged: return "the line is gone: is it plugged in?";
    case IoFailure::kSilent: return "no answer from the board";
    case IoFailure::kBadFrames: return "what the board sends has a wrong checksum or is torn: look at the line and its rate";
    case IoFailure::kLate: return "the board's states come late: the line is too slow for the loop's rate, or loses time";
    case IoFailure::kOtherSession:
      return "the session is over: another program asked the board for one, or it has forgotten ours";
    case IoFailure::kRestarted: return "the board has started anew";
    case IoFailure::kOtherBoard: return "another board answers, with other bounds or another version: start anew";
    case IoFailure::kTakesNothing: return "the board takes no commands";
    case IoFailure::kNotArmed: return "the board does not switch its drives on";
    case IoFailure::kDisarmed: return "the board has switched its drives off by itself, or by another program's order";
    case IoFailure::kStopped: return "the board has stopped";
    case IoFailure::kTimeStands: return "the time that the board's states tell stands still, though they come";
    case IoFailure::kNonsense:
      return "it says what no I/O board of this version can: state, fault, answer or command_sequence";
  }
  return "unknown";
}

/// Of a board that is in kFaulted.
constexpr IoFailure FailureOf(wire::IoFault fault) {
  switch (fault) {
    case wire::IoFault::kEStop: return IoFailure::kEStop;
    case wire::IoFault::kDriveFault: return IoFailure::kDriveFault;
    case wire::IoFault::kBrownOut: return IoFailure::kBrownOut;
    case wire::IoFault::kEncoderFault: return IoFailure::kEncoderFault;
    case wire::IoFault::kEncoderJump: return IoFailure::kEncoderJump;
    case wire::IoFault::kCurrentSense: return IoFailure::kCurrentSense;
    case wire::IoFault::kCommandTimeout: return IoFailure::kCommandTimeout;
    case wire::IoFault::kCommandNotFinite:
    case wire::IoFault::kCommandTooLarge: return IoFailure::kCommandRefused;
    case wire::IoFault::kClockLost: return IoFailure::kClockLost;
    case wire::IoFault::kLatePeriods: return IoFailure::kLatePeriods;
    case wire::IoFault::kOutputWrong: return IoFailure::kOutputWrong;
    case wire::IoFault::kNone: break;
  }
  return IoFailure::kUnknownFault;
}

/// Of inputs that say something although the board is in no fault yet.
constexpr IoFailure FailureOf(wire::IoInput inputs) {
  const auto has = [bits = static_cast<unsigned>(inputs)](wire::IoInput input) {
    return (bits & static_cast<unsigned>(input)) != 0;
  };
  if (has(wire::IoInput::kEStop)) return IoFailure::kEStop;
  if (has(wire::IoInput::kDriveFault)) return IoFailure::kDriveFault;
  if (has(wire::IoInput::kBrownOut)) return IoFailure::kBrownOut;
  return has(wire::IoInput::kEncoderFault) ? IoFailure::kEncoderFault : IoFailure::kNone;
}

/// For those who know devices, and not that this is a board on a line.
constexpr hal::DeviceCause ToDeviceCause(IoFailure failure) {
  switch (failure) {
    case IoFailure::kNone: return hal::DeviceCause::kNone;
    case IoFailure::kEncoderFault:
    case IoFailure::kEncoderJump:
    case IoFailure::kCommandTimeout:
    case IoFailure::kUnplugged:
    case IoFailure::kSilent:
    case IoFailure::kBadFrames:
    case IoFailure::kLate:
    case IoFailure::kOtherSession:
    case IoFailure::kRestarted:
    case IoFailure::kOtherBoard:
    case IoFailure::kTimeStands:
    case IoFailure::kNonsense: return hal::DeviceCause::kNoSignal;
    default: return hal::DeviceCause::kDriveFault;
  }
}

}  // namespace tactus::host
