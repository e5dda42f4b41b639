#include "bench/lloyd/lloyd_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/lloyd/goals.h"
#include "bench/lloyd/measure.h"
#include "bench/lloyd/scene_list.h"
#include "bench/lloyd/stack_growth.h"
#include "bench/measure/statistics.h"
#include "bench/report/report.h"
#include "tactus/solve/contact_solver.h"

namespace tactus::bench {
namespace {

// A scene with what was measured on it.
struct Measured {
  Scene scene;
  SceneFigures figures;
  double limit_us;

  double Time_us(Method method) const { return Median(figures[method].time_us); }
  double Beats(Method method) const { return Median(figures[method].of_beat); }
  /// Median over the problems of a method's time, divided by another's on the same one.
  double Ratio(Method method, Method other) const {
    std::vector<double> ratios;
    for (std::size_t p = 0; p < scene.problems.size(); ++p) {
      ratios.push_back(figures[method].time_us[p] / figures[other].time_us[p]);
    }
    return Median(ratios);
  }
};
using AllMeasured = std::vector<Measured>;

constexpr std::array kExact{Method::kDense, Method::kStructural, Method::kReducedCold};

const Measured& Find(const AllMeasured& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const Measured& m) { return m.scene.name == name; });
}

void AddEverything(const AllMeasured& all, Report* report) {
  Table& table = report->AddTable("all", "Every method on every scene",
                                  {{"scene"},
                                   {"m"},
                                   {"n"},
                                   {"method"},
                                   {"problems"},
                                   {"pivots mean"},
                                   {"pivots max"},
                                   {"time", "us"},
                                   {"LU", "us"},
                                   {"of LU"},
                                   {"failures"},
                                   {"wrong"},
                                   {"worst residual"}});
  table.LeaveOutOfPrint();
  for (const Measured& m : all) {
    for (int k = 0; k < kMethods; ++k) {
      const Method method = static_cast<Method>(k);
      const MethodFigures& f = m.figures[method];
      table.AddRow({m.scene.name, m.scene.bodies, m.scene.contacts, std::string(Name(method)), m.scene.problems.size(),
                    Mean(f.pivots), *std::max_element(f.pivots.begin(), f.pivots.end()), Median(f.time_us),
                    Median(m.figures.lu_us), Median(f.of_lu), f.failures, f.wrong, f.worst_residual});
    }
  }
}

void AddTimes(const AllMeasured& all, Report* report) {
  std::vector<Table::Column> columns{{"scene"}, {"LU"}};
  for (int k = 0; k < kMethods; ++k) columns.push_back({std::string(Name(static_cast<Method>(k)))});
  Table& times = report->AddTable("times", "Median time [us]; LU: Eigen's, of the n(2+d) rows of the LCP matrix", columns);
  Table& shares = report->AddTable("of-lu", "The same as a share of that LU (median over the wrenches)", columns);
  for (const Measured& m : all) {
    std::vector<Table::Cell> time{m.scene.name, Median(m.figures.lu_us)}, share{m.scene.name, 1};
    for (const MethodFigures& f : m.figures.methods) {
      time.push_back(Median(f.time_us));
      share.push_back(Median(f.of_lu));
    }
    times.AddRow(time);
    shares.AddRow(share);
  }
}

void AddPivots(const AllMeasured& all, Report* report) {
  constexpr std::array kCounted{Method::kDense,       Method::kStructural, Method::kReducedCold,
                                Method::kReducedTick, Method::kConvexCold, Method::kConvexTick};
  std::vector<Table::Column> columns{{"scene"}};
  for (const Method method : kCounted) columns.push_back({std::string(Name(method))});
  Table& table = report->AddTable("pivots", "Pivots, mean / max (convex: iterations)", columns);
  for (const Measured& m : all) {
    std::vector<Table::Cell> row{m.scene.name};
    for (const Method method : kCounted) {
      const std::vector<int>& pivots = m.figures[method].pivots;
      row.push_back(fmt::format("{:.1f} / {}", Mean(pivots), *std::max_element(pivots.begin(), pivots.end())));
    }
    table.AddRow(row);
  }
}

double Unit_us(const Goal& goal, const Measured& m, const AllMeasured& all) {
  switch (goal.against) {
    case Against::kLimit: return m.limit_us;
    case Against::kPeg16Lu: return Median(Find(all, "peg n=16").figures.lu_us);
    case Against::kTime: return 1;
    case Against::kOwnLu: break;
  }
  return Median(m.figures.lu_us);
}

void AddGoals(const AllMeasured& all, Report* report) {
  for (const Goal& goal : kGoals) {
    const Measured& m = Find(all, goal.scene);
    report->Add(Speed(goal.at_most, fmt::format("{}, {} {}", goal.scene, Name(goal.method), Name(goal.against)),
                      m.Time_us(goal.method) / Unit_us(goal, m, all), goal.against == Against::kTime ? "us" : ""));
  }
}

double Exponent(const AllMeasured& all, SceneKind kind, Method method) {
  std::vector<std::pair<double, double>> points;
  for (const Measured& m : all) {
    if (m.scene.kind != kind) continue;
    const double bodies = m.scene.bodies, contacts = m.scene.contacts;
    const double x = kind == SceneKind::kPeg ? contacts : contacts * bodies + bodies * bodies * bodies;
    points.emplace_back(x, m.Beats(method));
  }
  return GrowthExponent(points);
}

double StackExponent(const AllMeasured& all, Method method) {  // in m alone, four contacts a block
  std::vector<std::pair<double, double>> points;
  for (const Measured& m : all) {
    if (m.scene.kind == SceneKind::kStack && m.scene.contacts == 4 * m.scene.bodies) {
      points.emplace_back(m.scene.bodies, m.Beats(method));
    }
  }
  return GrowthExponent(points);
}

void AddGrowth(const AllMeasured& all, Report* report) {
  // In beats: a processor that changes its clock between two scenes does not bend the line.
  Table& table =
      report->AddTable("growth", "Growth of the median time, in beats of a fixed work beside it: fitted exponents",
                       {{"method"}, {"peg, in n"}, {"stacks, in n m + m^3"}, {"stacks n = 4 m, in m"}});
  for (int k = 0; k < kMethods; ++k) {
    const Method method = static_cast<Method>(k);
    table.AddRow({std::string(Name(method)), Exponent(all, SceneKind::kPeg, method),
                  Exponent(all, SceneKind::kStack, method), StackExponent(all, method)});
  }
  report->Add(Speed(kPegExponent, "peg, growth of reduced cold in n, exponent",
                    Exponent(all, SceneKind::kPeg, Method::kReducedCold), ""));
}

void AddStackGrowth(const std::vector<StackPoint>& stacks, Report* report) {
  Table& table = report->AddTable("stack-growth", "Stacks of m blocks, n = 4 m: time of reduced cold as n m + m^3",
                                  {{"m"},
                                   {"n"},
                                   {"pivots mean"},
                                   {"pivots max"},
                                   {"time", "us"},
                                   {"n m + m^3"},
                                   {"beats / (n m + m^3)"},
                                   {"not solved"}});
  std::vector<std::pair<double, double>> points;
  int failures = 0;
  for (const StackPoint& stack : stacks) {
    const double m = stack.bodies, x = stack.contacts * m + m * m * m, beats = Median(stack.beats);
    table.AddRow({stack.bodies, stack.contacts, Mean(stack.pivots),
                  *std::max_element(stack.pivots.begin(), stack.pivots.end()), Median(stack.time_us), x, beats / x,
                  stack.failures});
    points.emplace_back(x, beats);
    failures += stack.failures;
  }
  report->Add(Speed(kStackExponent,
                    fmt::format("stacks up to m = {}, growth of reduced cold in n m + m³, exponent", stacks.back().bodies),
                    GrowthExponent(points), ""));
  if (failures > 0) report->Fault(fmt::format("stack growth: {} not solved", failures));
}

void AddPrecision(const AllMeasured& all, Report* report) {
  Table& table = report->AddTable("precision", "Single precision: its time divided by double's on the same problem, median",
                                  {{"scene"}, {"reduced cold"}, {"reduced verify"}});
  double worst = 0;
  for (const Measured& m : all) {
    const double cold = m.Ratio(Method::kReducedColdFloat, Method::kReducedCold),
                 verify = m.Ratio(Method::kReducedVerifyFloat, Method::kReducedVerify);
    table.AddRow({m.scene.name, cold, verify});
    worst = std::max({worst, cold, verify});
  }
  report->Add(Speed(kFloatOfDouble, "single precision of double, the dearest scene", worst, ""));
}

void AddPaper(const AllMeasured& all, Report* report) {
  Table& table = report->AddTable("paper", "Beside Lloyd's own mean times (2004, his machine; printed in his text)",
                                  {{"Fig."},
                                   {"method"},
                                   {"from"},
                                   {"Lloyd", "ms"},
                                   {"here", "us"},
                                   {"to"},
                                   {"Lloyd ", "ms"},
                                   {"here ", "us"},
                                   {"Lloyd grows"},
                                   {"here grows"}});
  for (const PaperRange& range : kPaperRanges) {
    const Measured &first = Find(all, range.first), &last = Find(all, range.last);
    const double first_us = Mean(first.figures[range.method].time_us), last_us = Mean(last.figures[range.method].time_us);
    table.AddRow({range.figure, std::string(Name(range.method)), range.first, range.first_ms, first_us, range.last,
                  range.last_ms, last_us, fmt::format("{:.3g} x", range.last_ms / range.first_ms),
                  fmt::format("{:.3g} x", last_us / first_us)});
  }
}

template <class Scalar, int bodies>
void AddSize(const char* scalar, double goal_kB, Report* report) {
  constexpr Capacity kCapacity{.bodies = bodies, .contacts = 32, .joints = 0, .directions = 8, .dof = 6};
  const double size_kB = static_cast<double>(sizeof(ContactSolver<Scalar, kCapacity>)) / 1000;
  report->Add(AtMost(goal_kB,
                     fmt::format("sizeof(ContactSolver), {}, m = {}, n = 32, d = 8: all its memory", scalar, bodies),
                     size_kB, "kB"));
}

void AddMemory(Report* report) {
  AddSize<float, 1>("float", 18, report);
  AddSize<double, 1>("double", 34, report);
  AddSize<float, 4>("float", 50.5, report);
  AddSize<double, 4>("double", 95, report);
}

Series Line(const AllMeasured& all, SceneKind kind, Method method, bool line) {
  Series series{std::string(Name(method)), {}, line};
  for (const Measured& m : all) {
    if (m.scene.kind == kind) series.points.emplace_back(m.scene.contacts, m.Time_us(method));
  }
  return series;
}

void AddPlots(const AllMeasured& all, Report* report) {
  const Axis contacts{"contacts n"}, time{"median time [us]", true};
  Plot pegs("Peg in hole (Lloyd's Fig. 5)", {"contacts n", true}, time);
  for (int k = 0; k <= static_cast<int>(Method::kConvexTick); ++k) {
    pegs.Add(Line(all, SceneKind::kPeg, static_cast<Method>(k), true));
  }
  Series lu{"LU of the LCP matrix", {}, true, false, true};
  for (const Measured& m : all) {
    if (m.scene.kind == SceneKind::kPeg) lu.points.emplace_back(m.scene.contacts, Median(m.figures.lu_us));
  }
  pegs.Add(lu);
  report->AddPlot("peg", pegs);
  Plot close("Peg in hole, close-up (Fig. 6)", contacts, {"median time [us]"});
  close.Add(Line(all, SceneKind::kPeg, Method::kStructural, true));
  close.Add(Line(all, SceneKind::kPeg, Method::kReducedCold, true));
  report->AddPlot("peg-close-up", close);
  Plot situations("Ten situations of one body (Fig. 7)", contacts, time);
  for (const Method method : kExact) situations.Add(Line(all, SceneKind::kSituation, method, false));
  report->AddPlot("one-body", situations);
  Plot scatter("Ten situations of one body, close-up (Fig. 8)", contacts, {"median time [us]"});
  for (const Method method : {Method::kReducedCold, Method::kConvexCold, Method::kReducedTick}) {
    scatter.Add(Line(all, SceneKind::kSituation, method, false));
  }
  report->AddPlot("one-body-close-up", scatter);
  Plot stacks("Ten stacks of blocks (Fig. 10)", contacts, time);
  for (const Method method : {Method::kDense, Method::kStructural, Method::kReducedCold, Method::kReducedTick,
                              Method::kConvexCold, Method::kConvexTick}) {
    stacks.Add(Line(all, SceneKind::kStack, method, false));
  }
  report->AddPlot("stacks", stacks);
}

void AddVerdict(const AllMeasured& all, Report* report) {
  for (int k = 0; k < kMethods; ++k) {
    const Method method = static_cast<Method>(k);
    int failures = 0, wrong = 0, problems = 0;
    for (const Measured& m : all) {
      failures += m.figures[method].failures;
      wrong += m.figures[method].wrong;
      problems += static_cast<int>(m.scene.problems.size());
    }
    const std::string counts = fmt::format("{}: {} of {} not solved, {} wrong", Name(method), failures, problems, wrong);
    const bool may_fail = method == Method::kReducedTick || method == Method::kReducedVerifyFloat ||
                          method == Method::kReducedColdFloat;  // then the ladder goes on
    if (wrong > 0 || (failures > 0 && !may_fail)) {
      report->Fault(counts);
    } else {
      report->Note(counts);
    }
  }
}

}  // namespace

int RunLloyd(const BenchOptions& options) {
  Report report("lloyd", "Fast Lemke for contact (Lloyd 2004), d = 8, friction 0.2-0.3, random wrenches", options);
  const Timing timing = options.quick ? Timing{3, 20'000, 1e7} : Timing{7, 20'000, 1e8};
  LuYardstick lu(timing.samples);
  AllMeasured all;
  for (const Scene& scene : LloydScenes(options)) {
    report.Progress(fmt::format("{}, {} wrenches", scene.name, scene.problems.size()));
    all.push_back({scene, Measure(scene.problems, timing, &lu), lu.Limit_us(scene.contacts)});
  }
  AddEverything(all, &report);
  AddTimes(all, &report);
  AddPivots(all, &report);
  AddGoals(all, &report);
  AddGrowth(all, &report);
  report.Progress("growth of stacks");
  AddStackGrowth(MeasureStackGrowth(options, timing, &lu), &report);
  AddPrecision(all, &report);
  AddPaper(all, &report);
  AddMemory(&report);
  AddPlots(all, &report);
  AddVerdict(all, &report);
  report.Note(
      "Times are of the whitened problem, but for 'solver', which has everything: validation, whitening, the ladder, "
      "verification, physical units. reduced verify: from the answer's own basis; tick: from the answer to a wrench 1 % "
      "away. convex solves (12)-(13) of Anitescu and Hart with Gamma = 0, another law.");
  return report.Finish();
}

}  // namespace tactus::bench
