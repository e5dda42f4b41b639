#pragma once
#include "bench/bench_options.h"

namespace tactus::bench {

/// [BaraffMattikalli93]: contact forces, Gauss' least constraint and steepest descent on 1000 frictionless systems at rest:
/// how far their accelerations are apart, and where one is not defined.
int RunMotion(const BenchOptions& options);

}  // namespace tactus::bench
