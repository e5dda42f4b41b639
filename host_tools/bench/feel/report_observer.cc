#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host_tools/bench/feel/energy.h"
#include "host_tools/bench/feel/noise.h"
#include "host_tools/bench/feel/rooms.h"
#include "host_tools/bench/feel/stability.h"
#include "host_tools/bench/measure/statistics.h"

namespace tactus::bench::feel {
namespace {

// Issue, section 5.
constexpr double kMostBias_percent = 5, kMostRunawayError_percent = 1, kLeastSeen_percent = 50, kSmall_J = 1e-4;

struct Path {
  std::string name;
  Motion motion;
  int moving_axes;
};

/// What the observer's balance drifts by, of K q²/12h for each moving axis [%].
double Bias_percent(const Path& path, double stiffness_N_per_m, double resolution_m) {
  LoopSetup setup;
  setup.stiffness_N_per_m = stiffness_N_per_m;
  setup.device.resolution_m.value = resolution_m;
  const Config<double> config = ObserverConfigFor(setup);
  LedHandle handle(path.motion, resolution_m);
  TickController controller(config);
  const std::vector<Balance> balances = Balances(Loop(&handle, &controller).Run(kFreeSettle_s + kFreeMeasured_s), config);
  const std::size_t first = static_cast<std::size_t>(Ticks(kFreeSettle_s)) / 2;  // the estimate has settled
  const Balance &from = balances[first], &to = balances.back();
  const double duration_s = kPeriod_s * static_cast<double>(balances.size() - 1 - first);
  const double drift_W = (to.seen_J - from.seen_J - (to.true_J - from.true_J)) / duration_s;
  const double unit_W = path.moving_axes * stiffness_N_per_m * resolution_m * resolution_m / (12 * kPeriod_s);
  return 100 * drift_W / unit_W;
}

void ReportBias(Report* report) {
  report->Progress("observer, free motion");
  Table& table =
      report->AddTable("bias", "Observer in free motion: drift from the true balance, of K q²/12h each moving axis",
                       {{"path"}, {"K", "N/m"}, {"q 10 um", "%"}, {"q 38 um", "%"}, {"q 100 um", "%"}});
  double worst_percent = 0;
  for (const Path& path : {Path{"circle, 20 mm, 1 Hz", FreeCircle(), 2}, Path{"line, 15 mm/s", FreeLine(0.015), 1},
                           Path{"line, 3 mm/s", FreeLine(0.003), 1}}) {
    for (const double stiffness_N_per_m : {500.0, 1500.0, 3000.0, 6000.0}) {
      std::vector<Table::Cell> row{path.name, stiffness_N_per_m};
      for (const double resolution_m : {10e-6, 38e-6, 100e-6}) {
        const double bias_percent = Bias_percent(path, stiffness_N_per_m, resolution_m);
        worst_percent = std::max(worst_percent, std::abs(bias_percent));
        row.emplace_back(bias_percent);
      }
      table.AddRow(std::move(row));
    }
  }
  report->Add(AtMost(kMostBias_percent, "observer: bias, K 500-6000 N/m, q 10-100 um, worst", worst_percent, "%"));
}

/// The free handle of issue F3: 0.1 kg, an encoder of 20 µm, no dry friction, motors of 30 N.
Drop FreeHandle(double stiffness_N_per_m) {
  Drop drop;
  drop.setup.device = Device(0.1, 0, 20e-6);
  drop.setup.device.damping_Ns_per_m.value = 0.05;
  drop.setup.device.max_force_N.value = 30;
  drop.setup.stiffness_N_per_m = stiffness_N_per_m;
  return drop;
}

Generation Generate(const Drop& drop, std::uint64_t seed, double duration_s, double enough_J) {
  const Config<double> config = ObserverConfigFor(drop.setup);
  return LargestGeneration(Balances(DropPeriods(drop, config, seed, duration_s), config), enough_J);
}

void ReportRunaway(int starts, std::uint64_t seed, Report* report) {
  report->Progress("observer, runaway");
  Table& table = report->AddTable("runaway", "Observer in a runaway: free handle, 120 kN/m, no controller",
                                  {{"start"}, {"made", "mJ"}, {"seen", "mJ"}, {"error", "%"}});
  double worst_percent = 0;
  for (int i = 0; i < starts; ++i) {
    const Generation made = Generate(FreeHandle(120e3), 1'000'000 * seed + static_cast<std::uint64_t>(i), kDrop_s,
                                     std::numeric_limits<double>::infinity());
    const double error_percent = 100 * (made.seen_J / made.true_J - 1);
    worst_percent = std::max(worst_percent, std::abs(error_percent));
    table.AddRow({i, 1e3 * made.true_J, 1e3 * made.seen_J, error_percent});
  }
  report->Add(AtMost(kMostRunawayError_percent, "observer: runaway, worst error", worst_percent, "%"));
}

void ReportSmallGeneration(int starts, std::uint64_t seed, Report* report) {
  report->Progress("observer, small generation");
  Table& table =
      report->AddTable("small", "Observer of the first 0.1 mJ that an impact of a free handle makes, no controller",
                       {{"K", "N/m"},
                        {"impacts"},
                        {"made, median", "uJ"},
                        {"seen, median", "%"},
                        {"seen, least", "%"},
                        {"unseen, most", "uJ"}});
  for (const double stiffness_N_per_m : {3000.0, 6000.0, 12000.0, 24000.0}) {
    std::vector<double> made_uJ, seen_percent, unseen_uJ;
    for (int i = 0; i < starts; ++i) {
      const std::uint64_t start = 1'000'000 * seed + static_cast<std::uint64_t>(i);
      const Generation made = Generate(FreeHandle(stiffness_N_per_m), start, kImpact_s, kSmall_J);
      if (made.true_J <= 0) continue;
      made_uJ.push_back(1e6 * made.true_J);
      seen_percent.push_back(100 * made.seen_J / made.true_J);
      unseen_uJ.push_back(1e6 * (made.true_J - made.seen_J));
    }
    const std::string name = fmt::format("observer: generation up to 0.1 mJ, {:g} N/m, seen, median", stiffness_N_per_m);
    if (made_uJ.empty()) {
      report->Fault(name + ": no impact made any");
      continue;
    }
    table.AddRow({stiffness_N_per_m, made_uJ.size(), Median(made_uJ), Median(seen_percent),
                  *std::min_element(seen_percent.begin(), seen_percent.end()),
                  *std::max_element(unseen_uJ.begin(), unseen_uJ.end())});
    report->Add(AtLeast(kLeastSeen_percent, name, Median(seen_percent), "%"));
    report->Add(Stated(fmt::format("observer: blind band, {:g} N/m", stiffness_N_per_m),
                       *std::max_element(unseen_uJ.begin(), unseen_uJ.end()), "uJ"));
  }
}

}  // namespace

void ReportObserver(const BenchOptions& options, Report* report) {
  ReportBias(report);
  ReportRunaway(options.quick ? 3 : 20, options.seed, report);
  ReportSmallGeneration(options.quick ? 5 : 100, options.seed, report);
}

}  // namespace tactus::bench::feel
