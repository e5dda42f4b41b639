#pragma once
#include <cstddef>
#include <cstdint>

namespace tactus::hal::stm32 {

/// What stands on OSC_IN and OSC_OUT.
enum class OscillatorPins : std::uint8_t {
  kCrystal,  ///< a crystal or resonator between both
  kClock,    ///< a clock on OSC_IN, as an ST-LINK gives one: the oscillator's amplifier is bypassed
};

/// How a loop makes its frequency of a crystal: crystal / m = input, input · n = loop.
struct PllPlan {
  std::uint32_t m, n;
};

/// A clock tree whose loop is one register's (F4, G4).
struct PllClockPlan {
  std::uint32_t pll_word;
  OscillatorPins pins;
};

/// @param inputs  frequencies that the loop's input may have, the best one first [Hz]
/// @returns the plan with the first input that divides both crystal and loop; m = 0: none does, or m would exceed most_m.
template <std::size_t kInputs>
constexpr PllPlan PlanPll(std::uint32_t crystal_Hz, std::uint32_t loop_Hz, std::uint32_t most_m,
                          const std::uint32_t (&inputs)[kInputs]) {
  for (const std::uint32_t input : inputs)
    if (crystal_Hz % input == 0 && loop_Hz % input == 0 && crystal_Hz / input <= most_m)
      return {crystal_Hz / input, loop_Hz / input};
  return {0, 0};
}

}  // namespace tactus::hal::stm32
