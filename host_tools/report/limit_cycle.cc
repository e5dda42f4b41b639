#include "host_tools/report/limit_cycle.h"

#include <fmt/core.h>

namespace tactus::host {
namespace {

std::string Sentence(const char* what, const LimitCycle& cycle, const char* unit) {
  return fmt::format("{}: {} (f_c {:.3g} {}, K q/2 {:.3g} {})", what,
                     cycle.appears() ? "limit cycle at the edge of a count, for f_c < K q/2"
                                     : "no limit cycle at the edge of a count, for f_c >= K q/2",
                     cycle.coulomb, unit, cycle.edge, unit);
}

}  // namespace

std::string UnknownFrictionReport(double stiffness_N_per_m, double resolution_m) {
  if (!(resolution_m > 0)) return "translation: limit cycle: nothing is known, for the device declares no count";
  return fmt::format(
      "translation: limit cycle at the edge of a count, if Coulomb friction is below K q/2 = {:.3g} N; it is not known",
      FindLimitCycle(stiffness_N_per_m, resolution_m, 0).edge);
}

std::vector<std::string> LimitCycleReport(const hal::DeviceParameters& device, const CouplingConfig<double>& coupling) {
  return {Sentence("translation", FindLimitCycle(coupling.stiffness_N_per_m, device.resolution_m, device.coulomb_N), "N"),
          Sentence("rotation",
                   FindLimitCycle(coupling.angular_stiffness_Nm_per_rad, device.resolution_rad, device.coulomb_Nm), "N·m")};
}

}  // namespace tactus::host
