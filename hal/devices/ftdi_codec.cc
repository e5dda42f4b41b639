#include "hal/devices/ftdi_codec.h"

#include <algorithm>

namespace tactus::hal::ftdi {

Status DivisorFor(std::uint32_t baud, Divisor* divisor) noexcept {
  constexpr std::uint32_t kEighthsPerSecond = 24'000'000;           // 3 MHz, in eighths
  constexpr unsigned kCode[8] = {0, 3, 2, 4, 1, 5, 6, 7};           // of the eighths
  constexpr std::uint32_t kLowest = 16, kHighest = 8 * 16'384 - 1;  // below 2 the chip has other rules
  if (baud == 0) return Status::kOutOfRange;
  const std::uint32_t eighths = std::clamp((kEighthsPerSecond + baud / 2) / baud, kLowest, kHighest);
  const std::uint32_t got = kEighthsPerSecond / eighths, off = got > baud ? got - baud : baud - got;
  if (std::uint64_t{off} * 100 > std::uint64_t{baud} * 3) return Status::kOutOfRange;
  const std::uint32_t word = eighths >> 3 | kCode[eighths & 7] << 14;
  *divisor = {.value = static_cast<std::uint16_t>(word & 0xFFFF), .index = static_cast<std::uint16_t>(word >> 16)};
  return Status::kOk;
}

std::size_t StripStatus(std::span<std::uint8_t> bytes) noexcept {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at % kPacket_B >= kStatus_B) bytes[kept++] = bytes[at];
  }
  return kept;
}

}  // namespace tactus::hal::ftdi
