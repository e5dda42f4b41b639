#pragma once
#include <limits>

#include "tactus/solve/algebra/vector_loops.h"
#include "tactus/solve/algebra/velocity_pairs.h"
#include "tactus/solve/convex/active_rows.h"

namespace tactus::internal {

/// A = Q Lᵀ for few bodies, with Q and W = L⁻¹ kept. y = Qᵀa, z = a - Q y and r = Wᵀy are products; there is no
/// substitution, whose steps wait for each other. When a column leaves, Givens rotations of the rows of [Qᵀ W] restore the
/// form.
template <class Problem>
class OrthonormalColumns {
 public:
  using Scalar = typename Problem::Scalar;
  using Rows = ActiveRows<Problem>;
  using Active = typename Rows::Active;
  using Velocity = typename Problem::Velocity;
  using Entering = EnteringColumn<Problem>;

  // Rounding leaves some ε |a| of a z that should be zero: three digits above it a is independent.
  static constexpr Scalar kRounding = Scalar(1000) * std::numeric_limits<Scalar>::epsilon();
  static constexpr Scalar kDependent = kRounding * kRounding;  ///< a ∈ range A: |z|² of |a|²

  void Clear() { size_ = 0; }
  int size() const { return size_; }

  /// y, r, z of the column.
  void Resolve(const Problem& problem, const Rows&, Entering* a) const {
    Active minus_y;
    for (int q = 0; q < size_; ++q) {
      a->y[q] = DotByPairs<Problem>(a->contact, a->sparse, Q_[q]);
      minus_y[q] = -a->y[q];
    }
    Copy(problem, a->dense, &a->z);
    AddCombination(problem, Q_, minus_y, size_, &a->z);
    a->z_squared = SquaredNorm(problem, a->z);
    if (!(a->z_squared > kNearlyDependent * a->squared)) Reorthogonalise(problem, a);
    Backward(a->y, &a->r);
  }

  /// The column comes last: q = z/|z|, and the last row of L⁻¹ is (-rᵀ, 1)/|z|. z ≠ 0.
  void Append(const Problem& problem, const Entering& a) {
    const Scalar inverse = Scalar(1) / Sqrt(a.z_squared);
    Scale(problem, inverse, a.z, &Q_[size_]);
    Active& last = W_[size_];
    for (int c = 0; c < size_; ++c) last[c] = -inverse * a.r[c];
    last[size_] = inverse;
    if (size_ + 1 < static_cast<int>(last.size())) last[size_ + 1] = Scalar(0);  // Backward() reads pairs
    ++size_;
  }

  /// Column `position` leaves; y, r, z follow.
  void Remove(const Problem& problem, const Rows&, int position, Entering* a) {
    Remove(problem, position, &a->y);
    AddScaled(problem, a->y[size_], Q_[size_], &a->z);  // the direction that has become free
    a->z_squared = SquaredNorm(problem, a->z);
    Backward(a->y, &a->r);
  }

  /// The same for y = L⁻¹ g of some g. Column `position` of W is rotated into its last row.
  void Remove(const Problem& problem, int position, Active* y) {
    --size_;
    for (int i = position; i < size_; ++i) {
      Active &w = W_[i], &w_next = W_[i + 1];
      const Scalar a = w[position], b = w_next[position], inverse = Scalar(1) / Sqrt(a * a + b * b);
      const Scalar c = b * inverse, s = -a * inverse;
      Rotate(c, s, problem.velocity_size(), Q_[i].data(), Q_[i + 1].data());
      w[i + 1] = Scalar(0);
      Rotate(c, s, i + 2, w.data(), w_next.data());
      Rotate(c, s, 1, &(*y)[i], &(*y)[i + 1]);
      for (int k = position; k <= i; ++k) w[k] = w[k + 1];
      w[i + 1] = Scalar(0);
    }
  }

  /// y := L⁻¹ y
  void Forward(Active* y) const {
    for (int i = size_ - 1; i >= 0; --i) (*y)[i] = DotOf<Rows::kMost>(W_[i].data(), y->data(), i + 1);
  }

  /// x = L⁻ᵀ y = Wᵀy
  void Backward(const Active& y, Active* x) const {
    for (int c = 0; c < size_; c += 2) {
      if constexpr (TACTUS_HAS_VECTORS) {
        TwoLanes<Scalar> sum{};
        for (int q = c; q < size_; ++q) sum += y[q] * LoadTwo(&W_[q][c]);
        StoreLanes(sum, &(*x)[c]);
      } else {
        Scalar sum(0), next(0);
        for (int q = c; q < size_; ++q) {
          sum += y[q] * W_[q][c];
          next += y[q] * W_[q][c + 1];
        }
        (*x)[c] = sum;
        (*x)[c + 1] = next;
      }
    }
  }

  /// u += A x = Q y, x = L⁻ᵀy
  void Move(const Problem& problem, const Rows&, const Active& y, const Active&, Velocity* u) const {
    AddCombination(problem, Q_, y, size_, u);
  }

 private:
  static constexpr Scalar kNearlyDependent = Scalar(1e-2);  // |z|² of |a|²: z ⊥ Q has lost a digit to rounding, so it is
                                                            // made orthogonal once more

  // y += δ, z -= Q δ for δ = Qᵀz
  void Reorthogonalise(const Problem& problem, Entering* a) const {
    Active minus_change;
    for (int q = 0; q < size_; ++q) {
      const Scalar change = DotOf<Rows::kMost>(Q_[q].data(), a->z.data(), problem.velocity_size());
      a->y[q] += change;
      minus_change[q] = -change;
    }
    AddCombination(problem, Q_, minus_change, size_, &a->z);
    a->z_squared = SquaredNorm(problem, a->z);
  }

  // (a, b) := (c a + s b, c b - s a), number by number
  [[gnu::always_inline]] static void Rotate(Scalar c, Scalar s, int length, Scalar* a, Scalar* b) {
    int k = 0;
    for (; k + 2 <= length; k += 2) {
      const TwoLanes<Scalar> a_k = LoadTwo(a + k), b_k = LoadTwo(b + k);
      StoreLanes(c * a_k + s * b_k, a + k);
      StoreLanes(c * b_k - s * a_k, b + k);
    }
    for (; k < length; ++k) {
      const Scalar a_k = a[k], b_k = b[k];
      a[k] = c * a_k + s * b_k;
      b[k] = c * b_k - s * a_k;
    }
  }

  std::array<Velocity, Rows::kMost> Q_;  // rows of Qᵀ
  std::array<Active, Rows::kMost> W_;    // rows of L⁻¹, a zero after each
  int size_ = 0;
};

}  // namespace tactus::internal
