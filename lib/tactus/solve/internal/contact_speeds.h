#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/solve/internal/lanes.h"

namespace tactus::internal {

/// Two numbers, added and multiplied one by one: the same bits whether the processor has vectors or not.
template <class Scalar>
using TwoLanes [[gnu::vector_size(2 * sizeof(Scalar))]] = Scalar;

template <class Scalar>
TwoLanes<Scalar> LoadTwo(const Scalar* from) {
  return LoadLanes<TwoLanes<Scalar>>(from);
}

/// A contact's slip: in space a pair (x, y), in the plane (x, 0).
template <class Problem>
using Slip = TwoLanes<typename Problem::Scalar>;

template <class Problem>
Slip<Problem> ToSlip(const typename Problem::Tangential& t) {
  if constexpr (Problem::kTangent == 2) return LoadTwo(t.data());
  return Slip<Problem>{t(0), 0};
}

template <class Problem>
struct ContactSpeeds {
  typename Problem::Scalar normal;  ///< Nᵀu
  Slip<Problem> slip;               ///< (Xᵀu, Yᵀu)
};

/// All products of one contact with u in one pass, by pairs of rows: what a scan over the contacts spends its time with.
template <class Problem>
[[gnu::always_inline]] inline ContactSpeeds<Problem> SpeedsAt(const typename Problem::ContactRow& contact,
                                                              const typename Problem::Velocity& u) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof % 2 != 0) {
    return {Problem::Dot(contact, contact.N, u), ToSlip<Problem>(Problem::TangentDot(contact, u))};
  } else {
    TwoLanes<Scalar> normal{}, x{}, y{};
#pragma GCC unroll 2
    for (int block = 0; block < Problem::kBlocks; ++block) {
      const int offset = Problem::kBlocks == 1 ? 0 : contact.offset[static_cast<std::size_t>(block)];
      if (block > 0 && offset < 0) continue;  // fixed; the first body never is
      const Scalar *N = contact.N.data() + block * Problem::kDof, *T = contact.T.data() + block * Problem::kDof;
#pragma GCC unroll 3
      for (int k = 0; k < Problem::kDof; k += 2) {
        const TwoLanes<Scalar> u_k = LoadTwo(u.data() + offset + k);
        const bool first = block == 0 && k == 0;
        const TwoLanes<Scalar> n_k = LoadTwo(N + k) * u_k, x_k = LoadTwo(T + k) * u_k,
                               y_k = LoadTwo(T + Problem::kRow + k) * u_k;
        normal = first ? n_k : normal + n_k;
        x = first ? x_k : x + x_k;
        y = first ? y_k : y + y_k;
      }
    }
    return {normal[0] + normal[1], TwoLanes<Scalar>{x[0], y[0]} + TwoLanes<Scalar>{x[1], y[1]}};
  }
}

/// |s|²
template <class Scalar>
Scalar SquaredLength(TwoLanes<Scalar> s) {
  const TwoLanes<Scalar> squares = s * s;
  return squares[0] + squares[1];
}

/// d_jᵀs
template <class Problem>
typename Problem::Scalar Along(const Problem& problem, int j, Slip<Problem> s) {
  const typename Problem::Tangential& d = problem.direction[static_cast<std::size_t>(j)];
  if constexpr (Problem::kTangent == 2) return s[0] * d(0) + s[1] * d(1);
  return s[0] * d(0);
}

/// max_j -d_jᵀs, as in (17). Of an even number of directions half are the others' opposites.
template <class Problem>
typename Problem::Scalar MostOpposed(const Problem& problem, Slip<Problem> s) {
  using Scalar = typename Problem::Scalar;
  const int d = problem.directions;
  Scalar most = -Along(problem, 0, s);
  if (d % 2 == 0) {
    most = Abs(most);
    for (int j = 1; j < d / 2; ++j) most = Max(most, Abs(Along(problem, j, s)));
  } else {
    for (int j = 1; j < d; ++j) most = Max(most, -Along(problem, j, s));
  }
  return most;
}

/// The j of MostOpposed().
template <class Problem>
int MostOpposedDirection(const Problem& problem, Slip<Problem> s) {
  using Scalar = typename Problem::Scalar;
  int best = 0;
  Scalar least = Along(problem, 0, s);
  for (int j = 1; j < problem.directions; ++j) {
    const Scalar along = Along(problem, j, s);
    if (along < least) best = j;
    least = Min(along, least);
  }
  return best;
}

/// aᵀv of a contact's column, by pairs.
template <class Problem>
[[gnu::always_inline]] inline typename Problem::Scalar ColumnDot(const typename Problem::ContactRow& contact,
                                                                 const typename Problem::Row& a,
                                                                 const typename Problem::Velocity& v) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof % 2 != 0) {
    return Problem::Dot(contact, a, v);
  } else {
    TwoLanes<Scalar> sum{};
#pragma GCC unroll 2
    for (int block = 0; block < Problem::kBlocks; ++block) {
      const int offset = Problem::kBlocks == 1 ? 0 : contact.offset[static_cast<std::size_t>(block)];
      if (offset < 0) continue;
#pragma GCC unroll 3
      for (int k = 0; k < Problem::kDof; k += 2) {
        sum += LoadTwo(a.data() + block * Problem::kDof + k) * LoadTwo(v.data() + offset + k);
      }
    }
    return sum[0] + sum[1];
  }
}

/// v += scale · a for a contact's column, by pairs.
template <class Problem>
void AddColumn(const typename Problem::ContactRow& contact, const typename Problem::Row& a, typename Problem::Scalar scale,
               typename Problem::Velocity* v) {
  if constexpr (Problem::kDof % 2 != 0) {
    Problem::AddTo(contact, a, scale, v);
  } else {
#pragma GCC unroll 2
    for (int block = 0; block < Problem::kBlocks; ++block) {
      const int offset = Problem::kBlocks == 1 ? 0 : contact.offset[static_cast<std::size_t>(block)];
      if (offset < 0) continue;
#pragma GCC unroll 3
      for (int k = 0; k < Problem::kDof; k += 2) {
        typename Problem::Scalar* v_k = v->data() + offset + k;
        StoreLanes(LoadTwo(v_k) + scale * LoadTwo(a.data() + block * Problem::kDof + k), v_k);
      }
    }
  }
}

/// N_i + μ_i (t_x X_i + t_y Y_i), by pairs.
template <class Problem>
typename Problem::Row ConeColumn(const typename Problem::ContactRow& contact, const typename Problem::Tangential& t) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof % 2 != 0) {
    return contact.N + contact.mu * Problem::TangentColumn(contact, t);
  } else {
    typename Problem::Row column;
    for (int k = 0; k < Problem::kRow; k += 2) {
      TwoLanes<Scalar> tangent = t(0) * LoadTwo(contact.T.data() + k);
      tangent += t(1) * LoadTwo(contact.T.data() + Problem::kRow + k);
      StoreLanes(LoadTwo(contact.N.data() + k) + contact.mu * tangent, column.data() + k);
    }
    return column;
  }
}

}  // namespace tactus::internal
