#pragma once
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32 {
/// In place of hal/stm32/hardware.h: a board's registers are models, at the addresses of its chip.
using Hardware = model::ModelRegister;
}  // namespace tactus::hal::stm32
