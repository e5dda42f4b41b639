#pragma once
#include <array>

#include "tactus/core/scalar.h"

namespace tactus::internal {

/// P A = L U with partial pivoting for a small square matrix of changing size, at most kMaxSize. No heap; n³/3
/// multiply-adds.
template <class Scalar, int kMaxSize>
class DenseLu {
 public:
  using Vector = std::array<Scalar, kMaxSize>;

  /// Row i of the matrix to be factored; writable until Factor().
  Scalar* row(int i) { return &lu_[static_cast<std::size_t>(i) * kMaxSize]; }

  /// @returns min |U_ii| / max |U_ii|; 0: singular, or a NaN came in.
  Scalar Factor(int size) {
    size_ = size;
    Scalar least = Scalar(1), most = Scalar(0);
    for (int k = 0; k < size; ++k) {
      int best = k;
      for (int i = k + 1; i < size; ++i) {
        if (Abs(row(i)[k]) > Abs(row(best)[k])) best = i;
      }
      Swap(k, best);
      const Scalar pivot = Abs(row(k)[k]);
      if (!(pivot > Scalar(0))) return Scalar(0);
      least = k == 0 ? pivot : Min(least, pivot);
      most = Max(most, pivot);
      Eliminate(k);
    }
    return size == 0 ? Scalar(1) : least / most;
  }

  /// Makes it the factors of A with its last column times `factor`: only U's last column changes.
  void ScaleLastColumn(Scalar factor) {
    for (int i = 0; i < size_; ++i) row(i)[size_ - 1] *= factor;
    inverse_[static_cast<std::size_t>(size_ - 1)] /= factor;
  }

  /// x := A⁻¹ x
  void Solve(Vector* x) const {
    Vector& X = *x;
    for (int k = 0; k < size_; ++k) {
      const std::size_t K = static_cast<std::size_t>(k), P = static_cast<std::size_t>(swapped_[K]);
      const Scalar xp = X[P];
      X[P] = X[K];
      X[K] = xp;
      for (int i = k + 1; i < size_; ++i) X[static_cast<std::size_t>(i)] -= row(i)[k] * xp;
    }
    for (int k = size_ - 1; k >= 0; --k) {
      const Scalar* U = row(k);
      Scalar sum = X[static_cast<std::size_t>(k)];
      for (int j = k + 1; j < size_; ++j) sum -= U[j] * X[static_cast<std::size_t>(j)];
      X[static_cast<std::size_t>(k)] = sum * inverse_[static_cast<std::size_t>(k)];
    }
  }

 private:
  const Scalar* row(int i) const { return &lu_[static_cast<std::size_t>(i) * kMaxSize]; }

  // Only the part still to be eliminated changes places; Solve interleaves the same swaps with the same eliminations.
  void Swap(int k, int other) {
    swapped_[static_cast<std::size_t>(k)] = other;
    if (k == other) return;
    Scalar *a = row(k), *b = row(other);
    for (int j = k; j < size_; ++j) {
      const Scalar t = a[j];
      a[j] = b[j];
      b[j] = t;
    }
  }

  void Eliminate(int k) {
    const Scalar inverse = Scalar(1) / row(k)[k];
    inverse_[static_cast<std::size_t>(k)] = inverse;
    for (int i = k + 1; i < size_; ++i) {
      Scalar* target = row(i);
      if (target[k] == Scalar(0)) continue;
      const Scalar factor = target[k] * inverse;
      target[k] = factor;
      const Scalar* source = row(k);
      for (int j = k + 1; j < size_; ++j) target[j] -= factor * source[j];
    }
  }

  std::array<Scalar, static_cast<std::size_t>(kMaxSize) * kMaxSize> lu_;
  std::array<int, kMaxSize> swapped_;
  std::array<Scalar, kMaxSize> inverse_;
  int size_ = 0;
};

}  // namespace tactus::internal
