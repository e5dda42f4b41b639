#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/feel/rooms.h"
#include "bench/presets/z_width.h"
#include "tactus/haptic/ceilings.h"

namespace tactus::bench::feel {
namespace {

using presets::Parts;
using presets::PresetBlow;

constexpr double kAgrees = 5;  // %, issue 13

struct Variant {
  Parts parts;
  const char* name;
};
constexpr Variant kVariants[] = {
    {Parts::kLinear, "linear"}, {Parts::kCounts, "counts"}, {Parts::kShipped, "counts, friction, controller"}};

/// Without counts the analysis goes on above what a Config takes.
double HighestTried_N_per_m(Parts parts, const PredictedLimit& predicted) {
  if (parts == Parts::kLinear) return 2.5 * predicted.high_N_per_m;
  return std::min((parts == Parts::kShipped ? 10 : 2.5) * predicted.high_N_per_m, DeviceLimits().stiffness_N_per_m);
}

/// A row; of the linear device, how far it is off the lowest mode. @returns [%], 0: nothing ended
double MeasurePoint(const Variant& variant, const PresetBlow& blow, Table* table, Series* predicted, Series* measured) {
  const presets::PresetPrediction expected = presets::Predict(blow);
  const double highest = HighestTried_N_per_m(variant.parts, expected.driven);
  const double limit = presets::MeasuredLimit_N_per_m(blow, 0.3 * std::min(expected.driven.low_N_per_m, highest), highest);
  const bool ended = limit < highest;
  const double off = variant.parts == Parts::kLinear ? 100 * (limit / expected.driven.low_N_per_m - 1)
                                                     : expected.driven.Outside_percent(limit);
  table->AddRow({blow.preset->name, variant.name, blow.late_ticks, blow.damping_Ns_per_m, 1e-3 * expected.reported_N_per_m,
                 1e-3 * expected.driven.low_N_per_m, 1e-3 * expected.driven.high_N_per_m,
                 ended ? Table::Cell(1e-3 * limit) : Table::Cell(fmt::format(">= {:.3g}", 1e-3 * limit)),
                 ended ? Table::Cell(off) : Table::Cell("-")});
  predicted->points.emplace_back(blow.damping_Ns_per_m, 1e-3 * expected.driven.low_N_per_m);
  if (ended) measured->points.emplace_back(blow.damping_Ns_per_m, 1e-3 * limit);
  return ended ? std::abs(off) : 0;
}

}  // namespace

/// Largest stiffness of every preset over damping and delay: predicted and measured.
void ReportPresetZWidth(const BenchOptions& options, Report* report) {
  Table& table = report->AddTable(
      "preset-zwidth", "Z-width of the presets: largest stable K of the pressed handle after a blow, no hand, 1 kHz",
      {{"device"},
       {"of it"},
       {"later by", "ticks"},
       {"B", "N s/m"},
       {"tactus stability", "kN/m"},
       {"of what the blow swings, lowest", "kN/m"},
       {"highest", "kN/m"},
       {"measured", "kN/m"},
       {"off", "%"}});
  Plot plot("Z-width of the presets as they are: predicted and measured, linear", {"damping B [N s/m]", true},
            {"largest stable stiffness [kN/m]", true});
  const std::vector<double> dampings = options.quick ? std::vector<double>{3} : std::vector<double>{1, 3, 8, 20};
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    report->Progress(fmt::format("Z-width: {}", preset.name));
    double worst_percent = 0;
    for (const Variant& variant : kVariants) {
      if (options.quick && variant.parts != Parts::kLinear) continue;
      for (int late = 0; late <= 2; ++late) {
        Series predicted{fmt::format("{}, predicted", preset.name), {}, true, false, true};
        Series measured{preset.name, {}, false, true, false};
        for (const double B : dampings) {
          const PresetBlow blow{.preset = &preset, .parts = variant.parts, .late_ticks = late, .damping_Ns_per_m = B};
          const double off = MeasurePoint(variant, blow, &table, &predicted, &measured);
          if (variant.parts == Parts::kLinear && B <= presets::kHighestJudged_Ns_per_m)
            worst_percent = std::max(worst_percent, off);
        }
        if (variant.parts != Parts::kLinear || late > 0) continue;
        plot.Add(predicted);
        plot.Add(measured);
      }
    }
    report->Add(AtMost(kAgrees,
                       fmt::format("Z-width of {}, linear, B to 3: worst K off the lowest direction's", preset.name),
                       worst_percent, "%"));
  }
  if (!options.quick) report->AddPlot("preset-zwidth", plot);
}

}  // namespace tactus::bench::feel
