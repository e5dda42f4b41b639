#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/feel/rooms.h"
#include "bench/feel/stability.h"

namespace tactus::bench::feel {
namespace {

constexpr double kLargestAddedStep_N = 0.05;  // issue, section 5

struct Free {
  std::string name;
  double mass_kg, resolution_m;
};

}  // namespace

void ReportBounces(const BenchOptions& options, Report* report) {
  constexpr double kDuration_s = 2.2;  // a handle that lies still may not be taken for a dead one
  const int starts = options.quick ? 3 : 40;
  report->Progress("late bounces of a free handle");
  Table& table =
      report->AddTable("bounces", fmt::format("Free handles that fall on the plate, {} starts, no dry friction", starts),
                       {{"handle"},
                        {"K", "N/m"},
                        {"end speed, worst", "mm/s"},
                        {"at rest", "%"},
                        {"controller active, worst", "%"},
                        {"largest step by it", "N"}});
  for (const Free& free : {Free{"0.1 kg, 20 um", 0.1, 20e-6}, Free{"0.25 kg, 38 um", 0.25, 38e-6}}) {
    for (const double stiffness_N_per_m : {3000.0, 6000.0, 12000.0}) {
      Drop drop;
      drop.setup.device = Device(free.mass_kg, 0, free.resolution_m);
      drop.setup.device.damping_Ns_per_m.value = 0.05;
      drop.setup.stiffness_N_per_m = stiffness_N_per_m;
      Ending worst;
      int at_rest = 0;
      for (int i = 0; i < starts; ++i) {
        const Ending ending = DropOnce(drop, 1'000'000 * options.seed + static_cast<std::uint64_t>(i), kDuration_s);
        worst.late_mps = std::max(worst.late_mps, ending.late_mps);
        worst.active = std::max(worst.active, ending.active);
        worst.added_N = std::max(worst.added_N, ending.added_N);
        at_rest += ending.at_rest() ? 1 : 0;
      }
      table.AddRow(
          {free.name, stiffness_N_per_m, 1e3 * worst.late_mps, 100.0 * at_rest / starts, 100 * worst.active, worst.added_N});
      const std::string name = fmt::format("late bounce, {}, {:g} N/m", free.name, stiffness_N_per_m);
      report->Add(Below(1e3 * Ending::kRest_mps, name + ": worst end speed", 1e3 * worst.late_mps, "mm/s"));
      report->Add(AtMost(kLargestAddedStep_N, name + ": largest step by the controller", worst.added_N, "N"));
    }
  }
}

}  // namespace tactus::bench::feel
