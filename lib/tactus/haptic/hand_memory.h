#pragma once
#include "tactus/haptic/coupling.h"
#include "tactus/haptic/guard.h"
#include "tactus/haptic/limits.h"
#include "tactus/haptic/passivity.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/scene/scene_step.h"

// The parts of a tick that are one hand's: what its sample says, its energy, its wrench.
namespace tactus::internal {

/// Pose and twist of the handle; too fast is a fault. With two tools both positions are taken along x, y and z: no message
/// tells the steps of two.
template <class Scalar>
HandleState<Scalar> EstimateHandle(const Config<Scalar>& config, const CountSteps& counts, HandMemory<Scalar>* hand,
                                   SampleCheck<Scalar>* check) {
  if (!hand->guard.has_sample) return hand->handle.handle();
  const CountChart<Scalar> chart =
      HasSecondHand(config) ? CountChart<Scalar>() : CountChart<Scalar>(counts, config.device.resolution_m);
  hand->handle.Update(check->p_WH_m, check->q_WH, hand->commands.Applied(config.device.command_delay_ticks), check->periods,
                      config.device, config.coupling, config.period_s, chart);
  hand->recent_way.Push(check->step_W, check->periods);
  const Vec<Scalar, 6> twist_W = hand->recent_way.MeanTwist(config.period_s);
  const Vec<Scalar, 3> velocity_mps = twist_W.template head<3>(), omega_radps = twist_W.template tail<3>();
  if (Norm(velocity_mps) > config.guard.max_speed_mps || Norm(omega_radps) > config.guard.max_speed_radps) {
    Condemn(Fault::kHandleSpeed, status_bit::kHandleSpeed, check);
  }
  return hand->handle.handle();
}

/// Starts afresh: the tool is in the handle, at rest.
/// @param[in] handle  as the scene has it
template <class Scalar>
void BeginHand(const SampleCheck<Scalar>& check, const HandleState<Scalar>& handle, HandMemory<Scalar>* hand) {
  hand->tool = RigidBodyState<Scalar>{.p_WT_m = handle.p_WH_m, .q_WT = handle.q_WH};
  hand->recent_way = RecentWay<Scalar>{};
  hand->handle.Reset(check.p_WH_m, check.q_WH);
  hand->rest_W.setZero();
  hand->passivity = PassivityState<Scalar>{};
  hand->lent_J = Scalar(0);
}

/// The energy of the period that has ended. Only at full, constant gain: a gain that changes changes the spring. And only if
/// it was one period: a step over several is not the work of one command.
template <class Scalar>
void ObservePassivity(const SampleCheck<Scalar>& check, const Vec<Scalar, 6>& strain_W, const Config<Scalar>& config,
                      Scalar gain, HandMemory<Scalar>* hand) {
  PassivityState<Scalar>* const passivity = &hand->passivity;
  if (gain < Scalar(1) || check.periods != 1) {
    *passivity = PassivityState<Scalar>{.damping_ratio = passivity->damping_ratio};
  }
  if (gain < Scalar(1)) return;
  Scalar stored_J = StoredEnergy(strain_W, hand->tool, config);
  if (HasWorld(config) && !config.world->fields.empty()) {
    const Scalar most_N = config.limits.max_force_N / config.workspace.force_scale;
    stored_J += AtHand(config.workspace, FieldEnergy(*config.world, hand->tool, most_N));
  }
  ObserveEnergy(hand->commands.Applied(config.device.command_delay_ticks), hand->handle.way_W(), stored_J, config, passivity,
                hand->handle.chart());
}

/// The wrench on the hand before limits: what the coupling took from the tool, and the passivity controller's damping.
template <class Scalar>
Vec<Scalar, 6> WrenchOnHand(const Vec<Scalar, 6>& coupling_wrench_W, const Vec<Scalar, 6>& handle_twist_W,
                            const Config<Scalar>& config, HandMemory<Scalar>* hand, std::uint32_t* status) {
  const PassivityDamping<Scalar> damping = ControlEnergy(handle_twist_W, config, &hand->passivity, hand->handle.chart());
  if (damping.ratio > Scalar(0)) *status |= status_bit::kPassivityActive;
  if (damping.limited) *status |= status_bit::kPassivityLimited;

  Vec<Scalar, 6> wrench_W = coupling_wrench_W;
  wrench_W.template head<3>() -= damping.ratio * config.coupling.damping_Ns_per_m * handle_twist_W.template head<3>();
  wrench_W.template tail<3>() -=
      damping.ratio * config.coupling.angular_damping_Nms_per_rad * handle_twist_W.template tail<3>();
  return wrench_W;
}

/// Limits, in their fixed order.
template <class Scalar>
void LimitHand(const Config<Scalar>& config, Scalar gain, Scalar last_gain, HandMemory<Scalar>* hand,
               std::uint32_t* status) {
  const Vec<Scalar, 6> last_wrench_W = hand->command_wrench_W;
  hand->command_wrench_W = LimitWrench(hand->raw_wrench_W, gain, last_wrench_W, config.period_s, config.limits, status);
  const bool fades = gain < last_gain, off = gain == Scalar(0);
  if (off) hand->command_wrench_W.setZero();
  if (fades && !off) ClampToFade(gain / last_gain, last_wrench_W, &hand->command_wrench_W);
}

/// The wrench as a device is told it.
template <class Scalar>
void FillCommand(std::uint32_t sequence, const Vec<Scalar, 6>& wrench_W, CommandFrame* command) {
  command->sequence = sequence;
  for (int i = 0; i < 3; ++i) {
    command->force_N[i] = static_cast<float>(wrench_W(i));
    command->torque_Nm[i] = static_cast<float>(wrench_W(3 + i));
  }
}

}  // namespace tactus::internal
