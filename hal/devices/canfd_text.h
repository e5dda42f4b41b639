#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal {

/// A data frame of CAN-FD.
struct CanFdFrame {
  std::uint32_t id = 0;   ///< beyond 0x7FF it is an extended one
  std::uint8_t size = 0;  ///< bytes of data: 0 to 8, 12, 16, 20, 24, 32, 48, 64
  std::array<std::uint8_t, 64> data{};
};

/// The text in which mjbots' serial CAN-FD adapter speaks (fdcanusb, README of its repository):
///
///     can send I… dd… LF        a frame to the bus: identifier, data, in hexadecimal digits
///     rcv I… dd… flags… LF      a frame from the bus; what the flags say is not looked at
///     can on LF                 goes on the bus
///     OK LF, ERR … LF           the answer to each line of the host
///
/// It has no checksum over USB: what is not a digit, or not of a frame's size, is seen, a turned digit is not.
namespace canfd_text {

enum class Way : std::uint8_t { kSend, kReceived };

inline constexpr std::size_t kMostSize = 9 + 8 + 1 + 128 + 1;
inline constexpr std::uint8_t kEnd = '\n';
inline constexpr std::array<std::uint8_t, 7> kOpen = {'c', 'a', 'n', ' ', 'o', 'n', '\n'};

/// Whether a frame of CAN-FD can have so many bytes.
constexpr bool IsSize(std::size_t size) {
  return size <= 8 || (size <= 24 && size % 4 == 0) || size == 32 || size == 48 || size == 64;
}

/// @param[out] room  kMostSize bytes  @returns how many are written
std::size_t Write(Way way, const CanFdFrame& frame, std::span<std::uint8_t> room) noexcept;

/// Reads a line without its end. What stands before the last word of this way is damage of the line before.
/// @returns kOk; kNotReady: nothing, an answer to a line, another command; kCorrupt: none of these
Status Read(Way way, std::span<const std::uint8_t> line, CanFdFrame* frame) noexcept;

/// Whether the adapter says that it has not taken a line.
bool IsRefusal(std::span<const std::uint8_t> line) noexcept;

}  // namespace canfd_text
}  // namespace tactus::hal
