#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// @see bench/bench_registry.h
int RunPresets(const BenchOptions& options);

}  // namespace tactus::bench
