#pragma once

namespace tactus::hal::mps2 {

/// A second time base: TIMER0 looks every two periods of the servo whether SysTick has counted an edge, and ends the run
/// (kClockLost) 6 ms after the last one at the latest. Start it after the clock.
///
/// Both count the same oscillator on this board: seen is a SysTick that was stopped, masked or reprogrammed. If the
/// oscillator stops, everything does, and only a watchdog with a clock of its own helps.
void StartClockGuard();

}  // namespace tactus::hal::mps2
