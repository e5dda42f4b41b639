#include "host_tools/scene/scene_option.h"

#include <fmt/core.h>

#include "hal/sim/peg_in_hole_script.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {

void SceneChoice::AddOption(CLI::App* command) {
  command->add_option("--scene", place_, "a scene's TOML file, or the name of a shipped one (tactus scene list)");
}

void SceneChoice::Load(const std::string& device) {
  if (place_.empty()) return;
  if (device == "local") throw HostError("a scene's hand is at the host's device: leave --device local away");
  file_ = LoadScene(place_);
}

hal::HandScript SceneChoice::Script() const { return file_ ? file_->Hand() : hal::PegInHoleScript(); }

void SceneChoice::Tell(PlayOptions* play) const {
  if (!file_) return;
  play->scene = file_->Image();
  file_->Tell(&play->config);
}

void SceneChoice::Judge(RunSummary* run) const {
  if (!file_) return;
  run->scene = file_->title;
  for (const CheckResult& check : Check(file_->checks, *run)) {
    if (!check.passed)
      run->problems.push_back(
          fmt::format("the scene's check {}: {:.6g}, its bound is {:.6g}", check.name, check.found, check.bound));
  }
}

}  // namespace tactus::host
