#pragma once
#include "tactus/solve/algebra/lanes.h"

namespace tactus::internal {

/// Two numbers, added and multiplied one by one: the same bits whether the processor has vectors or not.
template <class Scalar>
using TwoLanes [[gnu::vector_size(2 * sizeof(Scalar))]] = Scalar;

template <class Scalar>
TwoLanes<Scalar> LoadTwo(const Scalar* from) {
  return LoadLanes<TwoLanes<Scalar>>(from);
}

/// Six numbers, of a body's velocity or of a contact's row for it, in as few vectors of 16 bytes as hold them.
template <class Scalar>
struct Six {
  static constexpr int kVectors = 4 / kLanes<Scalar>;

  Lanes<Scalar> four[kVectors];
  TwoLanes<Scalar> two;

  [[gnu::always_inline]] static Six Load(const Scalar* from) {
    Six six;
    for (int v = 0; v < kVectors; ++v) six.four[v] = tactus::internal::Load<Scalar>(from + v * kLanes<Scalar>);
    six.two = LoadTwo(from + 4);
    return six;
  }
  [[gnu::always_inline]] void Store(Scalar* to) const {
    for (int v = 0; v < kVectors; ++v) StoreLanes(four[v], to + v * kLanes<Scalar>);
    StoreLanes(two, to + 4);
  }

  [[gnu::always_inline]] friend Six operator+(Six x, const Six& y) {
    for (int v = 0; v < kVectors; ++v) x.four[v] += y.four[v];
    x.two += y.two;
    return x;
  }
  [[gnu::always_inline]] friend Six operator*(Six x, const Six& y) {
    for (int v = 0; v < kVectors; ++v) x.four[v] *= y.four[v];
    x.two *= y.two;
    return x;
  }
  [[gnu::always_inline]] friend Six operator*(Scalar s, Six x) {
    for (int v = 0; v < kVectors; ++v) x.four[v] *= s;
    x.two *= s;
    return x;
  }

  /// Sums of the numbers with even and with odd index.
  [[gnu::always_inline]] TwoLanes<Scalar> EvenAndOdd() const {
    if constexpr (kVectors == 2)
      return four[0] + four[1] + two;
    else
      return __builtin_shufflevector(four[0], four[0], 0, 1) + __builtin_shufflevector(four[0], four[0], 2, 3) + two;
  }
};

}  // namespace tactus::internal
