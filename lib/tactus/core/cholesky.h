#pragma once
#include <limits>

#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// A = L Lᵀ for a small symmetric A; reads the lower triangle only.
/// @param[out] L  lower triangular; above the diagonal zero.
/// @returns false, with L unusable, unless A is positive definite beyond rounding.
template <class Scalar, int kSize>
bool Cholesky(const Mat<Scalar, kSize, kSize>& A, Mat<Scalar, kSize, kSize>* L) {
  L->setZero();
  for (int j = 0; j < kSize; ++j) {
    Scalar pivot = A(j, j);
    for (int k = 0; k < j; ++k) pivot -= (*L)(j, k) * (*L)(j, k);
    // 8 ulp of what was cancelled: below that the sign of the pivot is rounding. Also refuses NaN.
    if (!(pivot > Scalar(8) * std::numeric_limits<Scalar>::epsilon() * A(j, j))) return false;
    (*L)(j, j) = Sqrt(pivot);
    for (int i = j + 1; i < kSize; ++i) {
      Scalar sum = A(i, j);
      for (int k = 0; k < j; ++k) sum -= (*L)(i, k) * (*L)(j, k);
      (*L)(i, j) = sum / (*L)(j, j);
    }
  }
  return true;
}

/// x := L⁻¹ x (forward substitution).
template <class Scalar, int kSize>
void SolveLower(const Mat<Scalar, kSize, kSize>& L, Vec<Scalar, kSize>* x) {
  for (int i = 0; i < kSize; ++i) {
    for (int k = 0; k < i; ++k) (*x)(i) -= L(i, k) * (*x)(k);
    (*x)(i) /= L(i, i);
  }
}

/// x := L⁻ᵀ x (back substitution).
template <class Scalar, int kSize>
void SolveLowerTransposed(const Mat<Scalar, kSize, kSize>& L, Vec<Scalar, kSize>* x) {
  for (int i = kSize - 1; i >= 0; --i) {
    for (int k = i + 1; k < kSize; ++k) (*x)(i) -= L(k, i) * (*x)(k);
    (*x)(i) /= L(i, i);
  }
}

}  // namespace tactus
