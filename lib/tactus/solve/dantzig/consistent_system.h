#pragma once
#include <array>
#include <utility>

#include "tactus/core/scalar.h"

namespace tactus::internal {

/// K x = r for a square K that may be singular, by elimination with complete pivoting: unknowns beyond the rank are zero.
template <class Scalar, int kMaxSize>
class ConsistentSystem {
 public:
  using Vector = std::array<Scalar, kMaxSize>;

  /// Row i of K; writable until Solve().
  Scalar* row(int i) { return &K_[i * kMaxSize]; }

  /// Destroys K. @param[in,out] x  in: r; out: x
  /// @returns max |K x - r| of the rows beyond the rank: 0 up to rounding when r is in the column space.
  Scalar Solve(int size, Scalar singular, Vector* x) {
    Vector& r = *x;
    for (int i = 0; i < size; ++i) column_[i] = row_[i] = i;
    int rank = 0;
    Scalar first(0);
    for (; rank < size; ++rank) {
      const Scalar pivot = BringPivot(rank, size, &r);
      if (rank == 0) first = pivot;
      if (!(pivot > singular * first)) break;
      Eliminate(rank, size, &r);
    }
    Scalar inconsistent(0);
    inconsistent_row_ = -1;
    for (int i = rank; i < size; ++i) {
      if (Abs(r[i]) > inconsistent || r[i] != r[i]) {  // a NaN stays
        inconsistent = Abs(r[i]);
        inconsistent_row_ = row_[i];
      }
      r[i] = Scalar(0);
    }
    for (int k = rank - 1; k >= 0; --k) {
      for (int j = k + 1; j < rank; ++j) r[k] -= row(k)[j] * r[j];
      r[k] /= row(k)[k];
    }
    solution_ = r;
    for (int i = 0; i < size; ++i) r[column_[i]] = solution_[i];
    return inconsistent;
  }

  /// The row of which the last Solve() left most over; -1: of none.
  int inconsistent_row() const { return inconsistent_row_; }

 private:
  // The largest element of what is left comes to (k, k). @returns its size.
  Scalar BringPivot(int k, int size, Vector* r) {
    int at_row = k, at_column = k;
    Scalar most(0);
    for (int i = k; i < size; ++i) {
      const Scalar* K = row(i);
      for (int j = k; j < size; ++j) {
        if (!(Abs(K[j]) > most)) continue;
        most = Abs(K[j]);
        at_row = i;
        at_column = j;
      }
    }
    for (int j = k; j < size && at_row != k; ++j) std::swap(row(k)[j], row(at_row)[j]);
    if (at_row != k) std::swap((*r)[k], (*r)[at_row]);
    std::swap(row_[k], row_[at_row]);
    for (int i = 0; i < size && at_column != k; ++i) std::swap(row(i)[k], row(i)[at_column]);
    std::swap(column_[k], column_[at_column]);
    return most;
  }

  void Eliminate(int k, int size, Vector* r) {
    const Scalar* source = row(k);
    for (int i = k + 1; i < size; ++i) {
      Scalar* target = row(i);
      if (target[k] == Scalar(0)) continue;
      const Scalar factor = target[k] / source[k];
      for (int j = k + 1; j < size; ++j) target[j] -= factor * source[j];
      (*r)[i] -= factor * (*r)[k];
    }
  }

  std::array<Scalar, kMaxSize * kMaxSize> K_;
  std::array<int, kMaxSize> row_, column_;  // as they were given
  int inconsistent_row_ = -1;
  Vector solution_;
};

}  // namespace tactus::internal
