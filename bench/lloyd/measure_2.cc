#include "bench/lloyd/scene_measure.h"

namespace tactus::bench {

template <>
SceneFigures MeasureBodies<2>(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  return MeasureAll<2>(problems, timing, lu);
}

}  // namespace tactus::bench
