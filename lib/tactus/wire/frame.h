#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tactus/core/check.h"
#include "tactus/core/crc32.h"
#include "tactus/core/status.h"
#include "tactus/wire/cobs.h"
#include "tactus/wire/message.h"

namespace tactus::wire {

// A frame is COBS(type u8, flags u8 = 0, sequence u16, payload, CRC-32 of all before) and 0x00, little endian: docs/wire.md.
inline constexpr std::size_t kFrameHeaderSize = 4;
inline constexpr std::size_t kCrcSize = 4;
inline constexpr std::size_t kMaxFrameSize = kFrameHeaderSize + kMaxPayloadSize + kCrcSize;  // before stuffing
inline constexpr std::size_t kMaxEncodedSize = CobsEncodedBound(kMaxFrameSize) + 1;          // with the closing 0x00

/// Bytes on the link of a frame with message `M`, at most.
template <Message M>
inline constexpr std::size_t kEncodedSize = CobsEncodedBound(kFrameHeaderSize + sizeof(M) + kCrcSize) + 1;

/// A checked frame: type, flags, length and checksum are right. `payload` points into the decoder, until its next byte.
struct Frame {
  MessageType type = MessageType::kNone;
  std::uint16_t sequence = 0;  ///< the sender counts its frames with it, modulo 65536
  std::span<const std::uint8_t> payload;
};

/// Makes one frame.
///
/// @param[in]  payload  at most kMaxPayloadSize bytes
/// @param[out] out      kMaxEncodedSize bytes are always enough
/// @param[out] size     bytes written to `out`, the closing 0x00 included; 0 unless kOk
/// @returns kOk. kOverCapacity: the payload is too long, or `out` too small.
constexpr Status EncodeFrame(MessageType type, std::uint16_t sequence, std::span<const std::uint8_t> payload,
                             std::span<std::uint8_t> out, std::size_t* size) noexcept {
  *size = 0;
  if (payload.size() > kMaxPayloadSize) return Status::kOverCapacity;
  std::array<std::uint8_t, kMaxFrameSize> raw;
  raw[0] = static_cast<std::uint8_t>(type);
  raw[1] = 0;
  raw[2] = static_cast<std::uint8_t>(sequence & 0xFFu);
  raw[3] = static_cast<std::uint8_t>(sequence >> 8);
  std::copy(payload.begin(), payload.end(), raw.begin() + kFrameHeaderSize);
  const std::size_t checked = kFrameHeaderSize + payload.size();
  const std::uint32_t crc = Crc32(std::span<const std::uint8_t>(raw.data(), checked));
  for (std::size_t i = 0; i < kCrcSize; ++i) raw[checked + i] = static_cast<std::uint8_t>((crc >> (8 * i)) & 0xFFu);

  if (out.empty()) return Status::kOverCapacity;
  const std::size_t stuffed =
      CobsEncode(std::span<const std::uint8_t>(raw.data(), checked + kCrcSize), out.first(out.size() - 1));
  if (stuffed == 0) return Status::kOverCapacity;
  out[stuffed] = 0;
  *size = stuffed + 1;
  return Status::kOk;
}

/// The bytes of a message as they travel.
template <Message M>
std::span<const std::uint8_t> PayloadOf(const M& message) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(&message), sizeof(M)};
}

/// Copies a frame's payload into `message`.
///
/// @returns kOk. kCorrupt: the frame is of another type; `message` is unchanged.
template <Message M>
Status ReadMessage(const Frame& frame, M* message) noexcept {
  if (frame.type != kTypeOf<M> || frame.payload.size() != sizeof(M)) return Status::kCorrupt;
  std::memcpy(static_cast<void*>(message), frame.payload.data(), sizeof(M));
  return Status::kOk;
}

/// Makes frames and numbers them. Owns the bytes of the last one.
class FrameWriter {
 public:
  /// @returns the frame, ready for the link; it lives until the next call
  template <Message M>
  std::span<const std::uint8_t> Write(const M& message) noexcept {
    std::size_t size = 0;
    const Status status = EncodeFrame(kTypeOf<M>, next_sequence_, PayloadOf(message), buffer_, &size);
    TACTUS_CHECK(status == Status::kOk);
    ++next_sequence_;
    return {buffer_.data(), size};
  }

  /// Number of the next frame.
  std::uint16_t next_sequence() const noexcept { return next_sequence_; }

 private:
  std::array<std::uint8_t, kMaxEncodedSize> buffer_;
  std::uint16_t next_sequence_ = 0;
};

}  // namespace tactus::wire
