#include "bench/anitescu_hart/pile.h"

#include "bench/anitescu_hart/pile_run.h"

namespace tactus::bench {

const char* Name(PileSolver solver) {
  switch (solver) {
    case PileSolver::kLcp0: return "LCP0";
    case PileSolver::kLcp1: return "LCP1";
    case PileSolver::kLcp2: return "LCP2";
  }
  return "unknown";
}

PileRun RunPile(const PileSpec& spec, PileSolver solver, const PileRunOptions& options) {
  if (spec.disks() <= kPile21.bodies) return RunPileOf<kPile21>(spec, solver, options);
  if (spec.disks() <= kPile136.bodies) return RunPileOf<kPile136>(spec, solver, options);
  if (spec.disks() <= kPile210.bodies) return RunPileOf<kPile210>(spec, solver, options);
  throw BenchError(fmt::format("a pile of {} disks is more than the bench is compiled for", spec.disks()));
}

std::vector<double> Lcp1Changes(const PileSpec& spec, int most) {
  std::vector<double> changes;
  for (int iterations = 1; iterations <= most; ++iterations) {
    const PileRun run = RunPile(spec, PileSolver::kLcp1, {.least_timed_s = 0, .most_convex_steps = iterations});
    changes.push_back(run.first.change);
    if (run.first.convex_steps < iterations || run.first.solved) break;
  }
  return changes;
}

}  // namespace tactus::bench
