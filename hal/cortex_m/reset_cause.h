#pragma once
#include <cstdint>

namespace tactus::hal::cortex_m {

/// What began this run.
enum class ResetCause : std::uint8_t { kUnknown, kPowerOn, kSoftware, kWatchdog, kLockup, kBrownOut };

/// Reads it and makes the register ready for the next reset; once, early in main. The board supplies it; one that cannot
/// know says kUnknown.
ResetCause TakeResetCause();

/// In words, "a reset by the watchdog".
const char* NameOf(ResetCause cause);

}  // namespace tactus::hal::cortex_m
