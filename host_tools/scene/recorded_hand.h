#pragma once
#include <string>

#include "host_tools/scene/scene_file.h"

namespace tactus::host {

/// Makes a hand's script of a recording's handle: where it was is where the hand wants to be, every 20 ms, and at the end it
/// goes back in a second to where it began. Of a longer recording the first 30 s are taken.
/// @throws HostError: it cannot be read, has no Telemetry, or leaves what a hand can reach
void ReadRecordedHand(const std::string& log_path, SceneFile* file);

}  // namespace tactus::host
