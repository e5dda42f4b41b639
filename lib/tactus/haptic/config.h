#pragma once
#include <cstdint>

#include "tactus/contact/contact_solution.h"
#include "tactus/core/capacity.h"
#include "tactus/core/eigen.h"
#include "tactus/core/status.h"
#include "tactus/haptic/workspace_config.h"
#include "tactus/scene/prepared_scene.h"
#include "tactus/solve/work.h"

namespace tactus {

/// The servo loop's problem size: one tool, 24 contact points.
inline constexpr Capacity kServoCapacity{.bodies = 1, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};

/// The problem size of a scene in which more moves than the tool, that has joints, or whose contacts yield.
constexpr Capacity SizeOf(const SceneCapacity& scene) {
  return {.bodies = scene.bodies,
          .contacts = scene.contacts,
          .joints = scene.joint_rows,
          .directions = kServoCapacity.directions,
          .dof = 6,
          .compliant = Yields(scene)};
}
inline constexpr Capacity kSceneCapacity = SizeOf(kSmallScene);
/// Of a scene that no board takes (PreparedScene::is_large).
inline constexpr Capacity kLargeSceneCapacity = SizeOf(kServoScene);

/// The safe answer of 24 contacts alone takes so much.
inline constexpr int kLeastWorkBudget = static_cast<int>(work::Least(kServoCapacity.contacts));

/// Work that one tick may spend on its contact problem [instructions], counted as in solve/work.h: a bound of what a
/// Cortex-M7 and a Cortex-M4F execute. What does not fit is answered by an energy-safe fallback, whose own work is inside. A
/// tick must not take more than 80 % of the 500 000 instructions that 1 ms has; 70 000 are for all but the solver
/// (docs/servo_loop.md).
inline constexpr int kWorkBudget = 350'000;

/// The same with more bodies than the tool, on a board: whitening, the verdict and the search for contacts of two moving
/// bodies take more than with the tool alone, and are not all in the counts. On the M7 a tick of the stack of three blocks
/// takes 44 000 to 106 000 instructions more than its work, one of block_feeder up to 134 000 (docs/scenes.md); with 330 000
/// none took more than 430 000. Where the safe answer needs more, that is what it gets.
inline constexpr int kWorkBudgetOfMany = 330'000;

/// Of it a point of a shape on a grid takes so much before the solver begins, near or not: the 218 of a box took 137 000 at
/// most on the M7, at a margin of 2 mm (docs/collision.md). A ball is one point.
inline constexpr std::int64_t kWorkOfGridPoint = 600;

/// What one tick may spend [instructions, counted]. The answers depend on it, so a board's is compiled in, Hello tells it,
/// and a replay takes it from there.
struct WorkBudget {
  int alone = kWorkBudget;          ///< the tool is all that moves, and has no joint
  int of_many = kWorkBudgetOfMany;  ///< other scenes
  /// Of the peg, at most: KeepContacts chooses them. A scene's are kSceneCapacity's.
  int contacts = kServoCapacity.contacts;

  /// So much work a second, by the period; at least what a safe answer takes.
  /// @param per_second  [instructions a second] counted, a constant: whole millions count, and no board divides by 64 bits
  [[gnu::always_inline]] static constexpr WorkBudget At(std::int64_t per_second, std::uint32_t period_us) {
    constexpr std::int64_t kMost = 1'000'000'000;
    const std::int64_t wanted = per_second / 1'000'000 * period_us;
    const int budget = static_cast<int>(wanted < kLeastWorkBudget ? kLeastWorkBudget : wanted < kMost ? wanted : kMost);
    return {.alone = budget, .of_many = budget};
  }
};

/// [instructions a second] counted, of a computer: at most half of each period of a core that does 3·10⁹ a second.
inline constexpr std::int64_t kPcWorkPerSecond = 1'000'000'000;

/// The tick's friction cone: a hand feels a polygon's corners (docs/theory/round.md). Where the round one is not found in
/// time the polygon's answer stands.
inline constexpr Cone kServoCone = Cone::kRound;

/// Contacts are searched as far as margin_m and so many times the way of one period at the tool's or the handle's speed: a
/// half more than the way itself, for a tool that an impact at one end whirls around.
inline constexpr double kSearchFactor = 1.5;

/// A tool that is placed deeper than this inside an obstacle waits there without force [m]. At the default stiffness the
/// push-out of what is let through is 0.075 N.
inline constexpr double kPlacedInside_m = 50e-6;

/// The handle may be turned against the tool by so much; beyond: fault. At half a turn the coupling's torque would turn
/// round, and a handle turns by up to guard.max_jump_rad in a tick.
inline constexpr double kMaxTurn_rad = 2.5;

/// A command may act so many periods after the tick that made it.
inline constexpr int kMaxCommandDelay_ticks = 7;

/// Over a longer gap in the samples the handle's motion is not predicted.
inline constexpr int kMaxPredicted_periods = 8;

/// The tool: a cylindrical peg. Frame T: origin at the centre of mass, z along the axis, bottom face at z = -length/2.
template <class Scalar>
struct ToolConfig {
  Scalar mass_kg = Scalar(0.1);
  /// Principal moments about T's axes. Default: the solid cylinder below.
  Vec<Scalar, 3> inertia_kgm2{Scalar(3.25e-5), Scalar(3.25e-5), Scalar(5e-6)};
  Scalar radius_m = Scalar(0.010);
  Scalar length_m = Scalar(0.060);
};

/// The scene: a plate with a blind hole. Frame S: origin in the middle of the hole's mouth, z out of the plate.
template <class Scalar>
struct SceneConfig {
  Vec<Scalar, 3> p_WS_m = Vec<Scalar, 3>::Zero();
  Vec<Scalar, 4> q_WS{Scalar(1), Scalar(0), Scalar(0), Scalar(0)};  ///< unit quaternion w, x, y, z
  Scalar hole_radius_m = Scalar(0.0101);                            ///< default: 0.1 mm clearance around the peg
  Scalar hole_depth_m = Scalar(0.030);
  Scalar rim_radius_m = Scalar(0.0002);  ///< fillet of the hole's mouth; a sharp edge has no direction to push
  Scalar friction = Scalar(0.25);        ///< Coulomb's μ of every contact
  /// μ_s ≥ friction of a contact that rests, 0: the same; and β of tool and plate (docs/theory/friction.md). No fields of
  /// the Config message: an application sets them.
  Scalar static_friction = Scalar(0);
  Scalar viscous_friction_Ns_per_m = Scalar(0);
  Scalar margin_m = Scalar(0.0005);        ///< points with a larger gap are no contacts of a tool at rest; see kSearchFactor
  Scalar max_push_out_mps = Scalar(0.02);  ///< a penetration is undone no faster than this
  Vec<Scalar, 3> gravity_W_mps2 = Vec<Scalar, 3>::Zero();  ///< on the tool. Default: it floats in the hand
};

/// Virtual coupling: the spring and damper between handle and tool. See docs/servo_loop.md for the limits of the stiffness.
template <class Scalar>
struct CouplingConfig {
  Scalar stiffness_N_per_m = Scalar(1500);
  Scalar damping_Ns_per_m = Scalar(3);
  Scalar angular_stiffness_Nm_per_rad = Scalar(1);
  Scalar angular_damping_Nms_per_rad = Scalar(0.005);
};

/// What the estimate of the handle's motion has to know of the device.
template <class Scalar>
struct DeviceConfig {
  Scalar mass_kg = Scalar(0.25);       ///< moving mass at the handle, without a hand
  Scalar inertia_kgm2 = Scalar(3e-4);  ///< the same about every axis
  /// D, one encoder count at the handle; 0: not quantised. Of a sample that tells the steps of its motors' counts it is the
  /// least along the coarsest axis (CountChart).
  Scalar resolution_m = Scalar(4e-5);
  Scalar resolution_rad = Scalar(1e-3);  ///< the same for the orientation
  int command_delay_ticks = 0;           ///< 0 … kMaxCommandDelay_ticks: a command acts so many periods late
};

/// Time-domain passivity controller at the handle.
template <class Scalar>
struct PassivityConfig {
  bool enabled = true;
  /// α ≤ this: the added damping is α times the coupling's own. A light device gets less: MostDampingRatio (passivity.h).
  Scalar max_damping_ratio = Scalar(3);
  /// Credit from dissipated energy is kept up to here; above force × encoder step (8 N · 40 µm), the observer's grain.
  Scalar tank_J = Scalar(0.0005);
};

/// What the sample must be like. Times in ticks count periods of the loop.
template <class Scalar>
struct GuardConfig {
  int max_age_us = 2000;               ///< an older sample is stale
  int hold_ticks = 3;                  ///< without a good sample the last force is held so long …
  Scalar ramp_down_s = Scalar(0.020);  ///< … and then fades to zero within this time, and the fault latches
  Scalar max_jump_m = Scalar(0.010);   ///< the handle's way from one sample to the next; beyond: fault
  Scalar max_jump_rad = Scalar(0.35);
  Scalar max_speed_mps = Scalar(2);  ///< mean over kSpeedSteps samples; beyond: fault
  Scalar max_speed_radps = Scalar(40);
  Vec<Scalar, 3> workspace_center_W_m = Vec<Scalar, 3>::Zero();
  Scalar workspace_radius_m = Scalar(0.15);  ///< beyond: fault
  int silence_ticks = 10;                    ///< where samples drive the loop: so long without one, and the clock does
};

/// What may go out to the device.
template <class Scalar>
struct LimitConfig {
  Scalar soft_start_s = Scalar(0.25);            ///< from arming to full force
  Scalar max_force_rate_N_per_s = Scalar(3000);  ///< of the vector's change
  Scalar max_torque_rate_Nm_per_s = Scalar(60);
  Scalar max_force_N = Scalar(8);  ///< magnitude; the direction is kept
  Scalar max_torque_Nm = Scalar(0.2);
};

/// Contacts that the host streams (stream/streamed_set.h) in the place of the shapes on board.
struct StreamConfig {
  bool open = false;
  bool turns = true;  ///< false: the tool keeps its orientation, as a device with three degrees of freedom holds it
};

/// Everything that is constant while the loop runs. Validate() it once (validate.h); the tick trusts it.
template <class Scalar_>
struct Config {
  using Scalar = Scalar_;

  /// What stands in for `tool` and `scene`, but for the numbers that UseScene takes over; nullptr: the peg and the plate. It
  /// outlives the Config.
  const PreparedScene<Scalar>* world = nullptr;
  Scalar period_s = Scalar(0.001);  ///< h
  int directions = 8;               ///< friction directions per contact, 3 … capacity
  Scalar direction_offset_rad = Scalar(0.1);
  WorkBudget work;  ///< of the board, no field of the Config message
  ToolConfig<Scalar> tool;
  SceneConfig<Scalar> scene;
  CouplingConfig<Scalar> coupling;
  DeviceConfig<Scalar> device;
  PassivityConfig<Scalar> passivity;
  GuardConfig<Scalar> guard;
  LimitConfig<Scalar> limits;
  StreamConfig stream;
  WorkspaceConfig<Scalar> workspace;  ///< no field of the Config message: it has its own
};

/// Whether the tick touches a scene; false: the peg and the plate, and nothing else is linked where there is no room.
template <class Scalar>
bool HasWorld(const Config<Scalar>& config) {
  return kHasScenes && config.world != nullptr && !config.stream.open;
}

/// Whether a second hand holds one of the scene's bodies.
template <class Scalar>
bool HasSecondHand(const Config<Scalar>& config) {
  return kServoScene.hands > 1 && HasWorld(config) && config.world->hands > 1;
}

/// Puts a map of the workspace into a configuration with its scene. With two tools there is none: they are 1 : 1.
template <class Scalar>
void UseWorkspace(const WorkspaceConfig<Scalar>& workspace, Config<Scalar>* config) {
  config->workspace = HasSecondHand(*config) ? WorkspaceConfig<Scalar>{} : workspace;
}

/// A scene's configuration as its second hand has it: with that hand's tool.
template <class Scalar>
Config<Scalar> ConfigOfSecond(const Config<Scalar>& config) {
  Config<Scalar> of_second = config;
  of_second.tool.mass_kg = config.world->bodies[kSecondTool].mass_kg;
  of_second.tool.inertia_kgm2 = config.world->bodies[kSecondTool].inertia_kgm2;
  return of_second;
}

/// Whether a scene fits the servo loop's solvers. @returns the list that is too long, or nullptr
template <class Scalar>
const char* LacksRoom(const PreparedScene<Scalar>& world) {
  if (world.bodies.size() > kServoScene.bodies) return "bodies";
  return world.joint_rows > kServoScene.joint_rows ? "joints" : nullptr;
}

/// Puts a scene into a configuration: its tool's mass and moments, its gravity and margins replace the configuration's.
template <class Scalar>
void UseScene(const PreparedScene<Scalar>& world, Config<Scalar>* config) {
  config->world = &world;
  config->tool.mass_kg = world.bodies[kTool].mass_kg;
  config->tool.inertia_kgm2 = world.bodies[kTool].inertia_kgm2;
  config->scene.gravity_W_mps2 = world.gravity_W_mps2;
  config->scene.margin_m = world.margin_m;
  config->scene.max_push_out_mps = world.max_push_out_mps;
}

}  // namespace tactus
