#pragma once
#include <string>
#include <vector>

#include "host_tools/report/run_summary.h"

namespace tactus::host {

/// What a run leaves behind, besides its table.
struct RunOutputs {
  std::string log;   ///< the recording; empty: a temporary file, for the replay only
  std::string json;  ///< the report as JSON; empty: none
  bool replay = true;
};

/// A file for the recording: the one that was asked for, or a temporary one that goes with this object.
class LogPlace {
 public:
  explicit LogPlace(const RunOutputs& outputs);
  ~LogPlace();
  LogPlace(const LogPlace&) = delete;
  LogPlace& operator=(const LogPlace&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool temporary_;
};

/// Finds out before a run what would fail after it. Leaves the file as it is. @throws HostError: cannot be written.
void CheckWritable(const std::string& path);

/// What a replay found: it differs, bodies came apart at a joint by what is seen, or a jam lasted. Empty: nothing.
std::vector<std::string> ProblemsOf(const ReplayResult& replay);

/// Of a run that ends with a tool that was placed inside an obstacle and still is.
inline constexpr const char* kEndsInside =
    "the tool was inside an obstacle to the end: no force went out, and the scene waited. Start it outside (tactus scene "
    "check "
    "says in what it starts), or let the hand draw it out";

/// Ends a run: replays the recording, judges, prints the table on standard output, writes the JSON.
///
/// @returns the command's exit code
int Finish(const RunOutputs& outputs, const std::string& log_path, RunSummary* run);

}  // namespace tactus::host
