#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus {

/// The remainders of all bytes with 0, 1, 2 and 3 zero bytes behind them: four look-ups for four bytes instead of 32 shifts.
/// 4 KiB of read-only memory.
inline constexpr std::array<std::array<std::uint32_t, 256>, 4> kCrc32Tables = [] {
  constexpr std::uint32_t kReversedPolynomial =
      0xEDB88320u;  // x^32+x^26+x^23+x^22+x^16+x^12+x^11+x^10+x^8+x^7+x^5+x^4+x^2+x+1
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (std::array<std::uint32_t, 256>& table : tables) {
      for (int bit = 0; bit < 8; ++bit) {
        remainder = (remainder >> 1) ^ ((remainder & 1u) != 0 ? kReversedPolynomial : 0u);
      }
      table[byte] = remainder;
    }
  }
  return tables;
}();

/// CRC-32/ISO-HDLC, the one of zlib, PNG and Ethernet: reflected, start and final xor 0xFFFFFFFF; "123456789" gives
/// 0xCBF43926.
///
/// It finds every error burst up to 32 bits, and every 1 to 3 wrong bits in a frame of ours.
///
/// @param[in] bytes  what to sum up
/// @param[in] crc    the checksum of what came before, to go on from there
constexpr std::uint32_t Crc32(std::span<const std::uint8_t> bytes, std::uint32_t crc = 0) noexcept {
  const auto& [last, third, second, first] = kCrc32Tables;
  const std::uint8_t *at = bytes.data(), *const end = at + bytes.size();
  crc = ~crc;
  for (; end - at >= 4; at += 4) {
    crc ^= static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
           static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[3]) << 24;
    crc = first[crc & 0xFFu] ^ second[(crc >> 8) & 0xFFu] ^ third[(crc >> 16) & 0xFFu] ^ last[crc >> 24];
  }
  for (; at != end; ++at) crc = (crc >> 8) ^ last[(crc ^ *at) & 0xFFu];
  return ~crc;
}

}  // namespace tactus
