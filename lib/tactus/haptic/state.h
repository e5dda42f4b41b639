#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "tactus/collide/contact_set.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/core/frames.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/guard.h"
#include "tactus/haptic/handle_estimate.h"
#include "tactus/haptic/passivity.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/haptic/workspace.h"
#include "tactus/scene/scene_solve.h"
#include "tactus/scene/scene_step.h"
#include "tactus/scene/tool_work.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/step/rigid_body.h"
#include "tactus/stream/stream_state.h"

namespace tactus {

/// The solver, and its work space, of scenes in which more moves than the tool; nothing on a board without room for it.
template <class Scalar, Capacity kCapacity, bool kHasRoom>
struct ManyBodies {
  ContactSolver<Scalar, kCapacity> solver;
  ContactProblem<Scalar, kCapacity> problem;
  ContactSolution<Scalar, kCapacity> solution;
};
template <class Scalar, Capacity kCapacity>
struct ManyBodies<Scalar, kCapacity, false> {};

/// What survives a tick of one hand: its tool, its handle's estimate, its wrenches.
template <class Scalar>
struct HandMemory {
  RigidBodyState<Scalar> tool;
  GuardState guard;
  RecentWay<Scalar> recent_way;
  HandleEstimator<Scalar> handle;
  CommandHistory<Scalar> commands;
  /// Where the coupling's springs are at rest, off the tool's pose, as the hand has it [m, rad]: see tune.h. Zero but for a
  /// while after Tune() and a clutch.
  Vec<Scalar, 6> rest_W = Vec<Scalar, 6>::Zero();
  PassivityState<Scalar> passivity;
  Scalar lent_J = Scalar(0);  ///< that the tool has given to springs of contacts and not got back: Gift()
  /// Last wrench on the hand before gain and limits: held without samples.
  Vec<Scalar, 6> raw_wrench_W = Vec<Scalar, 6>::Zero();
  Vec<Scalar, 6> command_wrench_W = Vec<Scalar, 6>::Zero();  ///< last command
};

/// The other hand of a scene with two tools (second_hand.h); nothing on a board that has room for one.
template <class Scalar, bool kHasRoom>
struct SecondHand : HandMemory<Scalar> {
  SensorFrame sample;         ///< of the coming tick
  bool told = false;          ///< it has come: TellSecondHand()
  SampleCheck<Scalar> check;  ///< of it
  SecondDrive<Scalar> drive;
};
template <class Scalar>
struct SecondHand<Scalar, false> {};

/// Everything that survives a tick. A copy of it and the same samples give the same commands, bit for bit.
template <class Scalar_, Capacity kCapacity = kServoCapacity>
struct State : HandMemory<Scalar_> {
  using Scalar = Scalar_;
  static_assert(kCapacity.dof == 6 && kCapacity.bodies == 1, "the tick simulates one tool in space");

  bool armed = false;          ///< see Arm()
  Fault fault = Fault::kNone;  ///< the latched cause
  std::uint32_t tick = 0;
  bool tool_placed = false;    ///< false: the next good sample puts the tool at the handle
  bool placed_inside = false;  ///< it was put there inside an obstacle; no force until the hand has drawn it out
  Scalar gain = Scalar(0);     ///< soft start and fading, of both hands
  ContactSolver<Scalar, kCapacity> solver;

  // Work space of the tick, here so that `sizeof` is the whole memory. Holds the last step's problem and its solution.
  ContactSet<Scalar, kCapacity.contacts> contacts;
  ContactProblem<Scalar, kCapacity> problem;
  ContactSolution<Scalar, kCapacity> solution;

  SceneState<Scalar> scene;  ///< of Config::world: all bodies but the tool, whose state is `tool`
  ManyBodies<Scalar, kSceneCapacity, (kSceneCapacity.bodies > 1)> many;
  ManyBodies<Scalar, kLargeSceneCapacity, kHasLargeScenes> large;  ///< of a scene that no board takes
  StreamState<Scalar> stream;                                      ///< of Config::stream
  WorkspaceState<Scalar> workspace;                                ///< of Config::workspace, and the clutch
  SecondHand<Scalar, (kServoScene.hands > 1)> second;              ///< of a scene with two tools
};

/// Lets force out, with a soft start. @returns kNotReady while a fault is latched.
template <class Scalar, Capacity kCapacity>
Status Arm(State<Scalar, kCapacity>* state) noexcept;

/// The force fades to zero in guard.ramp_down_s.
template <class Scalar, Capacity kCapacity>
void Disarm(State<Scalar, kCapacity>* state) noexcept;

/// Latches Fault::kExternal, unless another fault is there already: for causes that the application sees (a dead link, an
/// overrun). The force fades to zero in guard.ramp_down_s.
template <class Scalar, Capacity kCapacity>
void RaiseFault(State<Scalar, kCapacity>* state) noexcept;

/// Latches Fault::kExternal like RaiseFault, and the next command is zero: for an e-stop, or where no tick can be trusted to
/// fade.
template <class Scalar, Capacity kCapacity>
void CutForce(State<Scalar, kCapacity>* state) noexcept;

/// Forgets the fault. The loop is disarmed, the next good sample places the tool at the handle.
template <class Scalar, Capacity kCapacity>
void ClearFault(State<Scalar, kCapacity>* state) noexcept;

/// The host presses the clutch, or lets it go (workspace.h). In every state. The force fades to zero in guard.ramp_down_s,
/// then the tool is held where it is; let go, it follows the hand from there, with a soft start. A clutch that is pressed
/// always holds first, however early it is let go.
template <class Scalar, Capacity kCapacity>
void PressClutch(bool pressed, State<Scalar, kCapacity>* state) noexcept;

/// The device's buttons before a tick, from bit 0: workspace.clutch_button presses the clutch while it is held.
template <class Scalar, Capacity kCapacity>
void TellButtons(std::uint8_t buttons, const Config<Scalar>& config, State<Scalar, kCapacity>* state) noexcept;

/// The sample of the second hand, before a tick of a scene with two tools; it is of the same period as the first's. Without
/// it the tick's samples are stale. Where there is no room for two hands, nothing.
template <class Scalar, Capacity kCapacity>
void TellSecondHand(const SensorFrame& sample, State<Scalar, kCapacity>* state) noexcept;

/// No force on either hand in the command that goes out.
template <class Scalar, Capacity kCapacity>
void ZeroCommand(State<Scalar, kCapacity>* state) noexcept;

/// 64-bit hash, after FNV-1a but word by word, of the numbers the next tick depends on: pose and motion of the tool, the
/// handle's estimate, energies, gain, the last wrenches, the modes. (Older commands were the last once; the solver's basis
/// shows in the motion.) For a log's check that a replay runs the same way; not for security.
template <class Scalar, Capacity kCapacity>
std::uint64_t HashState(const State<Scalar, kCapacity>& state) noexcept;

}  // namespace tactus

#include "tactus/haptic/state.inl"
