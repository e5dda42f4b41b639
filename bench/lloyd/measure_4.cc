#include "bench/lloyd/scene_measure.h"

namespace tactus::bench {

template <>
SceneFigures MeasureBodies<4>(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  return MeasureAll<4>(problems, timing, lu);
}

}  // namespace tactus::bench
