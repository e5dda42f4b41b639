#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// Anitescu and Hart's experiments: piles of disks by LCP0, LCP1 and LCP2 (Figs 2, 3, 4, Table 1), the pyramid of section 3.
int RunAnitescuHart(const BenchOptions& options);

}  // namespace tactus::bench
