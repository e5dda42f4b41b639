#pragma once
#include <string>
#include <vector>

#include "host_tools/report/run_summary.h"
#include "host_tools/scene/scene_file.h"

namespace tactus::host {

/// Names that [checks] knows.
const std::vector<std::string>& CheckNames();

/// One check and how it came out.
struct CheckResult {
  std::string name;
  double bound = 0, found = 0;
  bool passed = false;
};

/// Compares a run with what its scene asserts.
std::vector<CheckResult> Check(const SceneChecks& checks, const RunSummary& run);

}  // namespace tactus::host
