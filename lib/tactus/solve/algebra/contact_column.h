#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/solve/algebra/vectors.h"

namespace tactus::internal {

/// A contact's slip: in space a pair (x, y), in the plane (x, 0).
template <class Problem>
using Slip = TwoLanes<typename Problem::Scalar>;

template <class Problem>
Slip<Problem> ToSlip(const typename Problem::Tangential& t) {
  if constexpr (Problem::kTangent == 2) return LoadTwo(t.data());
  return Slip<Problem>{t(0), 0};
}

/// The products of one block of a contact's row with the velocity of the block's body, block 0 or 1.
template <class Problem>
[[gnu::always_inline]] inline Six<typename Problem::Scalar> BlockProducts(const typename Problem::ContactColumns& contact,
                                                                          const typename Problem::Scalar* row, int block,
                                                                          const typename Problem::Velocity& u) {
  using Block = Six<typename Problem::Scalar>;
  const int offset = Problem::kBlocks == 1 ? 0 : contact.offset[block];
  return Block::Load(row + block * Problem::kDof) * Block::Load(u.data() + offset);
}

/// Whether the contact's second body is there and moves; the first one always does.
template <class Problem>
bool HasSecondBlock(const typename Problem::ContactColumns& contact) {
  if constexpr (Problem::kBlocks == 1)
    return false;
  else
    return contact.offset[1] >= 0;
}

template <class Problem>
struct ContactSpeeds {
  typename Problem::Scalar normal;  ///< Nᵀu
  Slip<Problem> slip;               ///< (Xᵀu, Yᵀu)
};

/// All products of one contact with u in one pass. A scan over the contacts spends its time here.
template <class Problem>
[[gnu::always_inline]] inline ContactSpeeds<Problem> SpeedsAt(const typename Problem::ContactColumns& contact,
                                                              const typename Problem::Velocity& u) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof != 6) {
    return {Problem::Dot(contact, contact.N, u), ToSlip<Problem>(Problem::TangentDot(contact, u))};
  } else {
    const Scalar *N = contact.N.data(), *X = contact.T.data(), *Y = X + Problem::kColumn;
    Six<Scalar> Nu = BlockProducts<Problem>(contact, N, 0, u), Xu = BlockProducts<Problem>(contact, X, 0, u),
                Yu = BlockProducts<Problem>(contact, Y, 0, u);
    if (HasSecondBlock<Problem>(contact)) {
      Nu = Nu + BlockProducts<Problem>(contact, N, 1, u);
      Xu = Xu + BlockProducts<Problem>(contact, X, 1, u);
      Yu = Yu + BlockProducts<Problem>(contact, Y, 1, u);
    }
    const TwoLanes<Scalar> normal = Nu.EvenAndOdd(), x = Xu.EvenAndOdd(), y = Yu.EvenAndOdd();
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
  const typename Problem::Tangential& d = problem.direction[j];
  if constexpr (Problem::kTangent == 2) return s[0] * d(0) + s[1] * d(1);
  return s[0] * d(0);
}

/// max_j -d_jᵀs, as in [AnitescuHart] (17). Of an even number of directions half are the others' opposites.
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

/// aᵀv of a contact's column, in sums of the even and the odd numbers
template <class Problem>
[[gnu::always_inline]] inline typename Problem::Scalar DotByPairs(const typename Problem::ContactColumns& contact,
                                                                  const typename Problem::Column& a,
                                                                  const typename Problem::Velocity& v) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof != 6) {
    return Problem::Dot(contact, a, v);
  } else {
    Six<Scalar> av = BlockProducts<Problem>(contact, a.data(), 0, v);
    if (HasSecondBlock<Problem>(contact)) av = av + BlockProducts<Problem>(contact, a.data(), 1, v);
    const TwoLanes<Scalar> sum = av.EvenAndOdd();
    return sum[0] + sum[1];
  }
}

/// v += scale · a for a contact's column, by pairs
template <class Problem>
void AddByPairs(const typename Problem::ContactColumns& contact, const typename Problem::Column& a,
                typename Problem::Scalar scale, typename Problem::Velocity* v) {
  using Block = Six<typename Problem::Scalar>;
  if constexpr (Problem::kDof != 6) {
    Problem::AddTo(contact, a, scale, v);
  } else {
    typename Problem::Scalar* first = v->data() + (Problem::kBlocks == 1 ? 0 : contact.offset[0]);
    (Block::Load(first) + scale * Block::Load(a.data())).Store(first);
    if (!HasSecondBlock<Problem>(contact)) return;
    typename Problem::Scalar* second = v->data() + contact.offset[Problem::kBlocks - 1];
    (Block::Load(second) + scale * Block::Load(a.data() + Problem::kDof)).Store(second);
  }
}

/// N_i + μ_i (t_x X_i + t_y Y_i), by pairs.
template <class Problem>
typename Problem::Column ConeColumn(const typename Problem::ContactColumns& contact, const typename Problem::Tangential& t) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof != 6) {
    return contact.N + contact.mu * Problem::TangentColumn(contact, t);
  } else {
    typename Problem::Column column;
    for (int k = 0; k < Problem::kColumn; k += 2) {
      TwoLanes<Scalar> tangent = t(0) * LoadTwo(contact.T.data() + k);
      tangent += t(1) * LoadTwo(contact.T.data() + Problem::kColumn + k);
      StoreLanes(LoadTwo(contact.N.data() + k) + contact.mu * tangent, column.data() + k);
    }
    return column;
  }
}

// The products of a contact's columns with a velocity, where a pivot spends its time: for many bodies in vectors (Six),
// for one body number by number, which fits a controller's registers.

template <class Problem>
inline constexpr bool kInVectors = Problem::kDof == 6 && Problem::kBlocks > 1;

/// aᵀv
template <class Problem>
typename Problem::Scalar Dot(const typename Problem::ContactColumns& contact, const typename Problem::Column& a,
                             const typename Problem::Velocity& v) {
  if constexpr (kInVectors<Problem>) return DotByPairs<Problem>(contact, a, v);
  return Problem::Dot(contact, a, v);
}

/// (Xᵀv, Yᵀv)
template <class Problem>
typename Problem::Tangential TangentDot(const typename Problem::ContactColumns& contact,
                                        const typename Problem::Velocity& v) {
  if constexpr (kInVectors<Problem>) {
    const Slip<Problem> slip = SpeedsAt<Problem>(contact, v).slip;  // what is not used costs nothing
    return {slip[0], slip[1]};
  } else {
    return Problem::TangentDot(contact, v);
  }
}

/// v += scale · a
template <class Problem>
void Add(const typename Problem::ContactColumns& contact, const typename Problem::Column& a, typename Problem::Scalar scale,
         typename Problem::Velocity* v) {
  if constexpr (kInVectors<Problem>) {
    AddByPairs<Problem>(contact, a, scale, v);
  } else {
    Problem::AddTo(contact, a, scale, v);
  }
}

/// v := a
template <class Problem>
void Set(const typename Problem::ContactColumns& contact, const typename Problem::Column& a, typename Problem::Velocity* v) {
  if constexpr (Problem::kBlocks == 1) {
    *v = a;
  } else {
    v->setZero();
    Add<Problem>(contact, a, typename Problem::Scalar(1), v);
  }
}

}  // namespace tactus::internal
