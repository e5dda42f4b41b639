#pragma once
#include <cstdint>

#include "hal/cortex_m/fault.h"

namespace tactus::hal::cortex_m {

using Handler = void (*)();

/// The first sixteen words of a vector table; the chip's interrupts follow.
struct SystemVectors {
  void* stack_top;
  Handler reset, nmi, hard_fault, memory_fault, bus_fault, usage_fault;
  Handler reserved_7_to_10[4];
  Handler supervisor_call, debug_monitor, reserved_13, tick, timer;
};
static_assert(sizeof(SystemVectors) == 16 * sizeof(void*) || sizeof(void*) != 4);

extern "C" {
/// Copies .data, clears .bss, switches the FPU on, runs the constructors, calls main. In start_up.cc.
void ResetHandler();
/// SysTick: one more edge, and the tick is asked for. In systick_clock.cc.
void TimerHandler();
/// PendSV: the servo tick. The program supplies it.
void TickHandler();
extern std::uint32_t stack_bottom_symbol[], stack_top_symbol[];
}

/// The system part of a table.
constexpr SystemVectors MakeSystemVectors(void* stack_top) {
  return {stack_top, ResetHandler, FaultHandler, FaultHandler, FaultHandler, FaultHandler, FaultHandler,
          {},        FaultHandler, FaultHandler, nullptr,      TickHandler,  TimerHandler};
}

}  // namespace tactus::hal::cortex_m
