#pragma once
#include <string>

#include "host_tools/report/run_summary.h"

namespace tactus::host {

/// The table that ends a run, ready to print.
std::string ReportTable(const RunSummary& run);

/// "1 pressed 3 times, 4 pressed 1 time"; no press: empty.
std::string ButtonText(const hal::ButtonCounts& buttons);

/// The same facts as JSON, format "tactus.run/1".
std::string ReportJson(const RunSummary& run);

}  // namespace tactus::host
