#pragma once
#include "tactus/core/spatial.h"
#include "tactus/core/trig.h"
#include "tactus/scene/scene_state.h"

namespace tactus {
namespace internal {

/// s = (1 - cos(2π t/T))/2: 0 at the start, 1 at the far end, at rest at both.
template <class Scalar>
Scalar ShareOfWay(Scalar time_s, Scalar period_s) {
  return (Scalar(1) - Cos(kTurn_rad<Scalar> * time_s / period_s)) / 2;
}

template <class Scalar>
Scalar WithinPi(Scalar angle_rad) {
  if (angle_rad > kPi<Scalar>) return angle_rad - kTurn_rad<Scalar>;
  return angle_rad < -kPi<Scalar> ? angle_rad + kTurn_rad<Scalar> : angle_rad;
}

}  // namespace internal

/// Sets the twist of each path's frame to its way in the coming step, divided by the step: a contact that keeps its gap with
/// it at the step's end is exact.
template <class Scalar, SceneCapacity kCapacity>
void AimPaths(const PreparedScene<Scalar, kCapacity>& scene, Scalar step_s, SceneState<Scalar, kCapacity>* state) noexcept {
  for (int i = 0; i < scene.paths.size(); ++i) {
    const auto& path = scene.paths[i];
    auto& carrier = state->carriers[i];
    const Scalar share = internal::ShareOfWay<Scalar>(carrier.time_s + step_s, path.period_s) -
                         internal::ShareOfWay(carrier.time_s, path.period_s);
    carrier.at.twist_W.template head<3>() = path.way_m * (share / step_s);
    carrier.at.twist_W.template tail<3>() = path.axis * (path.turn_rad * share / step_s + path.spin_radps);
  }
}

/// Moves each path's frame to the end of the step. Where it is follows from the time alone: nothing adds up.
template <class Scalar, SceneCapacity kCapacity>
void AdvancePaths(const PreparedScene<Scalar, kCapacity>& scene, Scalar step_s,
                  SceneState<Scalar, kCapacity>* state) noexcept {
  for (int i = 0; i < scene.paths.size(); ++i) {
    const auto& path = scene.paths[i];
    auto& carrier = state->carriers[i];
    carrier.time_s += step_s;
    if (carrier.time_s >= path.period_s) carrier.time_s -= path.period_s;
    carrier.spun_rad = internal::WithinPi<Scalar>(carrier.spun_rad + step_s * path.spin_radps);
    const Scalar share = internal::ShareOfWay(carrier.time_s, path.period_s);
    const Vec<Scalar, 3> turn_rad = path.axis * (share * path.turn_rad + carrier.spun_rad);
    carrier.at.p_WT_m = path.start.p_WT_m + share * path.way_m;
    carrier.at.q_WT = Normalized(Multiply(ExpMap(turn_rad), path.start.q_WT));
  }
}

}  // namespace tactus
