#include "bench/lloyd/stack_growth.h"

#include <memory>

#include "bench/measure/whitened.h"
#include "bench/scenes/scenes.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"

namespace tactus::bench {
namespace {

constexpr int kWrenches = 20;

template <int bodies>
StackPoint MeasureStack(const BenchOptions& options, const Timing& timing, LuYardstick* lu) {
  constexpr int kContacts = 4 * bodies;
  constexpr Capacity kCapacity{.bodies = bodies, .contacts = kContacts, .joints = 0, .directions = 8, .dof = 6};
  StackPoint point{.bodies = bodies, .contacts = kContacts, .pivots = {}, .time_us = {}, .beats = {}};
  const auto problem = std::make_unique<WhitenedProblem<double, kCapacity>>();
  const auto impulses = std::make_unique<WhitenedImpulses<double, kCapacity>>();
  const auto lemke = std::make_unique<LemkeReduced<double, kCapacity>>();
  Random random(options.seed * 1000003 + bodies);
  for (int wrench = 0; wrench < (options.quick ? 5 : kWrenches); ++wrench) {
    host::ProblemDocument document = Stack(std::vector<int>(bodies, 4), &random);
    Push(bodies - 1, 0.1, &random, &document);
    ToWhitened(document, problem.get());
    const int limit = lemke->PivotLimit(*problem);
    LemkeReport report;
    const double time_us = 1e-3 * MedianNanoseconds(timing, [&] {
                             report = lemke->SolveCold(*problem, 0, limit);
                             Keep(*lemke);
                           });
    lemke->GetImpulses(*problem, impulses.get());
    const bool solved = report.outcome == LemkeOutcome::kSolved;
    point.failures += !solved || !(ComplementarityResidual(*problem, *impulses) <= Tolerances<double>::kAccept);
    point.pivots.push_back(report.pivots);
    point.time_us.push_back(time_us);
    point.beats.push_back(time_us / lu->Beat_us());
  }
  return point;
}

template <int... bodies>
std::vector<StackPoint> MeasureStacks(const BenchOptions& options, const Timing& timing, LuYardstick* lu) {
  return {MeasureStack<bodies>(options, timing, lu)...};
}

}  // namespace

std::vector<StackPoint> MeasureStackGrowth(const BenchOptions& options, const Timing& timing, LuYardstick* lu) {
  return MeasureStacks<1, 2, 3, 4, 6, 8, 12, 16>(options, timing, lu);
}

}  // namespace tactus::bench
