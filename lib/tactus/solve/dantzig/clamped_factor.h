#pragma once
#include "tactus/solve/algebra/triangular_factor.h"

namespace tactus::internal {

/// L Lᵀ = A_CC while indices enter and leave C: O(n²) for each change ([Baraff94] 4.5). With L come the rows of R = L⁻¹ A_C
/// over all n columns, so that no forward substitution is left: column i of R is y = L⁻¹ A_Ci, and column i of L where i
/// joins.
template <class Scalar, int kSize>
class ClampedFactor {
 public:
  using Vector = std::array<Scalar, kSize>;

  int size() const { return factor_.size(); }
  int index(int position) const { return index_[position]; }  ///< the element of C at that place

  void Clear(int columns) {
    factor_.Clear();
    columns_ = columns;
  }

  /// y = L⁻¹ A_Ci and s = A_i - A_Ciᵀ A_CC⁻¹ A_C = A_i - Σ y_c R_c: what is left of row i when C holds still; s_i is the
  /// Schur complement. Only the first `end` elements, when the others are known to be zero.
  void Reduce(int i, const Vector& A_i, int end, Vector* y, Vector* s) {
    int count = 0;
    for (int c = 0; c < size(); ++c) {
      const Scalar y_c = R_[c * kSize + i];
      (*y)[c] = nonzero_[count] = y_c;
      offset_[count] = c * kSize;
      count += y_c != Scalar(0);
    }
    SubtractMultiples<kSize>(nonzero_.data(), R_.data(), offset_.data(), count, A_i.data(), end, s->data());
  }

  /// x := L⁻ᵀ x
  void Backward(Vector* x) const {
    if (size() <= kFewRows) {
      factor_.BackwardFew(x);
    } else {
      factor_.Backward(x);
    }
  }

  /// i joins C; y and s from Reduce(), s_i > 0.
  void Append(int i, const Vector& y, const Vector& s, int end) {
    const int last = size();
    const Scalar root = Sqrt(s[i]);
    SetMultiple<kSize>(Scalar(1) / root, s.data(), end, &R_[last * kSize]);
    for (int j = end; j < columns_; ++j) R_[last * kSize + j] = Scalar(0);
    index_[last] = i;
    factor_.Append(y, root);
  }

  /// x := A_CC⁻¹ x
  void Solve(Vector* x) const {
    factor_.Forward(x);
    factor_.Backward(x);
  }

  /// The element at `position` leaves C.
  void Remove(int position) {
    factor_.Remove(position, &nonzero_);
    for (int c = position; c < size(); ++c) {
      index_[c] = index_[c + 1];
      factor_.Rotate(c, columns_, &R_[c * kSize], &R_[(c + 1) * kSize]);
    }
  }

 private:
  static constexpr int kFewRows = 8;  // measured on stacks of 12 and 20 contacts

  TriangularFactor<Scalar, kSize> factor_;
  std::array<Scalar, kSize * kSize> R_;  // by rows
  Vector nonzero_{};                     // of y; the rows of R that belong to them
  std::array<int, kSize> offset_;
  std::array<int, kSize> index_;
  int columns_ = 0;
};

}  // namespace tactus::internal
