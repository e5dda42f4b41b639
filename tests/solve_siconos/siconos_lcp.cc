#include "tests/solve_siconos/siconos_lcp.h"

#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <lcp_cst.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace tactus::test {
namespace {

using Options = std::unique_ptr<SolverOptions, decltype(&solver_options_delete)>;

Options MakeOptions(SiconosMethod method) {
  const auto create = [](int id) { return Options(solver_options_create(id), &solver_options_delete); };
  switch (method) {
    case SiconosMethod::kLemke: {
      Options options = create(SICONOS_LCP_LEMKE);
      options->iparam[SICONOS_IPARAM_MAX_ITER] = 2000;  // as many as tests/support's own Lemke
      return options;
    }
    case SiconosMethod::kPivot: {
      Options options = create(SICONOS_LCP_PIVOT);
      options->iparam[SICONOS_IPARAM_MAX_ITER] = 2000;
      options->iparam[SICONOS_LCP_IPARAM_PIVOTING_METHOD_TYPE] = SICONOS_LCP_PIVOT_LEMKE;
      return options;
    }
    case SiconosMethod::kGaussSeidel: {
      Options options = create(SICONOS_LCP_PGS);
      options->iparam[SICONOS_IPARAM_MAX_ITER] = 20000;
      options->dparam[SICONOS_DPARAM_TOL] = 1e-15;  // as far as double goes
      return options;
    }
    case SiconosMethod::kEnumeration: break;
  }
  Options options = create(SICONOS_LCP_ENUM);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;  // how negative w and z may be: rounding of 10 rows of size 1
  return options;
}

// Siconos prints whatever it finds remarkable; for as long as this lives, nowhere.
class NoOutput {
 public:
  NoOutput() : output_(dup(STDOUT_FILENO)), nowhere_(open("/dev/null", O_WRONLY)) { PointTo(nowhere_); }
  NoOutput(const NoOutput&) = delete;
  NoOutput& operator=(const NoOutput&) = delete;
  ~NoOutput() {
    PointTo(output_);
    close(nowhere_);
    close(output_);
  }

 private:
  static void PointTo(int descriptor) {
    std::fflush(stdout);
    dup2(descriptor, STDOUT_FILENO);
  }

  int output_, nowhere_;
};

}  // namespace

std::string_view Name(SiconosMethod method) {
  switch (method) {
    case SiconosMethod::kLemke: return "lemke";
    case SiconosMethod::kPivot: return "pivot";
    case SiconosMethod::kGaussSeidel: return "gauss-seidel";
    case SiconosMethod::kEnumeration: break;
  }
  return "enumeration";
}

std::optional<DenseVector> SolveWithSiconos(const Lcp& lcp, SiconosMethod method) {
  const std::size_t n = lcp.q.size();
  std::vector<double> by_column, q(lcp.q.begin(), lcp.q.end()), z(n), w(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) by_column.push_back(static_cast<double>(lcp.M(i, j)));
  }
  const int size = static_cast<int>(n);
  const std::unique_ptr<NumericsMatrix, decltype(&NM_free_not_dense)> matrix(
      NM_create_from_data(NM_DENSE, size, size, by_column.data()), &NM_free_not_dense);
  LinearComplementarityProblem problem{size, matrix.get(), q.data()};
  const Options options = MakeOptions(method);
  const NoOutput no_output;
  const int failure = linearComplementarity_driver(&problem, z.data(), w.data(), options.get());
  if (failure != 0) return std::nullopt;
  return DenseVector(z.begin(), z.end());
}

}  // namespace tactus::test
