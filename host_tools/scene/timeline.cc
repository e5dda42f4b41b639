#include "host_tools/scene/timeline.h"

namespace tactus::host {

SceneTimeline ReadTimeline(const std::string& log_path, double period_s) {
  SceneTimeline timeline;
  std::uint32_t last = 0;
  (void)Replay(log_path, [&](const ReplayedTick& tick) {  // that it is bit-identical is for others to judge
    if (tick.sample_sequence <= last) return;             // the force fades after the last sample
    last = tick.sample_sequence;
    timeline.ticks.push_back({static_cast<double>(last - 1) * period_s, tick});
    timeline.end = tick.bodies_after;
    timeline.end_s = static_cast<double>(last) * period_s;
  });
  return timeline;
}

}  // namespace tactus::host
