#pragma once
#include <algorithm>
#include <array>
#include <limits>

#include "hal/api/motor_io.h"
#include "hal/stm32/motor_pwm.h"
#include "hal/stm32/quadrature_encoder.h"

namespace tactus::hal::stm32 {

/// What of a board's motor nobody measures.
struct BridgeMotor {
  float stall_A;                  ///< U/R: current of the still motor at the whole supply
  float max_current_A;            ///< ceiling, below stall_A
  std::uint32_t counts_per_turn;  ///< of the encoder
  std::uint32_t max_step_counts;  ///< in one period of the board's loop; of several motors the largest counts
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
///     x <- x + g (I_c - I),  |x| ≤ ceiling,  g = 1/2
/// which is stable for every electrical time constant τ of the motor: with a = exp(-T/τ) and I following I_c + x through
/// the pole a, the loop's polynomial z² - (1 + a) z + a + g (1 - a) has its roots inside the circle for 0 < g < 1. A sense
/// that has failed gives NaN, which the application takes for wrong (IoFault kCurrentSense). The drives do not come on
/// before its offsets are known.
///
/// With the drives off a failed check of an encoder or of the sense is told once, then they begin anew: the encoder at the
/// count where it was. What stays wrong is told again. So a host can clear a fault whose cause is gone; where the handle
/// is, it has to find out anew.
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
      if (encoder.fault() == EncoderFault::kNone) continue;
      reading->encoder_fault = true;
      if (!wanted_) encoder.Restart();
    }
  }

  void ReadCurrents(MotorReading* reading) {
    constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();  // and on the wire
    if constexpr (Sense::kMeasures) {
      parts_.sense->Sample(wanted_);
      const bool failed = parts_.sense->failed();
      for (std::size_t i = 0; i < kMotors; ++i) {
        reading->current_A[i] = failed ? kNoNumber : parts_.sense->ampere(static_cast<int>(i));
        Correct(i, reading->current_A[i]);
      }
      if (failed && !wanted_) parts_.sense->Recover();
    } else {
      for (std::size_t i = 0; i < kMotors; ++i) reading->current_A[i] = kNoNumber;
    }
  }

  void Correct(std::size_t motor, float current_A) {
    constexpr float kGain = 0.5f;
    const float next_A = correction_A_[motor] + kGain * (written_A_[motor] - current_A);
    const float most_A = motors_[motor].max_current_A;
    const bool use = wanted_ && next_A == next_A;
    correction_A_[motor] = use ? std::clamp(next_A, -most_A, most_A) : 0.0f;
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
  bool wanted_ = false;
};

}  // namespace tactus::hal::stm32
