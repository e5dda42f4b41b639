#pragma once
#include <string>
#include <vector>

#include "hal/sim/parameters.h"
#include "tactus/haptic/config.h"

namespace tactus::host {

/// A hand that rests on a hard wall hunts at the edge between two encoder counts: one count q changes the spring's force by
/// K q, half of it to each side, and Coulomb friction holds the handle still only if it is above that [AbbottOkamura05]:
///
///     limit cycle where   f_c < K q/2
struct LimitCycle {
  double coulomb = 0;  ///< f_c [N or N·m]
  double edge = 0;     ///< K q/2 [N or N·m]

  bool appears() const { return coulomb < edge; }
};

/// @param[in] stiffness   K [N/m or N·m/rad]
/// @param[in] resolution  q, one count [m or rad]
/// @param[in] coulomb     f_c [N or N·m]
constexpr LimitCycle FindLimitCycle(double stiffness, double resolution, double coulomb) {
  return {.coulomb = coulomb, .edge = stiffness * resolution / 2};
}

/// What to expect of this device with this coupling: one sentence for translations, one for rotations.
std::vector<std::string> LimitCycleReport(const hal::DeviceParameters& device, const CouplingConfig<double>& coupling);

/// The same of a device that declares its count q and not its friction, as all real ones do.
std::string UnknownFrictionReport(double stiffness_N_per_m, double resolution_m);

}  // namespace tactus::host
