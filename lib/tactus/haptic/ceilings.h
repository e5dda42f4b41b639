#pragma once
#include "tactus/haptic/config.h"
#include "tactus/haptic/stable_stiffness.h"

namespace tactus {

/// What a device and the hand in it may be asked to bear. A device maker compiles his own numbers. The default has room for
/// research on desktop devices: the simulated Falcon needs 8 N and 0.2 N m of it.
struct DeviceLimits {
  double force_N = 20;              ///< peak; the strongest desktop devices (delta.3, sigma.7) have 20 N
  double torque_Nm = 1;             ///< peak; 20 N at 50 mm from the middle of the handle
  double stiffness_N_per_m = 20e3;  ///< 2 b/h at b = 10 N s/m, 1 ms: passive on no device beyond [ColgateSchenkel94]
  double angular_stiffness_Nm_per_rad = 50;  ///< 20 kN/m at 50 mm
  double speed_mps = 5;                      ///< of a throw; nobody stops a motor's handle at more
  double speed_radps = 100;                  ///< 5 m/s at 50 mm
  double workspace_radius_m = 0.5;           ///< an arm on a desk reaches no farther to each side
  /// By the coupling's damping, of translation and of rotation; they outlive this. nullptr: not known
  const StableStiffness *stable = nullptr, *angular_stable = nullptr;
};

/// A field of Config by its name on the wire, and what it may be. Bounds of a vector are those of each entry.
struct ConfigField {
  const char* name;
  double lowest, highest;
};

/// No single number is smaller than this without being zero: nothing means anything there, and products would underflow.
/// (Entries of vectors may be: 6e-17 is what a right angle's cosine leaves.)
inline constexpr double kLeastNumber = 1e-9;

/// The loop's period is no field of the message: 10 kHz to 100 Hz. Slower, a hand feels the steps.
inline constexpr ConfigField kPeriodField{"period_s", 1e-4, 1e-2};

/// No fields of the message either. As scene_friction, and a stickier contact yet; coupling_damping_Ns_per_m's bound.
inline constexpr ConfigField kStaticFrictionField{"scene_static_friction", 0, 4};
inline constexpr ConfigField kViscousFrictionField{"scene_viscous_friction_Ns_per_m", 0, 100};

/// The map of the workspace has a message of its own. Lower, 1 µm that the solver may be off is 20 µm at the hand; higher, a
/// count of an encoder, 40 µm, moves the tool by 4 mm.
inline constexpr ConfigField kScaleField{"scale", 0.05, 100};
/// Divided by. Of the tool's mass the hand feels m φ s: with these 5e-4 … 1e4 of it.
inline constexpr ConfigField kForceScaleField{"force_scale", 0.01, 100};
/// The scale's highest times a reach of 1 m.
inline constexpr ConfigField kWorkspaceOffsetField{"offset_m", -100, 100};
inline constexpr ConfigField kAlignmentField{"orientation_wxyz", -1.001, 1.001};  ///< as scene_q_WS
inline constexpr ConfigField kClutchButtonField{"clutch_button", 0, 8};           ///< a device tells of eight

namespace internal {

// Above each field, or behind it, stands why it has these bounds. "Divided by": the lowest value is far from zero.

template <class AnyTool, class Visit>
void VisitTool(AnyTool& c, Visit& visit) {
  // Divided by. A paper clip; a full kettle.
  visit(ConfigField{"tool_mass_kg", 1e-3, 10}, c.mass_kg);
  // Divided by. A gram at 3 mm; 10 kg at 0.3 m.
  visit(ConfigField{"tool_inertia_kgm2", 1e-8, 1}, c.inertia_kgm2);
  // A needle; a bucket.
  visit(ConfigField{"tool_radius_m", 1e-4, 0.2}, c.radius_m);
  visit(ConfigField{"tool_length_m", 1e-4, 0.2}, c.length_m);
}

template <class AnyScene, class Visit>
void VisitScene(AnyScene& c, Visit& visit) {
  // In reach of the hand; a float resolves 60 nm there.
  visit(ConfigField{"scene_p_WS_m", -1, 1}, c.p_WS_m);
  // 1, and what the slack of the unit length lets through.
  visit(ConfigField{"scene_q_WS", -1.001, 1.001}, c.q_WS);
  // As radius and length of the peg.
  visit(ConfigField{"scene_hole_radius_m", 1e-4, 0.2}, c.hole_radius_m);
  visit(ConfigField{"scene_hole_depth_m", 1e-4, 0.2}, c.hole_depth_m);
  // The normal turns by 90° over it: at 10 µm, below a count of an encoder, the edge is sharp.
  visit(ConfigField{"scene_rim_radius_m", 1e-5, 0.05}, c.rim_radius_m);
  // Rubber on dry concrete has 1.
  visit(ConfigField{"scene_friction", 0, 2}, c.friction);
  // Lower, contacts come late; higher, there are always too many.
  visit(ConfigField{"scene_margin_m", 1e-5, 0.01}, c.margin_m);
  // Lower, it rounds to nothing in a period; higher, it throws the hand.
  visit(ConfigField{"scene_max_push_out_mps", 1e-4, 0.1}, c.max_push_out_mps);
  // Twice the earth's.
  visit(ConfigField{"scene_gravity_W_mps2", -20, 20}, c.gravity_W_mps2);
}

template <class AnyCoupling, class Visit>
void VisitCoupling(const DeviceLimits& device, AnyCoupling& c, Visit& visit) {
  // Divided by. 1 N/m pulls with 0.1 N at 0.1 m: nobody feels less.
  visit(ConfigField{"coupling_stiffness_N_per_m", 1, device.stiffness_N_per_m}, c.stiffness_N_per_m);
  // 20 N at 0.2 m/s.
  visit(ConfigField{"coupling_damping_Ns_per_m", 0, 100}, c.damping_Ns_per_m);
  // Divided by. 1 N/m at 32 mm.
  visit(ConfigField{"coupling_angular_stiffness_Nm_per_rad", 1e-3, device.angular_stiffness_Nm_per_rad},
        c.angular_stiffness_Nm_per_rad);
  // 100 N s/m at 50 mm.
  visit(ConfigField{"coupling_angular_damping_Nms_per_rad", 0, 0.25}, c.angular_damping_Nms_per_rad);
}

template <class AnyDevice, class Visit>
void VisitDevice(AnyDevice& c, Visit& visit) {
  // Divided by. A fingertip's thimble; an arm. The same at 30 mm.
  visit(ConfigField{"device_mass_kg", 0.01, 10}, c.mass_kg);
  visit(ConfigField{"device_inertia_kgm2", 1e-6, 0.1}, c.inertia_kgm2);
  // 0: not quantised. At 1 mm, or 1 mm at 50 mm, nothing of a contact is left to feel.
  visit(ConfigField{"device_resolution_m", 0, 1e-3}, c.resolution_m);
  visit(ConfigField{"device_resolution_rad", 0, 0.02}, c.resolution_rad);
  // Room in the estimator.
  visit(ConfigField{"device_command_delay_ticks", 0, kMaxCommandDelay_ticks}, c.command_delay_ticks);
}

template <class AnyPassivity, class Visit>
void VisitPassivity(AnyPassivity& c, Visit& visit) {
  visit(ConfigField{"passivity_enabled", 0, 1}, c.enabled);
  // α B h must stay below the device's mass: 30 g at the default damping.
  visit(ConfigField{"passivity_max_damping_ratio", 0, 10}, c.max_damping_ratio);
  // 10 N along 10 mm: generated unseen, that much is a blow.
  visit(ConfigField{"passivity_tank_J", 0, 0.1}, c.tank_J);
}

template <class AnyGuard, class Visit>
void VisitGuard(const DeviceLimits& device, AnyGuard& c, Visit& visit) {
  // A hand that shakes at 10 Hz is a fifth of its period away after 20 ms. The last force is held no longer either.
  visit(ConfigField{"guard_max_age_us", 0, 20'000}, c.max_age_us);
  visit(ConfigField{"guard_hold_ticks", 0, 20}, c.hold_ticks);
  // Divided by. No hand reacts to a force within 0.1 s.
  visit(ConfigField{"guard_ramp_down_s", 1e-3, 0.1}, c.ramp_down_s);
  // 0.1 m/s and 1 rad/s for 1 ms; ten times the highest speeds. A turn far from π, where the torque turns round.
  visit(ConfigField{"guard_max_jump_m", 1e-4, 0.05}, c.max_jump_m);
  visit(ConfigField{"guard_max_jump_rad", 1e-3, 1}, c.max_jump_rad);
  // Lower, no hand can work.
  visit(ConfigField{"guard_max_speed_mps", 0.01, device.speed_mps}, c.max_speed_mps);
  visit(ConfigField{"guard_max_speed_radps", 0.1, device.speed_radps}, c.max_speed_radps);
  // As the scene's place; a workspace of 1 mm is a test bench's.
  visit(ConfigField{"guard_workspace_center_W_m", -1, 1}, c.workspace_center_W_m);
  visit(ConfigField{"guard_workspace_radius_m", 1e-3, device.workspace_radius_m}, c.workspace_radius_m);
  // As guard_ramp_down_s.
  visit(ConfigField{"guard_silence_ticks", 1, 100}, c.silence_ticks);
}

template <class AnyLimits, class Visit>
void VisitLimits(const DeviceLimits& device, AnyLimits& c, Visit& visit) {
  // Divided by. Faster, it is a blow; slower, nobody waits.
  visit(ConfigField{"limits_soft_start_s", 0.01, 5}, c.soft_start_s);
  // The smallest maximum within the longest ramp; the peak within 1 ms, which limits nothing.
  visit(ConfigField{"limits_max_force_rate_N_per_s", 1, 1000 * device.force_N}, c.max_force_rate_N_per_s);
  visit(ConfigField{"limits_max_torque_rate_Nm_per_s", 0.01, 1000 * device.torque_Nm}, c.max_torque_rate_Nm_per_s);
  // 0.1 N, and 1 mN m, are below any device's own friction.
  visit(ConfigField{"limits_max_force_N", 0.1, device.force_N}, c.max_force_N);
  visit(ConfigField{"limits_max_torque_Nm", 1e-3, device.torque_Nm}, c.max_torque_Nm);
}

template <class AnyConfig, class Visit>
void VisitDirections(AnyConfig& c, Visit& visit) {
  // A full turn: there is no more.
  visit(ConfigField{"direction_offset_rad", -6.3, 6.3}, c.direction_offset_rad);
  // Fewer span no plane; more find no room in the tick.
  visit(ConfigField{"directions", 3, kServoCapacity.directions}, c.directions);
}

}  // namespace internal

/// Calls visit(ConfigField, x) for each field x of a Config that a message carries. This is the one list of the fields: what
/// is checked, read, written and told of them follows from it.
///
/// @param[in] device  what the bounds are for
/// @param     config  Config<Scalar> or const Config<Scalar>
/// @param     visit   takes a Scalar, a vector of Scalars, an int or a bool, by reference
template <class AnyConfig, class Visit>
void ForEachField(const DeviceLimits& device, AnyConfig& config, Visit&& visit) {
  internal::VisitTool(config.tool, visit);
  internal::VisitScene(config.scene, visit);
  internal::VisitCoupling(device, config.coupling, visit);
  internal::VisitDevice(config.device, visit);
  internal::VisitPassivity(config.passivity, visit);
  internal::VisitGuard(device, config.guard, visit);
  internal::VisitLimits(device, config.limits, visit);
  internal::VisitDirections(config, visit);
}

}  // namespace tactus
