#include "tests/support/dense.h"

#include <cmath>

namespace tactus::test {

Real Dot(const DenseVector& a, const DenseVector& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Real Norm(const DenseVector& a) { return std::sqrt(Dot(a, a)); }

void AddScaled(Real scale, const DenseVector& b, DenseVector* a) {
  for (std::size_t i = 0; i < b.size(); ++i) (*a)[i] += scale * b[i];
}

DenseVector Times(const DenseMatrix& a, const DenseVector& x) {
  DenseVector y(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) y[i] += a(i, j) * x[j];
  }
  return y;
}

DenseVector TransposedTimes(const DenseMatrix& a, const DenseVector& x) {
  DenseVector y(a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) y[j] += a(i, j) * x[i];
  }
  return y;
}

DenseMatrix CholeskyFactor(const DenseMatrix& a) {
  const std::size_t n = a.rows();
  DenseMatrix l(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Real sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
    }
  }
  return l;
}

DenseVector SolveLower(const DenseMatrix& l, DenseVector x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l(i, k) * x[k];
    x[i] /= l(i, i);
  }
  return x;
}

DenseVector SolveLowerTransposed(const DenseMatrix& l, DenseVector x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < x.size(); ++k) x[i] -= l(k, i) * x[k];
    x[i] /= l(i, i);
  }
  return x;
}

}  // namespace tactus::test
