// `tactus-bench-dart`: DART's solvers for LCPs.
#include <algorithm>
#include <array>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/lcpsolver/Lemke.hpp>
#include <limits>

#include "bench/peers/serve_peer.h"

namespace {

class DartLemke final : public tactus::bench::PeerMethod {
 public:
  void Prepare(int size, const std::vector<double>& M, const std::vector<double>& q) override {
    M_ = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(M.data(), size, size);
    q_ = Eigen::Map<const Eigen::VectorXd>(q.data(), size);
    z_.assign(q.size(), 0.0);
  }
  bool Solve() override {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(q_.size());
    const int error = dart::lcpsolver::Lemke(M_, q_, &z);
    std::copy(z.begin(), z.end(), z_.begin());
    return error == 0;
  }
  const std::vector<double>& z() const override { return z_; }

 private:
  Eigen::MatrixXd M_;
  Eigen::VectorXd q_;
  std::vector<double> z_;
};

// ODE's: A x = b + w, 0 ≤ x; it overwrites A and b, so copying them is part of its time.
class DartDantzig final : public tactus::bench::PeerMethod {
 public:
  void Prepare(int size, const std::vector<double>& M, const std::vector<double>& q) override {
    const std::size_t n = q.size(), padded = n > 1 ? ((n - 1) | 3) + 1 : n;
    size_ = size;
    A_.assign(n * padded, 0.0);
    b_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      b_[i] = -q[i];
      for (std::size_t j = 0; j < n; ++j) A_[i * padded + j] = M[i * n + j];
    }
  }
  bool Solve() override {
    std::vector<double> A = A_, b = b_, low(b.size(), 0.0), high(b.size(), std::numeric_limits<double>::infinity());
    std::vector<int> no_friction(b.size(), -1);
    z_.assign(b.size(), 0.0);
    return solver_.solve(size_, A.data(), z_.data(), b.data(), 0, low.data(), high.data(), no_friction.data(), false);
  }
  const std::vector<double>& z() const override { return z_; }

 private:
  dart::constraint::DantzigBoxedLcpSolver solver_;
  int size_ = 0;
  std::vector<double> A_, b_, z_;
};

}  // namespace

int main() {
  DartLemke lemke;
  DartDantzig dantzig;
  const std::array<tactus::bench::PeerMethod*, 2> methods{&lemke, &dantzig};
  return tactus::bench::ServePeer(methods);
}
