#pragma once
#include <cstddef>
#include <vector>

namespace tactus::test {

// Plain dense linear algebra in extended precision, for the references that the library is compared with. It shares nothing
// with the library: no Eigen, no fixed sizes, no tricks.

using Real = long double;
using DenseVector = std::vector<Real>;

/// Row by row.
class DenseMatrix {
 public:
  DenseMatrix() = default;
  DenseMatrix(std::size_t rows, std::size_t columns) : columns_(columns), entries_(rows * columns) {}

  std::size_t rows() const { return columns_ == 0 ? 0 : entries_.size() / columns_; }
  std::size_t columns() const { return columns_; }
  Real& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
  Real operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  Real* row(std::size_t i) { return entries_.data() + i * columns_; }

 private:
  std::size_t columns_ = 0;
  DenseVector entries_;
};

Real Dot(const DenseVector& a, const DenseVector& b);
Real Norm(const DenseVector& a);
/// *a += scale · b
void AddScaled(Real scale, const DenseVector& b, DenseVector* a);
DenseVector Times(const DenseMatrix& a, const DenseVector& x);
DenseVector TransposedTimes(const DenseMatrix& a, const DenseVector& x);

/// Lower triangular L with A = L Lᵀ. A is symmetric positive definite.
DenseMatrix CholeskyFactor(const DenseMatrix& a);
/// L⁻¹ x
DenseVector SolveLower(const DenseMatrix& l, DenseVector x);
/// L⁻ᵀ x
DenseVector SolveLowerTransposed(const DenseMatrix& l, DenseVector x);

}  // namespace tactus::test
