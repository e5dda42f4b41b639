#include "bench/lloyd/measure.h"

namespace tactus::bench {

SceneFigures Measure(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  switch (problems.front().now.bodies.size()) {
    case 1: return MeasureBodies<1>(problems, timing, lu);
    case 2: return MeasureBodies<2>(problems, timing, lu);
    case 3: return MeasureBodies<3>(problems, timing, lu);
    case 4: return MeasureBodies<4>(problems, timing, lu);
    default: return MeasureBodies<5>(problems, timing, lu);
  }
}

}  // namespace tactus::bench
