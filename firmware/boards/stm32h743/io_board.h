#pragma once
#include "firmware/boards/stm32h743/board.h"
#include "hal/api/motor_io.h"
#include "hal/cortex_m/boot.h"

namespace tactus::board {

/// The same board with its motors: three bridges and three encoders, without current sense.
struct IoBoard : Board {
  static hal::MotorIo& MotorIo(const hal::cortex_m::BootOptions&);
};

}  // namespace tactus::board
