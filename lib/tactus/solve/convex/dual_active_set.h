#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tactus/core/scalar.h"
#include "tactus/solve/convex/active_rows.h"
#include "tactus/solve/convex/gram_columns.h"
#include "tactus/solve/convex/orthonormal_columns.h"
#include "tactus/solve/judge/tolerances.h"
#include "tactus/solve/work.h"

namespace tactus::internal {

/// Few enough bodies for a controller: OrthonormalColumns keeps two squares of kVelocity numbers.
template <class Problem>
inline constexpr bool kFewBodies = Problem::kVelocity <= 48;

template <class Problem>
using ColumnsFor = std::conditional_t<kFewBodies<Problem>, OrthonormalColumns<Problem>, GramColumns<Problem>>;

/// min ½|u - k|² subject to a_rᵀu ≥ c_r: the dual active-set method of [GoldfarbIdnani83] for a unit Hessian.
///
/// Holds A = Q Lᵀ for the columns A of the active rows. A violated row a enters along z = a - A r while the multipliers of
/// the active rows change by -r, r = (AᵀA)⁻¹Aᵀa; a multiplier that reaches zero before the row is satisfied drops its own.
/// Every iterate is the optimum for its active rows, so |u - k| grows and no set of active rows comes twice.
///
/// At the end rounding is measured in u = k + A β and Aᵀu = c, and removed by steps of refinement.
///
/// `Rows` offers: the whitened `problem`; Violation MostViolated(u, tolerance), contact -1 when none is; Scalar Offset(row)
/// = -c_r; Velocity Start() = k, Scalar Scale() = |k|; Problem::Column Column(row), the non-zero blocks of a_r, not
/// projected; PassWork(contacts), the work of a pass; and kMeasures, whether what rounding leaves beside large multipliers
/// is measured in float too.
template <class Problem, class Columns = ColumnsFor<Problem>>
class DualActiveSet {
 public:
  using Scalar = typename Problem::Scalar;
  using Velocity = typename Problem::Velocity;

  /// @param[in,out] u  in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations were not enough, or rounding won.
  template <class Rows>
  bool Solve(const Rows& rows, int max_iterations, Velocity* u) {
    active_.Clear();
    columns_.Clear();
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

  /// Counts the steps from now on and may refuse one; the solve then returns false. nullptr: no limit.
  void set_work(Work* work) { work_ = work; }

  int size() const { return active_.size(); }
  const ConeRow& row(int a) const { return active_.row(a); }
  Scalar multiplier(int a) const { return Max(multiplier_[a], Scalar(0)); }
  /// After false: a row a = -A β, β ≥ 0 the multipliers, that nothing satisfies beside the active ones; contact -1: none.
  const ConeRow& contradicting() const { return contradicting_; }
  int iterations() const { return iterations_; }

 private:
  static constexpr int kMaxActive = Problem::kVelocity;
  // Shares of |k| and the multipliers. kRounding: a row violated by less counts as satisfied. Over 200 000 problems of 22
  // kinds in double and float 1000 ε is no better, and with 100 ε rows are added because of rounding alone. kNoise: the same
  // for a row in the range of A.
  static constexpr Scalar kRounding = std::numeric_limits<Scalar>::epsilon() * Scalar(200);
  static constexpr Scalar kNoise = Min(Scalar(100) * kRounding, Tolerances<Scalar>::kAccept / 10);
  static constexpr Scalar kAccept = Tolerances<Scalar>::kAccept / 2;  // what refinement may leave: half of an answer's
  static constexpr int kMaxRefinements = 3;  // of 200 000 random problems one came here, and one step was enough for it
  using Active = typename ActiveRows<Problem>::Active;
  using Entering = EnteringColumn<Problem>;

  // How far a row can enter before a multiplier is zero: that one's place, -1 if none.
  struct Block {
    Scalar step;
    int position;
  };

  template <class Rows>
  bool Continue(const Rows& rows, int max_iterations, Velocity* u);
  template <class Rows>
  void Rebuild(const Rows& rows);
  template <class Rows>
  void StartFromActive(const Rows& rows, Velocity* u);
  enum class Added : std::uint8_t { kYes, kIsNoise, kFailed };
  template <class Rows>
  Added Add(const Rows& rows, const Violation<Scalar>& violation, Scalar noise, int max_iterations, Velocity* u);
  Block FirstBlock(const Active& r, Scalar step) const;
  template <class Rows>
  Scalar Refine(const Rows& rows, Scalar tolerance, Velocity* u);
  template <class Rows>
  [[gnu::cold, gnu::noinline]] Scalar Polish(const Rows& rows, Scalar tolerance, Velocity* u);
  template <class Rows>
  Scalar Scale(const Rows& rows) const;
  template <class Rows>
  Scalar Residual(const Rows& rows, const Velocity& u, Active* residual) const;
  void Append(const Problem& problem, const ConeRow& row, const Entering& a, Scalar multiplier);
  void RemoveRow(int position);
  bool Take(std::int64_t cost) { return work_ == nullptr || work_->Take(cost); }

  ActiveRows<Problem> active_;
  Columns columns_;
  Active multiplier_;
  ConeRow contradicting_;
  int iterations_ = 0;
  Work* work_ = nullptr;
};

}  // namespace tactus::internal

#include "tactus/solve/convex/dual_active_set.inl"
