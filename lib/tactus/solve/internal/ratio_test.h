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
    for (int lane = 0; lane < 4; ++lane) largest[lane] = MaxNonNegative(largest[lane], Abs(x[p + lane]));
  }
  for (; p < size; ++p) largest[0] = MaxNonNegative(largest[0], Abs(x[p]));
  return Max(Max(largest[0], largest[1]), Max(largest[2], largest[3]));
}

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
  const Scalar least_rate = tolerances.pivot * LargestAbs(m, size);
  const Scalar slack = tolerances.feasible * scale;

  static_assert(kSize <= 32767, "places are kept as int16");
  std::array<std::int16_t, kSize> candidates;
  int count = 0;
  for (int p = 0; p < size; ++p) {  // without a branch: which rates are negative is as good as random
    candidates[static_cast<std::size_t>(count)] = static_cast<std::int16_t>(p);
    count += m[p] < -least_rate ? 1 : 0;
  }
  Scalar longest = std::numeric_limits<Scalar>::max();
  for (int c = 0; c < count; ++c) {
    const int p = candidates[static_cast<std::size_t>(c)];
    longest = MinPositive(longest, (Max(q[p], Scalar(0)) + slack) / -m[p]);
  }
  int leaving = -1;
  for (int c = 0; c < count; ++c) {
    const int p = candidates[static_cast<std::size_t>(c)];
    if (Max(q[p], Scalar(0)) > -m[p] * longest) continue;
    if (leaving < 0 || m[p] < m[leaving]) leaving = p;
    if (p == 0) break;  // z0, the first candidate if it is one, goes before all others
  }
  if (leaving >= 0) *step = Max(q[leaving], Scalar(0)) / -m[leaving];
  return leaving;
}

}  // namespace tactus::internal
