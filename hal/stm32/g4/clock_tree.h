#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/clock_step.h"
#include "hal/stm32/g4/registers.h"
#include "hal/stm32/pll_plan.h"

namespace tactus::hal::stm32::g4 {

inline constexpr std::uint32_t kCore_Hz = 170'000'000;  // and of all buses and timers

/// The loop's input at 4 or 5 MHz, the loop at 340, R = 2 (RM0440 7.4.4: input 2.66 to 16 MHz, loop 96 to 344 MHz).
constexpr PllPlan PllOf(std::uint32_t crystal_Hz) { return PlanPll(crystal_Hz, 2 * kCore_Hz, 16, {4'000'000, 5'000'000}); }

/// 4 to 48 MHz (DS12589 5.3.7), a multiple of 4 or 5 MHz.
template <std::uint32_t kCrystal_Hz>
concept UsableCrystal = kCrystal_Hz >= 4'000'000 && kCrystal_Hz <= 48'000'000 && PllOf(kCrystal_Hz).m != 0;

using ClockPlan = PllClockPlan;
/// 170 MHz from this crystal; a crystal that cannot give them does not compile.
template <std::uint32_t kCrystal_Hz>
requires UsableCrystal<kCrystal_Hz>
consteval ClockPlan PlanFor(OscillatorPins pins = OscillatorPins::kCrystal) {
  constexpr PllPlan kPll = PllOf(kCrystal_Hz);
  return {rcc::kFromHse | (kPll.m - 1) << 4 | kPll.n << 8 | rcc::kOutputR, pins};
}
inline constexpr std::uint32_t kFlashWord =
    1u << 18 | 7u << 8 |
    4u;  // the debugger stays on, as after reset; prefetch, caches; 4 wait states above 136 MHz, RM0440 3.3.3

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
ClockStep StartClockTree(const ClockBlocks<R>& b, const ClockPlan& plan) {
  b.rcc.apb1enr1 = b.rcc.apb1enr1 | rcc::kPwr;
  b.pwr.cr1 = (b.pwr.cr1 & ~pwr::kRangeMask) | pwr::kRange1;
  b.pwr.cr5 = b.pwr.cr5 & ~pwr::kNoBoost;
  if (!WaitFor(kClockTurns, [&] { return (b.pwr.sr2 & pwr::kRangeChanges) == 0; })) return ClockStep::kSupply;

  if (plan.pins == OscillatorPins::kClock) b.rcc.cr = b.rcc.cr | rcc::kHseBypass;
  b.rcc.cr = b.rcc.cr | rcc::kHseOn;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cr & rcc::kHseReady) != 0; })) return ClockStep::kCrystal;
  b.rcc.pllcfgr = plan.pll_word;
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
