#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakePlanarLarge(ScalarKind scalar) { return MakeCompiledSolver<kPlanarLarge>(scalar); }

}  // namespace tactus::host
