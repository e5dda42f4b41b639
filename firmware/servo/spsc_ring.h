#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace tactus::servo {

/// A queue between one producer and one consumer that may interrupt each other. No lock: each side writes one index.
template <class T, std::uint32_t kCapacity>
class SpscRing {
  static_assert(kCapacity >= 1 && (kCapacity & (kCapacity - 1)) == 0, "a power of two, so that the indices may wrap");

 public:
  /// Producer. @returns false: full, nothing was taken.
  bool Push(const T& item) {
    T* const place = Claim();
    if (place == nullptr) return false;
    *place = item;
    Publish();
    return true;
  }
  /// Producer: in two steps, for an item that is large. What Claim gives is an old item, to be made a new one before
  /// Publish.
  /// @returns nullptr: full
  T* Claim() {
    const std::uint32_t at = pushed_.load(std::memory_order_relaxed);
    return at - popped_.load(std::memory_order_acquire) == kCapacity ? nullptr : &items_[at % kCapacity];
  }
  void Publish() { pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  /// Consumer. The oldest item, valid until Pop; nullptr: empty.
  const T* Front() const {
    const std::uint32_t at = popped_.load(std::memory_order_relaxed);
    return at == pushed_.load(std::memory_order_acquire) ? nullptr : &items_[at % kCapacity];
  }
  void Pop() { popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  std::array<T, kCapacity> items_{};
  std::atomic<std::uint32_t> pushed_{0}, popped_{0};  // totals, modulo 2^32
};

}  // namespace tactus::servo
