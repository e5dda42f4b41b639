#pragma once
#include <string>
#include <vector>

#include "bench/anitescu_hart/pile.h"

namespace tactus::bench {

/// Frames side by side, to one scale: disks with a spoke, the plank, contact forces as lines whose width goes with the
/// force.
/// @param captions  one a frame
std::string PilePicture(const std::string& title, const std::vector<PileFrame>& frames,
                        const std::vector<std::string>& captions);

}  // namespace tactus::bench
