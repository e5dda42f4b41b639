#pragma once
#include <cstdint>

namespace tactus::hal::cortex_m {

/// The periods that the emulator may ask for: the clock guard looks every 2 ms, and wants an edge in between.
inline constexpr std::uint32_t kShortestPeriod_us = 100, kLongestPeriod_us = 1000;

/// How the run is wanted. On hardware: the defaults. Under the emulator the command line says so:
///     qemu-system-arm ... -kernel tactus.elf -append "link=fifo:/tmp/run"
struct BootOptions {
  const char* fifo_directory = nullptr;  ///< link=fifo:DIR; nullptr, or link=uart: the UART
  bool reset_after_fault = false;        ///< after_fault=reset: as hardware does, instead of exiting
  std::uint32_t period_us = 1000;        ///< period_us=N: of the servo loop
  bool local_device = false;             ///< device=local: the simulated device and hand live on the board
};
BootOptions ReadBootOptions();

/// Exit codes of the emulator. 64 and up: a fault, see FaultCause.
inline constexpr int kExitOk = 0, kExitNoLink = 2;

/// From the last tick to the watchdog's NMI. An emulator that runs in its host's time (link=uart) may be held up for
/// seconds; with link=fifo its time is virtual and stands still meanwhile.
std::uint32_t WatchdogTimeout_us(const BootOptions& options);

/// Waits for an interrupt. The emulator spins: its timers run wrong while a processor sleeps in virtual time.
void Idle();

/// Resets the controller. The outputs are off by then.
[[noreturn]] void Reset();

/// The run is over. Hardware: a reset, and the controller waits for the next host. Emulator: it exits.
[[noreturn]] void EndRun(int exit_code);

}  // namespace tactus::hal::cortex_m
