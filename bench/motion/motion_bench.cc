#include "bench/motion/motion_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/measure/whitened.h"
#include "bench/report/report.h"
#include "bench/scenes/scenes.h"
#include "host_tools/report/percentile.h"
#include "tactus/solve/dantzig/impending_motion.h"
#include "tactus/solve/judge/residual.h"

namespace tactus::bench {
namespace {

constexpr Capacity kCapacity{.bodies = 3, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};
using Impending = ImpendingMotion<double, kCapacity>;
using Problem = Impending::Problem;
using Result = Impending::Result;

constexpr int kMaxIterations = 1000;
constexpr double kAgreed = 1e-12;    // issue: equal where theory says so; of max(|k|, max λ)
constexpr double kVerified = 1e-10;  // residual of (16), (19), (20) of what is called found

// What one kind of system showed.
struct Tally {
  std::string kind{};
  int systems = 0, at_rest = 0, failed = 0, wrong = 0;
  std::vector<double> gauss{}, descent{}, gap{};  // against the contact forces; duality gap of (52)
};

struct Workspace {
  Impending impending;
  Problem problem;
};

host::ProblemDocument Make(int kind, Random* random) {
  constexpr std::array kStack{4, 8, 8};
  switch (kind) {
    case 0: return RandomBodies(1, random->Integer(1, 24), random);
    case 1: return RandomBodies(random->Integer(2, 3), random->Integer(2, 24), random);
    case 2: return Peg(2 * random->Integer(2, 12), random);
    case 3: return Situation(random->Integer(0, kSituations - 2), random);
    default: return Stack(std::span(kStack).first(static_cast<std::size_t>(random->Integer(1, 3))), random);
  }
}

double LargestForce(const Result& result) { return *std::max_element(result.force.theta.begin(), result.force.theta.end()); }

void Compare(Workspace* work, Tally* tally) {
  const Problem& problem = work->problem;
  const Result forces = work->impending.ByContactForces(problem, kMaxIterations);
  const Result gauss = work->impending.ByLeastConstraint(problem, kMaxIterations);
  const Result descent = work->impending.BySteepestDescent(problem, kMaxIterations);
  ++tally->systems;
  for (const Result* result : {&forces, &gauss, &descent}) {
    if (result->outcome == MotionOutcome::kFound) continue;
    ++tally->failed;
    return;
  }
  const double scale = std::max({problem.k.norm(), LargestForce(forces), LargestForce(gauss)});
  const double worst_residual = std::max(ComplementarityResidual(problem, forces.force),  // the acceleration is theirs
                                         ComplementarityResidual(problem, gauss.force));
  tally->wrong += !(worst_residual <= kVerified);
  tally->gauss.push_back((forces.acceleration - gauss.acceleration).norm() / scale);
  tally->gap.push_back(std::abs(DescentGap(problem, descent)) * problem.k.norm() / scale);
  const double length = forces.acceleration.norm();
  const Problem::Velocity p = descent.acceleration;
  tally->at_rest += p.norm() == 0;
  tally->descent.push_back((p * length - forces.acceleration).norm() / scale);
}

Table::Cell Median(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return host::Percentile(values, 0.5);
}
Table::Cell Worst(const std::vector<double>& values) {
  return values.empty() ? Table::Cell() : Table::Cell(*std::max_element(values.begin(), values.end()));
}

void AddRow(const Tally& t, Table* table) {
  table->AddRow({t.kind, t.systems, t.at_rest, t.failed, t.wrong, Median(t.gauss), Worst(t.gauss), Median(t.descent),
                 Worst(t.descent), Worst(t.gap)});
}

void AddTo(const Tally& part, Tally* all) {
  all->systems += part.systems;
  all->at_rest += part.at_rest;
  all->failed += part.failed;
  all->wrong += part.wrong;
  all->gauss.insert(all->gauss.end(), part.gauss.begin(), part.gauss.end());
  all->descent.insert(all->descent.end(), part.descent.begin(), part.descent.end());
  all->gap.insert(all->gap.end(), part.gap.begin(), part.gap.end());
}

Series Distribution(const std::string& label, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Series series{label, {}, true, false};
  for (std::size_t i = 0; i < values.size(); ++i) {
    series.points.emplace_back(100.0 * static_cast<double>(i + 1) / static_cast<double>(values.size()),
                               std::max(values[i], 1e-18));
  }
  return series;
}

}  // namespace

int RunMotion(const BenchOptions& options) {
  Report report("motion", "Impending motion: three formulations, one acceleration (Baraff and Mattikalli 1993)", options);
  const std::array kinds{"random, one body", "random, 2-3 bodies", "peg", "single bodies", "stack of 1-3"};
  const int each = options.quick ? 40 : 200;
  Table& table = report.AddTable("agreement", "Difference from the contact forces' acceleration, of max(|k|, max force)",
                                 {{"systems of"},
                                  {"systems"},
                                  {"at rest"},
                                  {"failed"},
                                  {"wrong"},
                                  {"Gauss median"},
                                  {"Gauss worst"},
                                  {"descent median"},
                                  {"descent worst"},
                                  {"duality gap worst"}});
  const std::unique_ptr<Workspace> work = std::make_unique<Workspace>();
  Tally all{.kind = "all"};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report.Progress(fmt::format("{}, {} systems", kinds[k], each));
    Tally tally{.kind = kinds[k]};
    for (int i = 0; i < each; ++i) {
      Random random(options.seed * 1000003 + static_cast<std::uint64_t>(1000 * static_cast<int>(k) + i));
      host::ProblemDocument document = Make(static_cast<int>(k), &random);
      RemoveFriction(&document);
      for (std::size_t b = 0; b < document.bodies.size(); ++b) Push(static_cast<int>(b), 0.04, &random, &document);
      ToWhitened(document, &work->problem);
      Compare(work.get(), &tally);
    }
    AddRow(tally, &table);
    AddTo(tally, &all);
  }
  AddRow(all, &table);
  const double worst = std::max(*std::max_element(all.gauss.begin(), all.gauss.end()), 0.0);
  if (all.failed > 0)
    report.Fault(fmt::format("{} of {} systems were not solved by every formulation", all.failed, all.systems));
  if (all.wrong > 0) report.Fault(fmt::format("{} answers do not satisfy their own conditions", all.wrong));
  if (worst > kAgreed)
    report.Fault(fmt::format("contact forces and least constraint differ by {:.1e}, more than 1e-12", worst));
  report.Note(
      "failed: not found by all three. wrong: the residual of (16), (19), (20) is above 1e-10. At rest the direction of "
      "steepest descent is not unique on |p| = 1; with |p| <= 1 it is p = 0, and equality is checked there too.");
  Plot plot("Differences, sorted", {"systems [%]", false}, {"difference, of max(|k|, max force); 0 at 1e-18", true});
  plot.Add(Distribution("least constraint", all.gauss));
  plot.Add(Distribution("steepest descent", all.descent));
  plot.Add(Distribution("duality gap of (52)", all.gap));
  report.AddPlot("differences", plot);
  return report.Finish();
}

}  // namespace tactus::bench
