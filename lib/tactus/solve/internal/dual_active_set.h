#pragma once
#include <array>
#include <limits>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"

namespace tactus::internal {

/// One inequality of a contact: (N_i + μ_i D_ij)ᵀu ≥ …; direction -1: N_iᵀu ≥ … alone.
struct ConeRow {
  int contact = -1;
  int direction = -1;
};

/// min ½|u - k|² subject to a_rᵀu ≥ c_r: the dual active-set method of [GoldfarbIdnani83] for a unit Hessian.
///
/// Holds N_A = Q R of the active rows. A violated row a enters along z = (I - QQᵀ)a while the multipliers of the active rows
/// change by -r, r = R⁻¹Qᵀa; a multiplier that reaches zero before the row is satisfied drops its own. Every iterate is the
/// optimum for its active rows, so |u - k| grows and no set of active rows comes twice.
///
/// `Rows` offers: ConeRow MostViolated(u, tolerance), contact -1 when none is; Scalar Slack(row, u) = a_rᵀu - c_r; and
/// void Column(row, Velocity* a), projected.
template <class Scalar, Capacity kCapacity>
class DualActiveSet {
 public:
  using Velocity = typename WhitenedProblem<Scalar, kCapacity>::Velocity;

  /// @param[in,out] u  in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations were not enough, or rounding won.
  template <class Rows>
  bool Solve(const Rows& rows, int max_iterations, Velocity* u) {
    count_ = 0;
    return Continue(rows, max_iterations, u);
  }

  /// The same, but first tries the rows that were active at the end of the last call.
  template <class Rows>
  bool SolveWarm(const Rows& rows, int max_iterations, Velocity* u) {
    StartFromActive(rows, u);
    return Continue(rows, max_iterations, u);
  }

  int size() const { return count_; }
  const ConeRow& row(int a) const { return row_[static_cast<std::size_t>(a)]; }
  void Forget() { count_ = 0; }
  /// Keeps `row` as one to try in SolveWarm. @returns false when there is no place.
  bool Suggest(const ConeRow& row) {
    if (count_ == kMaxActive) return false;
    row_[static_cast<std::size_t>(count_++)] = row;
    return true;
  }
  Scalar multiplier(int a) const { return Max(multiplier_[static_cast<std::size_t>(a)], Scalar(0)); }
  int iterations() const { return iterations_; }

 private:
  static constexpr int kMaxActive = WhitenedProblem<Scalar, kCapacity>::kVelocity;
  static constexpr Scalar kRounding = std::numeric_limits<Scalar>::epsilon() * Scalar(1000);
  using Active = std::array<Scalar, kMaxActive>;

  template <class Rows>
  bool Continue(const Rows& rows, int max_iterations, Velocity* u);
  template <class Rows>
  void StartFromActive(const Rows& rows, Velocity* u);
  template <class Rows>
  bool Add(const Rows& rows, const ConeRow& row, int max_iterations, Velocity* u);
  void Resolve(const Velocity& column, Active* q, Active* r, Velocity* z) const;
  void SolveUpper(Active* r) const;
  void Append(const ConeRow& row, const Active& q, const Velocity& z, Scalar length, Scalar multiplier);
  void Drop(int position);

  std::array<ConeRow, kMaxActive> row_;
  std::array<Velocity, kMaxActive> Q_;
  std::array<Active, kMaxActive> R_;  // R_[column][row]
  Active multiplier_;
  int count_ = 0;
  int iterations_ = 0;
};

}  // namespace tactus::internal

#include "tactus/solve/internal/dual_active_set_impl.h"
