#pragma once
#include <array>
#include <cstddef>

#include "tactus/core/check.h"
#include "tactus/core/status.h"

namespace tactus {

/// A list of at most `kCapacity` items inside the object itself: `std::vector` without the heap.
template <class T, int kCapacity>
class FixedVector {
 public:
  static constexpr int capacity() { return kCapacity; }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kCapacity; }
  void clear() { size_ = 0; }

  /// Appends a copy. @returns kOverCapacity, and leaves the list as it is, when it is full.
  Status push_back(const T& item) {
    if (full()) return Status::kOverCapacity;
    items_[static_cast<std::size_t>(size_++)] = item;
    return Status::kOk;
  }

  /// Sets the size; items that appear are what last stood there. `size` in [0, capacity].
  void resize(int size) {
    TACTUS_CHECK(0 <= size && size <= kCapacity);
    size_ = size;
  }

  T& operator[](int i) {
    TACTUS_CHECK(0 <= i && i < size_);
    return items_[static_cast<std::size_t>(i)];
  }
  const T& operator[](int i) const {
    TACTUS_CHECK(0 <= i && i < size_);
    return items_[static_cast<std::size_t>(i)];
  }

  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

 private:
  std::array<T, static_cast<std::size_t>(kCapacity > 0 ? kCapacity : 1)> items_{};
  int size_ = 0;
};

}  // namespace tactus
