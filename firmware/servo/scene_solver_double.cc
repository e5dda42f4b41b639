#include "firmware/servo/servo_tick.h"

namespace tactus {

template void ContactSolver<double, kSceneCapacity>::Solve(const PhysicalProblem&, const SolverOptions<double>&,
                                                           Solution*) noexcept;

}  // namespace tactus
