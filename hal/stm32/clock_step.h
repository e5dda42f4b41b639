#pragma once
#include <cstdint>

namespace tactus::hal::stm32 {

/// A step of the way from the internal oscillator to the full clock. A flag that does not come names the step that failed.
enum class ClockStep : std::uint8_t {
  kDone = 0,
  kSupply,     ///< the core's regulator does not reach its level
  kCrystal,    ///< the external oscillator does not start
  kPll,        ///< the loop does not lock
  kWaitState,  ///< the flash does not take its wait states
  kSwitch,     ///< the system clock does not switch
};

/// In words: "the crystal does not start".
constexpr const char* NameOf(ClockStep step) {
  switch (step) {
    case ClockStep::kDone: return "the clock runs";
    case ClockStep::kSupply: return "the core's supply does not settle";
    case ClockStep::kCrystal: return "the crystal does not start";
    case ClockStep::kPll: return "the PLL does not lock";
    case ClockStep::kWaitState: return "the flash does not take its wait states";
    case ClockStep::kSwitch: return "the system clock does not switch";
  }
  return "?";
}

/// Turns of each wait, of some ten clocks of the internal oscillator at 16 to 64 MHz: 6 ms at the least. A crystal takes
/// 2 ms, the PLL 0.3 ms (data sheets, "External oscillator", "PLL characteristics").
inline constexpr int kClockTurns = 40'000;

}  // namespace tactus::hal::stm32
