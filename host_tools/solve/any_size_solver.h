#pragma once
#include <memory>

#include "host_tools/solve/sized_solver.h"
#include "host_tools/solve/solver_registry.h"

namespace tactus::host {

/// An algorithm in the smallest of the capacities it is compiled for that holds the problem; one that none holds is refused
/// with the limit in the error. With `request.warm` it never goes back to a smaller one, because each capacity keeps its own
/// basis. What single precision does not solve is solved in double; the answer says so.
std::unique_ptr<ProblemSolver> MakeAnySizeSolver(const SizeList& compiled, const SolveRequest& request);

}  // namespace tactus::host
