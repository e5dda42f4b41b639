#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::hal {

/// A queue of bytes between one producer and one consumer that may interrupt each other. No lock: each side writes one
/// index.
template <std::size_t kCapacity>
class ByteRing {
  static_assert(kCapacity >= 2 && (kCapacity & (kCapacity - 1)) == 0, "a power of two, so that the indices may wrap");

 public:
  std::size_t size() const { return written_.load(std::memory_order_acquire) - read_.load(std::memory_order_acquire); }
  std::size_t room() const { return kCapacity - size(); }

  /// Producer. Takes all of `bytes` or, if they do not fit, none. @returns whether it took them.
  bool Push(std::span<const std::uint8_t> bytes) {
    if (bytes.size() > room()) return false;
    const std::uint32_t at = written_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes_[(at + i) % kCapacity] = bytes[i];
    written_.store(at + static_cast<std::uint32_t>(bytes.size()), std::memory_order_release);
    return true;
  }
  bool Push(std::uint8_t byte) { return Push(std::span<const std::uint8_t>(&byte, 1)); }

  /// Consumer. Moves the oldest bytes to `room`. @returns how many.
  std::size_t Pop(std::span<std::uint8_t> room) {
    const std::size_t available = size();
    const std::size_t count = available < room.size() ? available : room.size();
    const std::uint32_t at = read_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i) room[i] = bytes_[(at + i) % kCapacity];
    read_.store(at + static_cast<std::uint32_t>(count), std::memory_order_release);
    return count;
  }

 private:
  std::array<std::uint8_t, kCapacity> bytes_{};
  std::atomic<std::uint32_t> written_{0}, read_{0};  // totals, modulo 2^32
};

}  // namespace tactus::hal
