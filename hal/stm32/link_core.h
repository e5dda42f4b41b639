#pragma once
#include "hal/cortex_m/barrier.h"
#include "hal/cortex_m/interrupts.h"

namespace tactus::hal::stm32 {

/// What a link asks of the core.
struct LinkCore {
  using Guard = cortex_m::LinkLock;
  static void PendTick() { cortex_m::PendTick(); }
  static void Lock() { cortex_m::SetBasePriority(cortex_m::kTickPriority); }
  static void Unlock() { cortex_m::SetBasePriority(0); }
  /// Memory that a DMA shares: what was written is there, what is read behind it was not read before (DDI 0403E A3.7.3).
  static void Fence() { cortex_m::WaitForWrites(); }
};

}  // namespace tactus::hal::stm32
