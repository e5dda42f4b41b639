#pragma once
#include "tests/stm32/each_write.h"

namespace tactus::hal::stm32::model {

/// Of the writes to RCC_CR that StartClockTree does as a clock (bypass) or a crystal wants them, what nobody can see: RM0090
/// 7.3.1, RM0440 7.4.1, RM0433 8.7.2.
///
/// @param internal  the word as it is at first: the internal oscillator on, its trimming, its flags
inline std::vector<Unseen> UnseenOfOscillators(std::uint32_t internal, bool is_clock) {
  constexpr std::uint32_t kHseOn = 1u << 16, kHseReady = 1u << 17, kBypass = 1u << 18, kSecurity = 1u << 19,
                          kPllOn = 1u << 24, kPllReady = 1u << 25;
  const std::uint32_t bypass = is_clock ? kBypass : 0u;
  std::vector<Unseen> unseen{
      {"RCC", 0, std::nullopt, kHseReady | kPllReady, "flags that are read only"},
      {"RCC", 0, std::nullopt, internal, "the internal oscillator is on while the core runs on it, and is not used later"},
      {"RCC", 0, internal | bypass | kHseOn | kHseReady | kSecurity | kPllOn | kPllReady, kHseOn | kPllOn | bypass,
       "what the core runs on stays on"}};
  if (is_clock)
    unseen.push_back(
        {"RCC", 0, internal | bypass | kHseOn | kHseReady | kPllOn, kBypass, "fixed while the oscillator is on"});
  return unseen;
}

}  // namespace tactus::hal::stm32::model
