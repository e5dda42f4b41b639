#include "tests/solve/small_solver.h"

template class tactus::ContactSolver<double, tactus::test::kSmall>;
template class tactus::ContactSolver<float, tactus::test::kSmall>;
