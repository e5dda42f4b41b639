#pragma once
#include <limits>

#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/twofold.h"

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

/// The same L and L⁻¹ in twice the digits, rounded in the end: where A is so nearly singular that the pivots cancel, each of
/// their entries is still right to an ulp or two of the largest in its row.
/// @param[in] A  one that Cholesky() takes
template <class Scalar, int kSize>
void AccurateCholesky(const Mat<Scalar, kSize, kSize>& A, Mat<Scalar, kSize, kSize>* L, Mat<Scalar, kSize, kSize>* inverse) {
  using Number = Twofold<Scalar>;
  Number l[kSize][kSize], x[kSize][kSize];
  L->setZero();
  inverse->setZero();
  for (int j = 0; j < kSize; ++j) {
    Number pivot(A(j, j));
    for (int k = 0; k < j; ++k) pivot = pivot - l[j][k] * l[j][k];
    l[j][j] = Sqrt(pivot);
    for (int i = j + 1; i < kSize; ++i) {
      Number sum(A(i, j));
      for (int k = 0; k < j; ++k) sum = sum - l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
    }
  }
  for (int j = 0; j < kSize; ++j) {
    x[j][j] = Number(Scalar(1)) / l[j][j];
    for (int i = j + 1; i < kSize; ++i) {
      Number sum;
      for (int k = j; k < i; ++k) sum = sum - l[i][k] * x[k][j];
      x[i][j] = sum / l[i][i];
    }
    for (int i = j; i < kSize; ++i) {
      (*L)(i, j) = static_cast<Scalar>(l[i][j]);
      (*inverse)(i, j) = static_cast<Scalar>(x[i][j]);
    }
  }
}

/// L x of a lower triangular L.
template <class Scalar, int kSize>
Vec<Scalar, kSize> LowerTimes(const Mat<Scalar, kSize, kSize>& L, const Vec<Scalar, kSize>& x) {
  if constexpr (kSize == 1) {
    return L * x;
  } else {
    static_assert(kSize == 3);
    return {L(0, 0) * x(0), L(1, 0) * x(0) + L(1, 1) * x(1), L(2, 0) * x(0) + L(2, 1) * x(1) + L(2, 2) * x(2)};
  }
}

/// L⁻¹ of a lower triangular L with a non-zero diagonal; lower triangular as well.
template <class Scalar, int kSize>
Mat<Scalar, kSize, kSize> InverseOfLower(const Mat<Scalar, kSize, kSize>& L) {
  Mat<Scalar, kSize, kSize> inverse = Mat<Scalar, kSize, kSize>::Zero();
  for (int j = 0; j < kSize; ++j) {
    inverse(j, j) = Scalar(1) / L(j, j);
    for (int i = j + 1; i < kSize; ++i) {
      Scalar sum(0);
      for (int k = j; k < i; ++k) sum -= L(i, k) * inverse(k, j);
      inverse(i, j) = sum / L(i, i);
    }
  }
  return inverse;
}

}  // namespace tactus
