#include "tests/solve_bullet/bullet_lcp.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

#include <limits>

namespace tactus::test {
namespace {

static_assert(sizeof(btScalar) == sizeof(double));

struct System {
  btMatrixXu M;
  btVectorXu q;
};

System Copy(const Lcp& lcp, Real sign_of_q) {
  const int n = static_cast<int>(lcp.q.size());
  System system{btMatrixXu(n, n), btVectorXu(n)};
  for (int i = 0; i < n; ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    system.q[i] = static_cast<btScalar>(sign_of_q * lcp.q[I]);
    for (int j = 0; j < n; ++j) system.M.setElem(i, j, static_cast<btScalar>(lcp.M(I, static_cast<std::size_t>(j))));
  }
  return system;
}

DenseVector Copy(const btVectorXu& x) {
  DenseVector copy;
  for (int i = 0; i < x.size(); ++i) copy.push_back(x[i]);
  return copy;
}

}  // namespace

std::optional<DenseVector> SolveWithBulletLemke(const Lcp& lcp) {
  if (lcp.q.empty()) return DenseVector{};
  constexpr unsigned kMaxPivots = 1000;
  const System system = Copy(lcp, 1);
  btLemkeAlgorithm lemke(system.M, system.q);
  const btVectorXu x = lemke.solve(kMaxPivots);
  if (lemke.getInfo() != 0) return std::nullopt;
  return Copy(x);
}

std::optional<DenseVector> SolveWithBulletDantzig(const Lcp& lcp) {
  if (lcp.q.empty()) return DenseVector{};
  const System system = Copy(lcp, -1);  // its A x = b + w
  const int n = system.q.size();
  btVectorXu x(n), low(n), high(n);
  btAlignedObjectArray<int> independent;
  for (int i = 0; i < n; ++i) {
    x[i] = low[i] = 0;
    high[i] = std::numeric_limits<btScalar>::infinity();
    independent.push_back(-1);
  }
  btDantzigSolver dantzig;
  if (!dantzig.solveMLCP(system.M, system.q, x, low, high, independent, 0)) return std::nullopt;
  return Copy(x);
}

}  // namespace tactus::test
