#pragma once
#include <vector>

#include "bench/lloyd/method.h"
#include "bench/measure/lu_yardstick.h"
#include "bench/measure/timing.h"
#include "host_tools/solve/problem_document.h"

namespace tactus::bench {

/// A problem and the one a tick later.
struct TickPair {
  host::ProblemDocument now, next;
};

/// Solves every problem of a scene with 1 to 5 bodies and up to 32 contacts by every method.
SceneFigures Measure(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu);

/// The same for scenes of `bodies` bodies; sizes are compile-time. One translation unit each, made by CMake.
template <int bodies>
SceneFigures MeasureBodies(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu);

}  // namespace tactus::bench
