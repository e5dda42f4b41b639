#pragma once
#include <array>

#include "tactus/core/scalar.h"

namespace tactus::internal {

/// aᵀb in four interleaved sums: short enough chains for the processor, and the same order on every target.
template <class Scalar>
Scalar DotOf(const Scalar* a, const Scalar* b, int size) {
  Scalar sum[4] = {};
  int i = 0;
  for (; i + 4 <= size; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < size; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// y += factor · x
template <class Scalar>
void AddScaled(Scalar factor, const Scalar* x, int size, Scalar* y) {
  int i = 0;
  for (; i + 4 <= size; i += 4) {
    for (int lane = 0; lane < 4; ++lane) y[i + lane] += factor * x[i + lane];
  }
  for (; i < size; ++i) y[i] += factor * x[i];
}

/// L Lᵀ = A_CC while indices enter and leave C: O(|C|²) for each change ([Baraff94] 4.5).
template <class Scalar, int kSize>
class ClampedFactor {
 public:
  using Vector = std::array<Scalar, kSize>;

  int size() const { return size_; }
  int index(int position) const { return index_[position]; }  ///< the element of C at that place
  void Clear() { size_ = 0; }

  /// y = L⁻¹ A_Ci
  void Forward(const Vector& A_i, Vector* y) const {
    for (int c = 0; c < size_; ++c) {
      const Scalar* L = row(c);
      (*y)[c] = (A_i[index_[c]] - DotOf(L, y->data(), c)) / L[c];
    }
  }

  /// x := L⁻ᵀ x
  void Backward(Vector* x) const {
    for (int c = size_ - 1; c >= 0; --c) {
      const Scalar* L = row(c);
      (*x)[c] /= L[c];
      AddScaled(-(*x)[c], L, c, x->data());
    }
  }

  /// A_ii - yᵀy, y = L⁻¹ A_Ci: what is left of A_ii when C holds still.
  Scalar Schur(Scalar A_ii, const Vector& y) const { return A_ii - DotOf(y.data(), y.data(), size_); }

  /// i joins C. y = L⁻¹ A_Ci, schur > 0.
  void Append(int i, const Vector& y, Scalar schur) {
    Scalar* L = row(size_);
    for (int c = 0; c < size_; ++c) L[c] = y[c];
    L[size_] = Sqrt(schur);
    index_[size_++] = i;
  }

  /// The element at `position` leaves C: its row leaves L, and Givens rotations of the columns bring the rows below it back
  /// to triangular form. y = L⁻¹ A_Cd for some d turns along and stays true.
  void Remove(int position, Vector* y) {
    --size_;
    for (int r = position; r < size_; ++r) {
      index_[r] = index_[r + 1];
      Scalar* L = row(r);
      const Scalar* below = row(r + 1);
      for (int c = 0; c <= r + 1; ++c) L[c] = below[c];
      for (int c = position; c < r; ++c) Rotate(cosine_[c], sine_[c], &L[c], &L[c + 1]);
      const Scalar length = Sqrt(L[r] * L[r] + L[r + 1] * L[r + 1]);
      cosine_[r] = L[r] / length;
      sine_[r] = L[r + 1] / length;
      L[r] = length;
      Rotate(cosine_[r], sine_[r], &(*y)[r], &(*y)[r + 1]);
    }
  }

 private:
  Scalar* row(int i) { return &L_[i * kSize]; }
  const Scalar* row(int i) const { return &L_[i * kSize]; }

  static void Rotate(Scalar cosine, Scalar sine, Scalar* x, Scalar* y) {
    const Scalar a = *x, b = *y;
    *x = cosine * a + sine * b;
    *y = cosine * b - sine * a;
  }

  std::array<Scalar, kSize * kSize> L_;
  std::array<int, kSize> index_;
  Vector cosine_, sine_;
  int size_ = 0;
};

}  // namespace tactus::internal
