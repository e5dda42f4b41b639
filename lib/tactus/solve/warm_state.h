#pragma once
#include <cstdint>

#include "tactus/contact/contact_problem.h"
#include "tactus/solve/lemke/basis.h"

namespace tactus {

/// What one answer leaves to the next solve: of each contact its basis, tangent and impulses, by id. A plain value: it may
/// be saved, given to another solver of the same capacity, and shared between several.
template <class Scalar, Capacity kCapacity>
struct WarmState {
  struct Remembered {
    std::int32_t id;
    ContactBasis basis;
    Vec<Scalar, LinearSize(kCapacity.dof)> tangent;
    Scalar normal_Ns;
    Vec<Scalar, TangentSize(kCapacity.dof)> friction_Ns;  ///< along the tangent and, in space, normal × tangent
    Scalar rest_s;  ///< since it slipped last, where it has static friction (friction_law.h)
  };

  FixedVector<Remembered, kCapacity.contacts> contacts;
  int failures = 0;  ///< answers in a row that were not exact
};

}  // namespace tactus
