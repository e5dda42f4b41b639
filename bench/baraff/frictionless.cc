#include "bench/baraff/frictionless.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/measure/lu_yardstick.h"
#include "bench/measure/statistics.h"
#include "bench/measure/timing.h"
#include "bench/measure/whitened.h"
#include "bench/scenes/scenes.h"
#include "tactus/solve/dantzig/dantzig.h"

namespace tactus::bench {
namespace {

constexpr int kLargest = 152;
constexpr Capacity kCapacity{.bodies = kLargest / 4, .contacts = kLargest, .joints = 0, .directions = 8, .dof = 6};
constexpr std::array kSizes{10, 20, 30, 50, 75, 100, 125, 150};
constexpr int kMaxSteps = 10'000;
constexpr double kAccept = 1e-8;  // theory section 6

enum class Kind { kPeg, kCorner, kStack, kRandom };
constexpr std::array kKinds{"peg", "corner", "stack", "random, full rank"};
constexpr std::array kGoals{1.0, 1.0, 1.0, 1.5};  // times Gaussian elimination

struct Work {
  WhitenedProblem<double, kCapacity> problem;
  DantzigSystem<double, kLargest> system;
  Dantzig<double, kLargest> dantzig;
};

// What one size of one kind showed.
struct Point {
  std::vector<double> time_us, lu_us, of_lu;
  std::vector<int> drives, steps;  // from f = 0, as in the paper
  std::vector<int> drives_left;    // in what is timed, where many contacts may have started together
  int size = 0, failures = 0, wrong = 0;
  double worst_residual = 0;
};

void FormFromContacts(const host::ProblemDocument& document, Work* work) {
  ToWhitened(document, &work->problem);
  FormSystem<1>(work->problem, &work->system);
}

// A = GᵀG with the entries of G and of b normally distributed.
void FormRandom(int n, Random* random, Work* work) {
  SquareMatrix G(n);
  for (double& entry : G.entries) entry = random->Normal();
  work->system.size = n;
  work->system.bilateral = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += G(k, i) * G(k, j);
      work->system.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = sum;
    }
    work->system.b[static_cast<std::size_t>(i)] = random->Normal();
  }
}

void Form(Kind kind, int n, Random* random, Work* work) {
  if (kind == Kind::kRandom) return FormRandom(n, random, work);
  const std::vector<int> stack(static_cast<std::size_t>((n + 2) / 4), 4);
  host::ProblemDocument document = kind == Kind::kPeg      ? Peg(n - n % 2, random)
                                   : kind == Kind::kCorner ? CrowdedCorner(n, random)
                                                           : Stack(stack, random);
  RemoveFriction(&document);
  for (int body = 0; body < static_cast<int>(document.bodies.size()); ++body) Push(body, 0.04, random, &document);
  FormFromContacts(document, work);
}

// Of (1), (2), from f alone: max |min(A_ii f_i, a_i)|, of max(|b_i|, A_ii |f_i|).
double Residual(const DantzigSystem<double, kLargest>& system, const std::array<double, kLargest>& f) {
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(system.size); ++i) {
    double a = system.b[i];
    for (std::size_t j = 0; j < static_cast<std::size_t>(system.size); ++j) a += system.A[i][j] * f[j];
    const double force = system.A[i][i] * f[i];
    scale = std::max({scale, std::abs(system.b[i]), std::abs(force)});
    worst = std::max(worst, std::abs(std::min(force, a)));
  }
  return scale > 0 ? worst / scale : worst;
}

double TimeLu_us(const DantzigSystem<double, kLargest>& system, LuYardstick* lu) {
  SquareMatrix A(system.size);
  for (int i = 0; i < system.size; ++i) {
    for (int j = 0; j < system.size; ++j) A(i, j) = system.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return lu->Lu_us(A);
}

void Judge(const DantzigReport<double>& report, const Work& work, Point* point) {
  if (report.outcome != DantzigOutcome::kSolved) {
    ++point->failures;
    return;
  }
  const double residual = Residual(work.system, work.dantzig.force());
  point->wrong += !(residual <= kAccept);
  point->worst_residual = std::max(point->worst_residual, residual);
}

void Solve(const Timing& timing, LuYardstick* lu, Work* work, Point* point) {
  DantzigReport<double> report;
  const double time_us = MedianNanoseconds(timing,
                                           [&] {
                                             report = work->dantzig.Solve(work->system, kMaxSteps);
                                             Keep(work->dantzig);
                                           }) /
                         1000;
  const double lu_us = TimeLu_us(work->system, lu);
  point->size = work->system.size;
  point->time_us.push_back(time_us);
  point->lu_us.push_back(lu_us);
  point->of_lu.push_back(time_us / lu_us);
  point->drives_left.push_back(report.drives);
  Judge(report, *work, point);
  report = work->dantzig.Solve(work->system, kMaxSteps, DantzigStart::kFromZero);
  point->drives.push_back(report.drives);
  point->steps.push_back(report.steps);
  Judge(report, *work, point);
}

Table& MakeTable(Report* report) {
  return report->AddTable("frictionless", "Frictionless forces against Gaussian elimination (Eigen::PartialPivLU of A)",
                          {{"A of"},
                           {"n"},
                           {"problems"},
                           {"time", "us"},
                           {"LU", "us"},
                           {"of LU"},
                           {"drives mean"},
                           {"drives / n"},
                           {"steps mean"},
                           {"drives timed"},
                           {"failures"},
                           {"wrong"},
                           {"worst residual"}});
}

void AddRow(std::size_t kind, const Point& p, Table* table) {
  table->AddRow({kKinds[kind], p.size, p.time_us.size(), Median(p.time_us), Median(p.lu_us), Median(p.of_lu), Mean(p.drives),
                 Mean(p.drives) / p.size, Mean(p.steps), Mean(p.drives_left), p.failures, p.wrong, p.worst_residual});
}

}  // namespace

void BenchFrictionless(const BenchOptions& options, Report* report) {
  const Timing timing = options.quick ? Timing{3, 20'000, 1e7} : Timing{7, 20'000, 1e8};
  LuYardstick lu(timing.samples);
  const std::unique_ptr<Work> work = std::make_unique<Work>();
  Table& table = MakeTable(report);
  Plot ratios("Frictionless forces, times Gaussian elimination", {"contacts n"}, {"time / LU of A", true});
  Plot drives("Calls to drive-to-zero", {"contacts n"}, {"calls, mean"});
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    Series ratio{kKinds[k], {}}, calls{kKinds[k], {}};
    double worst_of_lu = 0;
    for (const int n : kSizes) {
      report->Progress(fmt::format("frictionless, {}, n = {}", kKinds[k], n));
      Point point;
      for (int i = 0; i < (options.quick ? 5 : 20); ++i) {
        Random random(options.seed * 1000003 + 100'000 * k + 100 * static_cast<std::uint64_t>(n) +
                      static_cast<std::uint64_t>(i));
        Form(static_cast<Kind>(k), n, &random, work.get());
        Solve(timing, &lu, work.get(), &point);
      }
      AddRow(k, point, &table);
      worst_of_lu = std::max(worst_of_lu, Median(point.of_lu));
      ratio.points.emplace_back(point.size, Median(point.of_lu));
      calls.points.emplace_back(point.size, Mean(point.drives));
      if (point.failures + point.wrong > 0) {
        report->Fault(fmt::format("{}, n = {}: {} not solved, {} wrong", kKinds[k], n, point.failures, point.wrong));
      }
    }
    report->Add(Speed(kGoals[k], fmt::format("{}, times Gaussian elimination, dearest size", kKinds[k]), worst_of_lu, ""));
    ratios.Add(ratio);
    drives.Add(calls);
  }
  ratios.Add({"Baraff: two times", {{10, 2}, {150, 2}}, true, false, true});
  ratios.Add({"Baraff: three times", {{10, 3}, {150, 3}}, true, false, true});
  report->AddPlot("ratio", ratios);
  report->AddPlot("drives", drives);
}

}  // namespace tactus::bench
