// The map from the hand's space of a scene file: as a message, and on the hand's script.
#include "firmware/servo/config_from_wire.h"
#include "host_tools/scene/scene_file.h"
#include "tactus/haptic/workspace.h"

namespace tactus::host {

std::optional<wire::Workspace> SceneFile::Map() const {
  if (!workspace) return std::nullopt;
  return servo::WorkspaceToWire(*workspace);
}

/// A move with the clutch leaves the virtual handle where it was, and what comes behind goes on from there.
std::vector<Vec<double, 3>> SceneFile::Way(double step_s) const {
  const WorkspaceConfig<double> map = workspace.value_or(WorkspaceConfig<double>());
  WorkspaceState<double> state;
  state.offset_m = map.offset_m;
  std::vector<Vec<double, 3>> way;
  for (double t_s = 0; t_s <= Hand().duration_s(); t_s += step_s) {
    const HandleState<double> hand{.p_WH_m = Hand().TargetAt(t_s).p_WS_m};
    Vec<double, 3> p_m = ToScene(map, state, hand).p_WH_m;
    if (Hand().MoveAt(t_s).clutch && !way.empty()) {
      state.offset_m += way.back() - p_m;
      p_m = way.back();
    }
    way.push_back(p_m);
  }
  return way;
}

std::vector<Vec<double, 3>> SceneFile::SecondWay(double step_s) const {
  std::vector<Vec<double, 3>> way;
  const std::optional<hal::HandScript> hand = SecondHand();
  if (!hand) return way;
  for (double t_s = 0; t_s <= hand->duration_s(); t_s += step_s) way.push_back(hand->TargetAt(t_s).p_WS_m);
  return way;
}

}  // namespace tactus::host
