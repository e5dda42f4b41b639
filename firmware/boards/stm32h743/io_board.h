#pragma once
#include "firmware/boards/stm32h743/board.h"
#include "hal/api/motor_io.h"
#include "hal/cortex_m/boot.h"
#include "hal/stm32/h7/current_sense.h"

namespace tactus::board {

/// The same board with its motors: three bridges, three encoders, three currents.
struct IoBoard : Board {
  static h7::CurrentSense<Hardware>& Sense();

  /// As Board's; the current sense is started before the PWM, which triggers it. A step of it that fails ends the run with
  /// kPowerStage, before anything drives.
  static void SetUp();
  static hal::MotorIo& MotorIo(const hal::cortex_m::BootOptions&);
};

}  // namespace tactus::board
