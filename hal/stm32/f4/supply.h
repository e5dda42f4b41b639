#pragma once
#include "hal/stm32/f4/registers.h"
#include "hal/stm32/supply.h"

namespace tactus::hal::stm32::f4 {

/// Levels of the voltage detector, falling [V]: 2.0, 2.1, 2.3, 2.5, 2.6, 2.7, 2.8, 2.9 (RM0090 5.4.1, PLS).
inline constexpr std::uint32_t kDetect2V7 = 5;

template <class R>
SupplyDetector<R> DetectorAt(std::uint32_t level, PwrRegisters<R>& p, ExtiRegisters<R>& e) {
  return {p.cr, pwr::kLevelMask, level << 5 | pwr::kDetectorOn, p.csr, pwr::kBelowLevel, e.pr, e.rtsr, e.imr};
}

}  // namespace tactus::hal::stm32::f4
