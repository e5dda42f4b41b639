#pragma once
#include "tactus/haptic/tick.h"

namespace tactus {

// The tick of the servo loop is compiled once for each scalar, in servo_tick_double.cc and servo_tick_float.cc; a board
// links only the one that it uses.
extern template Status Tick<double, kServoCapacity>(const SensorFrame&, const Config<double>&,
                                                    State<double, kServoCapacity>*, CommandFrame*,
                                                    Telemetry<double>*) noexcept;
extern template Status Tick<float, kServoCapacity>(const SensorFrame&, const Config<float>&, State<float, kServoCapacity>*,
                                                   CommandFrame*, Telemetry<float>*) noexcept;

// Nor does a board's tick hold the solver of several bodies: scene_solver_double.cc and scene_solver_float.cc.
#ifdef TACTUS_SCENE_SOLVER_APART
extern template void ContactSolver<double, kSceneCapacity>::Solve(const PhysicalProblem&, const SolverOptions<double>&,
                                                                  Solution*) noexcept;
extern template void ContactSolver<float, kSceneCapacity>::Solve(const PhysicalProblem&, const SolverOptions<float>&,
                                                                 Solution*) noexcept;
#endif

}  // namespace tactus
