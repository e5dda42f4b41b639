#include <fmt/format.h>

#include "bench/feel/baseline.h"
#include "bench/feel/rooms.h"
#include "bench/feel/stability.h"

namespace tactus::bench::feel {
namespace {

constexpr double kMostLoss = 0.10;   // issue, section 5
constexpr double kQuickShare = 0.8;  // of a few starts, where 90 % of many come to rest

struct Case {
  std::string name;
  Drop drop;
  double baseline_N_per_m;  // of the plain estimate
  bool may_lose;            // up to kMostLoss of it
};

/// Little friction, so that the loop has to end the bounce by itself.
Drop Light(double mass_kg, double resolution_m, double declared_mass_share, int late_ticks) {
  Drop drop;
  drop.setup.device = Device(mass_kg, 0.05, resolution_m);
  drop.setup.device.damping_Ns_per_m.value = 0.05;
  drop.setup.declared_mass_share = declared_mass_share;
  drop.setup.late_ticks = late_ticks;
  return drop;
}

Drop InHand(Drop drop) {
  drop.hand = hal::RelaxedHand();
  drop.hand.tremor_N.value = drop.hand.tremor_Nm.value = 0;
  return drop;
}

std::vector<Case> Cases() {
  const double q_m = hal::FalconClass().resolution_m;
  const Drop light = Light(0.25, q_m, 1, 0);
  return {{"FalconClass, free", Drop{}, baseline::kFalcon, false},
          {"free, 0.25 kg", light, baseline::kFree250, false},
          {"free, 0.1 kg declared 0.25", Light(0.1, q_m, 2.5, 0), baseline::kFree100, false},
          {"hand, 0.25 kg", InHand(light), baseline::kHand, false},
          {"free, declared 20 % less", Light(0.25, q_m, 0.8, 0), baseline::kFree250, true},
          {"free, declared 20 % more", Light(0.25, q_m, 1.2, 0), baseline::kFree250, true},
          {"hand, declared 20 % less", InHand(Light(0.25, q_m, 0.8, 0)), baseline::kHand, true},
          {"hand, declared 20 % more", InHand(Light(0.25, q_m, 1.2, 0)), baseline::kHand, true},
          {"free, 1 tick late", Light(0.25, q_m, 1, 1), baseline::kLate, true},
          {"hand, 1 tick late", InHand(Light(0.25, q_m, 1, 1)), baseline::kLateHand, true},
          {"free, 10 um", Light(0.25, 10e-6, 1, 0), baseline::kFine, true},
          {"hand, 10 um", InHand(Light(0.25, 10e-6, 1, 0)), baseline::kFineHand, true}};
}

/// The whole ladder: where it ends, against the plain estimate's end.
void ReportLadders(const BenchOptions& options, Report* report) {
  constexpr int kStarts = 40;
  Table& table =
      report->AddTable("stiffness", fmt::format("Largest stiffness at which 90 % of {} starts come to rest", kStarts),
                       {{"handle"}, {"K", "kN/m"}, {"K of 649c4ae", "kN/m"}, {"ratio"}});
  Plot plot("Starts that come to rest", {"stiffness [kN/m]", true}, {"share [%]"});
  for (const Case& c : Cases()) {
    report->Progress(fmt::format("largest stable stiffness: {}", c.name));
    const std::vector<Rung> rungs = ClimbLadder(c.drop, options.seed, kStarts, 1000, 1.2);
    const double stiffness_N_per_m = LargestStable_N_per_m(rungs), ratio = stiffness_N_per_m / c.baseline_N_per_m;
    table.AddRow({c.name, 1e-3 * stiffness_N_per_m, 1e-3 * c.baseline_N_per_m, ratio});
    report->Add(
        AtLeast(c.may_lose ? 1 - kMostLoss : 1, fmt::format("largest stable K: {}, of 649c4ae's", c.name), ratio, ""));
    Series series{c.name, {}, true, false, c.may_lose};
    for (const Rung& rung : rungs) series.points.emplace_back(1e-3 * rung.stiffness_N_per_m, 100 * rung.at_rest);
    plot.Add(std::move(series));
  }
  report->AddPlot("stiffness", plot);
}

/// One rung: a tenth below the plain estimate's end.
void ReportOneRung(const BenchOptions& options, Report* report) {
  constexpr int kStarts = 6;
  Table& table = report->AddTable("stiffness", fmt::format("{} starts at 0.9 of the K of 649c4ae", kStarts),
                                  {{"handle"}, {"K", "kN/m"}, {"come to rest", "%"}});
  report->Progress("stability");
  for (Case& c : Cases()) {
    c.drop.setup.stiffness_N_per_m = (1 - kMostLoss) * c.baseline_N_per_m;
    const double at_rest = ShareAtRest(c.drop, options.seed, kStarts);
    table.AddRow({c.name, 1e-3 * c.drop.setup.stiffness_N_per_m, 100 * at_rest});
    report->Add(
        AtLeast(100 * kQuickShare, fmt::format("starts at rest at 0.9 of 649c4ae's K: {}", c.name), 100 * at_rest, "%"));
  }
}

}  // namespace

void ReportStability(const BenchOptions& options, Report* report) {
  if (options.quick) {
    ReportOneRung(options, report);
  } else {
    ReportLadders(options, report);
  }
}

}  // namespace tactus::bench::feel
