#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/vector_loops.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::internal {

/// First pass of the ratio test below: how far the path may go, and which rows may block it.
template <class Scalar, std::size_t kSize>
struct HarrisPass {
  static_assert(kSize <= 32767, "places are kept as int16");

  Scalar longest;   ///< t^
  Scalar smallest;  ///< least |m'_p| of the candidates
  Scalar squares;   ///< Σ m'_p² of all rows, never below the square of the largest rate
  std::array<std::int16_t, kSize> candidates;
  int count;

  void Run(const Scalar* q, const Scalar* m, int size, Scalar slack, Scalar least_rate) {
    constexpr Scalar kMost = std::numeric_limits<Scalar>::max();
    Scalar t = kMost, minus_t = -kMost, least = kMost;
    std::int16_t* next = candidates.data();
    // One test for sign and length: for a rate ≥ 0 the right-hand side is ≤ 0. t^ only falls, so every row that blocks
    // before the final t^ is among the candidates kept on the way. When t^ falls by more than the slack can make up for,
    // none of them blocks any more.
    const auto visit = [&](int p) __attribute__((always_inline)) {
      const Scalar rate = m[p];
      if (!(q[p] <= rate * minus_t) || !(rate < -least_rate)) return;
      const Scalar end = (MaxNonNegative(Scalar(0), q[p]) + slack) / -rate;
      if ((t - end) * least > Scalar(2) * slack) {
        next = candidates.data();
        least = kMost;
      }
      *next++ = static_cast<std::int16_t>(p);
      t = MinPositive(t, end);
      minus_t = -t;
      least = MinPositive(least, -rate);
    };
    Four<Scalar> sums;
    int p = 0;
    for (; p + 4 <= size; p += 4) {
      const Four<Scalar> rates = Four<Scalar>::Load(m + p);
      sums.AddSquares(rates);
      if (!Four<Scalar>::Load(q + p).AnyAtMost(minus_t, rates)) continue;
      visit(p);
      visit(p + 1);
      visit(p + 2);
      visit(p + 3);
    }
    squares = sums.Sum();
    for (; p < size; ++p) {
      squares += m[p] * m[p];
      visit(p);
    }
    longest = t;
    smallest = least;
    count = static_cast<int>(next - candidates.data());
  }

  /// Whether all candidates' rates are above `part` of the largest rate; false also where the squares cannot tell.
  bool IsAbove(Scalar part) const { return smallest * smallest > part * part * squares; }
};

/// [Lloyd04] (18), s = argmin { -q'_p / m'_p : m'_p < 0 }, by Harris' two passes with z0 preferred (docs/theory, section
/// 6): first how far t^ the path may go if every row may be violated by τ_f S, then, of the rows that block before t^, z0 or
/// else the one with the largest rate.
///
/// @param[in]  q, m   values q' and rates m' of the basic variables, z0's at 0; pairs without one: q' = m' = 0, never blocks
/// @param[in]  scale  S, at least max q'
/// @param[out] step   how far the driving variable grows
/// @returns the place of the leaving variable; -1: nothing blocks
template <class Scalar, std::size_t kSize>
int FindLeavingVariable(const std::array<Scalar, kSize>& q_array, const std::array<Scalar, kSize>& m_array, int size,
                        Scalar scale, const RatioTolerances<Scalar>& tolerances, Scalar* step) {
  const Scalar *q = q_array.data(), *m = m_array.data();
  const Scalar slack = tolerances.feasible * scale;
  HarrisPass<Scalar, kSize> pass;
  // z0's rate is at most the largest rate, so this bound already skips most rates that are rounding.
  pass.Run(q, m, size, slack, tolerances.pivot * Abs(m[0]));
  if (!pass.IsAbove(tolerances.pivot)) {
    const Scalar least_rate = tolerances.pivot * LargestAbs(m, size);
    // Rare: a rate that is rounding was a candidate.
    if (pass.smallest < least_rate) pass.Run(q, m, size, slack, least_rate);
  }
  int leaving = -1;
  for (int c = 0; c < pass.count; ++c) {
    const int p = pass.candidates[c];
    if (MaxNonNegative(Scalar(0), q[p]) > -m[p] * pass.longest) continue;
    if (leaving < 0 || m[p] < m[leaving]) leaving = p;
    if (p == 0) break;  // z0 is the first candidate if it is one, and goes before all others
  }
  if (leaving >= 0) *step = Max(q[leaving], Scalar(0)) / -m[leaving];
  return leaving;
}

}  // namespace tactus::internal
