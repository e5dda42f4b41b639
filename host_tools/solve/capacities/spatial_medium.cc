#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeSpatialMedium(ScalarKind scalar) { return MakeCompiledSolver<kSpatialMedium>(scalar); }

}  // namespace tactus::host
