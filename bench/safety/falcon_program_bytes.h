#pragma once
#include <cstdint>
#include <vector>

namespace tactus::bench::safety {

/// A program of ours for a Falcon's loader: its form, and words that mean nothing. Source of the form: docs/devices.md, 3.
inline std::vector<std::uint8_t> FalconProgramBytes(const std::vector<unsigned>& words_of_blocks) {
  std::vector<std::uint8_t> bytes;
  const auto word = [&](unsigned value) {
    bytes.push_back(static_cast<std::uint8_t>(value & 0xFF));
    bytes.push_back(static_cast<std::uint8_t>(value >> 8 & 0xFF));
  };
  word(0x08AA);
  for (int i = 0; i < 8; ++i) word(0);
  word(0x3F), word(0x8002);
  unsigned value = 1;
  for (const unsigned words : words_of_blocks) {
    word(words), word(0x3F), word(0x8002);
    for (unsigned i = 0; i < words; ++i) word(value = value * 75 + 74);
  }
  word(0);
  return bytes;
}

}  // namespace tactus::bench::safety
