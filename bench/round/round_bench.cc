#include "bench/round/round_bench.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <map>

#include "bench/report/report.h"
#include "bench/round/friction_quality.h"
#include "bench/round/round_run.h"
#include "bench/scenes/scenes.h"
#include "host_tools/solve/parse_problem.h"

namespace tactus::bench {
namespace {

constexpr Capacity kOneBody{.bodies = 1, .contacts = 32, .joints = 0, .directions = 8, .dof = 6};
constexpr Capacity kBodies{.bodies = 5, .contacts = 40, .joints = 0, .directions = 8, .dof = 6};
constexpr double kLargestTick_us = 2.35;  // issue, section 3: the polygon's before there was a round cone

using Problems = std::vector<host::ProblemDocument>;

template <class Scalar>
const char* NameOf() {
  return sizeof(Scalar) == sizeof(double) ? "double" : "float";
}

// A block on a plate, with goals in double.
template <class Scalar>
void ReportBlock(Cone cone, int contacts, Table* table, Report* report) {
  const host::FrictionQuality q = host::MeasureFriction<Scalar>(cone, contacts);
  table->AddRow({Name(cone), NameOf<Scalar>(), contacts, q.free_lateral, q.pushed_lateral, q.circle_rms_deg, q.plateau_low,
                 q.plateau_high, 1e3 * q.throw_off_line_m, q.breakaway_error, q.ticks - q.polygon_ticks, q.ticks});
  if (cone == Cone::kPolygon) return;
  const auto add = [&](double bound, const char* what, double value, const char* unit) {
    const std::string name = fmt::format("block, {} contacts, {}: {}", contacts, NameOf<Scalar>(), what);
    report->Add(sizeof(Scalar) == sizeof(double) ? AtMost(bound, name, value, unit) : Stated(name, value, unit));
  };
  add(1e-3, "lateral force, sliding freely", q.free_lateral, "muN");
  add(1e-3, "lateral force, pushed", q.pushed_lateral, "muN");
  add(0.05, "circle, direction error rms", q.circle_rms_deg, "deg");
  add(1e-4, "kinetic plateau off mu", std::max(1 - q.plateau_low, q.plateau_high - 1), "muN");
  add(0.1, "thrown, off its line", 1e3 * q.throw_off_line_m, "mm");
  add(0.01, "breakaway off muN", q.breakaway_error, "muN");
}

void ReportBlocks(const BenchOptions& options, Report* report) {
  report->Progress("a block on a plate");
  Table& table = report->AddTable("block", "A block on a plate: 46 directions, a circle, 24 throws, 180 breakaways",
                                  {{"cone"},
                                   {"scalar"},
                                   {"contacts"},
                                   {"lateral, free", "muN"},
                                   {"lateral, pushed", "muN"},
                                   {"circle rms", "deg"},
                                   {"plateau, least", "muN", 6},
                                   {"plateau, most", "muN", 6},
                                   {"thrown, off line", "mm"},
                                   {"breakaway error", "muN"},
                                   {"round ticks"},
                                   {"ticks"}});
  for (const int contacts : options.quick ? std::vector<int>{4} : std::vector<int>{4, 16}) {
    ReportBlock<double>(Cone::kPolygon, contacts, &table, report);
    ReportBlock<double>(Cone::kRound, contacts, &table, report);
    ReportBlock<float>(Cone::kRound, contacts, &table, report);
  }
}

void DrawCircle(Report* report) {
  Plot angle("Dragged on a circle: friction's angle off the sliding direction", {"time [s]"}, {"angle [deg]"});
  Plot force("Dragged on a circle: the friction force", {"F_x [N]"}, {"F_y [N]"});
  for (const Cone cone : {Cone::kPolygon, Cone::kRound}) {
    host::FrictionQuality quality;
    Series off{Name(cone), {}, true, false}, drawn{Name(cone), {}, true, false};
    for (const host::CirclePoint& point : host::DragCircle<double>(cone, 4, &quality)) {
      off.points.emplace_back(point.t_s, point.angle_deg);
      drawn.points.emplace_back(point.force_x_N, point.force_y_N);
    }
    angle.Add(std::move(off));
    force.Add(std::move(drawn));
  }
  report->AddPlot("circle-angle", angle);
  report->AddPlot("circle-force", force);
}

// The lines of tests/data/NAME.jsonl by family; spatial ones.
std::map<std::string, Problems> ReadFamilies(const std::string& name) {
  const std::string file = std::string(TACTUS_SOURCE_FOLDER) + "/tests/data/" + name + ".jsonl";
  std::ifstream lines(file);
  if (!lines) throw BenchError(file + " is not there");
  std::map<std::string, Problems> families;
  for (std::string line; std::getline(lines, line);) {
    host::ProblemDocument problem = host::ParseProblem(line).problem;
    if (problem.dof == 6) families[problem.name->substr(0, problem.name->find('/'))].push_back(std::move(problem));
  }
  return families;
}

// Ticks that follow each other: the wrench changes by 2 % a tick.
Problems NudgedTicks(host::ProblemDocument problem, int ticks, Random* random) {
  Problems problems;
  for (int i = 0; i < ticks; ++i) {
    problems.push_back(problem);
    problem = Nudged(std::move(problem), 0.02, random);
  }
  return problems;
}

void AddRuns(const std::string& name, const char* scalar, const RoundRun& polygon, const RoundRun& round, Table* table) {
  table->AddRow({name, scalar, round.problems, round.solved, 100 * round.Share(), round.from_last_tick, round.steps,
                 round.residual, polygon.mean_us, round.mean_us, round.worst_us});
}

std::vector<Table::Column> RunColumns() {
  return {{"problems"},
          {"scalar"},
          {"n"},
          {"solved"},
          {"round", "%", 4},
          {"from the last tick"},
          {"steps"},
          {"worst residual"},
          {"polygon, mean", "us"},
          {"round, mean", "us"},
          {"round, worst", "us"}};
}

template <class Scalar, Capacity kCapacity>
void ReportSequence(const std::string& name, const Problems& ticks, int passes, bool has_time_goal, Table* table,
                    Report* report) {
  const RoundRun polygon = RunAll<Scalar, kCapacity>(ticks, Cone::kPolygon, true, passes);
  const RoundRun round = RunAll<Scalar, kCapacity>(ticks, Cone::kRound, true, passes);
  AddRuns(name, NameOf<Scalar>(), polygon, round, table);
  const std::string prefix = fmt::format("{}, {}: ", name, NameOf<Scalar>());
  report->Add(AtLeast(99.5, prefix + "round", 100 * round.Share(), "%"));
  report->Add(AtMost(sizeof(Scalar) == sizeof(double) ? 1e-6 : 1e-4, prefix + "worst round residual", round.residual, ""));
  if (has_time_goal && sizeof(Scalar) == sizeof(double)) {
    report->Add(AtMost(kLargestTick_us, prefix + "mean tick", round.mean_us, "us"));
  }
}

void ReportSequences(const BenchOptions& options, Report* report) {
  report->Progress("sequences of ticks");
  Table& table = report->AddTable("sequences", "Consecutive ticks, ContactSolver warm", RunColumns());
  const int passes = options.quick ? 2 : 15, ticks = options.quick ? 100 : 500;
  const Problems peg = ReadFamilies("peg_sequence").begin()->second;
  ReportSequence<double, kOneBody>("peg in hole, recorded", peg, passes, false, &table, report);
  ReportSequence<float, kOneBody>("peg in hole, recorded", peg, passes, false, &table, report);
  Random random(options.seed);
  for (const int contacts : {8, 16, 32}) {
    host::ProblemDocument problem = Peg(contacts, &random);
    Push(0, 0.04, &random, &problem);
    const Problems sequence = NudgedTicks(problem, ticks, &random);
    const std::string name = fmt::format("peg, n = {}", contacts);
    ReportSequence<double, kOneBody>(name, sequence, passes, contacts == 16, &table, report);
    ReportSequence<float, kOneBody>(name, sequence, passes, false, &table, report);
  }
  for (const int bodies : {2, 4}) {
    host::ProblemDocument problem = Stack(std::vector<int>(static_cast<std::size_t>(bodies), 4), &random);
    Push(bodies - 1, 0.1, &random, &problem);
    ReportSequence<double, kBodies>(fmt::format("stack of {}", bodies), NudgedTicks(problem, ticks, &random), passes, false,
                                    &table, report);
  }
}

void ReportCold(const BenchOptions& options, Report* report) {
  report->Progress("cold problems");
  Table& table = report->AddTable("cold", "Problems by themselves, ContactSolver cold", RunColumns());
  const int passes = options.quick ? 1 : 7;
  int solved = 0, round = 0, solved_float = 0, round_float = 0;
  const auto add = [&](const std::string& name, const Problems& problems) {
    const auto [in_double, in_float] = std::array{RunAll<double, kBodies>(problems, Cone::kRound, false, passes),
                                                  RunAll<float, kBodies>(problems, Cone::kRound, false, passes)};
    AddRuns(name, "double", RunAll<double, kBodies>(problems, Cone::kPolygon, false, passes), in_double, &table);
    AddRuns(name, "float", RunAll<float, kBodies>(problems, Cone::kPolygon, false, passes), in_float, &table);
    solved += in_double.solved;
    round += in_double.round;
    solved_float += in_float.solved;
    round_float += in_float.round;
  };
  for (const auto& [name, problems] : ReadFamilies("families")) add(name, problems);
  Random random(options.seed);
  Problems pushed;
  for (int i = 0; i < (options.quick ? 40 : 400); ++i) {
    host::ProblemDocument problem =
        i % 2 == 0 ? Situation(i / 2 % kSituations, &random) : RandomBodies(1 + i / 2 % 3, 12, &random);
    Push(0, 0.04, &random, &problem);
    pushed.push_back(std::move(problem));
  }
  add("situations and random bodies", pushed);
  report->Add(AtLeast(98, "cold problems, double: round", 100.0 * round / solved, "%"));
  report->Add(AtLeast(98, "cold problems, float: round", 100.0 * round_float / solved_float, "%"));
}

void ReportMemory(Report* report) {
  constexpr double kKilo = 1e-3;
  report->Add(AtMost(12, "workspace, 32 contacts, one body, double",
                     kKilo * sizeof(RoundPolish<WhitenedProblem<double, kOneBody>>), "kB"));
  report->Add(AtMost(6, "workspace, 32 contacts, one body, float",
                     kKilo * sizeof(RoundPolish<WhitenedProblem<float, kOneBody>>), "kB"));
}

}  // namespace

int RunRound(const BenchOptions& options) {
  Report report("round", "Round friction: Coulomb's cone beside the polygon's", options);
  ReportBlocks(options, &report);
  DrawCircle(&report);
  ReportSequences(options, &report);
  ReportCold(options, &report);
  ReportMemory(&report);
  report.Note(
      "Times: each problem's least of several passes, cold code left out, ContactSolver as a whole. Round: of the solved "
      "ones; "
      "the others keep the polygon's verified answer. Goals in double; what float is asked is its residual and its share. "
      "The "
      "cube of the block is kept flat by its contacts alone; breakaway is cold, on a grid of 0.005 muN.");
  return report.Finish();
}

}  // namespace tactus::bench
