#include "firmware/servo/config_from_wire.h"

#include <cstring>

#include "tactus/core/scalar.h"
#include "tactus/haptic/validate.h"

namespace tactus::servo {
namespace {

using wire::AckCode;

/// The first field with a NaN or an infinity. The doubles stand first in the message, `directions` is the first number
/// behind.
std::uint16_t FindNotFinite(const wire::Config& message) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&message);
  const std::uint16_t end = wire::FieldOffset<wire::Config>("directions");
  std::uint16_t field = wire::kNoField;
  for (std::uint16_t at = 0; at < end; at = static_cast<std::uint16_t>(at + sizeof(double))) {
    if (wire::FieldName<wire::Config>(at) != nullptr) field = at;
    double value = 0;
    std::memcpy(&value, bytes + at, sizeof(value));
    if (!IsFinite(value)) return field;
  }
  return wire::kNoField;
}

/// What the haptic configuration does not know of.
std::uint16_t FindBadLoopField(const wire::Config& message) {
  if (message.telemetry_every_ticks() < 0) return wire::FieldOffset<wire::Config>("telemetry_every_ticks");
  if (message.passivity_enabled() > 1) return wire::FieldOffset<wire::Config>("passivity_enabled");
  if (message.pacing() > wire::Pacing::kSample) return wire::FieldOffset<wire::Config>("pacing");
  return wire::kNoField;
}

template <class Scalar, std::uint16_t kSize>
Vec<Scalar, kSize> ToVec(const flatbuffers::Array<double, kSize>& array) {
  Vec<Scalar, kSize> vector;
  for (std::uint16_t i = 0; i < kSize; ++i) vector(i) = static_cast<Scalar>(array.Get(i));
  return vector;
}

template <std::uint16_t kSize>
void ToArray(const Vec<double, kSize>& vector, flatbuffers::Array<double, kSize>* array) {
  for (std::uint16_t i = 0; i < kSize; ++i) array->Mutate(i, vector(i));
}

template <class Scalar>
void ReadScene(const wire::Config& m, Config<Scalar>* c) {
  c->tool.mass_kg = static_cast<Scalar>(m.tool_mass_kg());
  c->tool.inertia_kgm2 = ToVec<Scalar>(*m.tool_inertia_kgm2());
  c->tool.radius_m = static_cast<Scalar>(m.tool_radius_m());
  c->tool.length_m = static_cast<Scalar>(m.tool_length_m());
  c->scene.p_WS_m = ToVec<Scalar>(*m.scene_p_WS_m());
  c->scene.q_WS = ToVec<Scalar>(*m.scene_q_WS());
  c->scene.hole_radius_m = static_cast<Scalar>(m.scene_hole_radius_m());
  c->scene.hole_depth_m = static_cast<Scalar>(m.scene_hole_depth_m());
  c->scene.rim_radius_m = static_cast<Scalar>(m.scene_rim_radius_m());
  c->scene.friction = static_cast<Scalar>(m.scene_friction());
  c->scene.margin_m = static_cast<Scalar>(m.scene_margin_m());
  c->scene.max_push_out_mps = static_cast<Scalar>(m.scene_max_push_out_mps());
  c->scene.gravity_W_mps2 = ToVec<Scalar>(*m.scene_gravity_W_mps2());
}

template <class Scalar>
void ReadControl(const wire::Config& m, Config<Scalar>* c) {
  c->directions = m.directions();
  c->direction_offset_rad = static_cast<Scalar>(m.direction_offset_rad());
  c->coupling.stiffness_N_per_m = static_cast<Scalar>(m.coupling_stiffness_N_per_m());
  c->coupling.damping_Ns_per_m = static_cast<Scalar>(m.coupling_damping_Ns_per_m());
  c->coupling.angular_stiffness_Nm_per_rad = static_cast<Scalar>(m.coupling_angular_stiffness_Nm_per_rad());
  c->coupling.angular_damping_Nms_per_rad = static_cast<Scalar>(m.coupling_angular_damping_Nms_per_rad());
  c->device.mass_kg = static_cast<Scalar>(m.device_mass_kg());
  c->device.inertia_kgm2 = static_cast<Scalar>(m.device_inertia_kgm2());
  c->device.resolution_m = static_cast<Scalar>(m.device_resolution_m());
  c->device.resolution_rad = static_cast<Scalar>(m.device_resolution_rad());
  c->device.command_delay_ticks = m.device_command_delay_ticks();
  c->passivity.enabled = m.passivity_enabled() != 0;
  c->passivity.max_damping_ratio = static_cast<Scalar>(m.passivity_max_damping_ratio());
  c->passivity.tank_J = static_cast<Scalar>(m.passivity_tank_J());
}

template <class Scalar>
void ReadSafety(const wire::Config& m, Config<Scalar>* c) {
  c->guard.max_age_us = m.guard_max_age_us();
  c->guard.hold_ticks = m.guard_hold_ticks();
  c->guard.ramp_down_s = static_cast<Scalar>(m.guard_ramp_down_s());
  c->guard.max_jump_m = static_cast<Scalar>(m.guard_max_jump_m());
  c->guard.max_jump_rad = static_cast<Scalar>(m.guard_max_jump_rad());
  c->guard.max_speed_mps = static_cast<Scalar>(m.guard_max_speed_mps());
  c->guard.max_speed_radps = static_cast<Scalar>(m.guard_max_speed_radps());
  c->guard.workspace_center_W_m = ToVec<Scalar>(*m.guard_workspace_center_W_m());
  c->guard.workspace_radius_m = static_cast<Scalar>(m.guard_workspace_radius_m());
  c->limits.soft_start_s = static_cast<Scalar>(m.limits_soft_start_s());
  c->limits.max_force_rate_N_per_s = static_cast<Scalar>(m.limits_max_force_rate_N_per_s());
  c->limits.max_torque_rate_Nm_per_s = static_cast<Scalar>(m.limits_max_torque_rate_Nm_per_s());
  c->limits.max_force_N = static_cast<Scalar>(m.limits_max_force_N());
  c->limits.max_torque_Nm = static_cast<Scalar>(m.limits_max_torque_Nm());
}

void WriteScene(const Config<double>& c, wire::Config* m) {
  m->mutate_tool_mass_kg(c.tool.mass_kg);
  ToArray<3>(c.tool.inertia_kgm2, m->mutable_tool_inertia_kgm2());
  m->mutate_tool_radius_m(c.tool.radius_m);
  m->mutate_tool_length_m(c.tool.length_m);
  ToArray<3>(c.scene.p_WS_m, m->mutable_scene_p_WS_m());
  ToArray<4>(c.scene.q_WS, m->mutable_scene_q_WS());
  m->mutate_scene_hole_radius_m(c.scene.hole_radius_m);
  m->mutate_scene_hole_depth_m(c.scene.hole_depth_m);
  m->mutate_scene_rim_radius_m(c.scene.rim_radius_m);
  m->mutate_scene_friction(c.scene.friction);
  m->mutate_scene_margin_m(c.scene.margin_m);
  m->mutate_scene_max_push_out_mps(c.scene.max_push_out_mps);
  ToArray<3>(c.scene.gravity_W_mps2, m->mutable_scene_gravity_W_mps2());
}

void WriteControl(const Config<double>& c, wire::Config* m) {
  m->mutate_directions(c.directions);
  m->mutate_direction_offset_rad(c.direction_offset_rad);
  m->mutate_coupling_stiffness_N_per_m(c.coupling.stiffness_N_per_m);
  m->mutate_coupling_damping_Ns_per_m(c.coupling.damping_Ns_per_m);
  m->mutate_coupling_angular_stiffness_Nm_per_rad(c.coupling.angular_stiffness_Nm_per_rad);
  m->mutate_coupling_angular_damping_Nms_per_rad(c.coupling.angular_damping_Nms_per_rad);
  m->mutate_device_mass_kg(c.device.mass_kg);
  m->mutate_device_inertia_kgm2(c.device.inertia_kgm2);
  m->mutate_device_resolution_m(c.device.resolution_m);
  m->mutate_device_resolution_rad(c.device.resolution_rad);
  m->mutate_device_command_delay_ticks(c.device.command_delay_ticks);
  m->mutate_passivity_enabled(c.passivity.enabled ? 1 : 0);
  m->mutate_passivity_max_damping_ratio(c.passivity.max_damping_ratio);
  m->mutate_passivity_tank_J(c.passivity.tank_J);
}

void WriteSafety(const Config<double>& c, wire::Config* m) {
  m->mutate_guard_max_age_us(c.guard.max_age_us);
  m->mutate_guard_hold_ticks(c.guard.hold_ticks);
  m->mutate_guard_ramp_down_s(c.guard.ramp_down_s);
  m->mutate_guard_max_jump_m(c.guard.max_jump_m);
  m->mutate_guard_max_jump_rad(c.guard.max_jump_rad);
  m->mutate_guard_max_speed_mps(c.guard.max_speed_mps);
  m->mutate_guard_max_speed_radps(c.guard.max_speed_radps);
  ToArray<3>(c.guard.workspace_center_W_m, m->mutable_guard_workspace_center_W_m());
  m->mutate_guard_workspace_radius_m(c.guard.workspace_radius_m);
  m->mutate_limits_soft_start_s(c.limits.soft_start_s);
  m->mutate_limits_max_force_rate_N_per_s(c.limits.max_force_rate_N_per_s);
  m->mutate_limits_max_torque_rate_Nm_per_s(c.limits.max_torque_rate_Nm_per_s);
  m->mutate_limits_max_force_N(c.limits.max_force_N);
  m->mutate_limits_max_torque_Nm(c.limits.max_torque_Nm);
}

}  // namespace

template <class Scalar>
ConfigRefusal ConfigFromWire(const wire::Config& message, std::uint32_t period_us, Config<Scalar>* config) noexcept {
  if (const std::uint16_t field = FindNotFinite(message); field != wire::kNoField) return {AckCode::kNotFinite, field};
  if (const std::uint16_t field = FindBadLoopField(message); field != wire::kNoField) return {AckCode::kOutOfRange, field};
  Config<Scalar> candidate;
  candidate.period_s = static_cast<Scalar>(period_us) / Scalar(1'000'000);
  ReadScene(message, &candidate);
  ReadControl(message, &candidate);
  ReadSafety(message, &candidate);
  if (candidate.directions > kServoCapacity.directions) {
    return {AckCode::kOverCapacity, wire::FieldOffset<wire::Config>("directions")};
  }
  if (const ConfigFault fault = Validate(candidate))
    return {AckCode::kOutOfRange, wire::FieldOffset<wire::Config>(fault.field)};
  *config = candidate;
  return {};
}

wire::Config ConfigToWire(const Config<double>& config) noexcept {
  wire::Config message;
  WriteScene(config, &message);
  WriteControl(config, &message);
  WriteSafety(config, &message);
  message.mutate_telemetry_every_ticks(1);
  message.mutate_pacing(wire::Pacing::kClock);
  return message;
}

template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<double>*) noexcept;
template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<float>*) noexcept;

}  // namespace tactus::servo
