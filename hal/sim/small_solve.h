#pragma once
#include "tactus/core/eigen.h"

namespace tactus::hal {

/// x with A x = b, by Gauss without pivoting: for a matrix that is positive definite, or nearly so.
template <int kSize>
Vec<double, kSize> Solved(Mat<double, kSize, kSize> A, Vec<double, kSize> b) {
  for (int k = 0; k < kSize; ++k) {
    for (int i = k + 1; i < kSize; ++i) {
      const double ratio = A(i, k) / A(k, k);
      for (int j = k; j < kSize; ++j) A(i, j) -= ratio * A(k, j);
      b(i) -= ratio * b(k);
    }
  }
  for (int i = kSize - 1; i >= 0; --i) {
    for (int j = i + 1; j < kSize; ++j) b(i) -= A(i, j) * b(j);
    b(i) /= A(i, i);
  }
  return b;
}

}  // namespace tactus::hal
