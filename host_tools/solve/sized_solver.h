#pragma once
#include <memory>
#include <span>

#include "host_tools/solve/problem_solver.h"
#include "tactus/core/capacity.h"

namespace tactus::host {

/// A solver of one capacity, with its problem and its solution.
class SizedSolver {
 public:
  virtual ~SizedSolver() = default;

  /// Solves a problem that fits. Every outcome is in the answer, as in ProblemSolver::Solve.
  SolutionDocument Solve(const ProblemDocument& problem, const SolveRequest& request) { return DoSolve(problem, request); }

 private:
  virtual SolutionDocument DoSolve(const ProblemDocument& problem, const SolveRequest& request) = 0;
};

/// A capacity for which an algorithm is compiled.
struct Size {
  Capacity capacity;
  std::unique_ptr<SizedSolver> (*make)(ScalarKind scalar);
};

/// Those of one algorithm, each at least as large as the one before.
struct SizeList {
  std::span<const Size> spatial, planar;
};

SizeList LemkeReducedSizes();
SizeList LemkeStructuralSizes();
SizeList LemkeDenseSizes();
SizeList ConvexStepSizes();
SizeList SuccessiveConvexSizes();
SizeList DantzigSizes();
SizeList DantzigFrictionSizes();
SizeList ImpendingMotionSizes();

/// Whether `capacity` holds `problem`. (What makes no sense at all, such as -1 directions, is left to Validate.)
bool Holds(const Capacity& capacity, const ProblemDocument& problem);

}  // namespace tactus::host
