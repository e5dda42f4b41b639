#pragma once
#include <array>
#include <utility>

#include "tactus/core/fixed_vector.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/convex/active_rows.h"

namespace tactus::internal {

/// Rows (i, j) of [AnitescuHart] (15) with multipliers β ≥ 0: impulses in short, θ_i = Σ_j β_ij, φ_ij = μ_i β_ij.
template <class Problem>
struct RowMultipliers {
  using Scalar = typename Problem::Scalar;
  struct Entry {
    ConeRow row;
    Scalar beta;
  };
  FixedVector<Entry, Problem::kVelocity> entries;

  template <class Step>
  void Take(const Step& step) {
    entries.resize(step.size());
    for (int a = 0; a < step.size(); ++a) entries[a] = {step.row(a), step.multiplier(a)};
  }

  void GetImpulses(const Problem& problem, typename Problem::Impulses* impulses) const {
    *impulses = {};
    for (const Entry& entry : entries) AddMultiplier(problem, entry.row, entry.beta, impulses);
  }
};

/// The exact law on the rows of a convex step (docs/theory, 8.4). A contact that carries in the directions j₁, j₂, … keeps
/// its gap and slips equally far in them:
///
///     N_iᵀu = -b_i,  (D_ij - D_ij₁)ᵀu = -(τ_ij - τ_ij₁) for its other j,      u = k + Σ (N_i + μ_i D_ij) β_ij
///
/// as many equations as unknowns, at most 6 for one body, solved for the change of β by Gauss with full pivoting. What
/// depends on the rest (several contacts of one patch) keeps its β. With β ≥ 0 and no other row violated it solves (3)-(5).
template <class Problem>
class ExactLaw {
 public:
  using Scalar = typename Problem::Scalar;
  using Multipliers = RowMultipliers<Problem>;

  /// @param[in,out] multipliers  of the convex step; then of the law
  /// @returns whether all are ≥ 0, beyond rounding; false also where a contact is compliant
  bool Solve(const Problem& problem, Multipliers* multipliers) {
    rank_ = 0;
    size_ = multipliers->entries.size();
    Velocity u = problem.k;
    for (int q = 0; q < size_; ++q) {
      const auto& [row, beta] = multipliers->entries[q];
      const auto& contact = problem.contacts[row.contact];
      if (contact.epsilon != Scalar(0)) return false;
      column_[I(q)].setZero();
      const Column sparse =
          row.direction < 0 ? contact.N : ConeColumn<Problem>(contact, problem.direction[I(row.direction)]);
      Problem::AddTo(contact, sparse, Scalar(1), &column_[I(q)]);
      problem.Project(&column_[I(q)]);
      u += beta * column_[I(q)];
    }
    for (int q = 0; q < size_; ++q) SetEquation(problem, *multipliers, q, u);
    Eliminate();
    return TakeChange(multipliers);
  }

 private:
  using Velocity = typename Problem::Velocity;
  using Column = typename Problem::Column;
  static constexpr std::size_t kMost = static_cast<std::size_t>(Problem::kVelocity);
  static constexpr Scalar kDependent =
      sizeof(Scalar) == sizeof(double) ? Scalar(1e-9) : Scalar(1e-4);  // of the largest pivot

  static std::size_t I(int i) { return static_cast<std::size_t>(i); }

  void SetEquation(const Problem& problem, const Multipliers& multipliers, int q, const Velocity& u) {
    const ConeRow& row = multipliers.entries[q].row;
    const auto& contact = problem.contacts[row.contact];
    int first = 0;
    while (multipliers.entries[first].row.contact != row.contact) ++first;
    Column a = contact.N;
    Scalar constant = contact.b;
    if (first != q) {
      const typename Problem::Tangential turn =
          problem.direction[I(row.direction)] - problem.direction[I(multipliers.entries[first].row.direction)];
      a = Problem::TangentColumn(contact, turn);
      constant = contact.tau.dot(turn);
    }
    for (int z = 0; z < size_; ++z) matrix_[I(q)][I(z)] = Problem::Dot(contact, a, column_[I(z)]);
    matrix_[I(q)][I(size_)] = -(Problem::Dot(contact, a, u) + constant);
  }

  // Gauss-Jordan. Rows and columns after rank_ depend on those before.
  void Eliminate() {
    for (int q = 0; q < size_; ++q) row_[I(q)] = unknown_[I(q)] = q;
    Scalar largest(0);
    for (rank_ = 0; rank_ < size_; ++rank_) {
      const Scalar pivot = TakePivot();
      largest = Max(largest, pivot);
      if (!(pivot > kDependent * largest)) return;
      const auto& from = matrix_[I(row_[I(rank_)])];
      const std::size_t x = I(unknown_[I(rank_)]);
      for (int q = 0; q < size_; ++q) {
        if (q == rank_) continue;
        auto& to = matrix_[I(row_[I(q)])];
        const Scalar factor = to[x] / from[x];
        for (int z = rank_; z < size_; ++z) to[I(unknown_[I(z)])] -= factor * from[I(unknown_[I(z)])];
        to[I(size_)] -= factor * from[I(size_)];
      }
    }
  }

  // Of what is left the largest entry comes to place rank_. @returns its size
  Scalar TakePivot() {
    Scalar largest(-1);
    int best_row = rank_, best_unknown = rank_;
    for (int q = rank_; q < size_; ++q) {
      for (int z = rank_; z < size_; ++z) {
        const Scalar entry = Abs(matrix_[I(row_[I(q)])][I(unknown_[I(z)])]);
        if (!(entry > largest)) continue;
        largest = entry;
        best_row = q;
        best_unknown = z;
      }
    }
    std::swap(row_[I(rank_)], row_[I(best_row)]);
    std::swap(unknown_[I(rank_)], unknown_[I(best_unknown)]);
    return largest;
  }

  bool TakeChange(Multipliers* multipliers) const {
    Scalar least(0), most(0);
    for (int q = 0; q < rank_; ++q) {
      const auto& row = matrix_[I(row_[I(q)])];
      multipliers->entries[unknown_[I(q)]].beta += row[I(size_)] / row[I(unknown_[I(q)])];
    }
    for (auto& entry : multipliers->entries) {
      least = Min(least, entry.beta);
      most = Max(most, entry.beta);
      entry.beta = Max(entry.beta, Scalar(0));
    }
    return least >= -kDependent * most && IsFinite(most);
  }

  std::array<Velocity, kMost> column_;
  std::array<std::array<Scalar, kMost + 1>, kMost> matrix_;
  std::array<int, kMost> row_, unknown_;
  int size_ = 0, rank_ = 0;
};

}  // namespace tactus::internal
