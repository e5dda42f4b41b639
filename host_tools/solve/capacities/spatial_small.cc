#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeSpatialSmall(ScalarKind scalar) { return MakeCompiledSolver<kSpatialSmall>(scalar); }

}  // namespace tactus::host
