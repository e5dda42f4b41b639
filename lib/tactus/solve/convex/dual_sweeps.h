#pragma once
#include <array>

#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/algebra/contact_relaxation.h"
#include "tactus/solve/convex/active_rows.h"

namespace tactus::internal {

/// Rows of a contact in [AnitescuHart] (15): one for each direction; without friction one.
template <class Problem>
int RowsOf(const Problem& problem, int contact) {
  return problem.contacts[contact].mu == typename Problem::Scalar(0) ? 1 : problem.directions;
}
template <class Problem>
ConeRow RowOf(const Problem& problem, int contact, int r) {
  return {contact, problem.contacts[contact].mu == typename Problem::Scalar(0) ? -1 : r};
}

/// Gauss-Seidel sweeps over the rows of (15), the method of [Hildreth57]: u = k + A β, and row after row is made to hold,
///
///     β_r := max(0, β_r - (a_rᵀu - c_r)/|a_r|²)
///
/// They converge linearly to the program's multipliers. Long before that they show roughly what each row will carry. An
/// active-set method that takes the rows in that order drops few of them again.
template <class Problem>
class DualSweeps {
 public:
  using Scalar = typename Problem::Scalar;

  template <class Rows>
  void Run(const Rows& rows, int sweeps) {
    const Problem& problem = rows.problem;
    const int n = problem.contacts.size();
    u_ = problem.k;
    for (int i = 0; i < n; ++i) {
      for (int r = 0; r < RowsOf(problem, i); ++r) {
        const typename Problem::Column a = rows.Column(RowOf(problem, i, r));
        beta_[i][r] = Scalar(0);
        inverse_[i][r] = Scalar(1) / Problem::Dot(problem.contacts[i], a, problem.contacts[i], a);
      }
    }
    SweepThereAndBack(n, sweeps, [&](int i) { Relax(rows, i); });
    for (int i = 0; i < n; ++i) {
      loaded_[i] = false;
      for (int r = 0; r < RowsOf(problem, i); ++r) loaded_[i] = loaded_[i] || beta_[i][r] > Scalar(0);
    }
  }

  bool IsLoaded(int contact) const { return loaded_[contact]; }
  Scalar multiplier(int contact, int r) const { return beta_[contact][r]; }

 private:
  template <class Rows>
  void Relax(const Rows& rows, int i) {
    const auto& contact = rows.problem.contacts[i];
    for (int r = 0; r < RowsOf(rows.problem, i); ++r) {
      const ConeRow row = RowOf(rows.problem, i, r);
      const typename Problem::Column a = rows.Column(row);
      Scalar& beta_r = beta_[i][r];
      const Scalar slack = DotByPairs<Problem>(contact, a, u_) + rows.Offset(row);
      const Scalar beta = Max(Scalar(0), beta_r - slack * inverse_[i][r]);
      if (beta == beta_r) continue;
      AddByPairs<Problem>(contact, a, beta - beta_r, &u_);
      rows.problem.Project(&u_);
      beta_r = beta;
    }
  }

  using PerRow = std::array<std::array<Scalar, Problem::kCapacity.directions>, Problem::kCapacity.contacts>;
  PerRow beta_, inverse_;  // β, 1/|a|²
  std::array<bool, Problem::kCapacity.contacts> loaded_;
  typename Problem::Velocity u_;
};

}  // namespace tactus::internal
