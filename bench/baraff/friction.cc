#include "bench/baraff/friction.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/measure/whitened.h"
#include "bench/scenes/scenes.h"
#include "tactus/solve/dantzig/dantzig_friction.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"

namespace tactus::bench {
namespace {

constexpr Capacity kPlanar{.bodies = 21, .contacts = 57, .joints = 0, .directions = 2, .dof = 3};
constexpr Capacity kSpatial{.bodies = 3, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};
constexpr int kMaxSteps = 6000;
constexpr double kAccept = 1e-8;  // theory section 6

// What Baraff's method did with one kind of problem, and Lemke's with the same.
struct Tally {
  int problems = 0, solved = 0, wrong = 0, unbounded = 0, step_limit = 0, violated = 0, orders = 0, given_up = 0, drives = 0;
  int lemke_solved = 0, lemke_wrong = 0;
  double worst_residual = 0;
};

template <Capacity kCapacity>
struct Work {
  WhitenedProblem<double, kCapacity> problem;
  DantzigFriction<double, kCapacity> baraff;
  LemkeReduced<double, kCapacity> lemke;
  WhitenedImpulses<double, kCapacity> impulses;
};

// By (15), (16), (21), (22); in the plane they are (3)-(5), and the oracle of those is asked too.
template <Capacity kCapacity>
double Measure(Work<kCapacity>* work) {
  using Solver = DantzigFriction<double, kCapacity>;
  typename Solver::Sliding resting;
  resting.fill(Solver::Tangential::Zero());
  const double residual = BaraffResidual(work->problem, resting, work->baraff.impulses());
  if constexpr (kCapacity.dof == 6) return residual;
  SplitIntoDirections(work->problem, work->baraff.impulses(), &work->impulses);
  return std::max(residual, ComplementarityResidual(work->problem, work->impulses));
}

template <Capacity kCapacity>
void Solve(const host::ProblemDocument& document, Work<kCapacity>* work, Tally* tally) {
  ToWhitened(document, &work->problem);
  const FrictionReport<double> report = work->baraff.Solve(work->problem, kMaxSteps);
  ++tally->problems;
  tally->orders += report.orders;
  tally->given_up += report.given_up;
  tally->drives += report.drives;
  switch (report.outcome) {
    case FrictionOutcome::kUnbounded: ++tally->unbounded; break;
    case FrictionOutcome::kStepLimit: ++tally->step_limit; break;
    case FrictionOutcome::kViolated: ++tally->violated; break;
    case FrictionOutcome::kSolved: {
      const double residual = Measure(work);
      tally->worst_residual = std::max(tally->worst_residual, residual);
      ++(residual <= kAccept ? tally->solved : tally->wrong);
    }
  }
  const LemkeReport lemke = work->lemke.SolveCold(work->problem, 0, work->lemke.PivotLimit(work->problem));
  if (lemke.outcome != LemkeOutcome::kSolved) return;
  work->lemke.GetImpulses(work->problem, &work->impulses);
  ++(ComplementarityResidual(work->problem, work->impulses) <= kAccept ? tally->lemke_solved : tally->lemke_wrong);
}

Table& MakeTable(Report* report) {
  return report->AddTable("friction", "Static friction by Baraff's method (solved: every condition holds, measured)",
                          {{"space"},
                           {"problems of"},
                           {"n"},
                           {"problems"},
                           {"solved", "%"},
                           {"solved"},
                           {"step limit"},
                           {"violated"},
                           {"unbounded"},
                           {"wrong"},
                           {"orders each"},
                           {"give-ups each"},
                           {"drives each"},
                           {"worst residual"},
                           {"Lemke solves", "%"}});
}

void AddRow(const char* space, const std::string& kind, std::size_t contacts, const Tally& t, Report* report, Table* table) {
  const double each = 1.0 / t.problems;
  table->AddRow({space, kind, contacts, t.problems, 100 * each * t.solved, t.solved, t.step_limit, t.violated, t.unbounded,
                 t.wrong, each * t.orders, each * t.given_up, each * t.drives, t.worst_residual,
                 100 * each * t.lemke_solved});
  if (t.wrong + t.lemke_wrong > 0) report->Fault(fmt::format("{}: {} wrong answers", kind, t.wrong + t.lemke_wrong));
  if (t.lemke_solved < t.problems) {
    report->Note(
        fmt::format("{}: Lemke from nothing solves {} of {} (the ladder would go on)", kind, t.lemke_solved, t.problems));
  }
}

void BenchPlane(const BenchOptions& options, Report* report, Table* table) {
  const auto work = std::make_unique<Work<kPlanar>>();
  for (const int base : {2, 3, 4, 5, 6}) {
    report->Progress(fmt::format("friction in the plane, pile on {} disks", base));
    Tally tally;
    host::ProblemDocument document;
    for (int i = 0; i < (options.quick ? 20 : 100); ++i) {
      Random random(options.seed * 1000003 + 1000 * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(i));
      document = DiskPile(base, &random);
      Solve(document, work.get(), &tally);
    }
    AddRow("2-D", fmt::format("pile of {} disks", document.bodies.size()), document.contacts.size(), tally, report, table);
  }
}

// Lloyd's situations, then bodies with contacts anywhere, then stacks.
host::ProblemDocument SpatialScene(int kind, Random* random) {
  if (kind < kSituations) return Situation(kind, random);
  const int more = kind - kSituations;
  host::ProblemDocument document =
      more < 3 ? RandomBodies(more + 1, 12, random) : Stack(std::vector<int>(static_cast<std::size_t>(more - 1), 4), random);
  document.name = more < 3 ? fmt::format("random, {} bodies", more + 1) : fmt::format("stack of {} blocks", more - 1);
  return document;
}

void BenchSpace(const BenchOptions& options, Report* report, Table* table) {
  const auto work = std::make_unique<Work<kSpatial>>();
  for (int kind = 0; kind < kSituations + 5; ++kind) {
    Tally tally;
    host::ProblemDocument document;
    for (int i = 0; i < (options.quick ? 20 : 100); ++i) {
      Random random(options.seed * 2000003 + 1000 * static_cast<std::uint64_t>(kind) + static_cast<std::uint64_t>(i));
      document = SpatialScene(kind, &random);
      for (int body = 0; body < static_cast<int>(document.bodies.size()); ++body) Push(body, 0.04, &random, &document);
      Solve(document, work.get(), &tally);
    }
    report->Progress("friction in space, " + *document.name);
    AddRow("3-D", *document.name, document.contacts.size(), tally, report, table);
  }
}

}  // namespace

void BenchFriction(const BenchOptions& options, Report* report) {
  Table& table = MakeTable(report);
  BenchPlane(options, report, &table);
  BenchSpace(options, report, &table);
}

}  // namespace tactus::bench
