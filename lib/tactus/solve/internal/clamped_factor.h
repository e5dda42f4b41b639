#pragma once
#include "tactus/solve/internal/triangular_factor.h"

namespace tactus::internal {

/// L Lᵀ = A_CC while indices enter and leave C: O(|C|²) for each change ([Baraff94] 4.5).
template <class Scalar, int kSize>
class ClampedFactor {
 public:
  using Vector = std::array<Scalar, kSize>;

  int size() const { return factor_.size(); }
  int index(int position) const { return index_[position]; }  ///< the element of C at that place
  void Clear() { factor_.Clear(); }

  /// y = L⁻¹ A_Ci
  void Forward(const Vector& A_i, Vector* y) const {
    for (int c = 0; c < size(); ++c) (*y)[c] = A_i[index_[c]];
    factor_.Forward(y);
  }

  /// x := L⁻ᵀ x
  void Backward(Vector* x) const { factor_.Backward(x); }

  /// A_ii - yᵀy, y = L⁻¹ A_Ci: what is left of A_ii when C holds still.
  Scalar Schur(Scalar A_ii, const Vector& y) const { return A_ii - DotOf<kSize>(y.data(), y.data(), size()); }

  /// i joins C. y = L⁻¹ A_Ci, schur > 0.
  void Append(int i, const Vector& y, Scalar schur) {
    index_[size()] = i;
    factor_.Append(y, Sqrt(schur));
  }

  /// The element at `position` leaves C. y = L⁻¹ A_Cd for some d turns along and stays true.
  void Remove(int position, Vector* y) {
    factor_.Remove(position, y);
    for (int c = position; c < size(); ++c) index_[c] = index_[c + 1];
  }

 private:
  TriangularFactor<Scalar, kSize> factor_;
  std::array<int, kSize> index_;
};

}  // namespace tactus::internal
