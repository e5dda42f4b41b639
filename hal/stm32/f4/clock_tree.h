#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/clock_step.h"
#include "hal/stm32/f4/registers.h"

namespace tactus::hal::stm32::f4 {

/// 168 MHz from a crystal: M divides it to 1 or 2 MHz, N = 336 or 168 multiplies, P = 2 divides (RM0090 7.3.2: the loop's
/// input 1 to 2 MHz, its output 100 to 432 MHz).
struct ClockPlan {
  std::uint32_t crystal_Hz;
};
inline constexpr std::uint32_t kCore_Hz = 168'000'000, kApb1_Hz = 42'000'000, kApb2_Hz = 84'000'000;
inline constexpr std::uint32_t kApb1Timer_Hz = 84'000'000, kApb2Timer_Hz = 168'000'000;  // twice their bus, RM0090 7.2

constexpr std::uint32_t PllWord(const ClockPlan& plan) {
  constexpr std::uint32_t kInput_Hz = 1'000'000, kOutput_Hz = 2 * kCore_Hz, kQ = 7;  // Q: 48 MHz for USB
  return plan.crystal_Hz / kInput_Hz | (kOutput_Hz / kInput_Hz) << 6 | rcc::kPllFromHse | kQ << 24;
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

  rcc_block.cr = rcc_block.cr | rcc::kHseOn;
  if (!WaitFor(kClockTurns, [&] { return (rcc_block.cr & rcc::kHseReady) != 0; })) return ClockStep::kCrystal;
  rcc_block.pllcfgr = PllWord(plan);
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
