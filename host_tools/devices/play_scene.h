#pragma once
#include "host_tools/devices/simulated.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/session/play.h"

namespace tactus::host {

/// Plays a scene with simulated devices at the host: one, in the hand of its file; two, where it has two tools.
/// @throws HostError: as Play
void PlayScene(BoardClient& board, const SimulatedChoice& sim, const SceneChoice& scene, std::uint64_t seed,
               const PlayOptions& play, RunSummary* run);

}  // namespace tactus::host
