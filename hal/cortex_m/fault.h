#pragma once
#include <cstdint>

namespace tactus::hal::cortex_m {

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
};

/// What the last moments looked like. Lies in memory that a reset leaves alone.
struct FlightRecord {
  std::uint32_t magic;  ///< kFlightRecordMagic when the rest is valid
  std::uint32_t boots;  ///< starts since power-on
  FaultCause cause;
  std::uint8_t reserved[3];
  std::uint32_t stack_pointer, pc, lr, psr;  ///< where; zero if the stack could not take them
  std::uint32_t cfsr, hfsr;                  ///< the core's own words about it
  std::uint32_t address;                     ///< MMFAR or BFAR when valid, else 0
  std::uint32_t detail;                      ///< kCheckFailed: the line; kMainReturned: its value
  char text[64];                             ///< kCheckFailed: the condition
};
inline constexpr std::uint32_t kFlightRecordMagic = 0x7AC7F11Eu;

/// Called first in every fault, with interrupts off: takes the force away. The program supplies it; it may touch registers
/// and constant data only.
extern "C" void ZeroOutputs();

/// Called last: on hardware resets the controller, under an emulator ends it with the exit code. The board supplies it.
[[noreturn]] void EndAfterFault(const FlightRecord& record);

/// Outputs to zero, flight record, end.
[[noreturn]] void ReportFault(FaultCause cause, std::uint32_t detail, const char* text = "") noexcept;

/// The record of the run before this one; counts this start. Call once, early in main.
/// @returns cause kNone if the last run did not end in a fault.
FlightRecord TakeFlightRecord();

}  // namespace tactus::hal::cortex_m
