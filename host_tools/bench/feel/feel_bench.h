#pragma once
#include "host_tools/bench/bench_options.h"

namespace tactus::bench {

/// @see host_tools/bench/bench_registry.h
int RunFeel(const BenchOptions& options);

}  // namespace tactus::bench
