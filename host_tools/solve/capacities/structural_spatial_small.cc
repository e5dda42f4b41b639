#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"
#include "tactus/solve/lemke_structural.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeStructuralSpatialSmall(ScalarKind scalar) {
  return MakeCompiledSolver<kSpatialSmall, LemkeStructural>(scalar);
}

}  // namespace tactus::host
