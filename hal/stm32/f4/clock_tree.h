#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/clock_step.h"
#include "hal/stm32/f4/registers.h"
#include "hal/stm32/pll_plan.h"

namespace tactus::hal::stm32::f4 {

inline constexpr std::uint32_t kCore_Hz = 168'000'000, kApb1_Hz = 42'000'000, kApb2_Hz = 84'000'000;
inline constexpr std::uint32_t kApb1Timer_Hz = 84'000'000, kApb2Timer_Hz = 168'000'000;  // twice their bus, RM0090 7.2

/// The loop's input at 1 MHz, the loop at 336, P = 2 (RM0090 7.3.2: input 1 to 2 MHz, loop 100 to 432 MHz, M from 2).
constexpr PllPlan PllOf(std::uint32_t crystal_Hz) { return PlanPll(crystal_Hz, 2 * kCore_Hz, 63, {1'000'000}); }

/// 4 to 26 MHz (DS8626 5.3.8), in whole MHz.
template <std::uint32_t kCrystal_Hz>
concept UsableCrystal = kCrystal_Hz >= 4'000'000 && kCrystal_Hz <= 26'000'000 && PllOf(kCrystal_Hz).m != 0;

using ClockPlan = PllClockPlan;
/// 168 MHz from this crystal; a crystal that cannot give them does not compile.
template <std::uint32_t kCrystal_Hz>
requires UsableCrystal<kCrystal_Hz>
consteval ClockPlan PlanFor(OscillatorPins pins = OscillatorPins::kCrystal) {
  constexpr PllPlan kPll = PllOf(kCrystal_Hz);
  constexpr std::uint32_t kQ = 7;  // 48 MHz for USB
  return {kPll.m | kPll.n << 6 | rcc::kPllFromHse | kQ << 24, pins};
}
inline constexpr std::uint32_t kFlashWord = flash::kPrefetchAndCaches | 5u;  // 5 wait states above 150 MHz, RM0090 3.5.1

/// From the internal oscillator, on which the chip starts, to 168 MHz; then the clock security, whose NMI comes when the
/// crystal stops. In this order (RM0090 3.5.1, 5.1.4, 7.2): regulator to scale 1, crystal, PLL, regulator ready, wait states
/// and read back, dividers, switch.
///
/// @returns kDone, or the step whose flag did not come within kClockTurns: then the core still runs on the internal
/// oscillator.
template <class R>
ClockStep StartClockTree(RccRegisters<R>& rcc_block, PwrRegisters<R>& pwr_block, FlashRegisters<R>& flash_block,
                         const ClockPlan& plan) {
  rcc_block.apb1enr = rcc_block.apb1enr | rcc::kPwr;
  pwr_block.cr = pwr_block.cr | pwr::kScale1;

  if (plan.pins == OscillatorPins::kClock) rcc_block.cr = rcc_block.cr | rcc::kHseBypass;
  rcc_block.cr = rcc_block.cr | rcc::kHseOn;
  if (!WaitFor(kClockTurns, [&] { return (rcc_block.cr & rcc::kHseReady) != 0; })) return ClockStep::kCrystal;
  rcc_block.pllcfgr = plan.pll_word;
  rcc_block.cr = rcc_block.cr | rcc::kPllOn;
  if (!WaitFor(kClockTurns, [&] { return (rcc_block.cr & rcc::kPllReady) != 0; })) return ClockStep::kPll;
  if (!WaitFor(kClockTurns, [&] { return (pwr_block.csr & pwr::kScaleReady) != 0; })) return ClockStep::kSupply;

  flash_block.acr = kFlashWord;
  if (!WaitFor(kClockTurns, [&] { return flash_block.acr == kFlashWord; })) return ClockStep::kWaitState;
  rcc_block.cfgr = rcc::kApb1By4 | rcc::kApb2By2;
  rcc_block.cfgr = rcc::kApb1By4 | rcc::kApb2By2 | rcc::kUsePll;
  if (!WaitFor(kClockTurns, [&] { return (rcc_block.cfgr & rcc::kStatusMask) == rcc::kStatusPll; }))
    return ClockStep::kSwitch;
  rcc_block.cr = rcc_block.cr | rcc::kSecurityOn;
  return ClockStep::kDone;
}

}  // namespace tactus::hal::stm32::f4
