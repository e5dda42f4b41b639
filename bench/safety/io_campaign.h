#pragma once
#include <vector>

#include "bench/safety/campaign.h"

namespace tactus::bench::safety {

/// What goes wrong at an I/O board while it lets current out: one count for each fault, `campaign.injections` times at
/// random currents, periods and counts. The board's loop runs at 1 kHz, so a tick is a period.
std::vector<FaultCount> CountIoFaults(const Campaign& campaign);

}  // namespace tactus::bench::safety
