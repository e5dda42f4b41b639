#pragma once
#include <cstdint>

namespace tactus {

/// Where the controller stands. In all but kArmed and kFading the output is zero, and zeros are written at every clock edge.
enum class Phase : std::uint8_t {
  kConnecting,    ///< waits for a host that speaks its version
  kUnconfigured,  ///< waits for a Config
  kIdle,          ///< ticks run, the output is zero
  kArmed,         ///< the force of the tick goes out
  kFaulted,       ///< a fault has latched, the output is zero
  kStopped,       ///< the run is over
  kFading,        ///< the force goes to zero; then kIdle, kFaulted or kStopped
};

/// Why a fault came from outside the tick.
enum class Cause : std::uint8_t {
  kNone,             ///< it did not
  kLinkClosed,       ///< the link to the host is closed
  kDeadline,         ///< too many periods without a command in time: LatePeriods
  kControllerFault,  ///< a fault of the processor or a broken invariant
  kEStop,            ///< the e-stop input, or the host's order
  kClockLost,        ///< the tick's clock stands still
  kDeviceFault,      ///< the device or its drives report a fault
  kOutputWrong,      ///< the tick wanted to write what its state does not allow
};

/// Whether the force is zero at once. After the others it fades.
constexpr bool CutsForce(Cause cause) { return cause >= Cause::kEStop; }

constexpr const char* Name(Phase phase) {
  switch (phase) {
    case Phase::kConnecting: return "connecting";
    case Phase::kUnconfigured: return "unconfigured";
    case Phase::kIdle: return "idle";
    case Phase::kArmed: return "armed";
    case Phase::kFaulted: return "faulted";
    case Phase::kStopped: return "stopped";
    case Phase::kFading: return "fading";
  }
  return "unknown";
}

constexpr const char* Name(Cause cause) {
  switch (cause) {
    case Cause::kNone: return "none";
    case Cause::kLinkClosed: return "link closed";
    case Cause::kDeadline: return "too many periods without a command in time: late ticks, or a device that took none";
    case Cause::kControllerFault: return "controller failed";
    case Cause::kEStop: return "emergency stop";
    case Cause::kClockLost: return "clock lost";
    case Cause::kDeviceFault: return "device failed";
    case Cause::kOutputWrong: return "output against the state";
  }
  return "unknown";
}

}  // namespace tactus
