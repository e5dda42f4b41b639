#pragma once
#include <memory>

#include "host_tools/solve/solver_registry.h"

namespace tactus::host {

/// tactus::ContactSolver in the smallest of the compiled capacities that holds the problem. With `request.warm` it never
/// goes back to a smaller one, because each capacity keeps its own basis.
std::unique_ptr<ProblemSolver> MakeLemkeReduced(const SolveRequest& request);

}  // namespace tactus::host
