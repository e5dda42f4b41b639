#include "host_tools/devices/play_hands.h"

namespace tactus::host {

void PlayHands(BoardClient& board, const SimulatedChoice& sim, const hal::HandScript& first,
               const std::optional<hal::HandScript>& second, std::uint64_t seed, const PlayOptions& play, RunSummary* run) {
  const auto device = sim.Make(first, seed, play.period_us);
  if (!second) return Play(board, *device, play, run);
  const auto other = sim.Make(*second, seed + SimulatedChoice::kSecondSeed, play.period_us);
  HeldPair pair(*device, *other);
  Play(board, pair, play, run);
}

}  // namespace tactus::host
