#include "bench/lloyd/scene_measure.h"

namespace tactus::bench {

template <>
SceneFigures MeasureBodies<5>(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  return MeasureAll<5>(problems, timing, lu);
}

}  // namespace tactus::bench
