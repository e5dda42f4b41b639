#pragma once
#include <array>
#include <limits>

#include "tactus/core/scalar.h"

namespace tactus::internal {

/// K x = b by Gaussian elimination with partial pivoting, for a small square matrix of changing size, at most kMaxSize. No
/// heap; n³/3 multiply-adds, fewer where K has zeros.
template <class Scalar, int kMaxSize>
class DenseSystem {
 public:
  using Vector = std::array<Scalar, kMaxSize>;

  /// Row i of K and after it, at [size], b_i; lost with Solve().
  Scalar* row(int i) { return &K_[static_cast<std::size_t>(i) * kWidth]; }

  /// x = K⁻¹ b.
  /// @returns min |U_ii| / max |U_ii|; 0: singular, or a NaN came in, and x means nothing.
  Scalar Solve(int size, Vector* x_vector) {
    Scalar* x = x_vector->data();
    for (int i = 0; i < size; ++i) row_[static_cast<std::size_t>(i)] = row(i);
    Scalar least = std::numeric_limits<Scalar>::max(), most(0);
    for (int k = 0; k < size; ++k) {
      ChoosePivot(k, size);
      const Scalar pivot = Abs(Row(k)[k]);
      if (!(pivot > Scalar(0))) return Scalar(0);
      least = MinPositive(least, pivot);
      most = MaxNonNegative(most, pivot);
      Eliminate(k, size);
    }
    for (int k = size - 1; k >= 0; --k) {
      const Scalar* U = Row(k);
      Scalar sum = U[size];
      for (int j = k + 1; j < size; ++j) sum -= U[j] * x[j];
      x[k] = sum * inverse_[static_cast<std::size_t>(k)];
    }
    return size == 0 ? Scalar(1) : least / most;
  }

 private:
  Scalar* Row(int i) { return row_[static_cast<std::size_t>(i)]; }

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
    row_[static_cast<std::size_t>(k)] = Row(best);
    row_[static_cast<std::size_t>(best)] = row_k;
  }

  void Eliminate(int k, int size) {
    const Scalar* source = Row(k);
    const Scalar inverse = Scalar(1) / source[k];
    inverse_[static_cast<std::size_t>(k)] = inverse;
    for (int i = k + 1; i < size; ++i) {
      Scalar* target = Row(i);
      if (target[k] == Scalar(0)) continue;
      const Scalar factor = target[k] * inverse;
      for (int j = k + 1; j <= size; ++j) target[j] -= factor * source[j];
    }
  }

  static constexpr int kWidth = kMaxSize + 1;

  std::array<Scalar, static_cast<std::size_t>(kMaxSize) * kWidth> K_;
  std::array<Scalar*, kMaxSize> row_;  // in the order of the pivots
  std::array<Scalar, kMaxSize> inverse_;
};

}  // namespace tactus::internal
