#pragma once
#include <array>
#include <cstdint>

#include "tactus/core/scalar.h"

namespace tactus::internal {

/// M w = g for a matrix of kDof × kDof blocks, one row and one column of blocks a body. A block is there where two bodies
/// have to do with each other, or where elimination fills it: the cost grows with the contacts, not with the bodies' cube.
/// Bodies are eliminated in the order of fewest neighbours left, with row pivoting inside the body's own block.
template <class Scalar, int kDof, std::size_t kBodies>
class BodyBlocks {
 public:
  static constexpr std::size_t kSide = static_cast<std::size_t>(kDof), kNumbers = kSide * kSide;

  /// Forgets all blocks. Then Take() for each body and Link() for each two, Arrange(), and the blocks themselves.
  void Clear(int bodies) {
    bodies_ = static_cast<std::size_t>(bodies);
    for (std::size_t k = 0; k < bodies_; ++k) {
      for (std::size_t l = 0; l < bodies_; ++l) is_linked_[k][l] = false;
    }
  }
  void Take(std::size_t k) { is_linked_[k][k] = true; }
  void Link(std::size_t k, std::size_t l) {
    is_linked_[k][l] = is_linked_[l][k] = is_linked_[k][k] = is_linked_[l][l] = true;
  }

  /// The order, with the blocks that elimination fills. All blocks are those of 1.
  void Arrange() {
    taken_ = products_ = blocks_ = 0;
    std::array<bool, kBodies> is_left;
    for (std::size_t k = 0; k < bodies_; ++k) is_left[k] = is_linked_[k][k];
    for (std::size_t k = NextOf(is_left); k < bodies_; k = NextOf(is_left)) {
      is_left[k] = false;
      order_[taken_++] = static_cast<std::int16_t>(k);
      std::size_t later = 0;
      for (std::size_t l = 0; l < bodies_; ++l) {
        if (!is_left[l] || !is_linked_[k][l]) continue;
        ++later;
        for (std::size_t m = 0; m < bodies_; ++m) {
          if (m != l && is_left[m] && is_linked_[k][m]) is_linked_[l][m] = true;
        }
      }
      products_ += later * later;
      blocks_ += later;
    }
    SetToOne();
  }

  /// Bodies that take part, blocks beside the diagonal, and products of two blocks in the elimination.
  int taken() const { return static_cast<int>(taken_); }
  int blocks() const { return static_cast<int>(blocks_); }
  int products() const { return static_cast<int>(products_); }

  /// Row by row.
  Scalar* block(std::size_t k, std::size_t l) { return M_[k * kBodies + l].data(); }
  const Scalar* block(std::size_t k, std::size_t l) const { return M_[k * kBodies + l].data(); }

  /// Where only the lower half of the diagonal blocks and the block (l, k) of two linked bodies k < l are set: the rest.
  void Mirror() {
    for (std::size_t p = 0; p < taken_; ++p) {
      const std::size_t k = At(p);
      Scalar* const own = block(k, k);
      for (std::size_t i = 0; i < kSide; ++i) {
        for (std::size_t j = i + 1; j < kSide; ++j) own[i * kSide + j] = own[j * kSide + i];
      }
      for (std::size_t l = k + 1; l < bodies_; ++l) {
        if (is_linked_[k][l]) Transpose(block(l, k), block(k, l));
      }
    }
  }

  /// M = L U in place. @returns false: singular, or no longer finite
  bool Factor() {
    for (std::size_t p = 0; p < taken_; ++p) {
      const std::size_t k = At(p);
      if (!FactorBlock(k)) return false;
      for (std::size_t q = p + 1; q < taken_; ++q) {
        const std::size_t l = At(q);
        if (!is_linked_[k][l]) continue;
        SolveRows<kSide>(k, block(k, l));
        for (std::size_t r = p + 1; r < taken_; ++r) {
          if (is_linked_[At(r)][k]) SubtractProduct(block(At(r), k), block(k, l), block(At(r), l));
        }
      }
    }
    return true;
  }

  /// w := M⁻¹ w, of bodies that take part; the rest stays. After Factor().
  template <class Velocity>
  void Solve(Velocity* w) const {
    for (std::size_t p = 0; p < taken_; ++p) {
      const std::size_t k = At(p);
      SolveRows<1>(k, w->data() + k * kSide);
      for (std::size_t q = p + 1; q < taken_; ++q) {
        if (is_linked_[At(q)][k]) SubtractTimes(block(At(q), k), w->data() + k * kSide, w->data() + At(q) * kSide);
      }
    }
    for (std::size_t p = taken_; p-- > 0;) {
      const std::size_t k = At(p);
      for (std::size_t q = p + 1; q < taken_; ++q) {
        if (is_linked_[k][At(q)]) SubtractTimes(block(k, At(q)), w->data() + At(q) * kSide, w->data() + k * kSide);
      }
    }
  }

 private:
  std::size_t At(std::size_t place) const { return static_cast<std::size_t>(order_[place]); }

  // The body that is left with the fewest neighbours that are left; bodies_: none.
  std::size_t NextOf(const std::array<bool, kBodies>& is_left) const {
    std::size_t best = bodies_, fewest = kBodies + 1;
    for (std::size_t k = 0; k < bodies_; ++k) {
      if (!is_left[k]) continue;
      std::size_t neighbours = 0;
      for (std::size_t l = 0; l < bodies_; ++l) neighbours += is_left[l] && is_linked_[k][l] ? 1 : 0;
      if (neighbours >= fewest) continue;
      best = k;
      fewest = neighbours;
    }
    return best;
  }

  void SetToOne() {
    for (std::size_t p = 0; p < taken_; ++p) {
      const std::size_t k = At(p);
      for (std::size_t l = 0; l < bodies_; ++l) {
        if (is_linked_[k][l]) M_[k * kBodies + l].fill(Scalar(0));
      }
      for (std::size_t i = 0; i < kSide; ++i) block(k, k)[i * kSide + i] = Scalar(1);
    }
  }

  static void Transpose(const Scalar* from, Scalar* to) {
    for (std::size_t i = 0; i < kSide; ++i) {
      for (std::size_t j = 0; j < kSide; ++j) to[j * kSide + i] = from[i * kSide + j];
    }
  }

  bool FactorBlock(std::size_t k) {
    Scalar* const A = block(k, k);
    for (std::size_t c = 0; c < kSide; ++c) {
      std::size_t best = c;
      for (std::size_t i = c + 1; i < kSide; ++i) {
        if (Abs(A[i * kSide + c]) > Abs(A[best * kSide + c])) best = i;
      }
      swapped_[k][c] = static_cast<std::uint8_t>(best);
      for (std::size_t j = 0; best != c && j < kSide; ++j) {
        const Scalar entry = A[best * kSide + j];
        A[best * kSide + j] = A[c * kSide + j];
        A[c * kSide + j] = entry;
      }
      const Scalar inverse = Scalar(1) / A[c * kSide + c];
      if (!IsFinite(inverse)) return false;
      A[c * kSide + c] = inverse;
      for (std::size_t i = c + 1; i < kSide; ++i) {
        const Scalar share = A[i * kSide + c] * inverse;
        A[i * kSide + c] = share;
        for (std::size_t j = c + 1; j < kSide; ++j) A[i * kSide + j] -= share * A[c * kSide + j];
      }
    }
    return true;
  }

  // X := M_kk⁻¹ X, kWidth columns
  template <std::size_t kWidth>
  void SolveRows(std::size_t k, Scalar* X) const {
    const Scalar* const A = block(k, k);
    for (std::size_t c = 0; c < kSide; ++c) {
      const std::size_t other = swapped_[k][c];
      for (std::size_t j = 0; other != c && j < kWidth; ++j) {
        const Scalar entry = X[other * kWidth + j];
        X[other * kWidth + j] = X[c * kWidth + j];
        X[c * kWidth + j] = entry;
      }
    }
    for (std::size_t i = 1; i < kSide; ++i) {
      SubtractRows<kWidth>(A + i * kSide, X, 0, i, X + i * kWidth);
    }
    for (std::size_t i = kSide; i-- > 0;) {
      SubtractRows<kWidth>(A + i * kSide, X, i + 1, kSide, X + i * kWidth);
      for (std::size_t j = 0; j < kWidth; ++j) X[i * kWidth + j] *= A[i * kSide + i];
    }
  }

  // y -= Σ factor_q X_q, q from `first` to before `last`, in registers
  template <std::size_t kWidth>
  static void SubtractRows(const Scalar* factor, const Scalar* X, std::size_t first, std::size_t last, Scalar* y) {
    Scalar sum[kWidth];
#pragma GCC unroll 6
    for (std::size_t j = 0; j < kWidth; ++j) sum[j] = y[j];
    for (std::size_t q = first; q < last; ++q) {
      const Scalar f = factor[q];
#pragma GCC unroll 6
      for (std::size_t j = 0; j < kWidth; ++j) sum[j] -= f * X[q * kWidth + j];
    }
#pragma GCC unroll 6
    for (std::size_t j = 0; j < kWidth; ++j) y[j] = sum[j];
  }

  // C -= A B
  static void SubtractProduct(const Scalar* A, const Scalar* B, Scalar* C) {
    for (std::size_t i = 0; i < kSide; ++i) SubtractRows<kSide>(A + i * kSide, B, 0, kSide, C + i * kSide);
  }

  // y -= A x
  static void SubtractTimes(const Scalar* A, const Scalar* x, Scalar* y) {
    for (std::size_t i = 0; i < kSide; ++i) SubtractRows<1>(A + i * kSide, x, 0, kSide, y + i);
  }

  std::array<std::array<Scalar, kNumbers>, kBodies * kBodies> M_;  // L below, 1/U_ii on and U above the diagonal
  std::array<std::array<bool, kBodies>, kBodies> is_linked_;
  std::array<std::array<std::uint8_t, kSide>, kBodies> swapped_;
  std::array<std::int16_t, kBodies> order_;
  std::size_t bodies_ = 0, taken_ = 0, products_ = 0, blocks_ = 0;
};

}  // namespace tactus::internal
