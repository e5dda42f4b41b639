#pragma once
#include "tactus/solve/algebra/contact_speeds.h"

namespace tactus::internal {

// The products of a contact's columns with a velocity, where a pivot spends its time: for many bodies in vectors (six.h),
// for one body number by number, which fits a controller's registers.

template <class Problem>
inline constexpr bool kInVectors = Problem::kDof == 6 && Problem::kBlocks > 1;

/// aᵀv
template <class Problem>
typename Problem::Scalar RowDot(const typename Problem::ContactColumns& contact, const typename Problem::Column& a,
                                const typename Problem::Velocity& v) {
  if constexpr (kInVectors<Problem>) return ColumnDot<Problem>(contact, a, v);
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
void AddRow(const typename Problem::ContactColumns& contact, const typename Problem::Column& a,
            typename Problem::Scalar scale, typename Problem::Velocity* v) {
  if constexpr (kInVectors<Problem>) {
    AddColumn<Problem>(contact, a, scale, v);
  } else {
    Problem::AddTo(contact, a, scale, v);
  }
}

/// v := a
template <class Problem>
void SetRow(const typename Problem::ContactColumns& contact, const typename Problem::Column& a,
            typename Problem::Velocity* v) {
  if constexpr (Problem::kBlocks == 1) {
    *v = a;
  } else {
    v->setZero();
    AddRow<Problem>(contact, a, typename Problem::Scalar(1), v);
  }
}

}  // namespace tactus::internal
