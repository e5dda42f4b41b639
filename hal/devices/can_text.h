#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal {

/// A frame of classic CAN with a standard identifier.
struct CanFrame {
  std::uint16_t id = 0;     ///< 11 bits
  bool is_request = false;  ///< RTR: asks for the data, has none
  std::uint8_t size = 0;    ///< bytes of data, 0 to 8
  std::array<std::uint8_t, 8> data{};
};

/// The text in which serial CAN adapters speak (the protocol of the CAN232, LAWICEL 2003: "slcan"):
///
///     t iii n dd…  CR     a frame: identifier, size, data, in hexadecimal digits;  r iii n CR: a request for one
///     C CR  S8 CR  O CR   closes the channel, 1 Mbit/s, opens it
///     CR, z CR            done;  BEL: refused
///
/// It has no checksum: what is not a digit, or not of the size, is seen, a turned digit is not.
namespace can_text {

inline constexpr std::size_t kMostSize = 5 + 16 + 1;
inline constexpr std::uint8_t kEnd = '\r', kRefused = 0x07;
inline constexpr std::array<std::uint8_t, 7> kOpen = {'C', '\r', 'S', '8', '\r', 'O', '\r'};

/// @param[out] room  kMostSize bytes  @returns how many are written
std::size_t Write(const CanFrame& frame, std::span<std::uint8_t> room) noexcept;

/// Reads a line without its end. What stands before its last t or r is damage of the line before, and is passed over.
/// @returns kOk; kNotReady: an adapter's answer; kCorrupt: neither
Status Read(std::span<const std::uint8_t> line, CanFrame* frame) noexcept;

}  // namespace can_text
}  // namespace tactus::hal
