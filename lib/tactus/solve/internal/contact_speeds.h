#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/solve/internal/lanes.h"

namespace tactus::internal {

template <class Problem>
struct ContactSpeeds {
  typename Problem::Scalar normal;    ///< Nᵀu
  typename Problem::Tangential slip;  ///< (Xᵀu, Yᵀu)
};

/// Two numbers, added and multiplied one by one: the same bits whether the processor has vectors or not.
template <class Scalar>
using TwoLanes [[gnu::vector_size(2 * sizeof(Scalar))]] = Scalar;

template <class Scalar>
TwoLanes<Scalar> LoadTwo(const Scalar* from) {
  return LoadLanes<TwoLanes<Scalar>>(from);
}

/// All products of one contact with u in one pass, by pairs of rows: what a scan over the contacts spends its time with.
template <class Problem>
ContactSpeeds<Problem> SpeedsAt(const typename Problem::ContactRow& contact, const typename Problem::Velocity& u) {
  using Scalar = typename Problem::Scalar;
  if constexpr (Problem::kDof % 2 != 0) {
    return {Problem::Dot(contact, contact.N, u), Problem::TangentDot(contact, u)};
  } else {
    TwoLanes<Scalar> normal{}, slip_x{}, slip_y{};
    for (int block = 0; block < Problem::kBlocks; ++block) {
      const int offset = Problem::kBlocks == 1 ? 0 : contact.offset[static_cast<std::size_t>(block)];
      if (offset < 0) continue;
      const int first = block * Problem::kDof;
#pragma GCC unroll 3
      for (int k = 0; k < Problem::kDof; k += 2) {
        const TwoLanes<Scalar> u_k = LoadTwo(u.data() + offset + k);
        normal += LoadTwo(contact.N.data() + first + k) * u_k;
        slip_x += LoadTwo(contact.T.data() + first + k) * u_k;
        slip_y += LoadTwo(contact.T.data() + Problem::kRow + first + k) * u_k;
      }
    }
    return {normal[0] + normal[1], typename Problem::Tangential(slip_x[0] + slip_x[1], slip_y[0] + slip_y[1])};
  }
}

}  // namespace tactus::internal
