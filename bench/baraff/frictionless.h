#pragma once
#include "bench/bench_options.h"
#include "bench/report/report.h"

namespace tactus::bench {

/// Dantzig's algorithm against Eigen's LU: tables, plots, faults.
void BenchFrictionless(const BenchOptions& options, Report* report);

}  // namespace tactus::bench
