#pragma once
#include <array>

#include "tactus/contact/whitened_problem.h"
#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/algebra/velocity_pairs.h"

namespace tactus::internal {

/// One inequality of a contact: (N_i + μ_i D_ij)ᵀu ≥ …; direction -1: N_iᵀu ≥ … alone.
struct ConeRow {
  int contact = -1;
  int direction = -1;
};

/// A row's multiplier β as impulses: θ_i += β_ij, φ_ij += μ_i β_ij.
template <class Problem>
void AddMultiplier(const Problem& problem, const ConeRow& row, typename Problem::Scalar beta,
                   typename Problem::Impulses* impulses) {
  impulses->theta[row.contact] += beta;
  if (row.direction >= 0) impulses->phi[row.contact][row.direction] += problem.contacts[row.contact].mu * beta;
}

/// A row with aᵀu - c < 0.
template <class Scalar>
struct Violation {
  ConeRow row;
  Scalar slack;
};

/// The active rows of an active-set method and their columns A, as sparse as the contacts' and not projected.
template <class Problem>
class ActiveRows {
 public:
  using Scalar = typename Problem::Scalar;
  using Velocity = typename Problem::Velocity;
  using Column = typename Problem::Column;
  static constexpr int kMost = Problem::kVelocity;
  using Active = std::array<Scalar, kMost + kMost % 2>;  ///< one number an active row; by pairs

  int size() const { return size_; }
  void Clear() { size_ = 0; }
  const ConeRow& row(int a) const { return row_[a]; }

  void Append(const ConeRow& row, const Column& column) {
    row_[size_] = row;
    column_[size_++] = column;
  }
  void Remove(int position) {
    --size_;
    for (int a = position; a < size_; ++a) {
      row_[a] = row_[a + 1];
      column_[a] = column_[a + 1];
    }
  }

  /// g = Aᵀv for v = P v. @returns the place of its first element that is not zero.
  int Products(const Problem& problem, const Velocity& v, Active* g) const {
    int first = size_;
    for (int a = size_ - 1; a >= 0; --a) {
      (*g)[a] = DotByPairs<Problem>(problem.contacts[row_[a].contact], column_[a], v);
      if ((*g)[a] != Scalar(0)) first = a;
    }
    return first;
  }

  /// v := P (v + sign A x)
  void Combine(const Problem& problem, const Active& x, Scalar sign, Velocity* v) const {
    for (int a = 0; a < size_; ++a) {
      AddByPairs<Problem>(problem.contacts[row_[a].contact], column_[a], sign * x[a], v);
    }
    problem.Project(v);
  }

 private:
  std::array<ConeRow, kMost> row_;
  std::array<Column, kMost> column_;
  int size_ = 0;
};

/// A column a on its way into A = Q Lᵀ, the columns of Q orthonormal.
template <class Problem>
struct EnteringColumn {
  using Scalar = typename Problem::Scalar;

  const typename Problem::ContactColumns& contact;
  typename Problem::Column sparse;            ///< a, not projected
  typename Problem::Velocity dense;           ///< P a
  Scalar squared;                             ///< |a|²: what joints take of a leaves its rounding in P a
  typename ActiveRows<Problem>::Active y, r;  ///< y = Qᵀa, r = L⁻ᵀy: A r is the nearest to a in the range of A
  typename Problem::Velocity z;               ///< a - A r
  Scalar z_squared;

  EnteringColumn(const Problem& problem, const ConeRow& row, const typename Problem::Column& column)
      : contact(problem.contacts[row.contact]), sparse(column) {
    if constexpr (Problem::kBlocks == 1) {
      Copy(problem, sparse, &dense);
    } else {
      __builtin_memset(dense.data(), 0, sizeof dense);
      AddByPairs<Problem>(contact, sparse, Scalar(1), &dense);
    }
    squared = SquaredNorm(problem, dense);
    problem.Project(&dense);
  }
};

}  // namespace tactus::internal
