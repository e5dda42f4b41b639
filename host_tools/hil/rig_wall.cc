// The wall is rigid and the tool stands on it, so the coupling between tool and handle is as long as the handle is deep:
//
//     F·n = K d - B v,   d = s - n·p_WH
//
// with the place s of the handle where it begins to touch. Means over 40 ms in which the handle goes slower than 5 mm/s: a
// coarse encoder makes v noisy, and a mean has what it averages to, the way over the time. K by least squares through zero:
// K = Σ F d / Σ d².
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "host_tools/export/recording_table.h"
#include "host_tools/hil/rig_checks.h"
#include "host_tools/link/host_error.h"
#include "tactus/haptic/telemetry.h"

namespace tactus::host {
namespace {

constexpr double kShallow_m = 2e-4;  // several counts of the coarsest device, 70 µm
constexpr double kSlow_mps = 0.005;
constexpr double kTick_s = 0.001;
constexpr std::uint32_t kLimits = status_bit::kSoftStart | status_bit::kRateLimited | status_bit::kForceClamped;
constexpr std::size_t kHalf = 20;   // ticks of half a stretch: 70 µm of rounding are 3.5 mm/s at most
constexpr std::size_t kFewest = 5;  // stretches of 40 ms; fewer are no rest

const RecordingColumn& ColumnOf(const RecordingTable& table, const char* name) {
  for (const RecordingColumn& column : table.columns)
    if (column.name == name) return column;
  throw HostError(fmt::format("the recording has no {}", name), kExitFailed);
}

double Along(const Vector3& normal, const RecordingColumn& column, std::size_t tick) {
  const double* const v = &column.values[tick * column.width];
  return normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2];
}

}  // namespace

std::vector<WallPoint> WallPoints(const RigWall& wall, const std::string& log_path) {
  const RecordingTable table = ReadRecording(log_path);
  const RecordingColumn &place = ColumnOf(table, "sample_position_m"), &wrench = ColumnOf(table, "command_wrench_W"),
                        &status = ColumnOf(table, "status");
  std::vector<WallPoint> points;
  for (std::size_t begin = 0; begin + 2 * kHalf <= table.ticks; begin += 2 * kHalf) {
    double least_m = 1, force_N = 0, depth_m[2] = {0, 0};
    bool is_limited = false;
    for (std::size_t i = 0; i < 2 * kHalf; ++i) {
      const double d = wall.surface_m - Along(wall.normal, place, begin + i);
      least_m = std::min(least_m, d);
      is_limited = is_limited || (static_cast<std::uint32_t>(status.values[begin + i]) & kLimits) != 0;
      depth_m[i / kHalf] += d / kHalf;
      force_N += Along(wall.normal, wrench, begin + i) / (2 * kHalf);
    }
    const double speed_mps = std::abs(depth_m[1] - depth_m[0]) / (kHalf * kTick_s);
    if (!is_limited && least_m > kShallow_m && speed_mps < kSlow_mps)
      points.push_back({(depth_m[0] + depth_m[1]) / 2, force_N});
  }
  return points;
}

RigCheck CheckWall(const RigWall& wall, const std::vector<WallPoint>& points) {
  RigCheck check{.group = "wall", .name = "F = K d"};
  if (points.size() < kFewest) {
    check.verdict = Verdict::kFail;
    check.what =
        fmt::format("the handle rested behind the wall, below the largest force, for {} stretches of 40 ms; {} are needed",
                    points.size(), kFewest);
    return check;
  }
  double sum_Fd = 0, sum_dd = 0, deepest_m = 0;
  for (const WallPoint& point : points) {
    sum_Fd += point.force_N * point.depth_m;
    sum_dd += point.depth_m * point.depth_m;
    deepest_m = std::max(deepest_m, point.depth_m);
  }
  const double K = sum_Fd / sum_dd, off = K / wall.stiffness_N_per_m - 1;
  check.verdict = std::abs(off) <= wall.within ? Verdict::kPass : Verdict::kFail;
  check.what = fmt::format("{:.5g} N/m in {} stretches of 40 ms to {:.2f} mm; {:g} declared: off {:+.2f} %, {:g} % allowed",
                           K, points.size(), 1e3 * deepest_m, wall.stiffness_N_per_m, 100 * off, 100 * wall.within);
  return check;
}

}  // namespace tactus::host
