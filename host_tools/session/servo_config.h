#pragma once
#include <cstdint>

#include "tactus/haptic/config.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// The scene of the demo: the library's defaults (a peg of 10 mm radius, 60 mm long, in a hole with 0.1 mm clearance), with
/// the resolution and the limits of the simulated Falcon-class device.
Config<double> PegInHoleConfig();

/// The coupling that a controller makes of the message; the default one where it would refuse it.
CouplingConfig<double> CouplingIn(const wire::Config& message, std::uint32_t period_us);

/// For a host that is not real-time, and a board that takes its time from such a host's machine: samples pace the loop, and
/// the silence and the hold that are allowed are the longest that the controller takes.
void BePatient(wire::Config* config);

}  // namespace tactus::host
