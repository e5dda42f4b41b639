#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal::haply {

/// The bytes of a Haply board with the open Haply-API firmware (docs/devices.md): no frames, no lengths, no checksum,
/// numbers as IEEE-754 singles, least byte first.
///
///     00 00                                      reset: forgets the set-up, not the torques
///     01 id motors dir·2 encoders dir·2 0 0 (offset_deg, counts_per_turn)·2       set-up, no answer
///     02 id torque_Nm·2                          answer: id angle_deg·2

inline constexpr std::uint8_t kId = 5;  ///< the makers' demo's
inline constexpr float kCountsPerTurn = 13824;
inline constexpr float kHeld_deg[2] = {180, 0};  ///< where the arms are held during the set-up
/// What the board counts there.
constexpr std::int32_t HeldCount(std::size_t arm) {
  return static_cast<std::int32_t>(kHeld_deg[arm] * (kCountsPerTurn / 360));
}
inline constexpr float kMost_Nm = 0.123f;  ///< the firmware's own clamp
inline constexpr std::size_t kSetupSize = 26, kTorqueSize = 10, kAnswerSize = 9;

std::array<std::uint8_t, 2> WriteReset() noexcept;
std::array<std::uint8_t, kSetupSize> WriteSetup() noexcept;
/// @param[in] torque_Nm  numbers within ±kMost_Nm
std::array<std::uint8_t, kTorqueSize> WriteTorques(const std::array<float, 2>& torque_Nm) noexcept;

/// Reads an answer: exactly its bytes, its id, and angles that are whole counts of a counter within two turns. The last is
/// all the integrity that this line has.
/// @returns kOk; kCorrupt: another id, another size; kOutOfRange: an angle that no counter gives.
Status ReadAnswer(std::span<const std::uint8_t> bytes, std::array<std::int32_t, 2>* count) noexcept;

}  // namespace tactus::hal::haply
