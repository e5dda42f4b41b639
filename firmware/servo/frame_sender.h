#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "hal/api/byte_link.h"
#include "tactus/wire/frame.h"

namespace tactus::servo {

/// Numbers the controller's frames and puts them on the link, from the two contexts: the tick, and the background that the
/// tick may interrupt. The background writes the number only under the link's lock.
class FrameSender {
 public:
  explicit FrameSender(hal::ByteLink& link) : link_(link) {}

  /// Tick context. @returns kWouldBlock: no room; the gap in the sequence tells the host.
  template <wire::Message M>
  Status Send(const M& message) noexcept {
    const std::uint16_t sequence = next_sequence_.load(std::memory_order_relaxed);
    const std::size_t size = Encode(message, sequence, frame_);
    next_sequence_.store(static_cast<std::uint16_t>(sequence + 1), std::memory_order_relaxed);
    return link_.Write(std::span(frame_).first(size), hal::Lane::kCommand);
  }

  /// Background. The frame is made outside the lock, which is held for the copy into the link alone. If a tick has sent a
  /// frame in between, the number is taken: once more, with the next one.
  template <wire::Message M>
  Status SendFromBackground(const M& message, hal::Lane lane) noexcept {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const std::uint16_t sequence = next_sequence_.load(std::memory_order_relaxed);
      const std::size_t size = Encode(message, sequence, background_frame_);
      link_.Lock();
      const bool mine = next_sequence_.load(std::memory_order_relaxed) == sequence;
      const Status sent = mine ? link_.Write(std::span(background_frame_).first(size), lane) : Status::kWouldBlock;
      if (sent == Status::kOk) next_sequence_.store(static_cast<std::uint16_t>(sequence + 1), std::memory_order_relaxed);
      link_.Unlock();
      if (mine) return sent;
    }
    return Status::kWouldBlock;
  }

 private:
  static constexpr int kAttempts = 3;  // one fails only if a tick comes in between: once per period
  using Buffer = std::array<std::uint8_t, wire::kMaxEncodedSize>;

  template <wire::Message M>
  static std::size_t Encode(const M& message, std::uint16_t sequence, Buffer& buffer) noexcept {
    std::size_t size = 0;
    const Status encoded = wire::EncodeFrame(wire::kTypeOf<M>, sequence, wire::PayloadOf(message), buffer, &size);
    TACTUS_CHECK(encoded == Status::kOk);
    return size;
  }

  hal::ByteLink& link_;
  std::atomic<std::uint16_t> next_sequence_{0};
  Buffer frame_{};             // tick context only
  Buffer background_frame_{};  // background only
};

}  // namespace tactus::servo
