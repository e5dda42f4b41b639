#pragma once
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/lanes.h"

namespace tactus::internal {

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

/// max |x_p|, 0 for none.
template <class Scalar>
Scalar LargestAbs(const Scalar* x, int size) {
  Four<Scalar> most;
  int p = 0;
  for (; p + 4 <= size; p += 4) most.TakeLargerAbs(Four<Scalar>::Load(x + p));
  Scalar largest = most.Largest();
  for (; p < size; ++p) largest = MaxNonNegative(largest, Abs(x[p]));
  return largest;
}

/// min(0, min x_p), the sign of a zero aside; a NaN does not count.
template <class Scalar>
Scalar LowestOf(const Scalar* x, int size) {
  Scalar lowest(0);
#pragma GCC unroll 4
  for (int p = 0; p < size; ++p) lowest = MinPositive(lowest, x[p]);
  return lowest;
}

/// q += step m. @returns max(0, max q_p).
template <class Scalar>
Scalar AddScaled(Scalar step, const Scalar* m, int size, Scalar* q) {
  Four<Scalar> most;
  int p = 0;
  for (; p + 4 <= size; p += 4) {
    Four<Scalar> sum = Four<Scalar>::Load(q + p);
    sum.Add(step, Four<Scalar>::Load(m + p));
    sum.Store(q + p);
    most.TakeLarger(sum);
  }
  Scalar largest = most.Largest();
  for (; p < size; ++p) {
    q[p] += step * m[p];
    largest = MaxNonNegative(largest, q[p]);
  }
  return largest;
}

}  // namespace tactus::internal
