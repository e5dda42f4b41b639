#pragma once
#include "tactus/haptic/clutch.h"
#include "tactus/haptic/coupling.h"
#include "tactus/haptic/felt_share.h"
#include "tactus/haptic/hand_memory.h"
#include "tactus/haptic/tune.h"
#include "tactus/scene/tool_work.h"

// The second hand in a tick: a scene with two tools is held by two devices of the same kind, with the same coupling and
// limits, 1 : 1. Each hand has its own estimate, energy account and wrench. Gain, mode and faults are common: a bad sample
// of one hand takes the force from both, for one hand alone cannot hold what both carry.
namespace tactus {

/// Of kWorkBudgetOfMany the second hand takes so much: its estimate and account, and three bodies instead of two around the
/// solver. On the M7 a tick of `carry` took up to 170 000 instructions more than its work, 489 556 of 500 000, where the
/// hands take hold of the box.
inline constexpr std::int64_t kWorkOfSecondHand = 60'000;

}  // namespace tactus

namespace tactus::internal {

/// @param[in,out] of_both  the check of the first hand's sample; what is wrong with the second's is added
template <class Scalar>
void AddCheck(const SampleCheck<Scalar>& of_second, SampleCheck<Scalar>* of_both) {
  of_both->bits |= of_second.bits;
  if (of_both->fault == Fault::kNone) of_both->fault = of_second.fault;
  if (of_both->status != Status::kOk) return;
  of_both->status = of_second.status;
  of_both->cause = of_second.cause;
}

/// Before all else in a tick. A sample that was not told is stale.
template <class Scalar>
void CheckSecondHand(const Config<Scalar>& config, SecondHand<Scalar, true>* hand, SampleCheck<Scalar>* of_both) {
  hand->commands.Push(hand->command_wrench_W);
  if (hand->told) {
    hand->check = CheckSample(hand->sample, config.guard, hand->guard);
  } else {
    hand->check = SampleCheck<Scalar>{};
    Refuse(Status::kStale, Fault::kSampleStale, status_bit::kSampleStale, &hand->check);
  }
  hand->told = false;
  AddCheck(hand->check, of_both);
}

template <class Scalar>
void BeginSecondHand(SecondHand<Scalar, true>* hand) {
  BeginHand<Scalar>(hand->check, HandleState<Scalar>{.p_WH_m = hand->check.p_WH_m, .q_WH = hand->check.q_WH}, hand);
}

template <class Scalar>
void FollowSecondHand(const Config<Scalar>& config, SecondHand<Scalar, true>* hand, SampleCheck<Scalar>* of_both) {
  (void)EstimateHandle<Scalar>(config, hand->sample.counts, hand, &hand->check);
  AddCheck(hand->check, of_both);
}

/// While the tools wait in the handles: see WaitsInside.
template <class Scalar>
void KeepInSecondHand(const Config<Scalar>& config, HandMemory<Scalar>* hand) {
  if (!HasSecondHand(config)) return;
  const HandleState<Scalar>& handle = hand->handle.handle();
  hand->tool = RigidBodyState<Scalar>{.p_WT_m = handle.p_WH_m, .q_WT = handle.q_WH};
}

/// What draws the second tool in this step. @returns false: its handle is turned too far against it, a fault
template <class Scalar>
bool DrawSecondTool(const Config<Scalar>& config, Scalar gain, SecondHand<Scalar, true>* hand,
                    SampleCheck<Scalar>* of_both) {
  const Config<Scalar> own = ConfigOfSecond(config);
  const HandleState<Scalar>& handle = hand->handle.handle();
  Vec<Scalar, 6> error_W = CouplingError(handle, hand->tool);
  if (HoldsNoTurn(config)) error_W.template tail<3>().setZero();
  const Vec<Scalar, 3> turn_rad = error_W.template tail<3>();
  if (Norm(turn_rad) > Scalar(kMaxTurn_rad)) {
    Condemn(Fault::kHandleOutside, status_bit::kHandleOutside, of_both);
    return false;
  }
  ReleaseRest<Scalar>(error_W, own, hand);
  const Vec<Scalar, 6> strain_W = error_W - hand->rest_W;
  ObservePassivity<Scalar>(hand->check, strain_W, own, gain, hand);
  hand->drive.coupling = Couple(strain_W, handle.twist_W, config.coupling, config.period_s);
  const Vec<Scalar, 3> handle_mps = handle.twist_W.template head<3>(), handle_radps = handle.twist_W.template tail<3>();
  hand->drive.handle_speed_mps = Norm(handle_mps) + config.world->bodies[kSecondTool].reach_m * Norm(handle_radps);
  return true;
}

/// After the step: where the second tool is, and what the rest of the scene has given it.
template <class Scalar, Capacity kCapacity, class Problem, class Solution>
void TakeSecondTool(const Config<Scalar>& config, const Problem& problem, const Solution& solution,
                    State<Scalar, kCapacity>* state) {
  const ToolWork<Scalar> work = WorkOnTool(problem, solution, state->scene.joint_wrench_W[kSecondTool], kSecondTool);
  state->second.passivity.given_J = FeltGift(config, state->second.raw_wrench_W, work, &state->second.lent_J);
  state->second.tool = state->scene.bodies[kSecondTool];
}

/// The wrench on the second hand, before limits.
template <class Scalar>
void AnswerSecondHand(const Config<Scalar>& config, SecondHand<Scalar, true>* hand, Telemetry<Scalar>* telemetry) {
  const Vec<Scalar, 6> coupling_wrench_W = -hand->drive.coupling.At(hand->tool.twist_W);
  hand->raw_wrench_W =
      WrenchOnHand<Scalar>(coupling_wrench_W, hand->handle.handle().twist_W, config, hand, &telemetry->status);
  if (HoldsNoTurn(config)) hand->raw_wrench_W.template tail<3>().setZero();
}

}  // namespace tactus::internal

namespace tactus {

/// What the second hand's device is told after a tick; zeros where one hand is all.
template <class Scalar, Capacity kCapacity>
CommandFrame SecondCommand(const State<Scalar, kCapacity>& state) noexcept {
  CommandFrame command;
  if constexpr (kServoScene.hands > 1)
    internal::FillCommand(state.second.guard.sequence, state.second.command_wrench_W, &command);
  return command;
}

}  // namespace tactus
