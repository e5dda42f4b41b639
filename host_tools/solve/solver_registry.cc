#include "host_tools/solve/solver_registry.h"

#include <algorithm>
#include <iterator>

#include "host_tools/solve/lemke_reduced.h"

namespace tactus::host {
namespace {

constexpr SolverEntry kSolvers[] = {
    {"lemke_reduced", "Lemke's method on the reduced basis, friction rows expanded on demand, with the ladder of fallbacks",
     MakeLemkeReduced},
};

}  // namespace

std::span<const SolverEntry> Solvers() { return kSolvers; }

const SolverEntry* FindSolver(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kSolvers), std::end(kSolvers), [&](const SolverEntry& s) { return s.name == name; });
  return found == std::end(kSolvers) ? nullptr : found;
}

}  // namespace tactus::host
