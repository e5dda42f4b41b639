#pragma once
#include <utility>
#include <vector>

#include "bench/feel/loop.h"
#include "tactus/haptic/config.h"

namespace tactus::bench::feel {

/// Energy of the loop at one sample, since the observer started [J].
struct Balance {
  double true_J = 0;  ///< taken from the hand and not stored: the device's own account, the true pose
  double seen_J = 0;  ///< the observer's dissipated_J
};

/// The account of a run without rotation, from the tick on in which the loop has its full force, up to the first fault.
///
///     D_k = -Σ_{j<k} work_j - (S_k - S_0),   S = m v²/2 + spring
///
/// with the work that the device itself measured on the handle, the tool as the tick reports it, and a spring from the true
/// handle: k e²/2 up to the largest force and a straight line beyond.
std::vector<Balance> Balances(const std::vector<Period>& periods, const Config<double>& config);

/// The largest fall of the true energy: what the loop made between two samples. The search ends when it has made `enough_J`.
struct Generation {
  double true_J = 0;  ///< ≥ 0
  double seen_J = 0;  ///< the observer's fall between the same two samples
};
Generation LargestGeneration(const std::vector<Balance>& balances, double enough_J);

}  // namespace tactus::bench::feel
