#pragma once
#include <string>

#include "host_tools/report/run_summary.h"

namespace tactus::host {

/// Recomputes every tick of a recording with the library on this machine, from the samples, the configuration and the
/// controls in it, and compares Command and Telemetry bit by bit (docs/wire.md, section 9). Counters of the link and missed
/// deadlines are taken as recorded: they are facts of the board, not of the tick.
///
/// @throws HostError: the recording is damaged, or has no configuration.
ReplayResult Replay(const std::string& log_path);

}  // namespace tactus::host
