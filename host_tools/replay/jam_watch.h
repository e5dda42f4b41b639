#pragma once
#include <algorithm>

#include "host_tools/report/run_summary.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/contact_watch.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/scene/joint_drift.h"

namespace tactus::host {

/// Times the jams in which something overlaps by more than a contact's rounding does.
class JamWatch {
 public:
  /// After every tick. @param before  the scene as the tick began; without bodies: it was not placed, or there is none
  template <class Scalar>
  void Look(const Telemetry<Scalar>& tick, const Config<Scalar>& config, const State<Scalar>& state,
            const SceneState<Scalar>& before, double period_s) {
    constexpr double kSlightStop = 1e-3;                    // [m] or [rad]: a hand is no rail
    if (tick.solve_status == SolveStatus::kBudget) return;  // out of work it may be jammed or not
    if (tick.solve_status != SolveStatus::kJammed) return Reset();
    const bool has_joints = HasWorld(config) && !before.bodies.empty();
    const auto past_stop = has_joints ? static_cast<double>(PastStops(*config.world, before)) : 0.0;
    const double overlap_m = RigidOverlap_m(config, state);
    if (overlap_m <= kPlacedInside_m * static_cast<double>(config.workspace.scale) && past_stop <= kSlightStop)
      return Reset();
    now_.duration_s += period_s;
    now_.overlap_m = std::max(now_.overlap_m, overlap_m);
    now_.past_stop = std::max(now_.past_stop, past_stop);
    if (now_.duration_s > longest_.duration_s) longest_ = now_;
  }
  void Reset() { now_ = {}; }

  const LongestJam& longest() const { return longest_; }

 private:
  /// Of contacts that yield the overlap is their force.
  template <class Scalar>
  static double RigidOverlap_m(const Config<Scalar>& config, const State<Scalar>& state) {
    double deepest_m = 0;
    VisitSolved(config, state, [&](const auto& problem, const auto&) {
      for (const auto& contact : problem.contacts) {
        if (contact.compliance_mps_per_Ns == Scalar(0)) deepest_m = std::max(deepest_m, -static_cast<double>(contact.gap_m));
      }
    });
    return deepest_m;
  }

  LongestJam now_, longest_;
};

}  // namespace tactus::host
