#pragma once
#include <array>

#include "tactus/solve/algebra/vectors.h"

namespace tactus::internal {

// Loops over arrays in vectors: sums, multiples, rotations.

/// aᵀb of at most kMost numbers in interleaved sums: short enough chains for the processor, the same order on every target.
template <int kMost, class Scalar>
Scalar DotOf(const Scalar* a, const Scalar* b, int size) {
  constexpr int kStep = kLanes<Scalar>;
  Scalar sum(0);
  int i = 0;
  if constexpr (kMost >= 4 * kStep) {
    Lanes<Scalar> sum_0{}, sum_1{}, sum_2{}, sum_3{};
    for (; i + 4 * kStep <= size; i += 4 * kStep) {
      sum_0 += Load<Scalar>(a + i) * Load<Scalar>(b + i);
      sum_1 += Load<Scalar>(a + i + kStep) * Load<Scalar>(b + i + kStep);
      sum_2 += Load<Scalar>(a + i + 2 * kStep) * Load<Scalar>(b + i + 2 * kStep);
      sum_3 += Load<Scalar>(a + i + 3 * kStep) * Load<Scalar>(b + i + 3 * kStep);
    }
    for (; i + kStep <= size; i += kStep) sum_0 += Load<Scalar>(a + i) * Load<Scalar>(b + i);
    const Lanes<Scalar> sums = (sum_0 + sum_1) + (sum_2 + sum_3);
    for (int lane = 0; lane < kStep; ++lane) sum += sums[lane];
  }
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// y += factor · x, at most kMost numbers
template <int kMost, class Scalar>
void AddMultiple(Scalar factor, const Scalar* x, int size, Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  int i = 0;
  if constexpr (TACTUS_HAS_VECTORS && kMost >= 2 * kStep) {
    for (; i + 2 * kStep <= size; i += 2 * kStep) {
      const Lanes<Scalar> first = Load<Scalar>(y + i) + factor * Load<Scalar>(x + i);
      const Lanes<Scalar> second = Load<Scalar>(y + i + kStep) + factor * Load<Scalar>(x + i + kStep);
      StoreLanes(first, y + i);
      StoreLanes(second, y + i + kStep);
    }
    for (; i + kStep <= size; i += kStep) StoreLanes(Load<Scalar>(y + i) + factor * Load<Scalar>(x + i), y + i);
  }
  for (; i < size; ++i) y[i] += factor * x[i];
}

/// y += Σ factor_q · x_q, one after the other, with y loaded and stored once.
template <int kMost, class Scalar>
void AddFourMultiples(const std::array<Scalar, 4>& factor, const std::array<const Scalar*, 4>& x, int size, Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  // Copies, since a store to y might otherwise change them.
  const Scalar f_0 = factor[0], f_1 = factor[1], f_2 = factor[2], f_3 = factor[3];
  const Scalar *x_0 = x[0], *x_1 = x[1], *x_2 = x[2], *x_3 = x[3];
  int i = 0;
  if constexpr (kMost >= kStep) {
    for (; i + kStep <= size; i += kStep) {
      Lanes<Scalar> sum = Load<Scalar>(y + i) + f_0 * Load<Scalar>(x_0 + i);
      sum += f_1 * Load<Scalar>(x_1 + i);
      sum += f_2 * Load<Scalar>(x_2 + i);
      sum += f_3 * Load<Scalar>(x_3 + i);
      StoreLanes(sum, y + i);
    }
  }
  for (; i < size; ++i) y[i] = (((y[i] + f_0 * x_0[i]) + f_1 * x_1[i]) + f_2 * x_2[i]) + f_3 * x_3[i];
}

/// from[index[0]], from[index[1]], …
template <class Scalar>
Lanes<Scalar> GatherLanes(const Scalar* from, const int* index) {
  if constexpr (kLanes<Scalar> == 2) {
    return Lanes<Scalar>{from[index[0]], from[index[1]]};
  } else {
    return Lanes<Scalar>{from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
  }
}

/// (xᵀy_0, xᵀy_1, …) of pairs of numbers.
template <class Scalar>
Lanes<Scalar> DotOfPairs(const Scalar* x, const Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  if constexpr (kStep == 2) {
    const Lanes<Scalar> pair = Load(x), first = pair * Load(y), second = pair * Load(y + kStep);
    return __builtin_shufflevector(first, second, 0, 2) + __builtin_shufflevector(first, second, 1, 3);
  } else {
    const Lanes<Scalar> pair{x[0], x[1], x[0], x[1]}, first = pair * Load(y), second = pair * Load(y + kStep);
    return __builtin_shufflevector(first, second, 0, 2, 4, 6) + __builtin_shufflevector(first, second, 1, 3, 5, 7);
  }
}

/// y = factor · x, at most kMost numbers
template <int kMost, class Scalar>
void SetMultiple(Scalar factor, const Scalar* x, int size, Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  int i = 0;
  if constexpr (kMost >= kStep) {
    for (; i + kStep <= size; i += kStep) StoreLanes(factor * Load<Scalar>(x + i), y + i);
  }
  for (; i < size; ++i) y[i] = factor * x[i];
}

/// kParts lanes of y = x - Σ factor_k · rows[offset_k…], one after the other, in registers all the time.
template <int kParts, class Scalar>
void SubtractMultiplesInRegisters(const Scalar* factor, const Scalar* rows, const int* offset, int count, const Scalar* x,
                                  Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  Lanes<Scalar> sum[kParts];
#pragma GCC unroll 4
  for (int p = 0; p < kParts; ++p) sum[p] = Load<Scalar>(x + p * kStep);
  for (int k = 0; k < count; ++k) {
    const Scalar* row = rows + offset[k];
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) sum[p] -= factor[k] * Load<Scalar>(row + p * kStep);
  }
#pragma GCC unroll 4
  for (int p = 0; p < kParts; ++p) StoreLanes(sum[p], y + p * kStep);
}

/// y = x - Σ factor_k · rows[offset_k…]: y is loaded and stored once, whatever the count.
template <int kMost, class Scalar>
void SubtractMultiples(const Scalar* factor, const Scalar* rows, const int* offset, int count, const Scalar* x, int size,
                       Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  int i = 0;
  if constexpr (kMost >= 4 * kStep) {
    for (; i + 4 * kStep <= size; i += 4 * kStep) {
      SubtractMultiplesInRegisters<4>(factor, rows + i, offset, count, x + i, y + i);
    }
  }
  if (kMost >= 2 * kStep && i + 2 * kStep <= size) {
    SubtractMultiplesInRegisters<2>(factor, rows + i, offset, count, x + i, y + i);
    i += 2 * kStep;
  }
  for (; i + kStep <= size; i += kStep) SubtractMultiplesInRegisters<1>(factor, rows + i, offset, count, x + i, y + i);
  for (; i < size; ++i) {
    Scalar sum = x[i];
    for (int k = 0; k < count; ++k) sum -= factor[k] * rows[offset[k] + i];
    y[i] = sum;
  }
}

/// (x, y) := (c x + s y, c y - s x)
template <int kMost, class Scalar>
void RotateRows(Scalar cosine, Scalar sine, int size, Scalar* x, Scalar* y) {
  constexpr int kStep = kLanes<Scalar>;
  int i = 0;
  if constexpr (kMost >= kStep) {
    for (; i + kStep <= size; i += kStep) {
      const Lanes<Scalar> first = Load<Scalar>(x + i), second = Load<Scalar>(y + i);
      StoreLanes(cosine * first + sine * second, x + i);
      StoreLanes(cosine * second - sine * first, y + i);
    }
  }
  for (; i < size; ++i) {
    const Scalar first = x[i], second = y[i];
    x[i] = cosine * first + sine * second;
    y[i] = cosine * second - sine * first;
  }
}

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
