#pragma once
#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/reset_cause.h"

namespace tactus::hal::cortex_m {

// Under the emulator, on its standard error; without one: nothing.

/// Tells cause, place and the last ticks of a run that has ended in a fault.
void PrintRecord(const FlightRecord& record);

/// The same, and how this run began; if a reset tore the record, the last whole one before it too.
void PrintLastRun(const FlightRecord& record, ResetCause reset);

}  // namespace tactus::hal::cortex_m
