#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/feel/energy.h"
#include "bench/feel/noise.h"
#include "bench/feel/rooms.h"
#include "bench/feel/stability.h"
#include "bench/measure/statistics.h"

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

/// Seeds of the starts.
std::uint64_t StartSeed(std::uint64_t seed, int start) { return 1'000'000 * seed + static_cast<std::uint64_t>(start); }

/// The controller believes in 2.5 times the mass, so that an estimate which knows the mass runs away too.
Drop Unstable(double stiffness_N_per_m) {
  Drop drop = FreeHandle(stiffness_N_per_m);
  drop.setup.declared_mass_share = 2.5;
  return drop;
}

void ReportRunaway(int starts, std::uint64_t seed, Report* report) {
  constexpr double kRunaway_J = 0.01;
  report->Progress("observer, runaway");
  Table& table =
      report->AddTable("runaway", "Observer in a runaway: free handle of 0.1 kg declared 0.25, 120 kN/m, no controller",
                       {{"start"}, {"made", "mJ"}, {"seen", "mJ"}, {"error", "%"}});
  double worst_percent = 0;
  for (int i = 0; i < starts; ++i) {
    const Generation made = Generate(Unstable(120e3), StartSeed(seed, i), kDrop_s, std::numeric_limits<double>::infinity());
    if (made.true_J < kRunaway_J) continue;
    const double error_percent = 100 * (made.seen_J / made.true_J - 1);
    worst_percent = std::max(worst_percent, std::abs(error_percent));
    table.AddRow({i, 1e3 * made.true_J, 1e3 * made.seen_J, error_percent});
  }
  if (table.rows() == 0) return report->Fault("observer: nothing ran away, so nothing shows that a runaway is caught");
  report->Add(AtMost(kMostRunawayError_percent, "observer: runaway, worst error", worst_percent, "%"));
}

/// What the observer saw of what some starts made, up to 0.1 mJ.
struct Seen {
  std::vector<double> made_uJ, seen_percent, unseen_uJ;

  void Add(const Generation& made) {
    made_uJ.push_back(1e6 * made.true_J);
    seen_percent.push_back(100 * made.seen_J / made.true_J);
    unseen_uJ.push_back(1e6 * (made.true_J - made.seen_J));
  }
  /// 0: it saw all of it, or more.
  double most_unseen_uJ() const { return std::max(0.0, *std::max_element(unseen_uJ.begin(), unseen_uJ.end())); }
  double least_percent() const { return *std::min_element(seen_percent.begin(), seen_percent.end()); }
};

void AddSeen(const std::string& name, double stiffness_N_per_m, const Seen& seen, Table* table) {
  table->AddRow({name, stiffness_N_per_m, seen.made_uJ.size(), Median(seen.made_uJ), Median(seen.seen_percent),
                 seen.least_percent(), seen.most_unseen_uJ()});
}

/// Impacts make little; what of it cannot be seen is the blind band. The first 0.1 mJ of a runaway must be seen.
void ReportSmallGeneration(int starts, std::uint64_t seed, Report* report) {
  report->Progress("observer, small generation");
  Table& table = report->AddTable("small", "Observer of the first 0.1 mJ that a free handle's loop makes, no controller",
                                  {{"at"},
                                   {"K", "N/m"},
                                   {"starts"},
                                   {"made, median", "uJ"},
                                   {"seen, median", "%"},
                                   {"seen, least", "%"},
                                   {"unseen, most", "uJ"}});
  for (const double stiffness_N_per_m : {3000.0, 6000.0, 12000.0, 24000.0}) {
    Seen seen;
    for (int i = 0; i < starts; ++i) {
      const Generation made = Generate(FreeHandle(stiffness_N_per_m), StartSeed(seed, i), kImpact_s, kSmall_J);
      if (made.true_J > 0) seen.Add(made);
    }
    if (seen.made_uJ.empty()) continue;
    AddSeen("impact", stiffness_N_per_m, seen, &table);
    report->Add(
        Stated(fmt::format("observer: blind band, impact at {:g} N/m", stiffness_N_per_m), seen.most_unseen_uJ(), "uJ"));
  }
  constexpr double kUnstable_N_per_m = 60e3;
  Seen seen;
  for (int i = 0; i < starts; ++i) {
    const Generation made = Generate(Unstable(kUnstable_N_per_m), StartSeed(seed, i), kDrop_s, kSmall_J);
    if (made.true_J >= kSmall_J) seen.Add(made);
  }
  if (seen.made_uJ.empty()) return report->Fault("observer: nothing made 0.1 mJ, so nothing shows that it is seen");
  AddSeen("runaway", kUnstable_N_per_m, seen, &table);
  report->Add(
      AtLeast(kLeastSeen_percent, "observer: first 0.1 mJ of a runaway, seen, median", Median(seen.seen_percent), "%"));
}

}  // namespace

void ReportObserver(const BenchOptions& options, Report* report) {
  ReportBias(report);
  ReportRunaway(options.quick ? 3 : 20, options.seed, report);
  ReportSmallGeneration(options.quick ? 5 : 100, options.seed, report);
}

}  // namespace tactus::bench::feel
