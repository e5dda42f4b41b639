#pragma once
#include <string>
#include <vector>

#include "host_tools/hil/rig_file.h"
#include "host_tools/rig/selftest.h"

namespace tactus::host {

/// One check of a rig, and how it came out.
struct RigCheck {
  std::string group;  ///< selftest, identify, scene, wall, stops
  std::string name;
  Verdict verdict = Verdict::kNotRun;
  std::string what = {};  ///< what was found and what was asserted; of kNotRun: why not
};

/// Means of 40 ms in which the handle was behind the wall and nearly at rest.
struct WallPoint {
  double depth_m = 0, force_N = 0;
};

struct RigResult {
  std::vector<RigCheck> checks;
  std::vector<WallPoint> wall;
  std::string board;   ///< the controller, as it says who it is; "": none was asked
  int stopped_by = 0;  ///< the signal that ended it before its time; 0: none

  int Count(Verdict verdict) const;
  /// Something failed, or nothing was run that could have.
  bool failed() const { return Count(Verdict::kFail) > 0 || Count(Verdict::kPass) == 0; }
};

/// Runs what a rig's file asks for, the gentle things first: selftest, identification, stops, scene, wall. A selftest that
/// fails ends it: nothing is moved or armed after it.
///
/// @throws HostError: there is no such device or controller, or its line broke
RigResult RunRig(const RigFile& rig);

/// Compares forces with F = K d, a line through zero by least squares: K = Σ F d / Σ d².
/// @param[in] points  fewer than five fail
RigCheck CheckWall(const RigWall& wall, const std::vector<WallPoint>& points);

/// The stretches of 40 ms of a recording in which the handle is at least 0.2 mm behind the wall and slower than 5 mm/s, and
/// no limit acts.
std::vector<WallPoint> WallPoints(const RigWall& wall, const std::string& log_path);

}  // namespace tactus::host
