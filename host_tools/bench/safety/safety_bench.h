#pragma once
#include "host_tools/bench/bench_options.h"
#include "host_tools/bench/safety/campaign.h"

namespace tactus::bench {

/// @see host_tools/bench/bench_registry.h
int RunSafety(const BenchOptions& options);

/// The same with another campaign in this program: for the test.
int RunSafety(const BenchOptions& options, const safety::Campaign& campaign);

}  // namespace tactus::bench
