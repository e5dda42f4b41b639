#pragma once
#include "bench/bench_options.h"
#include "bench/report/report.h"

namespace tactus::bench {

/// How often Baraff's method finds static friction forces, in the plane and in space; every answer verified.
void BenchFriction(const BenchOptions& options, Report* report);

}  // namespace tactus::bench
