#pragma once
#include <cstdint>

namespace tactus::hal::cortex_m {

struct FlightRecord;

/// Why the program ended. Under an emulator the exit code is 64 + the number.
enum class FaultCause : std::uint8_t {
  kNone = 0,
  kNmi = 2,          ///< the watchdog's first expiry
  kHardFault = 3,    ///< 2 to 15: the exception's number
  kMemoryFault = 4,  ///< also: stack overflow, see FlightRecord::address
  kBusFault = 5,
  kUsageFault = 6,
  kUnexpected = 16,   ///< an interrupt that nobody switched on
  kCheckFailed = 17,  ///< TACTUS_CHECK: a bug in our own code
  kPureVirtual = 18,  ///< a virtual call on a half-made object
  kDelete = 19,       ///< operator delete: there is no heap
  kMainReturned = 20,
  kClockLost = 21,   ///< SysTick has stopped: a second timer saw no edge
  kTornRecord = 22,  ///< a reset came while a fault was being recorded; what it was is lost
  kNoReset = 23,     ///< a wild jump to the start or the end of the program
  // Those of a chip, as far as it can see them.
  kClockTree = 24,        ///< a step of the clock's start has failed; `text` and `detail` name it
  kCrystalLost = 25,      ///< the external oscillator has stopped
  kSupplyLow = 26,        ///< the supply is below the detector's level
  kWatchdogWarning = 27,  ///< the watchdog is about to bite
  kPowerStage = 28,       ///< what cuts the outputs in hardware cannot be set up
  kDeviceNumbers = 29,    ///< a number of the board's own device is wrong; `text` and `detail` say which, and of what joint
};

/// In words, "a bus fault".
const char* NameOf(FaultCause cause);

/// Every exception that is a fault, the watchdog's NMI, every interrupt that nobody switched on: for the vector table.
///
/// In this order: interrupts and memory protection off, a stack of its own, OutputsSafe, flight record, EndAfterFault. A
/// fault or an NMI on the way does the same again, and records what the first one was.
extern "C" void FaultHandler();

/// The same for a fault that software has found.
[[noreturn]] void ReportFault(FaultCause cause, std::uint32_t detail, const char* text = "") noexcept
    asm("tactus_report_fault");

/// For the last step before a reset after a fault: whoever came there by a wild jump, past OutputsSafe, begins with the
/// fault.
void RequireFaultEntry();

/// Called last: on hardware resets the controller, under an emulator ends it with the exit code. The board supplies it.
[[noreturn]] void EndAfterFault(const FlightRecord& record);

}  // namespace tactus::hal::cortex_m
