#pragma once
#include "hal/api/motor_io.h"
#include "hal/api/sense_check.h"
#include "hal/devices/motor_port.h"

namespace tactus::hal {

/// The motors of the board that runs the loop, as the port of a device: registers in place of a line.
///
/// A reading is never old. What the board finds wrong while the drives are on, a measured current that stays wrong among it
/// (SenseCheck), switches them off at once and stays a failure until the controller has done so too: a correction by a
/// broken sense would go on otherwise, whatever is written.
class BoardPort final : public MotorPort {
 public:
  /// @param motors     outlives this; started
  /// @param period_us  of the loop: from one Poll to the next
  BoardPort(MotorIo& motors, std::uint32_t period_us) : motors_(motors), period_us_(period_us) {
    const MotorTraits& board = motors.traits();
    traits_.name = "the board's motors";
    traits_.motors = board.motors;
    for (int i = 0; i < board.motors; ++i) traits_.max_current_A[i] = board.max_current_A[i];
    traits_.max_speed_counts_per_s = static_cast<float>(board.max_step_counts) * 1e6f / static_cast<float>(period_us);
  }

 private:
  const PortTraits& DoTraits() const noexcept override { return traits_; }

  PortReading DoPoll(std::uint32_t) noexcept override {
    const MotorReading reading = motors_.Read();
    const PortCause seen = WrongIn(reading);
    if (enabled_ && seen != PortCause::kNone) Cut(seen);
    const PortCause wrong = cut_ != PortCause::kNone ? cut_ : seen;
    PortReading port{.valid = true, .is_new = true, .e_stop = reading.e_stop, .cause = wrong};
    port.state = wrong != PortCause::kNone ? DeviceState::kFaulted : enabled_ ? DeviceState::kEnabled : DeviceState::kReady;
    for (int i = 0; i < traits_.motors; ++i) port.count[i] = reading.count[i];
    return port;
  }

  PortCause WrongIn(const MotorReading& reading) {
    const bool senses_well = sense_.Look(motors_.traits(), reading, written_A_, period_us_);
    if (reading.encoder_fault) return PortCause::kSensorFault;
    return reading.drive_fault || reading.brown_out || !senses_well ? PortCause::kDriveFault : PortCause::kNone;
  }

  void Cut(PortCause cause) {
    (void)DoZero();
    motors_.SetEnable(false);
    if (cut_ == PortCause::kNone) cut_ = cause;
  }

  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override {
    if (!enabled_ || cut_ != PortCause::kNone) {
      const Status zeros = DoZero();
      return zeros == Status::kOk ? Status::kNotReady : zeros;
    }
    for (int i = 0; i < traits_.motors; ++i)
      written_A_[i] = Clamp(current_A[i], -traits_.max_current_A[i], traits_.max_current_A[i]);
    if (motors_.Write(written_A_) == Status::kOk) return Status::kOk;
    (void)DoZero();  // what flows is unknown, and the caller is told so
    return Status::kWouldBlock;
  }

  Status DoZero() noexcept override {
    for (float& current_A : written_A_) current_A = 0;
    return motors_.Zero();
  }

  void DoEnable(bool on) noexcept override {
    (void)DoZero();  // what it says of these zeros it says again of what follows
    motors_.SetEnable(on);
    enabled_ = on;
    cut_ = PortCause::kNone;
    sense_.Forget();
  }

  MotorIo& motors_;
  const std::uint32_t period_us_;
  PortTraits traits_;
  SenseCheck sense_;
  float written_A_[kMaxMotors] = {};
  bool enabled_ = false;
  PortCause cut_ = PortCause::kNone;  // since the drives were switched on
};

}  // namespace tactus::hal
