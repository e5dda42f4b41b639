#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeSpatialCompliant(ScalarKind scalar) {
  return MakeCompiledSolver<kSpatialCompliant>(scalar);
}

}  // namespace tactus::host
