#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/clock_step.h"
#include "hal/stm32/h7/registers.h"
#include "hal/stm32/pll_plan.h"

namespace tactus::hal::stm32::h7 {

// 480 MHz, which needs VOS0 and a part of revision V or later (data sheet DS12110); buses at 120 MHz, their timers at 240.
inline constexpr std::uint32_t kCore_Hz = 480'000'000, kApb_Hz = 120'000'000, kTimer_Hz = 240'000'000;

/// The loop's input at 2 or 5 MHz, the loop at 960 (RM0433 8.7.13; wide range, 192 to 960 MHz in VOS0: DS12110 table 61).
constexpr PllPlan PllOf(std::uint32_t crystal_Hz) { return PlanPll(crystal_Hz, 2 * kCore_Hz, 63, {2'000'000, 5'000'000}); }

/// 4 to 48 MHz (DS12110 6.3.8), a multiple of 2 or 5 MHz.
template <std::uint32_t kCrystal_Hz>
concept UsableCrystal = kCrystal_Hz >= 4'000'000 && kCrystal_Hz <= 48'000'000 && PllOf(kCrystal_Hz).m != 0;

struct ClockPlan {
  std::uint32_t source_word, range_word, dividers_word;
  OscillatorPins pins;
};
/// 480 MHz from this crystal or clock; one that cannot give them does not compile. P = 2, Q and R are off; N and P are
/// written as one less.
template <std::uint32_t kCrystal_Hz>
requires UsableCrystal<kCrystal_Hz>
consteval ClockPlan PlanFor(OscillatorPins pins = OscillatorPins::kCrystal) {
  constexpr PllPlan kPll = PllOf(kCrystal_Hz);
  constexpr bool kAbove4MHz = kCrystal_Hz / kPll.m > 4'000'000;
  return {rcc::kFromHse | kPll.m << 4, (kAbove4MHz ? rcc::kInput4To8MHz : rcc::kInput2To4MHz) | rcc::kOutputP,
          (kPll.n - 1) | 1u << 9, pins};
}
inline constexpr std::uint32_t kFlashWord = 4u | 2u << 4;  // 4 wait states, 2 for the signal delay: RM0433 table 17

template <class R>
struct ClockBlocks {
  RccRegisters<R>& rcc;
  PwrRegisters<R>& pwr;
  SyscfgRegisters<R>& syscfg;
  FlashRegisters<R>& flash;
};

/// From the internal oscillator at 64 MHz to 480 MHz. In this order (RM0433 6.6.1, 6.6.2, 8.5, 4.3.8): LDO, its voltage
/// valid, VOS1, the overdrive that makes it VOS0, the oscillator, PLL1, wait states, dividers, switch, clock security.
/// @returns kDone, or the step whose flag did not come within kClockTurns: the core still runs on the internal oscillator.
template <class R>
ClockStep StartClockTree(const ClockBlocks<R>& b, const ClockPlan& plan) {
  const auto scale_ready = [&] { return (b.pwr.d3cr & pwr::kScaleReady) != 0; };
  b.pwr.cr3 = (b.pwr.cr3 & ~pwr::kSupplyMask) | pwr::kLdoOn;
  if (!WaitFor(kClockTurns, [&] { return (b.pwr.csr1 & pwr::kVoltageValid) != 0; })) return ClockStep::kSupply;
  b.pwr.d3cr = pwr::kScale1;
  if (!WaitFor(kClockTurns, scale_ready)) return ClockStep::kSupply;
  b.rcc.apb4enr = b.rcc.apb4enr | rcc::kSyscfg;
  b.syscfg.pwrcr = b.syscfg.pwrcr | pwr::kOverdrive;
  if (!WaitFor(kClockTurns, scale_ready)) return ClockStep::kSupply;

  if (plan.pins == OscillatorPins::kClock) b.rcc.cr = b.rcc.cr | rcc::kHseBypass;
  b.rcc.cr = b.rcc.cr | rcc::kHseOn;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cr & rcc::kHseReady) != 0; })) return ClockStep::kCrystal;
  b.rcc.pllckselr = plan.source_word;
  b.rcc.pllcfgr = plan.range_word;
  b.rcc.pll1divr = plan.dividers_word;
  b.rcc.cr = b.rcc.cr | rcc::kPllOn;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cr & rcc::kPllReady) != 0; })) return ClockStep::kPll;

  b.flash.acr = kFlashWord;
  if (!WaitFor(kClockTurns, [&] { return b.flash.acr == kFlashWord; })) return ClockStep::kWaitState;
  b.rcc.d1cfgr = rcc::kAhbBy2 | rcc::kD1Apb3By2;
  b.rcc.d2cfgr = rcc::kApb1By2 | rcc::kApb2By2;
  b.rcc.d3cfgr = rcc::kApb4By2;
  b.rcc.cfgr = rcc::kUsePll;
  if (!WaitFor(kClockTurns, [&] { return (b.rcc.cfgr & rcc::kStatusMask) == rcc::kStatusPll; })) return ClockStep::kSwitch;
  b.rcc.cr = b.rcc.cr | rcc::kSecurityOn;
  return ClockStep::kDone;
}

}  // namespace tactus::hal::stm32::h7
