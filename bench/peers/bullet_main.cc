// `tactus-bench-bullet`: Bullet's solvers for mixed LCPs, in double precision.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <array>
#include <memory>

#include "bench/peers/serve_peer.h"

namespace {

class Bullet : public tactus::bench::PeerMethod {
 public:
  void Prepare(int size, const std::vector<double>& M, const std::vector<double>& q) override {
    size_ = size;
    M_.resize(size, size);
    q_.resize(size);
    z_.assign(q.size(), 0.0);
    for (int i = 0; i < size; ++i) {
      q_[i] = q[static_cast<std::size_t>(i)];
      for (int j = 0; j < size; ++j) M_.setElem(i, j, M[static_cast<std::size_t>(i * size + j)]);
    }
  }
  const std::vector<double>& z() const override { return z_; }

 protected:
  int size_ = 0;
  btMatrixXd M_;
  btVectorXd q_;
  std::vector<double> z_;
};

class BulletLemke final : public Bullet {
 public:
  bool Solve() override {
    btLemkeAlgorithm lemke(M_, q_);
    const btVectorXd wz = lemke.solve(kMaxLoops);
    for (int i = 0; i < size_; ++i) z_[static_cast<std::size_t>(i)] = wz[size_ + i];
    return lemke.getInfo() == 0;
  }

 private:
  static constexpr unsigned kMaxLoops = 1000;
};

// For what its interface calls A x = b + w with bounds: 0 ≤ x, b = -q. Its result says nothing about accuracy.
template <class Solver>
class BulletMlcp final : public Bullet {
 public:
  void Prepare(int size, const std::vector<double>& M, const std::vector<double>& q) override {
    Bullet::Prepare(size, M, q);
    b_.resize(size);
    low_.resize(size);
    high_.resize(size);
    no_limit_.resize(size, -1);
    for (int i = 0; i < size; ++i) {
      b_[i] = -q_[i];
      low_[i] = 0;
      high_[i] = BT_INFINITY;
    }
  }
  bool Solve() override {
    btVectorXd x(size_);
    x.setZero();
    const bool solved = solver_.solveMLCP(M_, b_, x, low_, high_, no_limit_, kIterations);
    for (int i = 0; i < size_; ++i) z_[static_cast<std::size_t>(i)] = x[i];
    return solved;
  }

 private:
  static constexpr int kIterations = 1000;
  Solver solver_;
  btVectorXd b_, low_, high_;
  btAlignedObjectArray<int> no_limit_;
};

}  // namespace

int main() {
  BulletLemke lemke;
  BulletMlcp<btDantzigSolver> dantzig;
  BulletMlcp<btSolveProjectedGaussSeidel> gauss_seidel;
  const std::array<tactus::bench::PeerMethod*, 3> methods{&lemke, &dantzig, &gauss_seidel};
  return tactus::bench::ServePeer(methods);
}
