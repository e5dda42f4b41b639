#pragma once
#include "tactus/core/capacity.h"

namespace tactus::host {

// What a tool in a hole, an assembly, a pile need. 16 directions and more than the servo loop uses: the tool is for
// experiments.
inline constexpr Capacity kSpatialSmall{.bodies = 1, .contacts = 32, .joints = 8, .directions = 8, .dof = 6};
inline constexpr Capacity kSpatialMedium{.bodies = 8, .contacts = 64, .joints = 24, .directions = 16, .dof = 6};
inline constexpr Capacity kSpatialCompliant{
    .bodies = 8, .contacts = 64, .joints = 24, .directions = 32, .dof = 6, .compliant = true};
inline constexpr Capacity kSpatialLarge{.bodies = 32, .contacts = 256, .joints = 64, .directions = 32, .dof = 6};
inline constexpr Capacity kPlanarMedium{.bodies = 32, .contacts = 96, .joints = 32, .directions = 2, .dof = 3};
inline constexpr Capacity kPlanarCompliant{
    .bodies = 32, .contacts = 96, .joints = 32, .directions = 2, .dof = 3, .compliant = true};
inline constexpr Capacity kPlanarPile{.bodies = 256, .contacts = 768, .joints = 0, .directions = 2, .dof = 3};
inline constexpr Capacity kPlanarLarge{.bodies = 256, .contacts = 768, .joints = 64, .directions = 2, .dof = 3};
// An explicit tableau of n(2+d) rows: 321² numbers; in the plane kPlanarCompliant's, 385².
inline constexpr Capacity kSpatialDense{
    .bodies = 8, .contacts = 32, .joints = 24, .directions = 8, .dof = 6, .compliant = true};

}  // namespace tactus::host
