#pragma once
#include <vector>

#include "bench/safety/campaign.h"

namespace tactus::bench::safety {

/// What goes wrong while a Falcon's program is loaded, at random bytes, programs and delays of the line: named, no current
/// in any motor at any time, and loaded when the fault is gone.
std::vector<FaultCount> CountFalconStartFaults(const Campaign& campaign);

}  // namespace tactus::bench::safety
