#include "firmware/servo/servo_tick.h"

namespace tactus {

template void ContactSolver<float, kSceneCapacity>::Solve(const PhysicalProblem&, const SolverOptions<float>&,
                                                          Solution*) noexcept;

}  // namespace tactus
