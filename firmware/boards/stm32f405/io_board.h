#pragma once
#include "firmware/boards/stm32f405/board.h"
#include "hal/api/motor_io.h"
#include "hal/cortex_m/boot.h"
#include "hal/stm32/f4/current_sense.h"

namespace tactus::board {

/// The same board with its motors: three bridges, three encoders, three currents.
struct IoBoard : Board {
  static f4::CurrentSense<Hardware>& Sense();

  /// As Board's; the current sense is started before the PWM, which triggers it.
  static void SetUp();
  /// Under the emulator, which has no PWM, no ADC and no timers that count encoders, device=local asks for the simulated
  /// device instead.
  static hal::MotorIo& MotorIo(const hal::cortex_m::BootOptions& options);
};

}  // namespace tactus::board
