#pragma once
#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "host_tools/report/run_summary.h"

namespace tactus::host {

/// The force on the hand within a time.
struct ForceCheck {
  std::string name;
  bool is_of_second = false;  ///< whose force counts: the second hand's
  double from_s = 0, to_s = 0;
  double along[3] = {0, 0, 0};  ///< unit: its component; zero: its size
  double min_N = -std::numeric_limits<double>::infinity();
  double max_N = std::numeric_limits<double>::infinity();  ///< in each tick
  double mean_N = 0;                                       ///< of the ticks
  double within_N = std::numeric_limits<double>::infinity();
};

/// Where a body is at a time.
struct PoseCheck {
  std::string name;
  int body = 0;
  double at_s = 0;
  double position_m[3] = {0, 0, 0};
  double within_m = std::numeric_limits<double>::infinity();
  double turned_rad = 0;  ///< from where it started, about any axis
  double within_rad = std::numeric_limits<double>::infinity();
};

/// Something that happens after the event before it: all bounds that are given are passed in one tick.
struct EventCheck {
  std::string name;
  bool is_of_second = false;  ///< whose force counts: the second hand's
  int body = -1;              ///< whose way and turn from the start count; -1: none's
  double by_s = std::numeric_limits<double>::infinity();
  double force_above_N = -1, force_below_N = std::numeric_limits<double>::infinity();
  double moved_above_m = -1, moved_below_m = std::numeric_limits<double>::infinity();
  double turned_above_rad = -1, turned_below_rad = std::numeric_limits<double>::infinity();
};

/// What needs to know each tick.
struct TimedChecks {
  std::vector<ForceCheck> forces;
  std::vector<PoseCheck> poses;
  std::vector<EventCheck> events;  ///< in their order

  std::size_t size() const { return forces.size() + poses.size() + events.size(); }
};

/// What a test of a scene asserts of its run; what is not given is not asserted.
struct SceneChecks {
  std::map<std::string, double> bounds;  ///< by the names of CheckNames()
  /// [N] Of both tools, as the hands feel them: a weight that sinks gives its hand energy.
  std::array<std::array<double, 3>, 2> weight_N{};
  TimedChecks timed;

  std::size_t size() const { return bounds.size() + timed.size(); }
};

/// Names of the single numbers that [checks] knows.
const std::vector<std::string>& CheckNames();

/// Between which the bound of such a number is.
struct BoundRange {
  double low = 0, high = 0;
};
BoundRange RangeOf(const std::string& name);

/// One check and how it came out.
struct CheckResult {
  std::string name;
  bool passed = false;
  std::string what;  ///< what was found, and what was asserted
};

/// Compares a run with what its scene asserts; for TimedChecks its recording is replayed.
/// @param[in] log_path  of the run's recording; not read where there are no TimedChecks
/// @throws HostError: as Replay()
std::vector<CheckResult> Check(const SceneChecks& checks, const RunSummary& run, const std::string& log_path);

}  // namespace tactus::host
