#pragma once
#include "tactus/solve/algebra/contact_column.h"

namespace tactus::internal {

// A velocity's numbers are always read and written by pairs. On processors with vectors a pair that is read right after its
// numbers were written one by one waits for memory.

/// Numbers at a time; one where there are no vectors, with the same bits.
template <class Problem>
inline constexpr int kVelocityStep = TACTUS_HAS_VECTORS&& Problem::kDof % 2 == 0 ? 2 : 1;

/// v := x
template <class Problem>
[[gnu::always_inline]] inline void Copy(const Problem&, const typename Problem::Velocity& x, typename Problem::Velocity* v) {
  __builtin_memcpy(v->data(), x.data(), sizeof x);
}

/// |v|²
template <class Problem>
[[gnu::always_inline]] inline typename Problem::Scalar SquaredNorm(const Problem& problem,
                                                                   const typename Problem::Velocity& v) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof != 6) {
    return v.squaredNorm();
  } else {
    TwoLanes<Scalar> sum_0{}, sum_1{}, sum_2{};
    for (int k = 0; k < problem.velocity_size(); k += 6) {
      const TwoLanes<Scalar> v_0 = LoadTwo(v.data() + k), v_1 = LoadTwo(v.data() + k + 2), v_2 = LoadTwo(v.data() + k + 4);
      sum_0 += v_0 * v_0;
      sum_1 += v_1 * v_1;
      sum_2 += v_2 * v_2;
    }
    const TwoLanes<Scalar> sum = sum_0 + sum_1 + sum_2;
    return sum[0] + sum[1];
  }
}

/// max_k |x_k - v_k|, NaN if one is
template <class Problem>
typename Problem::Scalar LargestDifference(const Problem& problem, const typename Problem::Velocity& x,
                                           const typename Problem::Velocity& v) {
  typename Problem::Scalar largest(0), sum(0);
  for (int k = 0; k < problem.velocity_size(); ++k) {
    const typename Problem::Scalar difference = Abs(x(k) - v(k));
    largest = Max(largest, difference);
    sum += difference;
  }
  return IsFinite(sum) ? largest : sum;
}

/// v := s x
template <class Problem>
[[gnu::always_inline]] inline void Scale(const Problem& problem, typename Problem::Scalar s,
                                         const typename Problem::Velocity& x, typename Problem::Velocity* v) {
  constexpr int kStep = kVelocityStep<Problem>;
  for (int k = 0; k < problem.velocity_size(); k += kStep) {
    if constexpr (kStep == 2) {
      StoreLanes(s * LoadTwo(x.data() + k), v->data() + k);
    } else {
      (*v)(k) = s * x(k);
    }
  }
}

/// v += s x
template <class Problem>
[[gnu::always_inline]] inline void AddScaled(const Problem& problem, typename Problem::Scalar s,
                                             const typename Problem::Velocity& x, typename Problem::Velocity* v) {
  constexpr int kStep = kVelocityStep<Problem>;
  for (int k = 0; k < problem.velocity_size(); k += kStep) {
    if constexpr (kStep == 2) {
      StoreLanes(LoadTwo(v->data() + k) + s * LoadTwo(x.data() + k), v->data() + k);
    } else {
      (*v)(k) += s * x(k);
    }
  }
}

/// v += Σ_q y_q x_q, q < count
template <class Problem, class Vectors, class Coefficients>
[[gnu::always_inline]] inline void AddCombination(const Problem& problem, const Vectors& x, const Coefficients& y, int count,
                                                  typename Problem::Velocity* v) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof != 6 || !TACTUS_HAS_VECTORS) {
    constexpr int kDof = Problem::kDof;
    for (int k = 0; k < problem.velocity_size(); k += kDof) {
      Scalar sum[kDof];
#pragma GCC unroll 6
      for (int i = 0; i < kDof; ++i) sum[i] = (*v)(k + i);
      for (int q = 0; q < count; ++q) {
        const Scalar y_q = y[q];
        const Scalar* x_q = x[q].data() + k;
#pragma GCC unroll 6
        for (int i = 0; i < kDof; ++i) sum[i] += y_q * x_q[i];
      }
#pragma GCC unroll 6
      for (int i = 0; i < kDof; ++i) (*v)(k + i) = sum[i];
    }
  } else {
    for (int k = 0; k < problem.velocity_size(); k += 6) {
      TwoLanes<Scalar> v_0 = LoadTwo(v->data() + k), v_1 = LoadTwo(v->data() + k + 2), v_2 = LoadTwo(v->data() + k + 4);
      for (int q = 0; q < count; ++q) {
        const Scalar y_q = y[q];
        const Scalar* x_q = x[q].data() + k;
        v_0 += y_q * LoadTwo(x_q);
        v_1 += y_q * LoadTwo(x_q + 2);
        v_2 += y_q * LoadTwo(x_q + 4);
      }
      StoreLanes(v_0, v->data() + k);
      StoreLanes(v_1, v->data() + k + 2);
      StoreLanes(v_2, v->data() + k + 4);
    }
  }
}

}  // namespace tactus::internal
