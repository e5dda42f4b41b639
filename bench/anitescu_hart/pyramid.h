#pragma once
#include "bench/report/report.h"

namespace tactus::bench {

/// [AnitescuHart] section 3: a hexagonal pyramid on a table, whose solution set is not convex in λ. Two tables: the paper's
/// two solutions and their average, measured; what LCP0, LCP1 and LCP2 find.
void AddPyramid(Report* report);

}  // namespace tactus::bench
