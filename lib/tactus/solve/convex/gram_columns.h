#pragma once
#include <limits>
#include <tuple>

#include "tactus/solve/algebra/triangular_factor.h"
#include "tactus/solve/convex/active_rows.h"

namespace tactus::internal {

/// A = Q Lᵀ from L Lᵀ = AᵀA, without Q, for many bodies: A is sparse, Q is not. A change costs O(r²) for r columns. Squaring
/// the condition of A loses digits; when a nearly depends on A, one step of refinement wins them back.
template <class Problem>
class GramColumns {
 public:
  using Scalar = typename Problem::Scalar;
  using Rows = ActiveRows<Problem>;
  using Active = typename Rows::Active;
  using Velocity = typename Problem::Velocity;
  using Entering = EnteringColumn<Problem>;

  static constexpr Scalar kDependent = Scalar(1000) * std::numeric_limits<Scalar>::epsilon();  ///< a ∈ range A: |z|² of |a|²

  void Clear() { factor_.Clear(); }
  int size() const { return factor_.size(); }

  /// y, r, z of the column.
  void Resolve(const Problem& problem, const Rows& rows, Entering* a) const {
    const int first = rows.Products(problem, a->dense, &a->y);
    factor_.Forward(&a->y, first);
    Refresh(problem, rows, a);
  }

  /// The column comes last; z ≠ 0.
  void Append(const Problem&, const Entering& a) { factor_.Append(a.y, Sqrt(a.z_squared)); }

  /// Column `position` leaves, `rows` has lost its row; y, r, z follow.
  void Remove(const Problem& problem, const Rows& rows, int position, Entering* a) {
    factor_.Remove(position, &a->y);
    Refresh(problem, rows, a);
  }
  /// The same for y = L⁻¹ g of some g.
  void Remove(const Problem&, int position, Active* y) { factor_.Remove(position, y); }

  /// y := L⁻¹ y
  void Forward(Active* y) const { factor_.Forward(y); }
  /// x = L⁻ᵀ y
  void Backward(const Active& y, Active* x) const {
    for (int a = 0; a < size(); ++a) (*x)[a] = y[a];
    factor_.Backward(x);
  }
  /// u += A x = Q y, x = L⁻ᵀy
  void Move(const Problem& problem, const Rows& rows, const Active&, const Active& x, Velocity* u) const {
    rows.Combine(problem, x, Scalar(1), u);
  }

 private:
  static constexpr Scalar kNearlyDependent = Scalar(1e-2);  // |z|² of |a|²

  void Refresh(const Problem& problem, const Rows& rows, Entering* a) const {
    Backward(a->y, &a->r);
    Copy(problem, a->dense, &a->z);
    rows.Combine(problem, a->r, Scalar(-1), &a->z);
    a->z_squared = SquaredNorm(problem, a->z);
    if (a->z_squared > kNearlyDependent * a->squared) return;
    Active change;
    factor_.Forward(&change, rows.Products(problem, a->z, &change));
    factor_.Backward(&change);
    for (int q = 0; q < size(); ++q) a->r[q] += change[q];
    rows.Combine(problem, change, Scalar(-1), &a->z);
    a->z_squared = SquaredNorm(problem, a->z);
  }

  TriangularFactor<Scalar, static_cast<int>(std::tuple_size_v<Active>)> factor_;
};

}  // namespace tactus::internal
