#include <gtest/gtest.h>

#include "hal/stm32/clock_guard.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/timer_model.h"

// Source: RM0090 17 (advanced timers), 18 (general-purpose timers).

namespace tactus::hal::stm32 {
namespace {

/// Interrupts every 2 ms of 84 MHz, the first one 2 ms from its start, and no more often than they are cleared.
bool GuardIsWell() {
  model::Machine machine;
  model::TimerModel timer(machine, "TIM4", 84e6);
  timer.LeaveUsed();
  StartGuardTimer(timer.regs(), 84'000'000);
  machine.EndStart();
  if (timer.has_interrupted()) return false;
  for (int i = 0; i < 3; ++i) {
    timer.Run(1999);
    if (timer.interrupts()) return false;
    timer.Run(1);
    if (!timer.interrupts()) return false;
    timer.regs().sr = ~1u;  // UIF, as the boards' handlers do
  }
  return machine.violations.empty();
}

TEST(ClockGuard, EachWriteOfItsStartCounts) { model::ExpectEachWriteCounts(GuardIsWell); }

}  // namespace
}  // namespace tactus::hal::stm32
