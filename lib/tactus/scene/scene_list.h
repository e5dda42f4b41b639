#pragma once
#include <type_traits>

#include "tactus/core/fixed_vector.h"

namespace tactus {

/// A list that never has an item, and takes no memory.
template <class T>
class EmptyList {
 public:
  static constexpr int capacity() { return 0; }
  int size() const { return 0; }
  bool empty() const { return true; }
  void clear() {}
  Status push_back(const T&) { return Status::kOverCapacity; }
  void resize(int size) { TACTUS_CHECK(size == 0); }
  T& operator[](int) { NoItem(); }
  const T& operator[](int) const { NoItem(); }
  T* begin() { return nullptr; }
  T* end() { return nullptr; }
  const T* begin() const { return nullptr; }
  const T* end() const { return nullptr; }

 private:
  [[noreturn]] static void NoItem() {
    TACTUS_CHECK(false);
    __builtin_unreachable();
  }
};

/// A list of a scene: a board without room for one has nothing in its place.
template <class T, int kCapacity>
using SceneList = std::conditional_t<(kCapacity > 0), FixedVector<T, (kCapacity > 0 ? kCapacity : 1)>, EmptyList<T>>;

}  // namespace tactus
