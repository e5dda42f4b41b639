#pragma once
#include "hal/cortex_m/reset_cause.h"
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

/// Where a family's reset flags are.
struct ResetFlags {
  std::uint32_t watchdogs, software, power_on, brown_out;  ///< 0: the family has none
  std::uint32_t clear;                                     ///< the bit that clears them for the next run
};

/// What the flags say began this run. Power-on sets the brown-out flag too, and every reset sets the pin's: the most telling
/// flag is looked at first.
template <class R>
cortex_m::ResetCause TakeResetFlags(R& word, const ResetFlags& at) {
  const std::uint32_t flags = word;
  word = flags | at.clear;
  if ((flags & at.watchdogs) != 0) return cortex_m::ResetCause::kWatchdog;
  if ((flags & at.software) != 0) return cortex_m::ResetCause::kSoftware;
  if ((flags & at.power_on) != 0) return cortex_m::ResetCause::kPowerOn;
  if ((flags & at.brown_out) != 0) return cortex_m::ResetCause::kBrownOut;
  return cortex_m::ResetCause::kUnknown;
}

}  // namespace tactus::hal::stm32
