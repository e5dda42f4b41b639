#pragma once
#include <string>
#include <vector>

#include "host_tools/replay/replay.h"

namespace tactus::host {

/// What a run of a scene was, tick by tick.
struct SceneTimeline {
  struct Tick {
    double time_s = 0;  ///< of its sample, when it begins: in the hand's script
    ReplayedTick seen;
  };
  std::vector<Tick> ticks;    ///< by their time, those with a new sample
  std::vector<BodyPose> end;  ///< where the bodies are at end_s
  double end_s = 0;           ///< when the last tick is over
};

/// Reads it from a recording: all bodies, for which the recording is replayed.
/// @param[in] period_s  of the loop
/// @throws HostError: as Replay()
SceneTimeline ReadTimeline(const std::string& log_path, double period_s);

}  // namespace tactus::host
