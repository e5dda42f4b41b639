#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/compiled_solver.h"
#include "tactus/solve/lemke_dense.h"

namespace tactus::host {

std::unique_ptr<CompiledSolver> MakeDensePlanar(ScalarKind scalar) {
  return MakeCompiledSolver<kPlanarDense, LemkeDense>(scalar);
}

}  // namespace tactus::host
