#include "hal/mps2/clock_guard.h"

#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/mps2/registers.h"

namespace tactus::hal::mps2 {
namespace {

constexpr std::uint32_t kPeriod_us = 2000;

}  // namespace

void StartClockGuard() {
  Timer0().reload = kPeriod_us * (kCore_Hz / 1'000'000u) - 1u;
  Timer0().control = TimerRegisters::kEnable | TimerRegisters::kInterruptEnable;
  cortex_m::EnableInterrupt(kTimer0Interrupt, cortex_m::kTimerPriority);
}

extern "C" void ClockGuardHandler() {
  Timer0().interrupt_clear = 1;
  cortex_m::CheckClockAdvances();
}

}  // namespace tactus::hal::mps2
