#include "host_tools/scene/scene_option.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "hal/sim/peg_in_hole_script.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/start_check.h"
#include "host_tools/session/scene_room.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {

void AddSetOption(CLI::App* command, std::vector<std::string>* changes) {
  command
      ->add_option("--set", *changes,
                   "a value instead of the scene's: coupling.stiffness_N_per_m=800, bodies[door].mass_kg=0.2; any number")
      ->expected(1)
      ->take_all();
}

void SceneChoice::AddOption(CLI::App* command) {
  command->add_option("--scene", place_, "a scene's TOML file, or the name of a shipped one (tactus scene list)");
  AddSetOption(command, &changes_);
}

void SceneChoice::Load(const std::string& device) {
  if (place_.empty() && !changes_.empty()) throw HostError("--set changes a scene: give --scene NAME or FILE too");
  if (place_.empty()) return;
  if (device == "local") throw HostError("a scene's hand is at the host's device: leave out --device local");
  file_ = LoadScene(place_, changes_);
  for (const std::string& finding : LookAtStart(*file_)) PrintError("note: {}: {}", file_->path, finding);
}

hal::HandScript SceneChoice::Script() const { return file_ ? file_->Hand() : hal::PegInHoleScript(); }

std::optional<hal::HandScript> SceneChoice::SecondScript() const { return file_ ? file_->SecondHand() : std::nullopt; }

void SceneChoice::Tell(PlayOptions* play) const {
  if (!file_) return;
  play->scene = file_->Image();
  file_->Tell(&play->config);
  play->workspace = file_->Map();
}

int SceneChoice::work() const { return file_ ? WorkWithoutClock(file_->scene) : 0; }

void SceneChoice::Tell(ToolConfig<double>* tool) const {
  if (!file_) return;
  const SceneBody& body = file_->scene.bodies[kTool];
  tool->mass_kg = body.mass_kg;
  for (int i = 0; i < 3; ++i) tool->inertia_kgm2(i) = body.inertia_kgm2[i];
}

void SceneChoice::Judge(const std::string& log_path, RunSummary* run) const {
  if (!file_) return;
  run->scene = file_->title;
  for (const CheckResult& check : Check(file_->checks, *run, log_path)) {
    if (!check.passed) run->problems.push_back(fmt::format("the scene's check {}: {}", check.name, check.what));
  }
}

}  // namespace tactus::host
