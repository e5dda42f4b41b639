#pragma once
#include <algorithm>

#include "host_tools/report/run_summary.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/scene/joint_drift.h"

namespace tactus::host {

/// Times the jams in which something overlaps by more than a contact's rounding does.
class JamWatch {
 public:
  /// After every tick. @param before  the scene as the tick began; without bodies: it was not placed, or there is none
  template <class Scalar>
  void Look(const Telemetry<Scalar>& tick, const Config<Scalar>& config, const SceneState<Scalar>& before, double period_s,
            LongestJam* longest) {
    constexpr double kSlightStop = 1e-3;  // [m] or [rad]: a hand is no rail
    if (tick.solve_status != SolveStatus::kJammed) return Reset();
    const bool has_joints = HasWorld(config) && !before.bodies.empty();
    const auto past_stop = has_joints ? static_cast<double>(PastStops(*config.world, before)) : 0.0;
    const auto overlap_m = static_cast<double>(-tick.min_gap_m);
    if (overlap_m <= kPlacedInside_m && past_stop <= kSlightStop) return Reset();
    now_s_ += period_s;
    longest->duration_s = std::max(longest->duration_s, now_s_);
    longest->overlap_m = std::max(longest->overlap_m, overlap_m);
    longest->past_stop = std::max(longest->past_stop, past_stop);
  }
  void Reset() { now_s_ = 0; }

 private:
  double now_s_ = 0;
};

}  // namespace tactus::host
