#pragma once
#include "tactus/solve/contact_solver.h"
#include "tests/contact/scenes.h"

// Compiled in small_solver.cc alone: it takes half a minute.
extern template class tactus::ContactSolver<double, tactus::test::kSmall>;
extern template class tactus::ContactSolver<float, tactus::test::kSmall>;
