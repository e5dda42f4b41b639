#include "bench/lloyd/scene_measure.h"

namespace tactus::bench {

template <>
SceneFigures MeasureBodies<1>(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  return MeasureAll<1>(problems, timing, lu);
}

}  // namespace tactus::bench
