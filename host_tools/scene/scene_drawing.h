#pragma once
#include <string>

#include "host_tools/scene/scene_file.h"

namespace tactus::host {

/// The scene where it starts, from the front, the side and above, with a scale: the tool, the bodies, the world, the joints,
/// the hand's way. The same file gives the same bytes. @returns an SVG
std::string DrawScene(const SceneFile& file);

}  // namespace tactus::host
