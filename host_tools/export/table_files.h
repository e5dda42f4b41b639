#pragma once
#include <string>

#include "host_tools/export/recording_table.h"

namespace tactus::host {

// A table as a file that others read without us. Each throws HostError where it cannot be written.

/// One line a tick; the first line has names and units: "p_WT_m_0 [m]".
void WriteCsv(const RecordingTable& table, const std::string& path);
/// NumPy: `numpy.load(path)[name]` is an array of doubles, ticks by width. A ZIP archive without compression
/// (PKWARE APPNOTE 4.3, NumPy format 1.0).
void WriteNpz(const RecordingTable& table, const std::string& path);
/// MATLAB: `load(path)` gives each field as a matrix, ticks by width (MAT-file level 4).
void WriteMat(const RecordingTable& table, const std::string& path);

}  // namespace tactus::host
