#pragma once
#include <string>

#include "host_tools/report/run_summary.h"

namespace tactus::host {

/// The table that ends a run, ready to print.
std::string ReportTable(const RunSummary& run);

/// The same facts as JSON, format "tactus.run/1".
std::string ReportJson(const RunSummary& run);

}  // namespace tactus::host
