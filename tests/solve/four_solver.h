#pragma once
#include "tactus/solve/contact_solver.h"

namespace tactus::test {

/// A stack, or islands.
inline constexpr Capacity kFour{.bodies = 4, .contacts = 16, .joints = 4, .directions = 8, .dof = 6};

}  // namespace tactus::test

// Compiled in four_solver.cc alone: it takes most of a minute.
extern template class tactus::ContactSolver<double, tactus::test::kFour>;
extern template class tactus::ContactSolver<float, tactus::test::kFour>;
