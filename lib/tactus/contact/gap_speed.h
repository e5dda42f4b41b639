#pragma once
#include "tactus/contact/contact_problem.h"
#include "tactus/core/scalar.h"

namespace tactus::internal {

/// Φ/h, the speed at which a gap closes in the step; an overlap is undone no faster than `max_push_out_mps`, where that is
/// > 0 (theory 1, penetration). A contact that yields is a spring: its overlap is its force, and no bound is on it.
template <Capacity kCapacity, class Scalar>
Scalar GapSpeed(const Contact<Scalar, kCapacity.dof>& contact, Scalar step_s, Scalar max_push_out_mps) {
  const Scalar speed = contact.gap_m / step_s;
  if constexpr (kCapacity.compliant) {
    if (contact.compliance_mps_per_Ns > Scalar(0)) return speed;
  }
  return max_push_out_mps > Scalar(0) ? Max(speed, -max_push_out_mps) : speed;
}

}  // namespace tactus::internal
