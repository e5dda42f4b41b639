#pragma once
#include <vector>

#include "bench/safety/campaign.h"

namespace tactus::bench::safety {

/// What goes wrong with `tactus serve` while force is on the hand, in virtual time: the loop, its clock, its link and its
/// device are the real ones, the kernel is played. `2 campaign.injections` times each, at random ticks, for random times.
std::vector<FaultCount> CountLinuxFaults(const Campaign& campaign);

}  // namespace tactus::bench::safety
