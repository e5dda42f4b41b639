#pragma once
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

inline constexpr std::uint32_t kGuardPeriod_us = 2000;

/// A timer that interrupts every kGuardPeriod_us, whatever SysTick does, and whatever a loader has left in it.
/// @param timer_Hz  what its prescaler counts
template <class R>
void StartGuardTimer(TimerRegisters<R>& block, std::uint32_t timer_Hz) {
  block.smcr = 0;  // before CR1: an encoder's direction cannot be written
  block.cr1 = 0;
  block.psc = timer_Hz / 1'000'000u - 1u;
  block.arr = kGuardPeriod_us - 1u;
  block.egr = timer::kGenerateUpdate;
  block.sr = 0;
  block.dier = timer::kUpdateInterrupt;
  block.cr1 = timer::kEnable;
}

}  // namespace tactus::hal::stm32
