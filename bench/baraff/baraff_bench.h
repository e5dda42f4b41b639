#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// [Baraff94] section 7: frictionless contact forces, n = 10…150, against Gaussian elimination on the same A in the same
/// run, and calls to drive-to-zero; how often static friction succeeds in two and in three dimensions.
int RunBaraff(const BenchOptions& options);

}  // namespace tactus::bench
