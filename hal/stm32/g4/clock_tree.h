#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/clock_step.h"
#include "hal/stm32/g4/registers.h"

namespace tactus::hal::stm32::g4 {

inline constexpr std::uint32_t kCore_Hz = 170'000'000;  // and of all buses and timers

/// 8 MHz / 2 · 85 / 2 (RM0440 7.4.4: the loop's input 2.66 to 16 MHz, its output 96 to 344 MHz).
inline constexpr std::uint32_t kPllWord = rcc::kFromHse | (2u - 1u) << 4 | 85u << 8 | rcc::kOutputR;
inline constexpr std::uint32_t kFlashWord =
    7u << 8 | 4u;  // prefetch, caches; 4 wait states above 136 MHz with boost, RM0440 3.3.3

template <class R>
struct ClockBlocks {
  RccRegisters<R>& rcc;
  PwrRegisters<R>& pwr;
  FlashRegisters<R>& flash;
};

/// From the internal oscillator at 16 MHz to 170 MHz. In this order (RM0440 6.1.5, 3.3.3): range 1 with boost, crystal, PLL,
/// wait states, AHB halved, switch, a microsecond, AHB whole, clock security.
/// @returns kDone, or the step whose flag did not come within kClockTurns: the core still runs on the internal oscillator.
template <class R>
ClockStep StartClockTree(const ClockBlocks<R>& b) {
  b.rcc.apb1enr1 = b.rcc.apb1enr1 | rcc::kPwr;
  b.pwr.cr1 = (b.pwr.cr1 & ~pwr::kRangeMask) | pwr::kRange1;
  b.pwr.cr5 = b.pwr.cr5 & ~pwr::kNoBoost;
  if (!WaitFor(kClockTurns, [&] { return (b.pwr.sr2 & pwr::kRangeChanges) == 0; })) return ClockStep::kSupply;

  b.rcc.cr = b.rcc.cr | rcc::kHseOn;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cr & rcc::kHseReady) != 0; })) return ClockStep::kCrystal;
  b.rcc.pllcfgr = kPllWord;
  b.rcc.cr = b.rcc.cr | rcc::kPllOn;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cr & rcc::kPllReady) != 0; })) return ClockStep::kPll;

  b.flash.acr = kFlashWord;
  if (!WaitFor(kClockTurns, [&] { return b.flash.acr == kFlashWord; })) return ClockStep::kWaitState;
  b.rcc.cfgr = rcc::kAhbBy2;
  b.rcc.cfgr = rcc::kAhbBy2 | rcc::kUsePll;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cfgr & rcc::kStatusMask) == rcc::kStatusPll; })) return ClockStep::kSwitch;
  constexpr int kMicrosecond = 100;  // turns; each takes an access to a register and more
  (void)WaitFor(kMicrosecond, [&] { return b.flash.acr != kFlashWord; });
  b.rcc.cfgr = rcc::kUsePll;
  b.rcc.cr = b.rcc.cr | rcc::kSecurityOn;
  return ClockStep::kDone;
}

}  // namespace tactus::hal::stm32::g4
