#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/coupling.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/workspace.h"

// The clutch in a tick (workspace.h). Force is cut off at both ends: it has faded before the virtual handle is frozen, where
// the tool is then, and it begins from nothing. So no stored energy of the coupling outlives a clutch.
namespace tactus::internal {

/// The tool's orientation stays, and no torque goes to the hand.
template <class Scalar>
bool HoldsNoTurn(const Config<Scalar>& config) {
  if (config.stream.open) return !config.stream.turns;
  return HasWorld(config) && !config.world->bodies[kTool].turns;
}

/// When the tool is placed: at first the map is the Config's, later it stays as a clutch has left it. A clutch that held is
/// open; if it is pressed still, it holds anew.
template <class Scalar, Capacity kCapacity>
void BeginWorkspace(const Config<Scalar>& config, State<Scalar, kCapacity>* state) {
  WorkspaceState<Scalar>* const map = &state->workspace;
  map->clutch = ClutchPhase::kOpen;
  map->eases = false;
  if (map->begun) return;
  map->begun = true;
  map->maps = !IsIdentity(config.workspace);
  map->offset_m = config.workspace.offset_m;
}

/// The virtual handle: where the hand has it, or where the clutch holds it.
template <class Scalar, Capacity kCapacity>
HandleState<Scalar> VirtualHandle(const HandleState<Scalar>& hand, const Config<Scalar>& config,
                                  const State<Scalar, kCapacity>& state) {
  if (!state.workspace.maps) return hand;
  if (state.workspace.clutch == ClutchPhase::kHeld) return state.workspace.held;
  return ToScene(config.workspace, state.workspace, hand);
}

/// A way or a twist of the scene as the hand has it.
template <class Scalar, Capacity kCapacity>
Vec<Scalar, 6> AsHand(const Vec<Scalar, 6>& way_W, const Config<Scalar>& config, const State<Scalar, kCapacity>& state) {
  return state.workspace.maps ? ToHand(config.workspace, way_W) : way_W;
}

/// The virtual handle is put at the tool, and the springs are at rest:
///
///     o = p_T - s R p_H,   C = (R q_H)* q_T
///
/// Without index_turns C stays, and the turn between handle and tool becomes the springs' offset, which the tick gives back
/// (tune.h).
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] void LetGo(const HandleState<Scalar>& hand, const Config<Scalar>& config,
                             State<Scalar, kCapacity>* state) {
  const WorkspaceConfig<Scalar>& workspace = config.workspace;
  WorkspaceState<Scalar>* const map = &state->workspace;
  const Quaternion<Scalar> q_WD = Normalized(workspace.q_WD);
  const Vec<Scalar, 3> p_m = hand.p_WH_m;
  map->offset_m = state->tool.p_WT_m - workspace.scale * Times(RotationMatrix(q_WD), p_m);
  if (workspace.index_turns) {
    map->index = Normalized(Multiply(Conjugate(Multiply(q_WD, hand.q_WH)), state->tool.q_WT));
  }
  map->clutch = ClutchPhase::kOpen;
  map->eases = true;
  state->rest_W.setZero();
  if (workspace.index_turns || HoldsNoTurn(config)) return;
  const Vec<Scalar, 6> error_W = CouplingError(ToScene(workspace, *map, hand), state->tool);
  state->rest_W.template tail<3>() = ToHand(workspace, error_W).template tail<3>();
}

/// Before a tick with a good sample: what the clutch does.
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] void MoveClutch(const HandleState<Scalar>& hand, const Config<Scalar>& config,
                                  State<Scalar, kCapacity>* state) {
  WorkspaceState<Scalar>* const map = &state->workspace;
  const bool pressed = map->ordered || map->button;
  if (map->clutch == ClutchPhase::kHeld && !pressed) return LetGo(hand, config, state);
  if (map->clutch == ClutchPhase::kOpen && pressed) {
    map->clutch = ClutchPhase::kFading;
    map->maps = true;
  }
  if (map->clutch != ClutchPhase::kFading || state->gain > Scalar(0)) return;
  state->tool.twist_W.setZero();  // a heavy tool would swing about where it is held: its energy is gone with the force
  map->held = HandleState<Scalar>{.p_WH_m = state->tool.p_WT_m, .q_WH = state->tool.q_WT};
  map->clutch = ClutchPhase::kHeld;
  state->rest_W.setZero();
}

/// Whether a tick has anything to do with the clutch.
template <class Scalar>
bool HasClutch(const WorkspaceState<Scalar>& map) {
  return map.ordered || map.button || map.clutch != ClutchPhase::kOpen;
}

/// The force comes back after a clutch. A gain g that rises stiffens the spring g K; done under load, that would put
/// dg K e²/2 into it. So it rises at constant force, as Tune() stiffens (tune.h):
///
///     o ← o + (e - o)(1 - g/g'),   g' = min(1, g + h/soft_start)
///
/// The first g is 0: there is no force then, whatever the strain. The tick gives the offset o back.
/// @param[in] error_D  e, as the hand has it
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] void EaseIn(const Vec<Scalar, 6>& error_D, const Config<Scalar>& config, State<Scalar, kCapacity>* state) {
  if (state->gain >= Scalar(1)) state->workspace.eases = false;
  if (!state->workspace.eases || !state->armed || state->workspace.clutch != ClutchPhase::kOpen) return;
  const Scalar next = Min(Scalar(1), state->gain + config.period_s / config.limits.soft_start_s);
  state->rest_W += (error_D - state->rest_W) * (Scalar(1) - state->gain / next);
}

}  // namespace tactus::internal

namespace tactus {

/// Puts another map in force while the clutch holds and the force is zero: it acts when the clutch is let go. The offset is
/// the clutch's then; `wanted`'s is that of a state made anew.
///
/// @param[in]     wanted  checked by ValidateWorkspace()
/// @returns kOk. kNotReady: no clutch holds, nothing has changed
template <class Scalar, Capacity kCapacity>
Status ChangeWorkspace(const WorkspaceConfig<Scalar>& wanted, Config<Scalar>* config,
                       const State<Scalar, kCapacity>& state) noexcept {
  if (state.workspace.clutch != ClutchPhase::kHeld || state.gain > Scalar(0)) return Status::kNotReady;
  config->workspace = wanted;
  return Status::kOk;
}

}  // namespace tactus
