#include "host_tools/solve/solver_registry.h"

#include <algorithm>
#include <iterator>

#include "host_tools/solve/any_size_solver.h"

namespace tactus::host {
namespace {

template <SizeList (*kCapacities)()>
std::unique_ptr<ProblemSolver> Make(const SolveRequest& request) {
  return MakeAnySizeSolver(kCapacities(), request);
}

constexpr SolverEntry kSolvers[] = {
    {"lemke_reduced", "Lemke's method on the reduced basis, friction rows expanded on demand, with the ladder of fallbacks",
     Make<LemkeReducedSizes>},
    {"lemke_structural", "the same with all friction rows from the start; always cold", Make<LemkeStructuralSizes>},
    {"lemke_dense", "the same on the explicit tableau of all rows; always cold, small problems only", Make<LemkeDenseSizes>},
    {"convex_step", "LCP2, the convex relaxation: loaded contacts that slip take off (theory 8)", Make<ConvexStepSizes>},
    {"successive_convex", "LCP1, convex steps repeated until they solve the problem; small friction",
     Make<SuccessiveConvexSizes>},
    {"dantzig", "Dantzig's algorithm, frictionless contacts", Make<DantzigSizes>},
    {"dantzig_friction", "Baraff's contact forces with static friction; fails now and then", Make<DantzigFrictionSizes>},
    {"impending_motion", "frictionless contacts by contact forces, least constraint and steepest descent, which must agree",
     Make<ImpendingMotionSizes>},
};

}  // namespace

std::span<const SolverEntry> Solvers() { return kSolvers; }

const SolverEntry* FindSolver(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kSolvers), std::end(kSolvers), [&](const SolverEntry& s) { return s.name == name; });
  return found == std::end(kSolvers) ? nullptr : found;
}

}  // namespace tactus::host
