#include "hal/cortex_m/reset_cause.h"

#include "hal/mps2/registers.h"

namespace tactus::hal::cortex_m {

ResetCause TakeResetCause() {
  using Causes = mps2::ResetInformation;
  const std::uint32_t causes = mps2::ResetInfo().causes;
  mps2::ResetInfo().causes = causes;
  if ((causes & Causes::kLockup) != 0) return ResetCause::kLockup;
  if ((causes & Causes::kWatchdog) != 0) return ResetCause::kWatchdog;
  if ((causes & Causes::kSoftware) != 0) return ResetCause::kSoftware;
  return TACTUS_EMULATED ? ResetCause::kUnknown : ResetCause::kPowerOn;  // QEMU has no such register: it reads zero
}

}  // namespace tactus::hal::cortex_m
