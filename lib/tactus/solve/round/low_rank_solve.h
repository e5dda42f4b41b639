#pragma once
#include <array>

#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/round/round_tolerances.h"

namespace tactus::internal {

/// (D + A Bᵀ) x = r for k unknowns whose rows A_p and columns B_p have no more than kDof numbers, D > 0 diagonal:
///
///     M = 1 + Σ_p B_p A_pᵀ / D_p      M w = Σ_p B_p r_p / D_p      x_p = (r_p - A_p·w) / D_p
///
/// w = Σ_p B_p x_p is the velocity that x gives. k kDof² multiply-adds, where elimination takes k³/3 + kDof k². What a small
/// D_p makes of the rounding of w is refined: r - D x - A (Bᵀ x) is solved for again, with D_p ≥ kFactored in M.
template <class Scalar, int kDof, std::size_t kRows>
class LowRankSolve {
 public:
  using Vector = Vec<Scalar, kDof>;
  template <class Element>
  using Rows = std::array<Element, kRows>;
  using Columns = Rows<const Scalar*>;  ///< of kDof numbers each

  /// @returns false: M is singular, or no longer finite
  bool Solve(int size, const Columns& A, const Columns& B, const Rows<Scalar>& D, const Rows<Scalar>& r, Rows<Scalar>* x) {
    const std::size_t k = static_cast<std::size_t>(size);
    for (std::size_t p = 0; p < k; ++p) inverse_D_[p] = Scalar(1) / Max(D[p], RoundTolerances<Scalar>::kFactored);
    if (!Factor(k, A, B)) return false;
    rest_ = r;
    x->fill(Scalar(0));
    for (int pass = 0; pass <= kRefinements; ++pass) {
      Vector g = Vector::Zero();
      for (std::size_t p = 0; p < k; ++p) g += (rest_[p] * inverse_D_[p]) * Column(B[p]);
      const Vector w = SolveM(g);
      for (std::size_t p = 0; p < k; ++p) (*x)[p] += (rest_[p] - Column(A[p]).dot(w)) * inverse_D_[p];
      if (pass == kRefinements) break;
      Vector velocity = Vector::Zero();
      for (std::size_t p = 0; p < k; ++p) velocity += (*x)[p] * Column(B[p]);
      for (std::size_t p = 0; p < k; ++p) rest_[p] = r[p] - D[p] * (*x)[p] - Column(A[p]).dot(velocity);
    }
    return true;
  }

 private:
  using Column = Eigen::Map<const Vector>;

  // D ≥ kFactored leaves 8 digits of a double, three of a float. Newton's next step refines too.
  static constexpr int kRefinements = sizeof(Scalar) == sizeof(double) ? 0 : 2;

  // Two rows at a time, which stay in registers.
  void FormM(std::size_t k, const Columns& A, const Columns& B) {
    static_assert(kDof % 2 == 0);
    M_.setIdentity();
    for (int i = 0; i < kDof; i += 2) {
      Scalar upper[kDof], lower[kDof];
#pragma GCC unroll 6
      for (int j = 0; j < kDof; ++j) upper[j] = M_(i, j), lower[j] = M_(i + 1, j);
      for (std::size_t p = 0; p < k; ++p) {
        const Scalar above = inverse_D_[p] * B[p][i], below = inverse_D_[p] * B[p][i + 1];
#pragma GCC unroll 6
        for (int j = 0; j < kDof; ++j) {
          upper[j] += A[p][j] * above;
          lower[j] += A[p][j] * below;
        }
      }
#pragma GCC unroll 6
      for (int j = 0; j < kDof; ++j) M_(i, j) = upper[j], M_(i + 1, j) = lower[j];
    }
  }

  // M = L U by rows, with partial pivoting. M⁻¹ would not do: where D is small its rounding is as large as x.
  bool Factor(std::size_t k, const Columns& A, const Columns& B) {
    FormM(k, A, B);
    for (int c = 0; c < kDof; ++c) {
      int best = c;
      for (int i = c + 1; i < kDof; ++i) {
        if (Abs(M_(i, c)) > Abs(M_(best, c))) best = i;
      }
      swapped_[static_cast<std::size_t>(c)] = best;
      if (best != c) M_.row(c).swap(M_.row(best));
      const Scalar inverse = Scalar(1) / M_(c, c);
      if (!IsFinite(inverse)) return false;
      for (int i = c + 1; i < kDof; ++i) {
        const Scalar share = M_(i, c) * inverse;
        M_(i, c) = share;
        for (int j = c + 1; j < kDof; ++j) M_(i, j) -= share * M_(c, j);
      }
    }
    return true;
  }

  // M w = g
  Vector SolveM(Vector w) const {
    for (int c = 0; c < kDof; ++c) {
      const int other = swapped_[static_cast<std::size_t>(c)];
      const Scalar pivot = w(other);
      w(other) = w(c);
      w(c) = pivot;
    }
    for (int i = 1; i < kDof; ++i) {
      for (int j = 0; j < i; ++j) w(i) -= M_(i, j) * w(j);
    }
    for (int i = kDof - 1; i >= 0; --i) {
      for (int j = i + 1; j < kDof; ++j) w(i) -= M_(i, j) * w(j);
      w(i) /= M_(i, i);
    }
    return w;
  }

  Mat<Scalar, kDof, kDof> M_;  // L below, U above
  std::array<int, kDof> swapped_;
  Rows<Scalar> inverse_D_, rest_;
};

}  // namespace tactus::internal
