#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hal/sim/hand_script.h"
#include "host_tools/scene/scene_checks.h"
#include "tactus/haptic/workspace_config.h"
#include "tactus/scene/scene.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// A scene as a file has it (docs/scenes.md), ready to be sent to a controller.
struct SceneFile {
  std::string path, title, shows;
  Scene<> scene;
  std::vector<std::shared_ptr<const std::vector<std::uint8_t>>> grid_bytes;  ///< that the scene's grids are views of
  std::vector<std::string> bodies;                                           ///< names; the first is "tool"
  std::vector<std::string> paths;                                            ///< names
  std::vector<std::string> materials;
  std::map<std::string, double> coupling;            ///< fields of Config's coupling that the file sets
  std::optional<WorkspaceConfig<double>> workspace;  ///< the map from the hand's space; none: 1 : 1
  std::vector<std::string> move_names;
  bool gives_hand = false;           ///< it has a hand of its own, and not the one that stands still
  std::vector<hal::HandMove> moves;  ///< of the hand, repeated for ever; their names point into move_names
  std::vector<std::string> second_move_names;
  std::vector<hal::HandMove> second_moves;  ///< of a second hand, likewise; empty: there is none
  SceneChecks checks;

  /// Of a body, a path or the world, by its body number.
  std::string NameOf(int body) const;
  /// The hand's script; it refers to this object.
  hal::HandScript Hand() const { return {moves.data(), static_cast<int>(moves.size())}; }
  /// Whether a second hand holds a second tool.
  bool has_second_hand() const { return !second_moves.empty(); }
  /// Its script; none: there is no second hand.
  std::optional<hal::HandScript> SecondHand() const {
    if (!has_second_hand()) return std::nullopt;
    return hal::HandScript{second_moves.data(), static_cast<int>(second_moves.size())};
  }
  std::vector<std::uint8_t> Image() const;
  /// Puts the file's coupling into a Config.
  void Tell(wire::Config* config) const;
  /// The map from the hand's space as a message; none: 1 : 1.
  std::optional<wire::Workspace> Map() const;
  /// Where the second handle is every `step_s` of its script; empty: there is none.
  std::vector<Vec<double, 3>> SecondWay(double step_s) const;
  /// Where the virtual handle is in the scene every `step_s` of the hand's script, if the handle is where the hand wants it.
  std::vector<Vec<double, 3>> Way(double step_s) const;
};

/// Reads a scene from a TOML file and checks all of it.
///
/// @param[in] place    a file, or the name of a shipped scene: "door" is door.toml in ScenesFolder()
/// @param[in] changes  values that stand instead of the file's, as SetValue() takes them
/// @throws HostError: what is wrong, with file, line, field, value and range
SceneFile LoadScene(const std::string& place, const std::vector<std::string>& changes = {});

}  // namespace tactus::host
