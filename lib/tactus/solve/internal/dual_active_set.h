#pragma once
#include <array>
#include <limits>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/internal/triangular_factor.h"
#include "tactus/solve/tolerances.h"

namespace tactus::internal {

/// One inequality of a contact: (N_i + μ_i D_ij)ᵀu ≥ …; direction -1: N_iᵀu ≥ … alone.
struct ConeRow {
  int contact = -1;
  int direction = -1;
};

/// A row with aᵀu - c < 0.
template <class Scalar>
struct Violation {
  ConeRow row;
  Scalar slack;
};

/// min ½|u - k|² subject to a_rᵀu ≥ c_r: the dual active-set method of [GoldfarbIdnani83] for a unit Hessian.
///
/// Holds L Lᵀ = AᵀA of the columns A of the active rows. A violated row a enters along z = a - A r while the multipliers of
/// the active rows change by -r, r = (AᵀA)⁻¹Aᵀa; a multiplier that reaches zero before the row is satisfied drops its own.
/// Every iterate is the optimum for its active rows, so |u - k| grows and no set of active rows comes twice.
///
/// The columns stay as sparse as the contacts', and a change costs O(r²) for r active rows. Where squaring the condition of
/// A costs digits, they are won back by one step of refinement: of r when a nearly depends on A, of u at the end.
///
/// `Rows` offers: the whitened `problem`; Violation MostViolated(u, tolerance), contact -1 when none is; Scalar Offset(row)
/// = -c_r; and Row Column(row), the non-zero blocks of a_r, not projected.
template <class Scalar, Capacity kCapacity>
class DualActiveSet {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  /// @param[in,out] u  in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations were not enough, or rounding won.
  template <class Rows>
  bool Solve(const Rows& rows, int max_iterations, Velocity* u) {
    factor_.Clear();
    return Continue(rows, max_iterations, u);
  }

  /// The same, but first tries the rows that were active at the end of the last call.
  template <class Rows>
  bool SolveWarm(const Rows& rows, int max_iterations, Velocity* u) {
    Rebuild(rows);
    StartFromActive(rows, u);
    return Continue(rows, max_iterations, u);
  }

  /// The same where only k and c have changed since the last call, no column.
  template <class Rows>
  bool SolveAgain(const Rows& rows, int max_iterations, Velocity* u) {
    StartFromActive(rows, u);
    return Continue(rows, max_iterations, u);
  }

  int size() const { return factor_.size(); }
  const ConeRow& row(int a) const { return row_[static_cast<std::size_t>(a)]; }
  Scalar multiplier(int a) const { return Max(multiplier_[static_cast<std::size_t>(a)], Scalar(0)); }
  int iterations() const { return iterations_; }

 private:
  static constexpr int kMaxActive = Problem::kVelocity;
  static constexpr Scalar kRounding = std::numeric_limits<Scalar>::epsilon() * Scalar(1000);
  static constexpr Scalar kNearlyDependent = Scalar(1e-2);  // |z|² of |a|²
  using Active = std::array<Scalar, kMaxActive>;
  using Row = typename Problem::Row;

  template <class Rows>
  bool Continue(const Rows& rows, int max_iterations, Velocity* u);
  template <class Rows>
  void Rebuild(const Rows& rows);
  template <class Rows>
  void StartFromActive(const Rows& rows, Velocity* u);
  template <class Rows>
  bool Add(const Rows& rows, const Violation<Scalar>& violation, int max_iterations, Velocity* u);
  template <class Rows>
  bool Refine(const Rows& rows, Scalar tolerance, Velocity* u);
  int Gram(const Problem& problem, const Velocity& v, Active* g) const;
  void Combine(const Problem& problem, const Active& x, Scalar sign, Velocity* v) const;
  Scalar Resolve(const Problem& problem, const Velocity& column, Scalar column_squared, const Active& y, Active* r,
                 Velocity* z) const;
  void Append(const ConeRow& row, const Row& column, const Active& y, Scalar length, Scalar multiplier);
  void Drop(int position, Active* y);

  TriangularFactor<Scalar, kMaxActive> factor_;
  std::array<ConeRow, kMaxActive> row_;
  std::array<Row, kMaxActive> column_;
  Active multiplier_;
  int iterations_ = 0;
};

}  // namespace tactus::internal

#include "tactus/solve/internal/dual_active_set_impl.h"
