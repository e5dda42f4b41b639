#pragma once
#include <string>
#include <vector>

namespace tactus::host {

/// One field of Telemetry over a recording: `width` numbers a tick, one tick after the other.
struct RecordingColumn {
  std::string name;
  std::vector<std::string> units;  ///< of each of the `width` numbers; "" where it has none
  std::size_t width = 1;
  std::vector<double> values;
};

/// A recording as time series: `time_s` first, then every field of Telemetry under its name (docs/wire.md), one of 64 bits
/// as two halves, the low one first; of two hands also the second one's place and wrench.
struct RecordingTable {
  std::size_t ticks = 0;
  std::vector<RecordingColumn> columns;
};

/// @throws HostError: the file cannot be read, is no recording, or has no Telemetry. A recording that breaks off, or is
/// damaged, gives what stands before that, and it is said on standard error, or in `damage` if that is given
RecordingTable ReadRecording(const std::string& path, std::string* damage = nullptr);

}  // namespace tactus::host
