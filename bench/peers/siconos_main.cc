// `tactus-bench-siconos`: Siconos' solvers for the LCP written out.
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <array>
#include <memory>

#include "bench/peers/serve_peer.h"

namespace {

class Siconos final : public tactus::bench::PeerMethod {
 public:
  explicit Siconos(int id) : options_(solver_options_create(id), &solver_options_delete) {
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 10'000;
    if (id == SICONOS_LCP_PIVOT) options_->iparam[SICONOS_LCP_IPARAM_PIVOTING_METHOD_TYPE] = SICONOS_LCP_PIVOT_LEMKE;
  }

  void Prepare(int size, const std::vector<double>& M, const std::vector<double>& q) override {
    const std::size_t n = q.size();
    by_column_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) by_column_[j * n + i] = M[i * n + j];
    }
    q_ = q;
    matrix_.reset(NM_create_from_data(NM_DENSE, size, size, by_column_.data()));
    problem_ = {size, matrix_.get(), q_.data()};
    z_.resize(n);
    w_.resize(n);
  }
  bool Solve() override {
    std::fill(z_.begin(), z_.end(), 0.0);
    std::fill(w_.begin(), w_.end(), 0.0);
    return linearComplementarity_driver(&problem_, z_.data(), w_.data(), options_.get()) == 0;
  }
  const std::vector<double>& z() const override { return z_; }

 private:
  std::unique_ptr<SolverOptions, decltype(&solver_options_delete)> options_;
  std::vector<double> by_column_, q_, z_, w_;
  std::unique_ptr<NumericsMatrix, decltype(&NM_free_not_dense)> matrix_{nullptr, &NM_free_not_dense};
  LinearComplementarityProblem problem_{};
};

}  // namespace

int main() {
  Siconos lemke(SICONOS_LCP_LEMKE), pivot(SICONOS_LCP_PIVOT);
  const std::array<tactus::bench::PeerMethod*, 2> methods{&lemke, &pivot};
  return tactus::bench::ServePeer(methods);
}
