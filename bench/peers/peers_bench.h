#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// Siconos, Bullet and DART, where they were found when this was built: time, failures and wrong answers beside ours, the
/// same problems, the same run, the same checker.
int RunPeers(const BenchOptions& options);

}  // namespace tactus::bench
