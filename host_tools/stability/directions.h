#pragma once
#include <vector>

#include "hal/sim/preset_numbers.h"
#include "tactus/core/eigen.h"

namespace tactus::host {

/// A direction in which a handle swings by itself.
struct Direction {
  Vec<double, 3> along = Vec<double, 3>::Zero();  ///< of unit length, in W
  double mass_kg = 0, damping_Ns_per_m = 0;       ///< m, b
};

/// The eigenvectors e of the mass matrix of a preset's handle at W's origin, M_x e = m e, with b = eᵀ B_x e; those in which
/// it moves, the lightest first. A coupling that is the same in all directions leaves them apart, but for damping that mixes
/// them.
std::vector<Direction> DirectionsOf(const hal::DevicePreset& preset);

}  // namespace tactus::host
