#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bench/feel/rooms.h"
#include "bench/feel/wall.h"

namespace tactus::bench::feel {
namespace {

constexpr double kMostDelay_ms = 0.5, kMostLag_deg = 45;  // issue, section 5
constexpr double kAmplitudes_m[] = {1e-4, 3e-4, 1e-3};
constexpr double kFrequencies_Hz[] = {2, 3, 5, 7, 10, 14, 20, 28, 40};

/// The middle of the movement lies anywhere between two counts: the worst of some.
struct WorstOf {
  double lag_rad = -std::numeric_limits<double>::infinity();
  double least_damping_Ns_per_m = std::numeric_limits<double>::infinity(), sum_Ns_per_m = 0;
};

WorstOf Measure(double amplitude_m, double frequency_Hz, int places) {
  const LoopSetup setup;
  WorstOf worst;
  for (int i = 0; i < places; ++i) {
    const double shift_m = setup.device.resolution_m * (i + 0.5) / places;
    const Following following =
        MeasureFollowing(setup, {.amplitude_m = amplitude_m, .frequency_Hz = frequency_Hz, .depth_m = 0.002 + shift_m});
    worst.lag_rad = std::max(worst.lag_rad, following.lag_rad);
    worst.least_damping_Ns_per_m = std::min(worst.least_damping_Ns_per_m, following.damping_Ns_per_m);
    worst.sum_Ns_per_m += following.damping_Ns_per_m;
  }
  return worst;
}

double Degrees(double angle_rad) { return angle_rad * 180 / std::numbers::pi; }
double Delay_ms(double lag_rad, double frequency_Hz) { return 1e3 * lag_rad / (2 * std::numbers::pi * frequency_Hz); }

void ReportDelay(int places, Report* report) {
  Table& table = report->AddTable("delay", "Force on a strong hand at the wall, against an ideal sensor's",
                                  {{"amplitude", "mm"}, {"delay at 20 Hz, worst", "ms"}, {"lag at 100 Hz, worst", "deg"}});
  for (const double amplitude_m : kAmplitudes_m) {
    const double delay_ms = Delay_ms(Measure(amplitude_m, 20, places).lag_rad, 20);
    const double lag_deg = Degrees(Measure(amplitude_m, 100, places).lag_rad);
    table.AddRow({1e3 * amplitude_m, delay_ms, lag_deg});
    report->Add(AtMost(kMostDelay_ms, fmt::format("delay at 20 Hz, {:g} mm, worst", 1e3 * amplitude_m), delay_ms, "ms"));
    report->Add(AtMost(kMostLag_deg, fmt::format("phase lag at 100 Hz, {:g} mm, worst", 1e3 * amplitude_m), lag_deg, "deg"));
  }
}

void ReportDamping(int places, Report* report) {
  const LoopSetup setup;
  const CouplingConfig<double> coupling = ConfigFor(setup).coupling;
  const double ideal_Ns_per_m = coupling.damping_Ns_per_m + kPeriod_s * coupling.stiffness_N_per_m / 2;
  Table& table = report->AddTable(
      "damping", fmt::format("Damping that a strong hand feels at the wall; ideal sensor: {:g} N·s/m", ideal_Ns_per_m),
      {{"amplitude", "mm"}, {"frequency", "Hz"}, {"mean", "N·s/m"}, {"lowest", "N·s/m"}});
  Plot plot("Damping felt at the wall, lowest of some places", {"frequency [Hz]", true}, {"damping [N·s/m]"});
  for (const double amplitude_m : kAmplitudes_m) {
    Series series{fmt::format("{:g} mm", 1e3 * amplitude_m), {}};
    double lowest_Ns_per_m = std::numeric_limits<double>::infinity();
    for (const double frequency_Hz : kFrequencies_Hz) {
      const WorstOf worst = Measure(amplitude_m, frequency_Hz, places);
      table.AddRow({1e3 * amplitude_m, frequency_Hz, worst.sum_Ns_per_m / places, worst.least_damping_Ns_per_m});
      series.points.emplace_back(frequency_Hz, worst.least_damping_Ns_per_m);
      lowest_Ns_per_m = std::min(lowest_Ns_per_m, worst.least_damping_Ns_per_m);
    }
    plot.Add(std::move(series));
    report->Add(
        Above(0, fmt::format("damping at the wall, 2-40 Hz, {:g} mm, lowest", 1e3 * amplitude_m), lowest_Ns_per_m, "N·s/m"));
  }
  plot.Add({"ideal sensor", {{2, ideal_Ns_per_m}, {40, ideal_Ns_per_m}}, true, false, true});
  report->AddPlot("damping", plot);
}

}  // namespace

void ReportFollowing(const BenchOptions& options, Report* report) {
  report->Progress("a strong hand at the wall");
  const int places = options.quick ? 2 : 16;
  ReportDelay(places, report);
  ReportDamping(places, report);
}

}  // namespace tactus::bench::feel
