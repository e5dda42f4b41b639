#pragma once
#include <cstdint>

#include "hal/api/flight_recorder.h"
#include "hal/cortex_m/fault.h"

namespace tactus::hal::cortex_m {

/// What the entry of a fault knows; in the order in which it pushes it.
struct FaultSite {
  std::uint32_t stack_pointer;  ///< of the exception's frame; 0: software found the fault
  FaultCause cause;
  std::uint8_t padding[3];
  std::uint32_t detail;  ///< exception number; kCheckFailed: the line; kMainReturned: its value
  const char* text;      ///< kCheckFailed: the condition
  std::uint32_t lr;      ///< of who found it
  std::uint32_t reserved;
};
static_assert(sizeof(FaultSite) == 24);  // also in sections.ld

/// What the last moments of a run looked like. Lies in memory that a reset leaves alone.
struct FlightRecord {
  static constexpr std::uint32_t kTicks = 64;

  std::uint32_t start;  ///< which start since power-on
  FaultCause cause;
  std::uint8_t reserved[3];
  std::uint32_t stack_pointer, pc, lr, psr;  ///< where; zero if the stack could not take them
  std::uint32_t cfsr, hfsr;                  ///< the core's own words about it
  std::uint32_t address;                     ///< MMFAR or BFAR when valid, else 0
  std::uint32_t detail;                      ///< as in FaultSite
  char text[64];                             ///< kCheckFailed: the condition
  std::uint32_t tick_count;                  ///< how many of `ticks`
  TickNote ticks[kTicks];                    ///< the last ones, oldest first
};

/// Keeps the notes of the last ticks for the flight record.
class NoinitFlightRecorder final : public FlightRecorder {
 private:
  void DoNote(const TickNote& note) noexcept override;
};

/// Writes the record of a fault, unless there is one that nobody has taken: the first cause is the one to know.
///
/// There are two slots with sequence number and CRC-32, and the word that makes one valid is written last: a reset on the
/// way leaves the newest slot as it was, and the next start finds that one was being written.
/// @returns the record that is to be told
const FlightRecord& RecordFault(const FaultSite& site);

/// The record of the run before this one; counts this start. Call once, early in main: if the clock runs already, this is no
/// start but a jump into it, and a fault (kNoReset).
/// @returns cause kNone if the last run did not end in a fault; kTornRecord if a reset came while it was recorded. It stays
/// as it is until the next fault.
const FlightRecord& TakeFlightRecord();

/// The newest whole record, whether taken or not; nullptr: there is none.
const FlightRecord* NewestFlightRecord();

/// Starts since power-on, this one included.
std::uint32_t Starts();

}  // namespace tactus::hal::cortex_m
