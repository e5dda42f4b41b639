#pragma once
#include "tactus/haptic/config.h"

namespace tactus::host {

/// The scene of the demo: the library's defaults (a peg of 10 mm radius, 60 mm long, in a hole with 0.1 mm clearance), with
/// the resolution and the limits of the simulated Falcon-class device.
Config<double> PegInHoleConfig();

}  // namespace tactus::host
