#include "host_tools/solve/solver_registry.h"

#include <algorithm>
#include <iterator>

#include "host_tools/solve/capacity_solver.h"

namespace tactus::host {
namespace {

template <CompiledCapacities (*kCapacities)()>
std::unique_ptr<ProblemSolver> Make(const SolveRequest& request) {
  return MakeCapacitySolver(kCapacities(), request);
}

constexpr SolverEntry kSolvers[] = {
    {"lemke_reduced", "Lemke's method on the reduced basis, friction rows expanded on demand, with the ladder of fallbacks",
     Make<LemkeReducedCapacities>},
    {"lemke_structural", "the same with all friction rows from the start; always cold", Make<LemkeStructuralCapacities>},
    {"lemke_dense", "the same on the explicit tableau of all rows; always cold, small problems only",
     Make<LemkeDenseCapacities>},
    {"convex_step", "LCP2, the convex relaxation: loaded contacts that slip take off (theory 8)",
     Make<ConvexStepCapacities>},
    {"successive_convex", "LCP1, convex steps repeated until they solve the problem; small friction",
     Make<SuccessiveConvexCapacities>},
    {"dantzig", "Dantzig's algorithm, frictionless contacts", Make<DantzigCapacities>},
    {"dantzig_friction", "Baraff's contact forces with static friction; fails now and then",
     Make<DantzigFrictionCapacities>},
    {"impending_motion", "frictionless contacts by contact forces, least constraint and steepest descent, which must agree",
     Make<ImpendingMotionCapacities>},
};

}  // namespace

std::span<const SolverEntry> Solvers() { return kSolvers; }

const SolverEntry* FindSolver(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kSolvers), std::end(kSolvers), [&](const SolverEntry& s) { return s.name == name; });
  return found == std::end(kSolvers) ? nullptr : found;
}

}  // namespace tactus::host
