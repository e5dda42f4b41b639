#pragma once
#include <vector>

#include "bench/measure/coprocess.h"

namespace tactus::bench {

/// A square matrix, row by row.
struct SquareMatrix {
  int size = 0;
  std::vector<double> entries;

  explicit SquareMatrix(int n) : size(n), entries(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0) {}
  double& operator()(int i, int j) { return entries[Place(i, j)]; }
  double operator()(int i, int j) const { return entries[Place(i, j)]; }

 private:
  std::size_t Place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size) + static_cast<std::size_t>(j);
  }
};

/// Times Eigen's LU in `tactus-bench-lu`, between the measurements that it is compared with.
class LuYardstick {
 public:
  explicit LuYardstick(int samples) : program_("tactus-bench-lu"), samples_(samples) {}

  /// Microseconds of Eigen::PartialPivLU<MatrixXd>::compute(matrix).
  double Lu_us(const SquareMatrix& matrix);
  /// Microseconds of one LU of 7 × 7, fixed size, and one pass of three dot products of 6 numbers over `contacts` contacts.
  double Limit_us(int contacts);
  /// A work that is always the same, the limit of 32 contacts: what a microsecond is worth at this moment.
  double Beat_us() { return Limit_us(32); }

 private:
  double Ask_us(const struct LuRequest& request, const SquareMatrix* matrix);

  Coprocess program_;
  int samples_;
};

}  // namespace tactus::bench
