#pragma once
#include <memory>
#include <span>

#include "host_tools/solve/problem_document.h"
#include "host_tools/solve/solution_document.h"
#include "host_tools/solve/solver_registry.h"
#include "tactus/core/capacity.h"

namespace tactus::host {

/// A solver of one capacity, with its problem and its solution.
class CompiledSolver {
 public:
  virtual ~CompiledSolver() = default;

  /// Solves a problem that fits. Every outcome is in the answer, as in ProblemSolver::Solve.
  SolutionDocument Solve(const ProblemDocument& problem, const SolveRequest& request) { return DoSolve(problem, request); }

 private:
  virtual SolutionDocument DoSolve(const ProblemDocument& problem, const SolveRequest& request) = 0;
};

/// A capacity for which an algorithm is compiled; each in a source file of its own, because each takes long to compile.
struct CompiledCapacity {
  Capacity capacity;
  std::unique_ptr<CompiledSolver> (*make)(ScalarKind scalar);
};

/// Those of one algorithm, each at least as large as the one before.
struct CompiledCapacities {
  std::span<const CompiledCapacity> spatial, planar;
};

CompiledCapacities LemkeReducedCapacities();
CompiledCapacities LemkeStructuralCapacities();
CompiledCapacities LemkeDenseCapacities();
CompiledCapacities ConvexStepCapacities();
CompiledCapacities SuccessiveConvexCapacities();
CompiledCapacities DantzigCapacities();
CompiledCapacities DantzigFrictionCapacities();
CompiledCapacities ImpendingMotionCapacities();

/// Whether `capacity` holds `problem`. (What makes no sense at all, such as -1 directions, is left to Validate.)
bool Holds(const Capacity& capacity, const ProblemDocument& problem);

}  // namespace tactus::host
