#pragma once
#include <optional>

#include "host_tools/devices/simulated.h"
#include "host_tools/session/play.h"

namespace tactus::host {

/// Plays with simulated devices at the host: one, in a hand that does `first`; two, where there is a second hand.
/// @param seed  of the first hand's tremor  @throws HostError: as Play
void PlayHands(BoardClient& board, const SimulatedChoice& sim, const hal::HandScript& first,
               const std::optional<hal::HandScript>& second, std::uint64_t seed, const PlayOptions& play, RunSummary* run);

}  // namespace tactus::host
