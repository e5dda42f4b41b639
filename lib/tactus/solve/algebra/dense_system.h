#pragma once
#include <array>
#include <limits>
#include <utility>

#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/vector_loops.h"

namespace tactus::internal {

/// A square matrix K of changing size, at most kMaxSize: K x = b by Gaussian elimination, n³/3 multiply-adds, fewer where K
/// has zeros; K⁻¹ in its place by Gauss-Jordan, n³. Both with partial pivoting, without a heap.
template <class Scalar, int kMaxSize>
class DenseSystem {
 public:
  using Vector = std::array<Scalar, kMaxSize>;
  static constexpr int kWidth = kMaxSize + 1;  ///< from one row to the next

  /// Row i of K and after it, for Solve(), b_i at [size].
  Scalar* row(int i) { return &K_[i * kWidth]; }
  const Scalar* row(int i) const { return &K_[i * kWidth]; }

  /// x = K⁻¹ b; K and b are lost.
  /// @returns min |U_ii| / max |U_ii|; 0: singular, or x is not finite, and means nothing.
  Scalar Solve(int size, Vector* x_vector) {
    Scalar* x = x_vector->data();
    for (int i = 0; i < size; ++i) row_[i] = row(i);
    Scalar least = std::numeric_limits<Scalar>::max(), most(0);
    for (int k = 0; k < size; ++k) {
      ChoosePivot(k, size);
      const Scalar pivot = Abs(Row(k)[k]);
      if (!(pivot > Scalar(0))) return Scalar(0);
      least = MinPositive(least, pivot);
      most = MaxNonNegative(most, pivot);
      Eliminate(k, size);
    }
    Scalar total(0);
    for (int k = size - 1; k >= 0; --k) {
      const Scalar* U = Row(k);
      Scalar sum = U[size];
      for (int j = k + 1; j < size; ++j) sum -= U[j] * x[j];
      x[k] = sum * inverse_[k];
      total += x[k];
    }
    if (!IsFinite(total)) return Scalar(0);
    return size == 0 ? Scalar(1) : least / most;
  }

  /// K := K⁻¹. @returns min |pivot| / max |pivot|; 0: singular, or a NaN came to be one.
  Scalar Invert(int size) {
    Scalar least = std::numeric_limits<Scalar>::max(), most(0);
    for (int k = 0; k < size; ++k) {
      const int best = LargestBelow(k, size);
      swapped_[k] = best;
      for (int j = 0; best != k && j < size; ++j) std::swap(row(k)[j], row(best)[j]);
      const Scalar pivot = Abs(row(k)[k]);
      if (!(pivot > Scalar(0)) || !ExchangeRow(k, size)) return Scalar(0);
      least = MinPositive(least, pivot);
      most = MaxNonNegative(most, pivot);
    }
    for (int k = size - 1; k >= 0; --k) {
      const int other = swapped_[k];
      for (int i = 0; other != k && i < size; ++i) std::swap(row(i)[k], row(i)[other]);
    }
    return size == 0 ? Scalar(1) : least / most;
  }

 private:
  static constexpr bool kInVectors = TACTUS_HAS_VECTORS && kMaxSize > 12;  // one body's rows are too short

  Scalar* Row(int i) { return row_[i]; }

  void ChoosePivot(int k, int size) {
    int best = k;
    Scalar largest = Abs(Row(k)[k]);
    for (int i = k + 1; i < size; ++i) {
      const Scalar candidate = Abs(Row(i)[k]);
      if (candidate > largest) {
        largest = candidate;
        best = i;
      }
    }
    Scalar* const row_k = Row(k);
    row_[k] = Row(best);
    row_[best] = row_k;
  }

  void Eliminate(int k, int size) {
    const Scalar* source = Row(k);
    const Scalar inverse = Scalar(1) / source[k];
    inverse_[k] = inverse;
    for (int i = k + 1; i < size; ++i) {
      Scalar* target = Row(i);
      if (target[k] == Scalar(0)) continue;
      const Scalar factor = target[k] * inverse;
      if constexpr (kInVectors) {
        AddMultiple<kMaxSize>(-factor, source + k + 1, size - k, target + k + 1);
      } else {
        for (int j = k + 1; j <= size; ++j) target[j] -= factor * source[j];
      }
    }
  }

  int LargestBelow(int k, int size) const {
    int best = k;
    for (int i = k + 1; i < size; ++i) {
      if (Abs(row(i)[k]) > Abs(row(best)[k])) best = i;
    }
    return best;
  }

  // Unknown k and equation k change places. @returns false if the pivot is too small for it.
  bool ExchangeRow(int k, int size) {
    Scalar* source = row(k);
    const Scalar inverse = Scalar(1) / source[k];
    if (!IsFinite(inverse)) return false;
    source[k] = Scalar(1);
    for (int j = 0; j < size; ++j) source[j] *= inverse;
    for (int i = 0; i < size; ++i) {
      Scalar* target = row(i);
      const Scalar factor = target[k];
      if (i == k || factor == Scalar(0)) continue;
      target[k] = Scalar(0);
      AddMultiple<kMaxSize>(-factor, source, size, target);
    }
    return true;
  }

  std::array<Scalar, static_cast<std::size_t>(kMaxSize) * kWidth> K_;
  std::array<Scalar*, kMaxSize> row_;  // in the order of the pivots
  std::array<int, kMaxSize> swapped_;
  std::array<Scalar, kMaxSize> inverse_;
};

}  // namespace tactus::internal
