#pragma once
#include "tactus/core/scalar.h"
#include "tactus/haptic/passivity.h"

namespace tactus {

template <class Scalar>
void ObserveEnergy(const Vec<Scalar, 6>& command_wrench_W, const Vec<Scalar, 6>& handle_step_W, Scalar stored_J,
                   const PassivityConfig<Scalar>& config, PassivityState<Scalar>* state) noexcept {
  if (state->started) {
    const Scalar work_by_hand_J = -command_wrench_W.dot(handle_step_W);
    state->dissipated_J = Min(state->dissipated_J + work_by_hand_J - (stored_J - state->stored_J), config.tank_J);
  }
  state->stored_J = stored_J;
  state->started = true;
}

template <class Scalar>
PassivityDamping<Scalar> ControlEnergy(const Vec<Scalar, 6>& last_twist_W, const CouplingConfig<Scalar>& coupling,
                                       Scalar period_s, const PassivityConfig<Scalar>& config,
                                       const PassivityState<Scalar>& state) noexcept {
  const Scalar power_W = coupling.damping_Ns_per_m * last_twist_W.template head<3>().squaredNorm() +
                         coupling.angular_damping_Nms_per_rad * last_twist_W.template tail<3>().squaredNorm();
  if (!config.enabled || state.dissipated_J >= Scalar(0) || !(power_W > config.min_power_W)) return {};
  const Scalar wanted = -state.dissipated_J / (period_s * power_W);
  return {.ratio = Min(wanted, config.max_damping_ratio), .limited = wanted > config.max_damping_ratio};
}

}  // namespace tactus
