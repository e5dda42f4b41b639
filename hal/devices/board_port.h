#pragma once
#include "hal/api/motor_io.h"
#include "hal/api/sense_check.h"
#include "hal/devices/motor_port.h"

namespace tactus::hal {

/// The motors of the board that runs the loop, as the port of a device: registers in place of a line.
///
/// A reading is never old. What the board finds wrong while the drives are on switches them off at once, a measured current
/// that stays wrong among it (SenseCheck): with a broken sense, zeros that are written still carry its correction. It stays
/// a failure until the controller has switched the drives off too.
class BoardPort final : public MotorPort {
 public:
  /// @param motors     outlives this; started
  /// @param period_us  of the loop: from one Poll to the next
  /// @param restarts   of the board since it got power: behind one the counts begin where the handle is by then, so that
  /// they
  ///                   have no place until it is homed
  BoardPort(MotorIo& motors, std::uint32_t period_us, std::uint32_t restarts = 0) : motors_(motors), restarts_(restarts) {
    const MotorTraits& board = motors.traits();
    traits_.name = "the board's motors";
    traits_.motors = board.motors;
    for (int i = 0; i < board.motors; ++i) traits_.max_current_A[i] = board.max_current_A[i];
    traits_.max_speed_counts_per_s = static_cast<float>(board.max_step_counts) * 1e6f / static_cast<float>(period_us);
  }

 private:
  const PortTraits& DoTraits() const noexcept override { return traits_; }

  PortReading DoPoll(std::uint32_t now_us) noexcept override {
    const MotorReading reading = motors_.Read();
    const PortCause seen = WrongIn(reading, now_us - last_us_);
    last_us_ = now_us;
    if (enabled_ && seen != PortCause::kNone) Cut(seen);
    const PortCause wrong = cut_ != PortCause::kNone ? cut_ : seen;
    PortReading port{.valid = true, .is_new = true, .e_stop = reading.e_stop, .restarts = restarts_, .cause = wrong};
    port.state = wrong != PortCause::kNone ? DeviceState::kFaulted : enabled_ ? DeviceState::kEnabled : DeviceState::kReady;
    for (int i = 0; i < traits_.motors; ++i) port.count[i] = reading.count[i];
    return port;
  }

  PortCause WrongIn(const MotorReading& reading, std::uint32_t passed_us) {
    const bool senses_well = sense_.Look(motors_.traits(), reading, written_A_, passed_us);
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
  const std::uint32_t restarts_;
  PortTraits traits_;
  SenseCheck sense_;
  float written_A_[kMaxMotors] = {};
  std::uint32_t last_us_ = 0;  // time of the last Poll
  bool enabled_ = false;
  PortCause cut_ = PortCause::kNone;  // since the drives were switched on
};

}  // namespace tactus::hal
