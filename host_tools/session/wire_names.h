#pragma once
#include "tactus/wire/message.h"

namespace tactus::host {

// What the values of the wire's enumerations mean, for people.

constexpr const char* Name(wire::State state) {
  switch (state) {
    case wire::State::kConnecting: return "waiting for a hello";
    case wire::State::kUnconfigured: return "not configured";
    case wire::State::kIdle: return "idle";
    case wire::State::kArmed: return "armed";
    case wire::State::kFaulted: return "faulted";
    case wire::State::kStopped: return "stopped";
    case wire::State::kFading: return "fading to zero";
  }
  return "in an unknown state";
}

constexpr const char* Name(wire::Action action) {
  switch (action) {
    case wire::Action::kNone: return "no action";
    case wire::Action::kDisarm: return "to disarm";
    case wire::Action::kClearFault: return "to clear the fault";
    case wire::Action::kReset: return "to reset";
    case wire::Action::kStop: return "to stop";
    case wire::Action::kEStop: return "the emergency stop";
    case wire::Action::kPressClutch: return "to press the clutch";
    case wire::Action::kReleaseClutch: return "to let the clutch go";
    case wire::Action::kHome: return "to home its device";
  }
  return "an unknown action";
}

constexpr const char* Name(wire::AckCode code) {
  switch (code) {
    case wire::AckCode::kAccepted: return "accepted";
    case wire::AckCode::kWrongState: return "not allowed now";
    case wire::AckCode::kNotFinite: return "a number is not finite";
    case wire::AckCode::kOutOfRange: return "a number is out of range";
    case wire::AckCode::kOverCapacity: return "more than the board has room for";
    case wire::AckCode::kWrongVersion: return "another protocol version";
    case wire::AckCode::kWrongNonce: return "not the nonce of its last answer";
    case wire::AckCode::kWrongConfig: return "another configuration is in force";
    case wire::AckCode::kWrongSession: return "not of the stream that is open";
    case wire::AckCode::kNotNewer: return "not newer than the last set";
    case wire::AckCode::kTorn: return "a piece is missing or damaged";
    case wire::AckCode::kTooOld: return "older than it says that it holds";
    case wire::AckCode::kForceIsOn: return "force may be out, and the clutch does not hold";
  }
  return "for an unknown reason";
}

}  // namespace tactus::host
