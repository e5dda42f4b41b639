#pragma once
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/vector_loops.h"
#include "tactus/solve/dantzig/dantzig_system.h"
#include "tactus/solve/dantzig/dependence.h"
#include "tactus/solve/dantzig/row_ends.h"

namespace tactus::internal {

/// f_C = -A_CC⁻¹ b_C for a whole set S of contacts at once; C is S without those that depend on the ones before them.
/// RᵀR = A_CC row by row in the order of the indices, no further than the rows of A reach. Rows that do not reach the first
/// change of S are kept.
///
/// Columns are processed kWidth at a time; those up to the next multiple hold unused numbers.
template <class Scalar, int kSize>
class BlockFactor {
 public:
  using System = DantzigSystem<Scalar, kSize>;
  using Vector = std::array<Scalar, kSize>;

  int rank() const { return rank_; }                     ///< |C|
  int index(int c) const { return column_[place_[c]]; }  ///< the c-th of C
  Scalar pivot(int c) const { return pivot_[c]; }        ///< its Schur complement, of A_ii

  /// Forgets everything.
  void Clear() { columns_ = rank_ = kept_ = 0; }
  /// S is empty.
  void Begin() {
    last_columns_ = columns_;
    columns_ = kept_ = 0;
  }
  /// i, larger than all before, joins S.
  void Add(int i) {
    if (kept_ == columns_ && columns_ < last_columns_ && column_[columns_] == i) ++kept_;
    column_[columns_++] = i;
  }
  void Factor(const System& system, const RowEnds<kSize>& ends);
  /// f_C; the rest of f stays.
  void Solve(Vector* f);

 private:
  static constexpr int kWidth = 4;
  static constexpr int kParts = kWidth / kLanes<Scalar>;
  static constexpr int kStride = (kSize + kWidth - 1) / kWidth * kWidth;
  using Wide = std::array<Scalar, kStride>;

  static constexpr int Floor(int j) { return j / kWidth * kWidth; }
  static constexpr int Ceiling(int j) { return Floor(j + kWidth - 1); }

  int Keep(const RowEnds<kSize>& ends);
  void Form(const Vector& A_i, int j, int end);
  void FormBlock(const Vector& A_i, int j, int block, int first);
  bool IsIndependent(const System& system, int j);
  void Join(const System& system, int j, int end);
  void BackSubstitute();

  int columns_ = 0, last_columns_ = 0;
  int kept_ = 0;  // columns as in the last S
  int rank_ = 0;
  int first_;                             // row that reaches the column at hand
  std::array<int, kStride> column_;       // S
  std::array<int, kSize> place_, reach_;  // of row c of R: its own column; the end of those it reaches, a multiple of kWidth
  std::array<Wide, kSize> R_;
  Vector inverse_;  // 1/R_cc
  Vector pivot_;
  Vector right_;  // -R⁻ᵀ b_C
  Vector y_;      // what BackSubstitute() is given, by rows,
  Wide x_;        // and what it finds, by columns
};

template <class Scalar, int kSize>
void BlockFactor<Scalar, kSize>::Factor(const System& system, const RowEnds<kSize>& ends) {
  for (int j = columns_; j < Ceiling(columns_); ++j) column_[j] = column_[columns_ - 1];
  int end = first_ = 0;
  for (int j = Keep(ends); j < columns_; ++j) {
    const int i = column_[j];
    while (end < columns_ && column_[end] < ends.end(i)) ++end;
    while (first_ < rank_ && reach_[first_] <= j) ++first_;
    Form(system.A[i], j, end);
    if (IsIndependent(system, j)) Join(system, j, end);
  }
}

// @returns the column to go on with
template <class Scalar, int kSize>
int BlockFactor<Scalar, kSize>::Keep(const RowEnds<kSize>& ends) {
  const int changed = kept_ < columns_ ? column_[kept_] : kSize;
  int rows = 0;
  while (rows < rank_ && reach_[rows] <= kept_ && ends.end(index(rows)) <= changed) ++rows;
  rank_ = rows;
  return rows == 0 ? 0 : place_[rows - 1] + 1;
}

// R_cj := A_ij - Σ R_ki R_kj, k < c, for row c = |C| of contact i; still to be divided by R_ci.
template <class Scalar, int kSize>
void BlockFactor<Scalar, kSize>::Form(const Vector& A_i, int j, int end) {
  int first = first_;
  for (int block = Floor(j); block < end; block += kWidth) {
    while (first < rank_ && reach_[first] <= block) ++first;
    FormBlock(A_i, j, block, first);
  }
}

template <class Scalar, int kSize>
void BlockFactor<Scalar, kSize>::FormBlock(const Vector& A_i, int j, int block, int first) {
  Lanes<Scalar> sum[kParts];
#pragma GCC unroll 2
  for (int p = 0; p < kParts; ++p) sum[p] = GatherLanes(A_i.data(), &column_[block + p * kLanes<Scalar>]);
  for (int k = first; k < rank_; ++k) {
    const Scalar R_ki = R_[k][j];
#pragma GCC unroll 2
    for (int p = 0; p < kParts; ++p) sum[p] -= R_ki * Load<Scalar>(&R_[k][block + p * kLanes<Scalar>]);
  }
#pragma GCC unroll 2
  for (int p = 0; p < kParts; ++p) StoreLanes(sum[p], &R_[rank_][block + p * kLanes<Scalar>]);
}

template <class Scalar, int kSize>
bool BlockFactor<Scalar, kSize>::IsIndependent(const System& system, int j) {
  const Scalar schur = R_[rank_][j];
  Scalar sum = system.A[column_[j]][column_[j]];
  constexpr Dependence<Scalar> kDependence;
  if (!kDependence.IsClear(schur, sum)) {
    for (int k = 0; k < rank_; ++k) y_[k] = k < first_ ? Scalar(0) : R_[k][j];
    BackSubstitute();
    for (int c = 0; c < rank_; ++c) sum += x_[place_[c]] * x_[place_[c]] * system.A[index(c)][index(c)];
  }
  return kDependence.IsIndependent(schur, sum);
}

template <class Scalar, int kSize>
void BlockFactor<Scalar, kSize>::Join(const System& system, int j, int end) {
  const int i = column_[j], c = rank_++;
  Wide& R = R_[c];
  Scalar right = -system.b[i];
  for (int k = first_; k < c; ++k) right -= R_[k][j] * right_[k];
  pivot_[c] = R[j] / system.A[i][i];
  inverse_[c] = Scalar(1) / Sqrt(R[j]);
  right_[c] = inverse_[c] * right;
  place_[c] = j;
  reach_[c] = Ceiling(end);
  SetMultiple<kStride>(inverse_[c], &R[Floor(j)], reach_[c] - Floor(j), &R[Floor(j)]);
}

template <class Scalar, int kSize>
void BlockFactor<Scalar, kSize>::Solve(Vector* f) {
  for (int c = 0; c < rank_; ++c) y_[c] = right_[c];
  BackSubstitute();
  for (int c = 0; c < rank_; ++c) (*f)[index(c)] = x_[place_[c]];
}

// R x = y. What is not known yet of x is zero, and so is what it has no row for.
template <class Scalar, int kSize>
void BlockFactor<Scalar, kSize>::BackSubstitute() {
  for (int j = 0; j < Ceiling(columns_); ++j) x_[j] = Scalar(0);
  for (int c = rank_ - 1; c >= 0; --c) {
    Lanes<Scalar> sums{};
    for (int q = Floor(place_[c]); q < reach_[c]; q += kLanes<Scalar>)
      sums += Load<Scalar>(&R_[c][q]) * Load<Scalar>(&x_[q]);
    Scalar sum(0);
    for (int lane = 0; lane < kLanes<Scalar>; ++lane) sum += sums[lane];
    x_[place_[c]] = (y_[c] - sum) * inverse_[c];
  }
}

}  // namespace tactus::internal
