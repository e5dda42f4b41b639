#pragma once
#include "bench/bench_options.h"
#include "bench/safety/campaign.h"

namespace tactus::bench {

/// @see bench/bench_registry.h
int RunSafety(const BenchOptions& options);

/// The same with another campaign in this program: for the test.
int RunSafety(const BenchOptions& options, const safety::Campaign& campaign);

}  // namespace tactus::bench
