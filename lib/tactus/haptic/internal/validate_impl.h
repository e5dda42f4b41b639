#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/validate.h"

namespace tactus {

namespace internal {

/// Collects the first fault.
class ConfigCheck {
 public:
  void Require(bool holds, const char* field, const char* what) {
    if (!holds && !fault_) fault_ = {.field = field, .what = what};
  }
  template <class Scalar>
  void Positive(Scalar x, const char* field) {
    Require(IsFinite(x) && x > Scalar(0), field, "must be finite and > 0");
  }
  template <class Scalar>
  void NotNegative(Scalar x, const char* field) {
    Require(IsFinite(x) && x >= Scalar(0), field, "must be finite and >= 0");
  }
  template <class Scalar>
  void Finite(const Vec<Scalar, 3>& x, const char* field) {
    Require(IsFinite(x), field, "must be finite");
  }
  const ConfigFault& fault() const { return fault_; }

 private:
  ConfigFault fault_;
};

template <class Scalar>
void CheckTool(const ToolConfig<Scalar>& tool, ConfigCheck* check) {
  const Vec<Scalar, 3>& J = tool.inertia_kgm2;
  check->Positive(tool.mass_kg, "tool.mass_kg");
  for (int i = 0; i < 3; ++i) check->Positive(J(i), "tool.inertia_kgm2");
  const Scalar largest = J.maxCoeff(), slack = Scalar(1e-6) * J.sum();  // rounding of a flat body's equality
  check->Require(largest <= J.sum() - largest + slack, "tool.inertia_kgm2",
                 "no body has a moment above the sum of the others");
  check->Positive(tool.radius_m, "tool.radius_m");
  check->Positive(tool.length_m, "tool.length_m");
}

template <class Scalar>
void CheckScene(const SceneConfig<Scalar>& scene, ConfigCheck* check) {
  check->Finite(scene.p_WS_m, "scene.p_WS_m");
  const Scalar norm2 = scene.q_WS.squaredNorm();
  check->Require(IsFinite(norm2) && Abs(norm2 - Scalar(1)) < Scalar(1e-3), "scene.q_WS", "must be a unit quaternion");
  check->Positive(scene.hole_radius_m, "scene.hole_radius_m");
  check->Positive(scene.hole_depth_m, "scene.hole_depth_m");
  check->Positive(scene.rim_radius_m, "scene.rim_radius_m");
  check->Require(scene.rim_radius_m < scene.hole_depth_m, "scene.rim_radius_m", "must be below the hole's depth");
  check->NotNegative(scene.friction, "scene.friction");
  check->Positive(scene.margin_m, "scene.margin_m");
  check->Positive(scene.max_push_out_mps, "scene.max_push_out_mps");
  check->Finite(scene.gravity_W_mps2, "scene.gravity_W_mps2");
}

template <class Scalar>
void CheckCoupling(const Config<Scalar>& config, ConfigCheck* check) {
  const CouplingConfig<Scalar>& coupling = config.coupling;
  check->Positive(coupling.stiffness_N_per_m, "coupling.stiffness_N_per_m");
  check->NotNegative(coupling.damping_Ns_per_m, "coupling.damping_Ns_per_m");
  check->Positive(coupling.angular_stiffness_Nm_per_rad, "coupling.angular_stiffness_Nm_per_rad");
  check->NotNegative(coupling.angular_damping_Nms_per_rad, "coupling.angular_damping_Nms_per_rad");
  const bool enabled = config.passivity.enabled;
  const char* const why = "must be > 0: the passivity controller multiplies it";
  check->Require(!enabled || coupling.damping_Ns_per_m > Scalar(0), "coupling.damping_Ns_per_m", why);
  check->Require(!enabled || coupling.angular_damping_Nms_per_rad > Scalar(0), "coupling.angular_damping_Nms_per_rad", why);
  check->NotNegative(config.passivity.max_damping_ratio, "passivity.max_damping_ratio");
  check->NotNegative(config.passivity.tank_J, "passivity.tank_J");
}

template <class Scalar>
void CheckDevice(const DeviceConfig<Scalar>& device, ConfigCheck* check) {
  check->Positive(device.mass_kg, "device.mass_kg");
  check->Positive(device.inertia_kgm2, "device.inertia_kgm2");
  check->NotNegative(device.resolution_m, "device.resolution_m");
  check->NotNegative(device.resolution_rad, "device.resolution_rad");
  check->Require(device.command_delay_ticks >= 0 && device.command_delay_ticks <= kMaxCommandDelay_ticks,
                 "device.command_delay_ticks", "must be in 0 ... 7");
}

template <class Scalar>
void CheckGuard(const GuardConfig<Scalar>& guard, ConfigCheck* check) {
  constexpr int kMostTicks = 10000;  // the guard's counters go a little further
  check->Require(guard.max_age_us >= 0, "guard.max_age_us", "must be >= 0");
  check->Require(guard.hold_ticks >= 0 && guard.hold_ticks <= kMostTicks, "guard.hold_ticks", "must be in 0 ... 10000");
  check->Positive(guard.ramp_down_s, "guard.ramp_down_s");
  check->Positive(guard.max_jump_m, "guard.max_jump_m");
  check->Positive(guard.max_jump_rad, "guard.max_jump_rad");
  check->Positive(guard.max_speed_mps, "guard.max_speed_mps");
  check->Positive(guard.max_speed_radps, "guard.max_speed_radps");
  check->Finite(guard.workspace_center_W_m, "guard.workspace_center_W_m");
  check->Positive(guard.workspace_radius_m, "guard.workspace_radius_m");
}

template <class Scalar>
void CheckLimits(const LimitConfig<Scalar>& limits, Scalar ramp_down_s, ConfigCheck* check) {
  check->Positive(limits.soft_start_s, "limits.soft_start_s");
  check->Positive(limits.max_force_rate_N_per_s, "limits.max_force_rate_N_per_s");
  check->Positive(limits.max_torque_rate_Nm_per_s, "limits.max_torque_rate_Nm_per_s");
  check->Positive(limits.max_force_N, "limits.max_force_N");
  check->Positive(limits.max_torque_Nm, "limits.max_torque_Nm");
  const char* const why = "times guard.ramp_down_s must reach the maximum, or fading takes longer";
  const Scalar slack = Scalar(1) + Scalar(1e-6);  // rounding of the equality
  check->Require(limits.max_force_rate_N_per_s * ramp_down_s * slack >= limits.max_force_N, "limits.max_force_rate_N_per_s",
                 why);
  check->Require(limits.max_torque_rate_Nm_per_s * ramp_down_s * slack >= limits.max_torque_Nm,
                 "limits.max_torque_rate_Nm_per_s", why);
}

}  // namespace internal

template <class Scalar>
ConfigFault Validate(const Config<Scalar>& config, int max_directions) noexcept {
  internal::ConfigCheck check;
  check.Positive(config.period_s, "period_s");
  check.Require(config.directions >= 3 && config.directions <= max_directions, "directions", "must be in 3 ... capacity");
  check.Require(Abs(config.direction_offset_rad) <= Scalar(100), "direction_offset_rad", "must be within ±100");
  internal::CheckTool(config.tool, &check);
  internal::CheckScene(config.scene, &check);
  internal::CheckCoupling(config, &check);
  internal::CheckDevice(config.device, &check);
  internal::CheckGuard(config.guard, &check);
  internal::CheckLimits(config.limits, config.guard.ramp_down_s, &check);
  return check.fault();
}

}  // namespace tactus
