#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeSpatialLarge(ScalarKind scalar) { return MakeCompiledSolver<kSpatialLarge>(scalar); }

}  // namespace tactus::host
