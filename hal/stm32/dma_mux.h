#pragma once
#include "hal/stm32/hardware.h"

namespace tactus::hal::stm32 {

/// Which request each stream or channel serves, of H7 and G4: RM0433 17.6, RM0440 13.6. Of DMA1 the first is the first;
/// DMA2's begin at the ninth, in the G431 too, whose controllers have six channels each.
template <class R>
struct DmaMuxRegisters {
  R ccr[16];
};

}  // namespace tactus::hal::stm32
