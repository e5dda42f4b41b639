#pragma once
#include <string>
#include <vector>

#include "host_tools/scene/scene_file.h"

namespace tactus::host {

/// What is no error and yet seldom meant, one sentence each: bodies inside each other where the scene starts, with the tool
/// in the hand where its script begins (a body is pushed out slowly, a tool stays without force until the hand has drawn it
/// out); a hand that does not move, or leaves the workspace.
std::vector<std::string> LookAtStart(const SceneFile& file);

}  // namespace tactus::host
