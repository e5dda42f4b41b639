#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "hal/api/motor_io.h"
#include "hal/stm32/motor_pwm.h"
#include "hal/stm32/quadrature_encoder.h"
#include "tactus/core/scalar.h"

namespace tactus::hal::stm32 {

/// What of a board's motor nobody measures.
struct BridgeMotor {
  float stall_A;                  ///< U/R: current of the still motor at the whole supply
  float max_current_A;            ///< ceiling, below stall_A
  std::uint32_t counts_per_turn;  ///< of the encoder
  std::uint32_t max_step_counts;  ///< in one period of the board's loop, at the speed at which the supply drives no current
};

/// One motor between the half-bridges 1 and 2, the third one free: shares (1 + d)/2 and (1 - d)/2.
struct OneMotorBetweenTwo {
  static constexpr int kMotors = 1;
  static constexpr std::array<float, 3> Drives(const std::array<float, 1>& d) { return {d[0], -d[0], 0}; }
};

/// Three motors, a full bridge for each pair of outputs: CHx has one diagonal and CHxN the other, for shares (1 + d)/2 and
/// (1 - d)/2 of the period.
struct ThreeMotorsOnPairs {
  static constexpr int kMotors = 3;
  static constexpr std::array<float, 3> Drives(const std::array<float, 3>& d) { return d; }
};

/// For a board that measures no current.
struct NoCurrentSense {
  static constexpr bool kMeasures = false;
};

/// Motors with brushes on the bridges of a MotorPwm, each with its encoder. A current I_c is written as the voltage that
/// gives it in the motor at rest, and a correction x:
///     u = U d,  d = (I_c + x) / stall_A
///
/// Without a current sense x = 0: what flows is I_c - K w / R with the speed w, and it is above I_c where the hand drives
/// the motor backwards. traits() says that nothing is measured.
///
/// With one x takes up K w / R and what is wrong in stall_A: with each Read
///     x <- x + g (I_c - I),  |x| ≤ min(I_max, I_max/20 + |I_c|/2 + 3/2 stall_A |Δ|/Δ_max),  g = 1/2
/// which is stable for every electrical time constant τ of the motor: with a = exp(-T/τ) and I following I_c + x through
/// the pole a, the loop's polynomial z² - (1 + a) z + a + g (1 - a) has its roots inside the circle for 0 < g < 1. Its bound
/// is what x stands for: K w / R by the larger of the last two steps Δ of the encoder (at Δ_max it is stall_A), half of that
/// and of I_c for a resistance and a supply that are off, a twentieth of the ceiling for the converter. So a channel that
/// shows no current, or a count too much, has no integrator to fill (SenseCheck finds the rest).
///
/// A sense that has failed gives NaN, which the application takes for wrong (IoFault kCurrentSense), until its offsets are
/// known again. The drives do not come on before they are.
///
/// With the drives off what failed begins anew: the sense, and an encoder at the count where it was, which tells its fault
/// once. What stays wrong is told again. So a host can clear a fault whose cause is gone; where the handle is, it has to
/// find out anew.
///
/// @tparam Wiring  OneMotorBetweenTwo or ThreeMotorsOnPairs
/// @tparam Sense   NoCurrentSense, or kMeasures, Sample(outputs_on), ampere(motor), failed(), calibrated(), Recover()
template <class R, class Wiring = OneMotorBetweenTwo, class Sense = NoCurrentSense>
class BridgeMotorIo final : public MotorIo {
 public:
  static constexpr int kMotors = Wiring::kMotors;

  /// All of them have been started before the first Read.
  struct Parts {
    MotorPwm<R>& pwm;
    std::array<QuadratureEncoder<R>*, kMotors> encoders;
    Sense* sense = nullptr;  ///< not nullptr if it measures
  };

  /// Where the hardware tells what it sees, and the line of the gate drivers if there is one.
  struct Lines {
    const R& e_stop_port;         ///< IDR of the e-stop contact's port; high: open
    std::uint32_t e_stop_mask;    ///< its pin
    const R& supply;              ///< register of the supply detector
    std::uint32_t supply_is_low;  ///< its flag
    R* gates = nullptr;           ///< BSRR of the port of the line that enables the gate drivers
    std::uint32_t gates_mask = 0;
  };

  BridgeMotorIo(const Parts& parts, const Lines& lines, const std::array<BridgeMotor, kMotors>& motors)
      : parts_(parts), lines_(lines), motors_(motors) {
    traits_.motors = kMotors;
    traits_.senses_current = Sense::kMeasures;
    for (std::size_t i = 0; i < kMotors; ++i) {
      traits_.counts_per_turn[i] = motors[i].counts_per_turn;
      traits_.max_current_A[i] = motors[i].max_current_A;
      traits_.max_step_counts = std::max(traits_.max_step_counts, motors[i].max_step_counts);
    }
  }

 private:
  using Currents = std::array<float, kMotors>;

  const MotorTraits& DoTraits() const noexcept override { return traits_; }

  /// A drive fault is a power stage that was switched on and is off: the break has cut, or it never came on.
  MotorReading DoRead() noexcept override {
    MotorReading reading;
    ReadEncoders(&reading);
    ReadCurrents(&reading);
    reading.e_stop = (lines_.e_stop_port & lines_.e_stop_mask) != 0;
    reading.drive_fault = wanted_ && !parts_.pwm.armed();
    reading.brown_out = (lines_.supply & lines_.supply_is_low) != 0;
    return reading;
  }

  void ReadEncoders(MotorReading* reading) {
    for (std::size_t i = 0; i < kMotors; ++i) {
      QuadratureEncoder<R>& encoder = *parts_.encoders[i];
      reading->count[i] = encoder.Sample();
      FollowStep(i, reading->count[i]);
      if (encoder.fault() == EncoderFault::kNone) continue;
      reading->encoder_fault = true;
      if (!wanted_) encoder.Restart();
    }
  }

  void FollowStep(std::size_t motor, std::int32_t count) {
    const auto step = static_cast<std::uint32_t>(count) - static_cast<std::uint32_t>(std::exchange(count_[motor], count));
    const float now = Abs(static_cast<float>(static_cast<std::int32_t>(step)));
    step_counts_[motor] = std::max(now, std::exchange(last_step_counts_[motor], now));
  }

  void ReadCurrents(MotorReading* reading) {
    constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();  // and on the wire
    if constexpr (Sense::kMeasures) {
      parts_.sense->Sample(wanted_);
      sense_failed_ = parts_.sense->failed() || (sense_failed_ && !parts_.sense->calibrated());
      for (std::size_t i = 0; i < kMotors; ++i) {
        reading->current_A[i] = sense_failed_ ? kNoNumber : parts_.sense->ampere(static_cast<int>(i));
        Correct(i, reading->current_A[i]);
      }
      if (parts_.sense->failed() && !wanted_) parts_.sense->Recover();
    } else {
      for (std::size_t i = 0; i < kMotors; ++i) reading->current_A[i] = kNoNumber;
    }
  }

  void Correct(std::size_t motor, float current_A) {
    constexpr float kGain = 0.5f;
    const float next_A = correction_A_[motor] + kGain * (written_A_[motor] - current_A);
    const float most_A = MostCorrection(motor);
    const bool use = wanted_ && next_A == next_A;
    correction_A_[motor] = use ? std::clamp(next_A, -most_A, most_A) : 0.0f;
  }

  float MostCorrection(std::size_t motor) const {
    const BridgeMotor& one = motors_[motor];
    const float of_speed_A = 1.5f * one.stall_A * step_counts_[motor] / static_cast<float>(one.max_step_counts);
    const float of_current_A = Abs(written_A_[motor]) / 2;
    return std::min(one.max_current_A, one.max_current_A / 20 + of_current_A + of_speed_A);
  }

  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override {
    for (std::size_t i = 0; i < kMotors; ++i) written_A_[i] = current_A[i] == current_A[i] ? current_A[i] : 0.0f;
    return Put() == Status::kOk ? Status::kOk : Status::kWouldBlock;
  }

  /// Outputs that are off carry no current either.
  Status DoZero() noexcept override {
    written_A_.fill(0);
    (void)Put();
    return Status::kOk;
  }

  Status Put() {
    Currents drives{};
    for (std::size_t i = 0; i < kMotors; ++i) drives[i] = (written_A_[i] + correction_A_[i]) / motors_[i].stall_A;
    return parts_.pwm.Set(Wiring::Drives(drives));
  }

  void DoSetEnable(bool on) noexcept override {
    wanted_ = on;
    correction_A_.fill(0);
    SwitchPowerStage(parts_.pwm, lines_.gates, lines_.gates_mask, on && SenseIsReady());
  }

  bool SenseIsReady() const {
    if constexpr (Sense::kMeasures) return parts_.sense->calibrated() && !parts_.sense->failed();
    return true;
  }

  const Parts parts_;
  const Lines lines_;
  const std::array<BridgeMotor, kMotors> motors_;
  MotorTraits traits_;
  Currents written_A_{}, correction_A_{};
  std::array<std::int32_t, kMotors> count_{};
  Currents last_step_counts_{}, step_counts_{};  // sizes: of the last step, the larger of the last two
  bool wanted_ = false, sense_failed_ = false;
};

}  // namespace tactus::hal::stm32
