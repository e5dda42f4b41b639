// `tactus-bench-lu`: the yardstick of the benches, Eigen's LU as a host program would have it, vectorised. A program of its
// own: the library compiles Eigen with other macros, and no Eigen template may be compiled twice with different ones into a
// program.
#include <unistd.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "bench/measure/lu_protocol.h"
#include "bench/measure/pipe.h"
#include "bench/measure/timing.h"

namespace {

using tactus::bench::Keep;
using tactus::bench::LuRequest;
using tactus::bench::MedianNanoseconds;
using tactus::bench::ReadAll;

double TimeLu(const LuRequest& request, const Eigen::MatrixXd& matrix) {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu(request.size);
  return MedianNanoseconds({.samples = request.samples}, [&] {
    lu.compute(matrix);
    Keep(lu.matrixLU());
  });
}

// Both parts with the sizes known to the compiler, as a controller has them.
double TimeLimit(const LuRequest& request) {
  const Eigen::Matrix<double, 7, 7> basis = Eigen::Matrix<double, 7, 7>::Random();
  Eigen::PartialPivLU<Eigen::Matrix<double, 7, 7>> lu;
  const Eigen::Matrix<double, 6, 1> v = Eigen::Matrix<double, 6, 1>::Random();
  std::vector<Eigen::Matrix<double, 6, 3>> rows(static_cast<std::size_t>(request.size));
  for (Eigen::Matrix<double, 6, 3>& row : rows) row.setRandom();
  std::vector<Eigen::Vector3d> products(rows.size());
  return MedianNanoseconds({.samples = request.samples}, [&] {
    Keep(basis);
    lu.compute(basis);
    Keep(lu);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (int x = 0; x < 3; ++x) products[i](x) = rows[i].col(x).dot(v);
    }
    Keep(*products.data());
  });
}

}  // namespace

int main() {
  LuRequest request;
  while (ReadAll(STDIN_FILENO, &request, sizeof request)) {
    double nanoseconds = 0;
    if (request.kind == LuRequest::Kind::kLimit) {
      nanoseconds = TimeLimit(request);
    } else {
      Eigen::MatrixXd transposed(request.size, request.size);  // row by row, so columns; then the matrix as it is
      if (!ReadAll(STDIN_FILENO, transposed.data(), sizeof(double) * static_cast<std::size_t>(transposed.size()))) return 1;
      nanoseconds = TimeLu(request, transposed.transpose());
    }
    if (write(STDOUT_FILENO, &nanoseconds, sizeof nanoseconds) != sizeof nanoseconds) return 1;
  }
  return 0;
}
