#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakePlanarCompliant(ScalarKind scalar) {
  return MakeCompiledSolver<kPlanarCompliant>(scalar);
}

}  // namespace tactus::host
