#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// Friction on the round cone beside the polygon's: what a hand feels of a block on a plate, how often and how fast the
/// round answer is found, in sequences and cold, and its memory. Goals: the issue "The solver", section 3.
int RunRound(const BenchOptions& options);

}  // namespace tactus::bench
