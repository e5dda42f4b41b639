#include "host_tools/session/finish.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "host_tools/report/print_report.h"
#include "host_tools/report/text_file.h"

namespace tactus::host {
namespace {

/// A larger one is seen in a picture. Of the shipped scenes' joints none drifts by a tenth of that.
constexpr double kMostJointDrift_m = 1e-3;

/// A jam that lasts so long is no impact: what overlaps stays.
constexpr double kLongestJam_s = 0.1;

/// How deep something overlaps in a jam, in words; what is rounding is left out.
std::string Depth(const LongestJam& jam) {
  constexpr double kRounding = 1e-6;
  std::string text;
  if (jam.overlap_m > kRounding) text = fmt::format("a contact overlaps by up to {:.3g} mm", 1e3 * jam.overlap_m);
  if (jam.past_stop > kRounding)
    text += fmt::format("{}a joint is past its stop by up to {:.3g} m or rad", text.empty() ? "" : ", ", jam.past_stop);
  return text;
}

/// A tick whose work ran out and a jam are answered safely, as designed: the table tells. A solver that gave up earlier or
/// refused the problem has failed.
void Judge(RunSummary* run) {
  if (run->replay) {
    for (std::string& problem : ProblemsOf(*run->replay)) run->problems.push_back(std::move(problem));
  }
  const std::uint64_t refused = run->solve_status[static_cast<std::size_t>(SolveStatus::kInvalid)];
  if (run->given_up_ticks > 0)
    run->problems.push_back(fmt::format("in {} ticks the solver gave up with work left", run->given_up_ticks));
  if (run->opposed_ticks > 0) {
    run->problems.push_back(
        fmt::format("in {} ticks undoing overlaps would have flung a body, and they were left: a rope, a stop or a joint "
                    "asks for what a "
                    "contact forbids, or an overlap is near a joint's axis (docs/scenes.md, \"Overlaps\")",
                    run->opposed_ticks));
  }
  if (run->ends_inside) run->problems.push_back(kEndsInside);
  if (refused > 0) run->problems.push_back(fmt::format("in {} ticks the solver refused the contact problem", refused));
  if (run->instructions && run->instructions->ticks != run->ticks) {
    run->problems.push_back(fmt::format("the counter saw {} ticks, the link {}", run->instructions->ticks, run->ticks));
  }
}

}  // namespace

std::vector<std::string> ProblemsOf(const ReplayResult& replay) {
  std::vector<std::string> problems;
  if (!replay.ok()) {
    problems.push_back("the replay differs from the board: does its firmware come from the same sources as this tool?");
  }
  if (replay.joint_drift_m > kMostJointDrift_m) {
    problems.push_back(
        fmt::format("bodies came {:.3g} mm apart at a joint: in a period they turn too far for it. Make them heavier beside "
                    "what hangs on them, damp the joint, or take a higher --rate (docs/scenes.md, \"Drift\")",
                    1e3 * replay.joint_drift_m));
  }
  if (replay.jam.duration_s >= kLongestJam_s) {
    problems.push_back(fmt::format(
        "for {:.2g} s no motion could undo the overlaps (a jam), and they stayed: {}. A path, a stop, a rope or a fit "
        "asks for what a contact forbids (docs/scenes.md, \"Overlaps\")",
        replay.jam.duration_s, Depth(replay.jam)));
  }
  return problems;
}

LogPlace::LogPlace(const RunOutputs& outputs) : path_(outputs.log), temporary_(outputs.log.empty()) {
  if (!temporary_) return;
  path_ = (std::filesystem::temp_directory_path() / "tactus-log-XXXXXX").string();
  const int file = mkstemp(path_.data());
  if (file < 0) throw HostError(fmt::format("cannot make a temporary file {}", path_));
  close(file);
}

LogPlace::~LogPlace() {
  std::error_code ignored;
  if (temporary_) std::filesystem::remove(path_, ignored);
}

void CheckWritable(const std::string& path) {
  if (path.empty()) return;
  const bool was_there = std::filesystem::exists(path);
  if (!std::ofstream(path, std::ios::app)) throw HostError(fmt::format("cannot write '{}'", path));
  std::error_code ignored;
  if (!was_there) std::filesystem::remove(path, ignored);
}

int Finish(const RunOutputs& outputs, const std::string& log_path, RunSummary* run) {
  if (outputs.replay) run->replay = Replay(log_path);
  Judge(run);
  fmt::print("{}", ReportTable(*run));
  if (!outputs.log.empty()) fmt::print("  recording: {}   (tactus replay {})\n\n", outputs.log, outputs.log);
  if (std::fflush(stdout) != 0) throw HostError("cannot write the report to standard output");
  if (!outputs.json.empty()) WriteText(outputs.json, ReportJson(*run));
  if (!run->problems.empty() || !run->faults.empty()) return kExitFailed;
  return run->stopped_by != 0 ? kExitSignal + run->stopped_by : kExitOk;
}

}  // namespace tactus::host
