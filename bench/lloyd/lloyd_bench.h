#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// [Lloyd04] section 5.4: peg in hole n = 8…32 (Figs. 5, 6), ten situations of one body (Figs. 7, 8), block stacks m = 1…5
/// (Fig. 10), each with 20 random wrenches, by every form of Lemke's algorithm and by the convex relaxation.
int RunLloyd(const BenchOptions& options);

}  // namespace tactus::bench
