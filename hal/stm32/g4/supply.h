#pragma once
#include "hal/stm32/g4/registers.h"
#include "hal/stm32/supply.h"

namespace tactus::hal::stm32::g4 {

inline constexpr std::uint32_t kDetect2V6 = 4;  // PLS, RM0440 6.4.2

template <class R>
SupplyDetector<R> DetectorAt(std::uint32_t level, PwrRegisters<R>& p, ExtiRegisters<R>& e) {
  return {p.cr2, pwr::kLevelMask, level << 1 | pwr::kDetectorOn, p.sr2, pwr::kBelowLevel, e.pr1, e.rtsr1, e.imr1};
}

/// What cuts the outputs besides the pin: a core that has locked up, and a supply below the detector's level, both without
/// software. Until the next reset (RM0440 10.2.8).
template <class R>
void BreakOnLockupAndSupply(SyscfgRegisters<R>& block) {
  block.cfgr2 = block.cfgr2 | syscfg::kBreakOnLockup | syscfg::kBreakOnSupply;
}

}  // namespace tactus::hal::stm32::g4
