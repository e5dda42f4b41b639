#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakePlanarMedium(ScalarKind scalar) { return MakeCompiledSolver<kPlanarMedium>(scalar); }

}  // namespace tactus::host
