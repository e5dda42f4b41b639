#pragma once
#include <vector>

#include "bench/bench_options.h"
#include "bench/measure/lu_yardstick.h"
#include "bench/measure/timing.h"

namespace tactus::bench {

/// `reduced cold` on stacks of m blocks with n = 4 m contacts, each stack with a capacity of its own.
struct StackPoint {
  int bodies, contacts;
  std::vector<int> pivots;
  std::vector<double> time_us;
  std::vector<double> beats;  ///< the same in units of LuYardstick::Beat_us()
  int failures = 0;           ///< not solved, or with a residual above Tolerances::kAccept
};

/// m = 1 to 16, beyond Lloyd's 5: how time grows shows only where the large m outweigh what every solve costs.
std::vector<StackPoint> MeasureStackGrowth(const BenchOptions& options, const Timing& timing, LuYardstick* lu);

}  // namespace tactus::bench
