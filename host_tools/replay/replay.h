#pragma once
#include <string>

#include "host_tools/report/run_summary.h"

namespace tactus::host {

/// Recomputes every tick of a recording with the library on this machine, from the samples, the configuration and the
/// controls in it, and compares Command and Telemetry bit by bit (docs/wire.md, section 9). Counters of the link and missed
/// deadlines are taken as recorded: they are facts of the board, not of the tick.
///
/// Ticks are counted as the recording must: Commands 1, 2, 3 … after each Config and kReset; Hello, Ack and Stopped tell the
/// ticks done. A Command that is missing, twice there or misnumbered is a difference. Of a damaged recording the good part
/// is replayed.
///
/// @throws HostError: there is no recording, or no Hello or configuration in it.
ReplayResult Replay(const std::string& log_path);

}  // namespace tactus::host
