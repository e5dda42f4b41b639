#pragma once
#include <vector>

#include "bench/measure/lu_yardstick.h"
#include "tactus/contact/whitened_problem.h"

namespace tactus::bench {

/// The contact LCP written out, as solvers that know nothing of contacts want it: w = M z + q, 0 ≤ w ⊥ z ≥ 0.
struct ContactLcp {
  SquareMatrix M{0};
  std::vector<double> q;
};

/// M and q of (6) in the order z = (θ, φ, λ), docs/theory section 3: n(2+d) rows. φ of contact i: n + i·d … n + i·d + d
/// - 1.
template <Capacity kCapacity>
void WriteOut(const WhitenedProblem<double, kCapacity>& problem, ContactLcp* lcp) {
  using Problem = WhitenedProblem<double, kCapacity>;
  const int n = problem.contacts.size(), d = problem.directions, lambda = n * (1 + d);
  lcp->M = SquareMatrix(n * (2 + d));
  lcp->q.assign(static_cast<std::size_t>(n * (2 + d)), 0.0);
  std::vector<typename Problem::Column> columns;  // N, D
  for (int i = 0; i < n; ++i) columns.push_back(problem.contacts[i].N);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < d; ++j) columns.push_back(problem.Direction(problem.contacts[i], j));
  }
  const auto contact_of = [&](int row) -> const typename Problem::ContactColumns& {
    return problem.contacts[row < n ? row : (row - n) / d];
  };
  for (int r = 0; r < lambda; ++r) {
    typename Problem::Velocity J = Problem::Velocity::Zero();
    Problem::AddTo(contact_of(r), columns[static_cast<std::size_t>(r)], 1.0, &J);
    problem.Project(&J);
    for (int c = 0; c < lambda; ++c) lcp->M(r, c) = Problem::Dot(contact_of(c), columns[static_cast<std::size_t>(c)], J);
    const double offset = r < n ? problem.contacts[r].b : problem.DirectionTau(contact_of(r), (r - n) % d);
    lcp->q[static_cast<std::size_t>(r)] = J.dot(problem.k) + offset;
  }
  for (int i = 0; i < n; ++i) {
    lcp->M(i, i) += problem.contacts[i].epsilon;
    lcp->M(lambda + i, i) = problem.contacts[i].mu;
    for (int j = 0; j < d; ++j) {
      lcp->M(n + i * d + j, lambda + i) = 1;
      lcp->M(lambda + i, n + i * d + j) = -1;
    }
  }
}

/// θ and φ of a solution z of that LCP.
template <Capacity kCapacity>
void ReadImpulses(const WhitenedProblem<double, kCapacity>& problem, const std::vector<double>& z,
                  WhitenedImpulses<double, kCapacity>* impulses) {
  const std::size_t n = static_cast<std::size_t>(problem.contacts.size()), d = static_cast<std::size_t>(problem.directions);
  *impulses = {};
  for (std::size_t i = 0; i < n; ++i) {
    impulses->theta[i] = z[i];
    for (std::size_t j = 0; j < d; ++j) impulses->phi[i][j] = z[n + i * d + j];
  }
}

}  // namespace tactus::bench
