#include "tests/solve/four_solver.h"

template class tactus::ContactSolver<double, tactus::test::kFour>;
template class tactus::ContactSolver<float, tactus::test::kFour>;
