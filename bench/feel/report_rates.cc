#include <fmt/format.h>

#include <algorithm>

#include "bench/feel/noise.h"
#include "bench/feel/rooms.h"
#include "bench/feel/stability.h"

namespace tactus::bench::feel {
namespace {

constexpr std::uint32_t kRates_Hz[] = {1000, 2000, 5000, 10'000};
constexpr double kDamping_Ns_per_m = 0.05;  // of the device

Drop DropAt(std::uint32_t rate_Hz, double mass_kg, double resolution_m) {
  Drop drop;
  drop.setup.device = Device(mass_kg, 0.05, resolution_m);
  drop.setup.device.damping_Ns_per_m.value = kDamping_Ns_per_m;
  drop.setup.period_us = 1'000'000 / rate_Hz;
  return drop;
}

/// K < (b + B)/(h/2): a wall of spring and damper at the handle, without a hand and without another delay
/// (docs/servo_loop.md).
double WallLimit_N_per_m(double period_s) {
  return (kDamping_Ns_per_m + CouplingConfig<double>().damping_Ns_per_m) / (period_s / 2);
}

/// Of presses at eight places.
double WorstHold_N(std::uint32_t rate_Hz, std::uint64_t seed) {
  constexpr std::uint64_t kPlaces = 8;
  double worst_N = 0;
  const LoopSetup setup = DropAt(rate_Hz, 0.25, hal::FalconClass().resolution_m).setup;
  for (std::uint64_t place = 0; place < kPlaces; ++place)
    worst_N = std::max(worst_N, HoldNoise_N(setup, 100 * seed + place));
  return worst_N;
}

}  // namespace

/// What a faster loop buys: the largest stiffness at which a free handle comes to rest, beside the rigid wall's formula.
void ReportRates(const BenchOptions& options, Report* report) {
  if (options.quick) return;
  constexpr int kStarts = 20;
  Table& table = report->AddTable(
      "rates", fmt::format("Largest stiffness at which 90 % of {} starts of a free handle of 0.25 kg come to rest", kStarts),
      {{"rate", "Hz"},
       {"rigid wall, (b + B)/(h/2)", "kN/m"},
       {"encoder of 38 um", "kN/m"},
       {"of 1 um", "kN/m"},
       {"worst hold, 38 um", "mN"}});
  Plot plot("What a faster loop buys", {"rate [Hz]", true}, {"largest stable stiffness [kN/m]", true});
  Series wall{"rigid wall, (b + B)/(h/2)", {}, true, false, true}, coarse{"encoder of 38 um", {}, true, false, false},
      fine{"encoder of 1 um", {}, true, false, false};
  for (const std::uint32_t rate_Hz : kRates_Hz) {
    report->Progress(fmt::format("largest stable stiffness at {} Hz", rate_Hz));
    const auto largest = [&](double resolution_m) {
      const Drop drop = DropAt(rate_Hz, 0.25, resolution_m);
      return 1e-3 * LargestStable_N_per_m(ClimbLadder(drop, options.seed, kStarts, 1000, 1.3));
    };
    const double limit = 1e-3 * WallLimit_N_per_m(1.0 / rate_Hz), with_38 = largest(hal::FalconClass().resolution_m),
                 with_1 = largest(1e-6);
    table.AddRow({static_cast<double>(rate_Hz), limit, with_38, with_1, 1e3 * WorstHold_N(rate_Hz, options.seed)});
    wall.points.emplace_back(rate_Hz, limit);
    coarse.points.emplace_back(rate_Hz, with_38);
    fine.points.emplace_back(rate_Hz, with_1);
  }
  for (Series* series : {&wall, &coarse, &fine}) plot.Add(std::move(*series));
  report->AddPlot("rates", plot);
}

}  // namespace tactus::bench::feel
