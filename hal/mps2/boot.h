#pragma once
#include <cstdint>

#include "hal/cortex_m/fault.h"

namespace tactus::hal::mps2 {

/// How the run is wanted. On hardware: the defaults. Under the emulator the command line says so:
///     qemu-system-arm ... -kernel tactus.elf -append "link=fifo:/tmp/run"
struct BootOptions {
  const char* fifo_directory = nullptr;  ///< link=fifo:DIR; nullptr, or link=uart: the UART
  bool reset_after_fault = false;        ///< after_fault=reset: as hardware does, instead of exiting
};
BootOptions ReadBootOptions();

/// Exit codes of the emulator. 64 and up: a fault, see FaultCause.
inline constexpr int kExitOk = 0, kExitNoLink = 2;

/// From the last tick to the reset. An emulator that runs in real time may be held up by its host for seconds.
inline constexpr std::uint32_t kWatchdogTimeout_us = TACTUS_EMULATED ? 60'000'000u : 20'000u;

/// Tells what ended the run before this one, if it was a fault (emulator: on standard error).
void ReportLastFault(const cortex_m::FlightRecord& record);

/// Waits for an interrupt. The emulator spins: its timers run wrong while a processor sleeps in virtual time.
void Idle();

/// The run is over. Hardware: a reset, and the controller waits for the next host. Emulator: it exits.
[[noreturn]] void EndRun(int exit_code);

}  // namespace tactus::hal::mps2
