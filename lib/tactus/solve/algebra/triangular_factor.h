#pragma once
#include <array>

#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/vector_loops.h"

namespace tactus::internal {

/// L Lᵀ = G, positive definite, while rows and columns of G come last and leave anywhere: O(n²) for each change. L is packed
/// by rows, so that what is in use is contiguous.
template <class Scalar, int kSize>
class TriangularFactor {
 public:
  using Vector = std::array<Scalar, kSize>;

  int size() const { return size_; }
  void Clear() { size_ = 0; }

  /// x := L⁻¹ x, where x is zero before `first`.
  void Forward(Vector* x, int first = 0) const {
    for (int i = first; i < size_; ++i) {
      Scalar& x_i = (*x)[i];
      x_i = (x_i - DotOf<kSize>(row(i) + first, x->data() + first, i - first)) * inverse_[i];
    }
  }

  /// x := L⁻ᵀ x, four rows at a time where there are many.
  void Backward(Vector* x) const {
    int i = size_ - 1;
    if constexpr (kSize > kManyRows) {
      for (; i >= kManyRows; i -= 4) {
        std::array<Scalar, 4> factor;
        std::array<const Scalar*, 4> rows;
        for (int q = 0; q < 4; ++q) {
          const Scalar x_q = (*x)[i - q] *= inverse_[i - q];
          for (int j = i - 3; j < i - q; ++j) (*x)[j] -= x_q * row(i - q)[j];
          factor[q] = -x_q;
          rows[q] = row(i - q);
        }
        AddFourMultiples<kSize>(factor, rows, i - 3, x->data());
      }
    }
    for (; i >= 0; --i) {
      (*x)[i] *= inverse_[i];
      AddMultiple<kSize>(-(*x)[i], row(i), i, x->data());
    }
  }

  /// The same number by number, which is faster for a few rows.
  void BackwardFew(Vector* x) const {
    const Scalar* L = row(size_);
    for (int i = size_ - 1; i >= 0; --i) {
      L -= i + 1;
      const Scalar x_i = (*x)[i] *= inverse_[i];
      for (int j = 0; j < i; ++j) (*x)[j] -= x_i * L[j];
    }
  }

  /// A row and column g, γ come last: y = L⁻¹ g, diagonal = √(γ - yᵀy) > 0.
  void Append(const Vector& y, Scalar diagonal) {
    Scalar* last = row(size_);
    for (int c = 0; c < size_; ++c) last[c] = y[c];
    last[size_] = diagonal;
    inverse_[size_++] = Scalar(1) / diagonal;
  }

  /// Row and column `position` leave G: its row leaves L, and Givens rotations of the columns bring the rows below it back
  /// to triangular form. y = L⁻¹ g for some g turns along and stays true.
  void Remove(int position, Vector* y) {
    --size_;
    for (int r = position; r < size_; ++r) {
      Scalar* L = row(r);
      const Scalar* below = row(r + 1);
      for (int c = 0; c < position; ++c) L[c] = below[c];
      Scalar carried = below[position];
      for (int c = position; c < r; ++c) {
        L[c] = cosine_[c] * carried + sine_[c] * below[c + 1];
        carried = cosine_[c] * below[c + 1] - sine_[c] * carried;
      }
      const Scalar last = below[r + 1], length = Sqrt(carried * carried + last * last), inverse = Scalar(1) / length;
      cosine_[r] = carried * inverse;
      sine_[r] = last * inverse;
      L[r] = length;
      inverse_[r] = inverse;
      const Scalar y_r = (*y)[r];
      (*y)[r] = cosine_[r] * y_r + sine_[r] * (*y)[r + 1];
      (*y)[r + 1] = cosine_[r] * (*y)[r + 1] - sine_[r] * y_r;
    }
  }

  /// The rotation of rows r and r + 1 that the last Remove() made, of other rows.
  void Rotate(int r, int size, Scalar* first, Scalar* second) const {
    RotateRows<kSize>(cosine_[r], sine_[r], size, first, second);
  }

 private:
  static constexpr int kManyRows = 12;  // fewer are not worth the blocks

  Scalar* row(int i) { return &L_[i * (i + 1) / 2]; }
  const Scalar* row(int i) const { return &L_[i * (i + 1) / 2]; }

  std::array<Scalar, kSize*(kSize + 1) / 2> L_;
  Vector inverse_;  // 1/L_ii
  Vector cosine_, sine_;
  int size_ = 0;
};

}  // namespace tactus::internal
