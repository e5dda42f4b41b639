#pragma once
#include <span>

#include "hal/cortex_m/flight_record.h"

namespace tactus::target {

/// One test; the command line names it.
struct Case {
  const char* name;
  int (*run)();  ///< @returns the exit code
};

constexpr int Verdict(bool passed) { return passed ? 0 : 1; }

/// Cases that end in a fault, or look at one after it.
std::span<const Case> FaultCases();

/// Those that need a watchdog which bites; none where the emulator has none.
std::span<const Case> WatchdogCases();

// What both are made of.
int CheckFails();
void NoteTicks(std::uint32_t count);
bool IsCheckFailed(const hal::cortex_m::FlightRecord& record, std::uint32_t ticks);

}  // namespace tactus::target
