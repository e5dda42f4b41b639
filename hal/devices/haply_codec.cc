#include "hal/devices/haply_codec.h"

#include <algorithm>
#include <bit>

#include "tactus/core/scalar.h"

namespace tactus::hal::haply {
namespace {

std::uint8_t* PutFloat(float value, std::uint8_t* at) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int i = 0; i < 4; ++i) *at++ = static_cast<std::uint8_t>(bits >> (8 * i));
  return at;
}

float GetFloat(const std::uint8_t* at) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 4; ++i) bits |= static_cast<std::uint32_t>(at[i]) << (8 * i);
  return std::bit_cast<float>(bits);
}

}  // namespace

std::array<std::uint8_t, 2> WriteReset() noexcept { return {0, 0}; }

std::array<std::uint8_t, kSetupSize> WriteSetup() noexcept {
  // Ports 1 and 2 as motors and as encoders, all clockwise; no sensors, no PWM pins.
  std::array<std::uint8_t, kSetupSize> bytes = {1, kId, 0x03, 0, 0, 0x03, 0, 0, 0, 0};
  std::uint8_t* at = bytes.data() + 10;
  for (const float offset_deg : kHeld_deg) at = PutFloat(kCountsPerTurn, PutFloat(offset_deg, at));
  return bytes;
}

std::array<std::uint8_t, kTorqueSize> WriteTorques(const std::array<float, 2>& torque_Nm) noexcept {
  std::array<std::uint8_t, kTorqueSize> bytes = {2, kId};
  std::uint8_t* at = bytes.data() + 2;
  for (const float torque : torque_Nm) at = PutFloat(torque, at);
  return bytes;
}

Status ReadAnswer(std::span<const std::uint8_t> bytes, std::array<std::int32_t, 2>* count) noexcept {
  constexpr float kMost_deg = 720, kWhole = 0.02f;  // of a count; 720° in single precision is exact to 0.002 of one
  if (bytes.size() != kAnswerSize || bytes[0] != kId) return Status::kCorrupt;
  std::array<std::int32_t, 2> whole{};
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const float angle_deg = GetFloat(bytes.data() + 1 + 4 * i);
    if (!(Abs(angle_deg) <= kMost_deg)) return Status::kOutOfRange;
    const float counts = angle_deg * (kCountsPerTurn / 360);
    whole[i] = static_cast<std::int32_t>(counts < 0 ? counts - 0.5f : counts + 0.5f);
    if (Abs(counts - static_cast<float>(whole[i])) > kWhole) return Status::kOutOfRange;
  }
  *count = whole;
  return Status::kOk;
}

}  // namespace tactus::hal::haply
