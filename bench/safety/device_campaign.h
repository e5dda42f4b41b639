#pragma once
#include <vector>

#include "bench/safety/campaign.h"

namespace tactus::bench::safety {

/// What goes wrong on the line of a real device, or in it, while its motors have current: the driver against the emulator,
/// byte by byte. One count for each device and fault, `campaign.injections` times at random forces and periods.
std::vector<FaultCount> CountDeviceFaults(const Campaign& campaign);

}  // namespace tactus::bench::safety
