#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal::falcon {

/// The packet of a Novint Falcon whose program runs, 16 bytes each way (docs/devices.md): each request has one answer.
///
///     '<'  three times int16 as four nibbles, least first, each + 'A'  'A' + bits  a byte  '>'
///     to the device: motors, LEDs and the wish to home;   from it: encoders, which are homed, the grip's buttons

inline constexpr std::size_t kPacketSize = 16;
inline constexpr std::int16_t kMostMotor = 4095;  ///< its maker's programs send no more

/// Bits of byte 13 of a request.
enum : std::uint8_t { kHomeBit = 0x01, kGreenBit = 0x02, kBlueBit = 0x04, kRedBit = 0x08 };

struct Request {
  std::array<std::int16_t, 3> motor{};
  std::uint8_t bits = 0;
};

struct Answer {
  std::array<std::int16_t, 3> count{};
  std::array<bool, 3> homed{};
  std::uint8_t buttons = 0;  ///< plus 1, forward 2, centre 4, minus 8
};

/// @param[in] request  motors within ±kMostMotor: others are clamped
std::array<std::uint8_t, kPacketSize> Write(const Request& request) noexcept;
std::array<std::uint8_t, kPacketSize> Write(const Answer& answer) noexcept;

/// @param[in] bytes  kPacketSize of them
/// @returns kCorrupt: no '<' or '>' where it must be, a nibble that is none, bits that do not exist
Status Read(std::span<const std::uint8_t> bytes, Answer* answer) noexcept;
Status Read(std::span<const std::uint8_t> bytes, Request* request) noexcept;

/// Finds packets in a stream: in pieces, several at once, behind bytes that are lost or made up.
class PacketFinder {
 public:
  /// @returns whether `byte` ends a packet: then packet() is it. A '<' starts a packet anew. Byte 14 has no known use and
  /// may be '<': there it starts one only if no '>' follows.
  bool Push(std::uint8_t byte) noexcept;
  std::span<const std::uint8_t> packet() const { return bytes_; }
  std::uint32_t skipped() const { return skipped_; }  ///< bytes that belonged to no packet
  bool in_packet() const { return size_ > 0; }
  void Forget() { size_ = 0; }

 private:
  std::array<std::uint8_t, kPacketSize> bytes_{};
  std::size_t size_ = 0;
  std::uint32_t skipped_ = 0;
};

}  // namespace tactus::hal::falcon
