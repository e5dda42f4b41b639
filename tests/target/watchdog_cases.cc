#include "hal/cortex_m/flight_record.h"
#include "hal/mps2/registers.h"
#include "hal/mps2/watchdog.h"
#include "tests/target/fault_cases.h"

// Cases of the emulated watchdog of the MPS2: the emulator has that of no other board.

namespace tactus::target {
namespace {

namespace cortex_m = hal::cortex_m;
using cortex_m::FaultCause;
using cortex_m::FlightRecord;

int WatchdogBites() {
  hal::mps2::CmsdkWatchdog watchdog;
  watchdog.Start(1000);
  asm volatile("cpsid i");  // the NMI comes all the same
  for (;;) {
  }
}

constexpr std::uint32_t kStarts = 60, kStep_us = 20;  // a record is written within 1 ms

/// S11: the watchdog bites while a failed check is handled, later at each start: during last words, record and end. What is
/// told is the check, never the watchdog.
int FirstCauseWins() {
  const FlightRecord& record = cortex_m::TakeFlightRecord();
  const std::uint32_t start = cortex_m::Starts();
  if (start > 1 && !IsCheckFailed(record, 10)) return 1;
  if (start > kStarts) return 0;
  NoteTicks(10);
  using Watchdog = hal::mps2::WatchdogRegisters;
  hal::mps2::WatchdogTimer().lock = Watchdog::kUnlock;
  hal::mps2::WatchdogTimer().load = start * kStep_us * (hal::mps2::kCore_Hz / 1'000'000u);
  hal::mps2::WatchdogTimer().control = Watchdog::kInterruptEnable;  // no reset
  return CheckFails();
}

[[gnu::section(".noinit")]] std::uint32_t whole_records, torn_records;

/// S11: a reset comes while a failed check is recorded, earlier at each start. The record is whole, or it is said to be torn
/// and the one before it is still there.
int ResetWhileRecording() {
  const FlightRecord& record = cortex_m::TakeFlightRecord();
  const FlightRecord* const newest = cortex_m::NewestFlightRecord();
  const std::uint32_t start = cortex_m::Starts();
  if (start == 1) whole_records = torn_records = 0;
  if (start > 1 && (newest == nullptr || !IsCheckFailed(*newest, 10))) return 1;
  whole_records += IsCheckFailed(record, 10) ? 1 : 0;
  torn_records += record.cause == FaultCause::kTornRecord ? 1 : 0;
  if (start > kStarts) return Verdict(whole_records > 0 && torn_records > 0 && whole_records + torn_records == kStarts);
  NoteTicks(10);
  hal::mps2::CmsdkWatchdog watchdog;
  watchdog.Start((kStarts + 1 - start) * kStep_us);
  return CheckFails();
}

constexpr Case kCases[] = {
    {"watchdog_bites", WatchdogBites},
    {"first_cause_wins", FirstCauseWins},
    {"reset_while_recording", ResetWhileRecording},
};

}  // namespace

std::span<const Case> WatchdogCases() { return kCases; }

}  // namespace tactus::target
