#include "bench/lloyd/scene_measure.h"

namespace tactus::bench {

template <>
SceneFigures MeasureBodies<3>(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  return MeasureAll<3>(problems, timing, lu);
}

}  // namespace tactus::bench
