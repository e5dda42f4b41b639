#include "bench/presets/presets_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/presets/measure.h"
#include "bench/report/report.h"
#include "host_tools/report/limit_cycle.h"
#include "tactus/haptic/config.h"

namespace tactus::bench {
namespace {

void AddDelays(Report* report) {
  Table& table = report->AddTable("delay", "From a command to the force on the handle, beyond the hold",
                                  {{"device"}, {"stated", "ms"}, {"measured", "ms"}});
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    const presets::Delay delay = presets::MeasureDelay(preset);
    table.AddRow({preset.name, 1e3 * delay.stated_s, 1e3 * delay.measured_s});
    report->Add(AtMost(5, fmt::format("delay of {}, off what is stated", preset.name),
                       100 * std::abs(delay.measured_s / delay.stated_s - 1), "%"));
  }
}

void AddHandles(Report* report) {
  Table& table = report->AddTable(
      "handle", "At the handle, without a hand",
      {{"device"}, {"mass", "kg"}, {"count", "um"}, {"friction", "N"}, {"damping", "N s/m"}, {"K q/2", "N"}});
  const double stiffness = CouplingConfig<double>().stiffness_N_per_m;
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    const hal::PresetAtHandle at = hal::AtHandle(preset);
    table.AddRow({preset.name, at.mass_kg, 1e6 * at.resolution_m, at.coulomb_N, at.damping_Ns_per_m,
                  host::FindLimitCycle(stiffness, at.resolution_m, at.coulomb_N).edge});
  }
}

void AddTouch(const BenchOptions& options, Report* report) {
  Table& table = report->AddTable("touch", "The default Config with each device and hand: plate pressed, and free motion",
                                  {{"device"},
                                   {"hand"},
                                   {"hold, 100-500 Hz", "mN"},
                                   {"free, 100-500 Hz", "mN"},
                                   {"largest step", "N"},
                                   {"at rest", "mm/s"},
                                   {"controller", "%"},
                                   {"faults"}});
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    report->Progress(preset.name);
    int faults = 0;
    double hold_N = 0, rest_mps = 0;
    for (const hal::Hand& hand : hal::Hands()) {
      const presets::Touch touch = presets::MeasureTouch(preset, hand, options.quick ? 2 : 20, options.seed);
      table.AddRow({preset.name, hand.name, 1e3 * touch.hold_N, 1e3 * touch.free_N, touch.step_N, 1e3 * touch.rest_mps,
                    100 * touch.active, touch.faults});
      faults += touch.faults;
      hold_N = std::max(hold_N, touch.hold_N);
      if (!(hand.loose < 1)) rest_mps = std::max(rest_mps, touch.rest_mps);  // what grips anew does not rest
    }
    report->Add(AtMost(10, fmt::format("hold of {}, 100-500 Hz, worst hand", preset.name), 1e3 * hold_N, "mN"));
    report->Add(AtMost(0.1, fmt::format("speed of {} at rest, worst hand", preset.name), 1e3 * rest_mps, "mm/s"));
    report->Add(AtMost(0, fmt::format("faults of {}", preset.name), faults, ""));
  }
}

}  // namespace

int RunPresets(const BenchOptions& options) {
  Report report("presets",
                "The simulated devices with dynamics: what they are at the handle, and what the loop is with them", options);
  AddHandles(&report);
  AddDelays(&report);
  AddTouch(options, &report);
  report.Note("Simulated numbers of simulated devices; where each is from: docs/presets.md. Not run on hardware.");
  return report.Finish();
}

}  // namespace tactus::bench
