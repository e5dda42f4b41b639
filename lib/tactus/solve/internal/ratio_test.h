#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/core/scalar.h"
#include "tactus/solve/tolerances.h"

namespace tactus::internal {

/// max |x_p|, 0 for none. Four lanes, so that a maximum need not wait for the one before it.
template <class Scalar>
Scalar LargestAbs(const Scalar* x, int size) {
  Scalar largest[4] = {};
  int p = 0;
  for (; p + 4 <= size; p += 4) {
#pragma GCC unroll 4
    for (int lane = 0; lane < 4; ++lane) largest[lane] = MaxNonNegative(largest[lane], Abs(x[p + lane]));
  }
  for (; p < size; ++p) largest[0] = MaxNonNegative(largest[0], Abs(x[p]));
  return Max(Max(largest[0], largest[1]), Max(largest[2], largest[3]));
}

/// q += step m. @returns max |q_p|, 0 for none.
template <class Scalar>
Scalar AddScaled(Scalar step, const Scalar* m, int size, Scalar* q) {
  Scalar largest[4] = {};
  int p = 0;
  for (; p + 4 <= size; p += 4) {
#pragma GCC unroll 4
    for (int lane = 0; lane < 4; ++lane) {
      q[p + lane] += step * m[p + lane];
      largest[lane] = MaxNonNegative(largest[lane], Abs(q[p + lane]));
    }
  }
  for (; p < size; ++p) {
    q[p] += step * m[p];
    largest[0] = MaxNonNegative(largest[0], Abs(q[p]));
  }
  return Max(Max(largest[0], largest[1]), Max(largest[2], largest[3]));
}

/// First pass of the ratio test below: how far the path may go, and who may be what stops it.
template <class Scalar, std::size_t kSize>
struct HarrisPass {
  static_assert(kSize <= 32767, "places are kept as int16");

  Scalar longest = std::numeric_limits<Scalar>::max();   ///< t^
  Scalar smallest = std::numeric_limits<Scalar>::max();  ///< least |m'_p| of the candidates
  Scalar largest_rate{0};                                ///< max |m'_p| of all
  std::array<std::int16_t, kSize> candidates;
  int count = 0;

  void Run(const Scalar* q, const Scalar* m, int size, Scalar slack, Scalar least_rate) {
    Scalar largest[4] = {};  // in lanes, as in LargestAbs
    // One test for sign and length: for a rate ≥ 0 the right-hand side is ≤ 0. t^ only falls, so whoever blocks before it is
    // among those that are kept on the way, few.
    const auto visit = [&](int p, Scalar* lane) {
      *lane = MaxNonNegative(*lane, Abs(m[p]));
      const Scalar room = MaxNonNegative(Scalar(0), q[p]);
      if (!(room <= -m[p] * longest) || !(m[p] < -least_rate)) return;
      candidates[static_cast<std::size_t>(count++)] = static_cast<std::int16_t>(p);
      longest = MinPositive(longest, (room + slack) / -m[p]);
      smallest = Min(smallest, -m[p]);
    };
    int p = 0;
    for (; p + 4 <= size; p += 4) {
      visit(p, &largest[0]);
      visit(p + 1, &largest[1]);
      visit(p + 2, &largest[2]);
      visit(p + 3, &largest[3]);
    }
    for (; p < size; ++p) visit(p, &largest[0]);
    largest_rate = Max(Max(largest[0], largest[1]), Max(largest[2], largest[3]));
  }
};

/// [Lloyd04] (18), s = argmin { -q'_p / m'_p : m'_p < 0 }, by Harris' two passes with z0 preferred (docs/theory.md, section
/// 6): first how far t^ the path may go if every row may be violated by τ_f S, then, of the rows that block before t^, z0 or
/// else the one with the largest rate.
///
/// @param[in]  q, m   values q' and rates m' of the basic variables, z0's at 0; pairs without one: q' = m' = 0, never blocks
/// @param[in]  scale  S
/// @param[out] step   how far the driving variable grows
/// @returns the place of the leaving variable; -1: nothing blocks
template <class Scalar, std::size_t kSize>
int HarrisRatioTest(const std::array<Scalar, kSize>& q_array, const std::array<Scalar, kSize>& m_array, int size,
                    Scalar scale, const RatioTolerances<Scalar>& tolerances, Scalar* step) {
  const Scalar *q = q_array.data(), *m = m_array.data();
  const Scalar slack = tolerances.feasible * scale;
  HarrisPass<Scalar, kSize> pass;
  pass.Run(q, m, size, slack, Scalar(0));
  if (const Scalar least_rate = tolerances.pivot * pass.largest_rate; pass.smallest < least_rate) {
    pass = {};  // rarely: a rate that is rounding had a say
    pass.Run(q, m, size, slack, least_rate);
  }
  int leaving = -1;
  for (int c = 0; c < pass.count; ++c) {
    const int p = pass.candidates[static_cast<std::size_t>(c)];
    if (MaxNonNegative(Scalar(0), q[p]) > -m[p] * pass.longest) continue;
    if (leaving < 0 || m[p] < m[leaving]) leaving = p;
    if (p == 0) break;  // z0, the first candidate if it is one, goes before all others
  }
  if (leaving >= 0) *step = Max(q[leaving], Scalar(0)) / -m[leaving];
  return leaving;
}

}  // namespace tactus::internal
