#include "hal/mps2/watchdog.h"

#include "hal/mps2/registers.h"

namespace tactus::hal::mps2 {

void CmsdkWatchdog::DoStart(std::uint32_t timeout_us) noexcept {
  WatchdogTimer().lock = WatchdogRegisters::kUnlock;
  WatchdogTimer().load = timeout_us * (kCore_Hz / 1'000'000u);
  WatchdogTimer().control = WatchdogRegisters::kInterruptEnable | WatchdogRegisters::kResetEnable;
  WatchdogTimer().lock = 0;
}

void CmsdkWatchdog::DoFeed() noexcept {
  WatchdogTimer().lock = WatchdogRegisters::kUnlock;
  WatchdogTimer().interrupt_clear = 1;  // any write clears the interrupt and loads the counter again
  WatchdogTimer().lock = 0;
}

}  // namespace tactus::hal::mps2
