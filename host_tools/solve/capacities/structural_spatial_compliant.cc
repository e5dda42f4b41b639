#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"
#include "tactus/solve/lemke_structural.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeStructuralSpatialCompliant(ScalarKind scalar) {
  return MakeCompiledSolver<kSpatialCompliant, LemkeStructural>(scalar);
}

}  // namespace tactus::host
