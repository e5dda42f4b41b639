#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus {

/// The remainders of all bytes: one table look-up a byte instead of eight shifts. 1 KiB of read-only memory.
inline constexpr std::array<std::uint32_t, 256> kCrc32Table = [] {
  constexpr std::uint32_t kReversedPolynomial =
      0xEDB88320u;  // x^32+x^26+x^23+x^22+x^16+x^12+x^11+x^10+x^8+x^7+x^5+x^4+x^2+x+1
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1u) != 0 ? kReversedPolynomial : 0u);
    }
    table[byte] = remainder;
  }
  return table;
}();

/// CRC-32/ISO-HDLC, the one of zlib, PNG and Ethernet: reflected, start and final xor 0xFFFFFFFF; "123456789" gives
/// 0xCBF43926.
///
/// It finds every error burst up to 32 bits, and every 1 to 3 wrong bits in a frame of ours.
///
/// @param[in] bytes  what to sum up
/// @param[in] crc    the checksum of what came before, to go on from there
constexpr std::uint32_t Crc32(std::span<const std::uint8_t> bytes, std::uint32_t crc = 0) noexcept {
  crc = ~crc;
  for (const std::uint8_t byte : bytes) crc = (crc >> 8) ^ kCrc32Table[(crc ^ byte) & 0xFFu];
  return ~crc;
}

}  // namespace tactus
