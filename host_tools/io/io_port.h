#pragma once
#include "hal/devices/motor_port.h"
#include "host_tools/io/io_line.h"

namespace tactus::host {

/// The same in the words of a motor port.
constexpr hal::PortCause ToPortCause(IoFailure failure) {
  using enum hal::PortCause;
  switch (failure) {
    case IoFailure::kNone: return kNone;
    case IoFailure::kUnplugged: return kClosed;
    case IoFailure::kCommandTimeout:
    case IoFailure::kSilent:
    case IoFailure::kLate: return kSilent;
    case IoFailure::kBadFrames: return kCorrupt;
    case IoFailure::kTimeStands:
    case IoFailure::kNonsense: return kOutOfRange;
    case IoFailure::kOtherBoard: return kOtherDevice;
    case IoFailure::kCommandRefused:
    case IoFailure::kTakesNothing:
    case IoFailure::kNotArmed:
    case IoFailure::kDisarmed:
    case IoFailure::kStopped: return kRefused;
    case IoFailure::kOtherSession:
    case IoFailure::kRestarted: return kRestarted;
    case IoFailure::kEncoderFault: return kSensorFault;
    case IoFailure::kEncoderJump: return kPositionJump;
    default: return kDriveFault;
  }
}

/// An I/O board as the motors of a mechanism. Encoders of such a board count from where they were when it had power: one
/// that starts anew while this program runs counts from another place (PortReading::restarts).
class IoPort final : public hal::MotorPort {
 public:
  /// @param line  connected; outlives this  @param motors  of the mechanism: not more than the board has
  IoPort(IoLine& line, int motors);

  /// Why it has failed last, for reports. Any thread.
  IoFailure last_failure() const noexcept { return line_.last_failure(); }

 private:
  const hal::PortTraits& DoTraits() const noexcept override { return traits_; }
  hal::PortReading DoPoll(std::uint32_t now_us) noexcept override;
  Status DoWrite(const float (&current_A)[hal::kMaxMotors]) noexcept override;
  Status DoZero() noexcept override;
  void DoEnable(bool on) noexcept override { on ? line_.SwitchOn() : line_.SwitchOff(); }

  IoLine& line_;
  hal::PortTraits traits_;
};

}  // namespace tactus::host
