#pragma once
#include <string>
#include <vector>

#include "host_tools/scene/scene_file.h"

namespace tactus::host {

/// Bodies by number; kWorld: the world or a path.
struct StartOverlap {
  int a = 0, b = kWorld;
  double depth_m = 0;
};

/// Bodies that start deeper inside of another, of the world or of a path than margin_m, and than 0.1 mm: nobody means that.
/// Not of a tool, which starts in the hand, nor of what yields, which carries its load by its depth.
std::vector<StartOverlap> OverlapsAtStart(const Scene<>& scene);

/// What is no error and yet seldom meant, one sentence each: bodies inside each other where the scene starts, with the tool
/// in the hand where its script begins (a body is pushed out slowly, a tool stays without force until the hand has drawn it
/// out); a hand that does not move, or leaves the workspace.
std::vector<std::string> LookAtStart(const SceneFile& file);

}  // namespace tactus::host
