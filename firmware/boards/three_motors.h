#pragma once
#include <array>

#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/hardware.h"

namespace tactus::board {

/// Of the motors and their encoders: 6 ohm at 12 V, to 7 300 turns a minute. Whoever has others changes this line.
inline constexpr hal::stm32::BridgeMotor kMotor{
    .stall_A = 2, .max_current_A = 1, .counts_per_turn = 4096, .max_step_counts = 500};

/// Three of them, each in a full bridge on one pair of a timer's outputs and with an encoder on a timer of its own: what the
/// I/O images of the boards with such wires have in common. The index comes once a turn.
///
/// @tparam Sense  as BridgeMotorIo has it
template <class Sense = hal::stm32::NoCurrentSense>
class ThreeMotors {
 public:
  using Hardware = hal::stm32::Hardware;
  using Io = hal::stm32::BridgeMotorIo<Hardware, hal::stm32::ThreeMotorsOnPairs, Sense>;

  struct EncoderTimer {
    hal::stm32::TimerRegisters<Hardware>& timer;
    bool is_32_bit = false;
  };
  struct Wires {
    hal::stm32::MotorPwm<Hardware>& pwm;
    std::array<EncoderTimer, 3> encoders;
    std::uint32_t glitch_filter;  ///< EncoderOptions
    typename Io::Lines lines;
    Sense* sense = nullptr;
  };

  explicit ThreeMotors(const Wires& wires)
      : first_(EncoderOf(wires, 0)),
        second_(EncoderOf(wires, 1)),
        third_(EncoderOf(wires, 2)),
        io_({.pwm = wires.pwm, .encoders = {&first_, &second_, &third_}, .sense = wires.sense}, wires.lines,
            {kMotor, kMotor, kMotor}) {}

  /// Encoders at count zero. @pre their clocks are on, their pins are set up
  Io& Start() {
    for (Encoder* const encoder : {&first_, &second_, &third_}) encoder->Start();
    return io_;
  }

 private:
  using Encoder = hal::stm32::QuadratureEncoder<Hardware>;

  static Encoder EncoderOf(const Wires& wires, std::size_t motor) {
    const EncoderTimer& one = wires.encoders[motor];
    return Encoder(one.timer, {.glitch_filter = wires.glitch_filter,
                               .is_32_bit = one.is_32_bit,
                               .counts_per_index = static_cast<std::int32_t>(kMotor.counts_per_turn)});
  }

  Encoder first_, second_, third_;
  Io io_;
};

}  // namespace tactus::board
