#include <fmt/format.h>

#include <cmath>

#include "bench/feel/rooms.h"
#include "bench/feel/z_width.h"
#include "tactus/haptic/ceilings.h"

namespace tactus::bench::feel {
namespace {

constexpr double kAgrees = 5;  // %, issue 13

struct Preset {
  const char* name;
  hal::DeviceParameters parameters;
  bool drawn;
};

/// One line adds another.
std::vector<Preset> Presets() {
  hal::DeviceParameters light = hal::FalconClass();
  light.mass_kg.value = 0.1;
  light.damping_Ns_per_m.value = 0.05;
  return {{"FalconClass", hal::FalconClass(), true}, {"0.1 kg, b 0.05", light, false}};
}

/// What stands between sample and force.
enum class Sensor { kIdeal, kCounts, kShipped };
struct Variant {
  Sensor sensor;
  const char *name, *label;
};
constexpr Variant kVariants[] = {{Sensor::kIdeal, "ideal", "ideal"},
                                 {Sensor::kCounts, "counts", "counts"},
                                 {Sensor::kShipped, "counts, friction, controller", "as shipped"}};

Blow BlowFor(const Preset& preset, Sensor sensor, int late_ticks, double damping_Ns_per_m) {
  Blow blow;
  blow.setup.device = preset.parameters;
  blow.setup.late_ticks = late_ticks;
  blow.damping_Ns_per_m = damping_Ns_per_m;
  if (sensor == Sensor::kIdeal) blow.setup.device.resolution_m.value = 0;
  if (sensor != Sensor::kIdeal) blow.press_N = 6;  // swings over several counts, below the 8 N that the motors have
  if (sensor != Sensor::kShipped) blow.setup.device.coulomb_N.value = 0;
  blow.controller = sensor == Sensor::kShipped;
  return blow;
}

/// A Config takes no more, and with counts no prediction is below that where nothing is late.
double HighestTried_N_per_m(Sensor sensor, const PredictedLimit& predicted) {
  if (sensor == Sensor::kIdeal) return 2.5 * predicted.high_N_per_m;
  return std::min((sensor == Sensor::kShipped ? 10 : 2.5) * predicted.high_N_per_m, DeviceLimits().stiffness_N_per_m);
}

/// A curve of the picture, and the worst difference of each sensor.
struct Findings {
  Series low, measured;
  double worst_percent[3] = {};
};

void MeasurePoint(const char* preset, const Variant& variant, const Blow& blow, Table* table, Findings* findings) {
  const PredictedLimit exact = PredictLimit(blow, true), steps = PredictLimit(blow, false);
  const double highest = HighestTried_N_per_m(variant.sensor, steps);
  const double limit = MeasuredLimit_N_per_m(blow, 0.3 * std::min(steps.low_N_per_m, highest), highest);
  const bool ended = limit < highest;
  const double outside = steps.Outside_percent(limit);
  table->AddRow({preset, variant.name, blow.setup.late_ticks, blow.damping_Ns_per_m, 1e-3 * exact.low_N_per_m,
                 1e-3 * steps.low_N_per_m, 1e-3 * steps.high_N_per_m,
                 ended ? Table::Cell(1e-3 * limit) : Table::Cell(fmt::format(">= {:.3g}", 1e-3 * limit)),
                 ended ? Table::Cell(outside) : Table::Cell("-")});
  double& worst = findings->worst_percent[static_cast<int>(variant.sensor)];
  if (ended) worst = std::max(worst, std::abs(outside));
  findings->low.points.emplace_back(blow.damping_Ns_per_m, 1e-3 * steps.low_N_per_m);
  if (ended) findings->measured.points.emplace_back(blow.damping_Ns_per_m, 1e-3 * limit);
}

}  // namespace

/// Largest stiffness over damping, delay and device: predicted and measured.
void ReportZWidth(const BenchOptions& options, Report* report) {
  Table& table = report->AddTable("zwidth", "Z-width: largest stable K of a pressed handle after a blow, no hand, 1 kHz",
                                  {{"device"},
                                   {"sensor"},
                                   {"late", "ticks"},
                                   {"B", "N s/m"},
                                   {"predicted, exact device", "kN/m"},
                                   {"of hal/sim, lowest", "kN/m"},
                                   {"highest", "kN/m"},
                                   {"measured", "kN/m"},
                                   {"outside", "%"}});
  Plot plot("Z-width: predicted and measured", {"damping B [N s/m]", true}, {"largest stable stiffness [kN/m]", true});
  const std::vector<double> dampings = options.quick ? std::vector<double>{3} : std::vector<double>{1, 3, 8, 20};
  Findings findings;
  for (const Preset& preset : Presets()) {
    report->Progress(fmt::format("Z-width: {}", preset.name));
    for (const Variant& variant : kVariants) {
      for (int late = 0; late <= 2; ++late) {
        findings.low = Series{fmt::format("{} late, predicted", late), {}, true, false, true};
        findings.measured = Series{fmt::format("{} late, {}", late, variant.label), {}, false, true, false};
        for (const double B : dampings)
          MeasurePoint(preset.name, variant, BlowFor(preset, variant.sensor, late, B), &table, &findings);
        if (!preset.drawn) continue;
        if (variant.sensor == Sensor::kIdeal) plot.Add(findings.low);
        if (!findings.measured.points.empty()) plot.Add(findings.measured);
      }
    }
  }
  report->Add(AtMost(kAgrees, "Z-width, ideal sensor: worst difference of K from the prediction",
                     findings.worst_percent[static_cast<int>(Sensor::kIdeal)], "%"));
  report->Add(Stated("Z-width, counts: worst K outside what the observer's two sets of gains predict",
                     findings.worst_percent[static_cast<int>(Sensor::kCounts)], "%"));
  if (!options.quick) report->AddPlot("zwidth", plot);
}

}  // namespace tactus::bench::feel
