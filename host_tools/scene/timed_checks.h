#pragma once
#include <string>
#include <vector>

#include "host_tools/scene/scene_checks.h"
#include "host_tools/scene/timeline.h"
#include "host_tools/scene/toml_table.h"

namespace tactus::host {

/// Reads the lists of [checks]: force_at, body_at and events.
/// @throws HostError: what is wrong, with file, line, field, value and range
void ReadTimedChecks(TomlTable* checks, const std::vector<std::string>& bodies, TimedChecks* timed);

/// Compares a run, tick by tick, with what its scene asserts.
std::vector<CheckResult> Check(const TimedChecks& checks, const SceneTimeline& run);

}  // namespace tactus::host
