#include "hal/cortex_m/fault.h"
#include "hal/stm32/vectors.h"

// What every STM32 board does when the hardware warns: the fault's way, outputs first.

namespace tactus::hal::stm32 {

using cortex_m::FaultCause;

extern "C" {

/// The clock security's NMI: the crystal has stopped, and the core runs on the internal oscillator. The hardware has cut
/// TIM1 already (RM0090 17.3.11: the security is a source of the break).
void CrystalLostHandler() { ReportFault(FaultCause::kCrystalLost, 0); }

/// The supply has fallen below the detector's level.
void SupplyLowHandler() { ReportFault(FaultCause::kSupplyLow, 0); }

/// One count before the window watchdog's reset.
void WatchdogWarningHandler() { ReportFault(FaultCause::kWatchdogWarning, 0); }
}

}  // namespace tactus::hal::stm32
