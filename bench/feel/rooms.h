#pragma once
#include "bench/report/report.h"

namespace tactus::bench::feel {

// One room a measurement: each adds its tables, pictures and checks to the report.
void ReportNoise(const BenchOptions& options, Report* report);
void ReportFollowing(const BenchOptions& options, Report* report);
void ReportStability(const BenchOptions& options, Report* report);
void ReportZWidth(const BenchOptions& options, Report* report);
void ReportPresetZWidth(const BenchOptions& options, Report* report);
void ReportRates(const BenchOptions& options, Report* report);
void ReportObserver(const BenchOptions& options, Report* report);
void ReportBounces(const BenchOptions& options, Report* report);
void ReportHolds(const BenchOptions& options, Report* report);

}  // namespace tactus::bench::feel
