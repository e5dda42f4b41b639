#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host_tools/command_line.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/session/play.h"
#include "tactus/haptic/config.h"

namespace tactus::host {

/// `--set table.key=value`, any number of times. @param[out] changes  as LoadScene() takes them
void AddSetOption(CLI::App* command, std::vector<std::string>* changes);

/// The scene of a command, as its --scene says; none: the peg and the plate, and the script that inserts it.
class SceneChoice {
 public:
  void AddOption(CLI::App* command);
  /// Reads the file. @throws HostError as LoadScene; a scene for a controller's own device
  void Load(const std::string& device);
  hal::HandScript Script() const;
  /// Of the second hand; none where one is all.
  std::optional<hal::HandScript> SecondScript() const;
  /// Whether its file has a hand of its own.
  bool gives_hand() const { return file_ && file_->gives_hand; }
  /// As it was given; empty: none was.
  const std::string& place() const { return place_; }
  void set_place(const std::string& place) { place_ = place; }
  /// Puts the scene and its coupling into what is played.
  void Tell(PlayOptions* play) const;
  /// … its tool's mass and moments.
  void Tell(ToolConfig<double>* tool) const;
  /// As WorkWithoutClock; 0 without a scene.
  int work() const;
  /// What its file asserts and the run did not keep becomes a problem of the run.
  /// @param[in] log_path  of the run's recording
  void Judge(const std::string& log_path, RunSummary* run) const;

 private:
  std::string place_;
  std::vector<std::string> changes_;
  std::optional<SceneFile> file_;
};

}  // namespace tactus::host
