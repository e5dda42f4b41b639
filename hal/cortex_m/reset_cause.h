#pragma once
#include <cstdint>

namespace tactus::hal::cortex_m {

/// What began this run.
enum class ResetCause : std::uint8_t { kUnknown, kPowerOn, kSoftware, kWatchdog, kLockup, kBrownOut };

/// Reads it and makes the register ready for the next reset; once, early in main. The board supplies it; one that cannot
/// know says kUnknown.
ResetCause TakeResetCause();

/// How often the program has begun since the counters of its encoders did, with power: 0 says that they have the place in
/// which the handle was put then. Behind any other reset they begin wherever the handle is; of a number of starts that was
/// lost one restart is certain.
///
/// @param starts       Starts(): since power-on, this one included; 0: lost
/// @param knows_cause  false: kUnknown may be power-on too, as in an emulator
constexpr std::uint32_t RestartsBehind(ResetCause cause, std::uint32_t starts, bool knows_cause) {
  const std::uint32_t before = starts > 0 ? starts - 1 : 0;
  const bool may_be_power_on = cause == ResetCause::kPowerOn || (!knows_cause && cause == ResetCause::kUnknown);
  return may_be_power_on || before > 0 ? before : 1;
}

/// In words, "a reset by the watchdog".
const char* NameOf(ResetCause cause);

}  // namespace tactus::hal::cortex_m
