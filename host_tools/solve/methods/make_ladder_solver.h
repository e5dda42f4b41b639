#pragma once
#include <memory>

#include "host_tools/solve/sized_solver.h"

namespace tactus::host {

/// ContactSolver with a form of Lemke's algorithm, for a table of sizes. CMake makes a source for each capacity, because
/// each takes long to compile.
template <Capacity kCapacity, template <class, Capacity> class Lemke>
std::unique_ptr<SizedSolver> MakeLadderSolver(ScalarKind scalar);

}  // namespace tactus::host
