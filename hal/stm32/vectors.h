#pragma once
#include <cstddef>

#include "hal/cortex_m/start_up.h"

namespace tactus::hal::stm32 {

/// firmware/boards/stm32_cut_handlers.cc
extern "C" void CrystalLostHandler();
extern "C" void SupplyLowHandler();
extern "C" void WatchdogWarningHandler();

struct InterruptEntry {
  int number;
  cortex_m::Handler handler;
};

template <int kInterrupts>
struct Vectors {
  cortex_m::SystemVectors system;
  cortex_m::Handler interrupts[kInterrupts];
};

/// The vector table: the NMI is the clock security's, interrupts 0 and 1 are the window watchdog's and the supply detector's
/// in F4, G4 and H7, the board names the others, and what nobody names is a fault.
template <int kInterrupts, std::size_t kEntries>
constexpr Vectors<kInterrupts> MakeVectors(const InterruptEntry (&entries)[kEntries]) {
  Vectors<kInterrupts> vectors{cortex_m::MakeSystemVectors(cortex_m::stack_top_symbol), {}};
  vectors.system.nmi = CrystalLostHandler;
  for (cortex_m::Handler& handler : vectors.interrupts) handler = cortex_m::FaultHandler;
  vectors.interrupts[0] = WatchdogWarningHandler;
  vectors.interrupts[1] = SupplyLowHandler;
  for (const InterruptEntry& entry : entries) vectors.interrupts[entry.number] = entry.handler;
  return vectors;
}

}  // namespace tactus::hal::stm32
