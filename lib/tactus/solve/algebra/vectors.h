#pragma once
#include "tactus/core/scalar.h"

namespace tactus::internal {

// Vectors of a few numbers: two (TwoLanes), 16 bytes (Lanes), four (Four), six (Six). The same bits on every target, with
// vector instructions or without.

// A processor without vectors gets the same operations number by number; a copy through memory would cost it more than they.
#if defined(__SSE2__) || defined(__ARM_NEON)
#define TACTUS_HAS_VECTORS 1
#else
#define TACTUS_HAS_VECTORS 0
#endif

/// Reads the numbers of a vector type.
template <class Vector, class Scalar>
Vector LoadLanes(const Scalar* from) {
  Vector lanes;
  if constexpr (TACTUS_HAS_VECTORS) {
    __builtin_memcpy(&lanes, from, sizeof lanes);
  } else {
#pragma GCC unroll 8
    for (unsigned k = 0; k < sizeof(Vector) / sizeof(Scalar); ++k) lanes[k] = from[k];
  }
  return lanes;
}

/// Writes them.
template <class Vector, class Scalar>
void StoreLanes(const Vector& lanes, Scalar* to) {
  if constexpr (TACTUS_HAS_VECTORS) {
    __builtin_memcpy(to, &lanes, sizeof lanes);
  } else {
#pragma GCC unroll 8
    for (unsigned k = 0; k < sizeof(Vector) / sizeof(Scalar); ++k) to[k] = lanes[k];
  }
}

/// 16 bytes of numbers, added and multiplied one by one: the same bits whether the processor has vectors or not.
template <class Scalar>
using Lanes [[gnu::vector_size(16)]] = Scalar;
template <class Scalar>
inline constexpr int kLanes = 16 / sizeof(Scalar);

template <class Scalar>
Lanes<Scalar> Load(const Scalar* from) {
  return LoadLanes<Lanes<Scalar>>(from);
}

/// What Four is made of: vectors, or the numbers themselves.
template <class Scalar, bool kVectors>
struct FourPart {
  using Type = Scalar;
};
template <class Scalar>
struct FourPart<Scalar, true> {
  using Type [[gnu::vector_size(16)]] = Scalar;
};

/// Four numbers, in vectors of 16 bytes where the processor has them: for loops over the basic variables, where a maximum or
/// a sum need not wait for the one before it. The same bits on every target.
template <class Scalar>
struct Four {
  static constexpr bool kVectors = TACTUS_HAS_VECTORS;
  using Part = typename FourPart<Scalar, kVectors>::Type;
  static constexpr int kPart = sizeof(Part) / sizeof(Scalar), kParts = 4 / kPart;

  Part part[kParts] = {};

  [[gnu::always_inline]] static Four Load(const Scalar* from) {
    Four four;
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) four.part[p] = LoadPart(from + p * kPart);
    return four;
  }
  [[gnu::always_inline]] void Store(Scalar* to) const {
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) StorePart(part[p], to + p * kPart);
  }

  /// += scale · x
  [[gnu::always_inline]] void Add(Scalar scale, const Four& x) {
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) part[p] += scale * x.part[p];
  }
  [[gnu::always_inline]] void AddSquares(const Four& x) {
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) part[p] += x.part[p] * x.part[p];
  }
  /// This is ≥ 0; a NaN in x does not count.
  [[gnu::always_inline]] void TakeLarger(const Four& x) {
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) part[p] = Larger(part[p], x.part[p]);
  }
  [[gnu::always_inline]] void TakeLargerAbs(const Four& x) {
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) part[p] = Larger(part[p], AbsOf(x.part[p]));
  }

  /// Whether any of the four is ≤ scale · x; without vectors, where each is tested by itself anyway, true.
  [[gnu::always_inline]] bool AnyAtMost(Scalar scale, const Four& x) const {
    if constexpr (kVectors) {
      using Bits [[gnu::vector_size(16)]] = long long;
      Bits any{};
      for (int p = 0; p < kParts; ++p) any |= reinterpret_cast<Bits>(part[p] <= scale * x.part[p]);
      return (any[0] | any[1]) != 0;
    }
    return true;
  }

  Scalar Sum() const { return (at(0) + at(1)) + (at(2) + at(3)); }
  Scalar Largest() const { return Max(Max(at(0), at(1)), Max(at(2), at(3))); }

 private:
  static Part LoadPart(const Scalar* from) {
    if constexpr (kVectors)
      return LoadLanes<Part>(from);
    else
      return *from;
  }
  static void StorePart(const Part& x, Scalar* to) {
    if constexpr (kVectors)
      StoreLanes(x, to);
    else
      *to = x;
  }
  Scalar at(int k) const {
    if constexpr (kVectors)
      return part[k / kPart][k % kPart];
    else
      return part[k];
  }
  static Part Larger(const Part& a, const Part& b) {
    if constexpr (kVectors)
      return a < b ? b : a;
    else
      return MaxNonNegative(a, b);
  }
  static Part AbsOf(const Part& x) {
    if constexpr (kVectors)
      return x < -x ? -x : x;
    else
      return Abs(x);
  }
};

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
