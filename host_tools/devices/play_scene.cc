#include "host_tools/devices/play_scene.h"

namespace tactus::host {

void PlayScene(BoardClient& board, const SimulatedChoice& sim, const SceneChoice& scene, std::uint64_t seed,
               const PlayOptions& play, RunSummary* run) {
  const auto device = sim.Make(scene.Script(), seed, play.period_us);
  const std::optional<hal::HandScript> second_hand = scene.SecondScript();
  if (!second_hand) return Play(board, *device, play, run);
  const auto second = sim.MakeSecond(*second_hand, seed, play.period_us);
  HeldPair pair(*device, *second);
  Play(board, pair, play, run);
}

}  // namespace tactus::host
