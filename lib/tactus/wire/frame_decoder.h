#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"
#include "tactus/wire/frame.h"

namespace tactus::wire {

/// What a decoder met since it started. Every piece between two 0x00 counts once, in one of these; empty pieces do not
/// count.
struct DecoderCounters {
  std::uint32_t frames = 0;         ///< good ones
  std::uint32_t missing = 0;        ///< gaps in the sequence of the good ones: frames that never arrived, or arrived broken
  std::uint32_t torn = 0;           ///< 0x00 inside a COBS block
  std::uint32_t oversized = 0;      ///< longer than kMaxFrameSize
  std::uint32_t undersized = 0;     ///< shorter than header and checksum
  std::uint32_t wrong_crc = 0;      ///< the checksum does not fit
  std::uint32_t unknown_flags = 0;  ///< flags that this version does not know
  std::uint32_t unknown_type = 0;   ///< a type that this version does not know
  std::uint32_t wrong_size = 0;     ///< the payload's length is not that of its type

  constexpr std::uint32_t bad() const {
    return torn + oversized + undersized + wrong_crc + unknown_flags + unknown_type + wrong_size;
  }
};

/// Finds frames in a stream of bytes from anywhere: a bounded amount of work for each byte, no memory but its own, no input
/// that can overrun it. A bad frame is counted and forgotten, and the next 0x00 starts afresh.
class FrameDecoder {
 public:
  /// Takes one byte.
  ///
  /// @returns kOk: a frame is complete, see frame(). kWouldBlock: more bytes are needed. kCorrupt: a frame was discarded.
  Status Push(std::uint8_t byte) noexcept {
    std::size_t used = 0;
    return Push(std::span(&byte, 1), &used);
  }

  /// Takes bytes up to the end of the next frame, good or bad, or all of them. Call again with the rest while there is one:
  ///
  ///     while (!bytes.empty()) {
  ///       std::size_t used = 0;
  ///       if (decoder.Push(bytes, &used) == Status::kOk) Handle(decoder.frame());
  ///       bytes = bytes.subspan(used);
  ///     }
  ///
  /// @param[out] used  bytes taken; at least 1 unless `bytes` is empty
  Status Push(std::span<const std::uint8_t> bytes, std::size_t* used) noexcept {
    Piece piece = piece_;  // in registers: half of the instructions of a byte
    Status status = Status::kWouldBlock;
    std::size_t taken = 0;
    while (taken < bytes.size() && status == Status::kWouldBlock) {
      std::uint8_t data = 0;
      const CobsEvent event = piece.cobs.Push(bytes[taken++], &data);
      if (event == CobsEvent::kEnd || event == CobsEvent::kTorn) {
        status = Finish(piece, event == CobsEvent::kTorn);
        piece = {};
        continue;
      }
      piece.started = true;
      if (event == CobsEvent::kNothing) continue;
      if (piece.size < raw_.size()) raw_[piece.size] = data;
      piece.size = std::min(piece.size + 1, raw_.size() + 1);
    }
    piece_ = piece;
    *used = taken;
    return status;
  }

  /// The last good frame; valid until the next Push.
  const Frame& frame() const noexcept { return frame_; }
  const DecoderCounters& counters() const noexcept { return counters_; }

 private:
  /// What has come since the last 0x00.
  struct Piece {
    std::size_t size = 0;  ///< bytes of data; kMaxFrameSize + 1: too many
    bool started = false;  ///< a byte has come
    CobsDecoder cobs;
  };

  Status Finish(const Piece& piece, bool torn) noexcept {
    if (!piece.started) return Status::kWouldBlock;
    if (std::uint32_t* const counter = Judge(torn, piece.size)) {
      ++*counter;
      return Status::kCorrupt;
    }
    Accept(piece.size);
    return Status::kOk;
  }

  /// The counter of what is wrong with the first `size` bytes of `raw_`; nullptr: nothing.
  std::uint32_t* Judge(bool torn, std::size_t size) noexcept {
    if (size > raw_.size()) return &counters_.oversized;
    if (torn) return &counters_.torn;
    if (size < kFrameHeaderSize + kCrcSize) return &counters_.undersized;
    const std::size_t checked = size - kCrcSize;
    if (Crc32(std::span<const std::uint8_t>(raw_.data(), checked)) != Word(checked)) return &counters_.wrong_crc;
    if (raw_[1] != 0) return &counters_.unknown_flags;
    const std::size_t payload_size = PayloadSize(static_cast<MessageType>(raw_[0]));
    if (payload_size == 0) return &counters_.unknown_type;
    if (payload_size != checked - kFrameHeaderSize) return &counters_.wrong_size;
    return nullptr;
  }

  void Accept(std::size_t size) noexcept {
    frame_.type = static_cast<MessageType>(raw_[0]);
    frame_.sequence = static_cast<std::uint16_t>(raw_[2] | (raw_[3] << 8));
    frame_.payload = {raw_.data() + kFrameHeaderSize, size - kFrameHeaderSize - kCrcSize};
    if (counters_.frames > 0) counters_.missing += static_cast<std::uint16_t>(frame_.sequence - next_sequence_);
    next_sequence_ = static_cast<std::uint16_t>(frame_.sequence + 1);
    ++counters_.frames;
  }

  std::uint32_t Word(std::size_t at) const noexcept {
    return static_cast<std::uint32_t>(raw_[at]) | static_cast<std::uint32_t>(raw_[at + 1]) << 8 |
           static_cast<std::uint32_t>(raw_[at + 2]) << 16 | static_cast<std::uint32_t>(raw_[at + 3]) << 24;
  }

  std::array<std::uint8_t, kMaxFrameSize> raw_{};
  Piece piece_;
  Frame frame_;
  DecoderCounters counters_;
  std::uint16_t next_sequence_ = 0;
};

}  // namespace tactus::wire
