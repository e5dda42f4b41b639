#pragma once
#include "hal/stm32/h7/registers.h"
#include "hal/stm32/supply.h"

namespace tactus::hal::stm32::h7 {

/// Levels of the voltage detector [V]: 1.95, 2.1, 2.25, 2.4, 2.55, 2.7, 2.85 (RM0433 6.8.1, PLS).
inline constexpr std::uint32_t kDetect2V7 = 5;

template <class R>
SupplyDetector<R> DetectorAt(std::uint32_t level, PwrRegisters<R>& p, ExtiRegisters<R>& e) {
  return {p.cr1, pwr::kLevelMask, level << 5 | pwr::kDetectorOn, p.csr1, pwr::kBelowLevel, e.cpupr1, e.rtsr1, e.cpuimr1};
}

/// What cuts the outputs besides the pin: a core that has locked up, and a supply below the detector's level, both without
/// software. Until the next reset (RM0433 12.3.7).
template <class R>
void BreakOnLockupAndSupply(SyscfgRegisters<R>& block) {
  block.cfgr = block.cfgr | syscfg::kBreakOnLockup | syscfg::kBreakOnSupply;
}

}  // namespace tactus::hal::stm32::h7
