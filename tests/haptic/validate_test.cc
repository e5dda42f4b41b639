#include "tactus/haptic/validate.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tactus {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

TEST(Validate, AcceptsTheDefaults) {
  EXPECT_FALSE(Validate(Config<double>{}));
  EXPECT_FALSE(Validate(Config<float>{}));
}

TEST(Validate, AcceptsTheEdgesOfWhatIsAllowed) {
  Config<float> config;
  config.limits.max_force_rate_N_per_s = 400;  // 8 N in 20 ms
  config.limits.max_torque_rate_Nm_per_s = 10;
  config.direction_offset_rad = -100;
  config.passivity.enabled = false;
  config.coupling.damping_Ns_per_m = config.coupling.angular_damping_Nms_per_rad = 0;
  EXPECT_FALSE(Validate(config));
}

TEST(Validate, NamesTheFieldThatIsWrong) {
  using C = Config<double>;
  const std::vector<std::pair<const char*, std::function<void(C&)>>> cases = {
      {"period_s", [](C& c) { c.period_s = 0; }},
      {"directions", [](C& c) { c.directions = 9; }},
      {"directions", [](C& c) { c.directions = 2; }},
      {"direction_offset_rad", [](C& c) { c.direction_offset_rad = kInf; }},
      {"direction_offset_rad", [](C& c) { c.direction_offset_rad = -100.1; }},
      {"direction_offset_rad", [](C& c) { c.direction_offset_rad = kNan; }},
      {"tool.mass_kg", [](C& c) { c.tool.mass_kg = -1; }},
      {"tool.inertia_kgm2", [](C& c) { c.tool.inertia_kgm2(1) = kNan; }},
      {"tool.inertia_kgm2", [](C& c) { c.tool.inertia_kgm2 = Vec<double, 3>(1, 1, 2.1); }},
      {"tool.radius_m", [](C& c) { c.tool.radius_m = 0; }},
      {"tool.length_m", [](C& c) { c.tool.length_m = kNan; }},
      {"scene.p_WS_m", [](C& c) { c.scene.p_WS_m(2) = kInf; }},
      {"scene.q_WS", [](C& c) { c.scene.q_WS(0) = 0.9; }},
      {"scene.hole_radius_m", [](C& c) { c.scene.hole_radius_m = -0.01; }},
      {"scene.hole_depth_m", [](C& c) { c.scene.hole_depth_m = 0; }},
      {"scene.rim_radius_m", [](C& c) { c.scene.rim_radius_m = 0; }},
      {"scene.rim_radius_m", [](C& c) { c.scene.rim_radius_m = 0.04; }},
      {"scene.friction", [](C& c) { c.scene.friction = -0.1; }},
      {"scene.margin_m", [](C& c) { c.scene.margin_m = 0; }},
      {"scene.max_push_out_mps", [](C& c) { c.scene.max_push_out_mps = 0; }},
      {"scene.gravity_W_mps2", [](C& c) { c.scene.gravity_W_mps2(0) = kNan; }},
      {"coupling.stiffness_N_per_m", [](C& c) { c.coupling.stiffness_N_per_m = 0; }},
      {"coupling.damping_Ns_per_m", [](C& c) { c.coupling.damping_Ns_per_m = -1; }},
      {"coupling.angular_stiffness_Nm_per_rad", [](C& c) { c.coupling.angular_stiffness_Nm_per_rad = kNan; }},
      {"coupling.angular_damping_Nms_per_rad", [](C& c) { c.coupling.angular_damping_Nms_per_rad = -1; }},
      {"coupling.damping_Ns_per_m", [](C& c) { c.coupling.damping_Ns_per_m = 0; }},
      {"coupling.angular_damping_Nms_per_rad", [](C& c) { c.coupling.angular_damping_Nms_per_rad = 0; }},
      {"device.mass_kg", [](C& c) { c.device.mass_kg = 0; }},
      {"device.inertia_kgm2", [](C& c) { c.device.inertia_kgm2 = kInf; }},
      {"device.resolution_m", [](C& c) { c.device.resolution_m = -1; }},
      {"device.resolution_rad", [](C& c) { c.device.resolution_rad = kNan; }},
      {"device.command_delay_ticks", [](C& c) { c.device.command_delay_ticks = 8; }},
      {"device.command_delay_ticks", [](C& c) { c.device.command_delay_ticks = -1; }},
      {"passivity.max_damping_ratio", [](C& c) { c.passivity.max_damping_ratio = -1; }},
      {"passivity.tank_J", [](C& c) { c.passivity.tank_J = -1; }},
      {"guard.max_age_us", [](C& c) { c.guard.max_age_us = -1; }},
      {"guard.hold_ticks", [](C& c) { c.guard.hold_ticks = -1; }},
      {"guard.ramp_down_s", [](C& c) { c.guard.ramp_down_s = 0; }},
      {"guard.max_jump_m", [](C& c) { c.guard.max_jump_m = 0; }},
      {"guard.max_jump_rad", [](C& c) { c.guard.max_jump_rad = kNan; }},
      {"guard.max_speed_mps", [](C& c) { c.guard.max_speed_mps = 0; }},
      {"guard.max_speed_radps", [](C& c) { c.guard.max_speed_radps = -2; }},
      {"guard.workspace_center_W_m", [](C& c) { c.guard.workspace_center_W_m(1) = kInf; }},
      {"guard.workspace_radius_m", [](C& c) { c.guard.workspace_radius_m = 0; }},
      {"limits.soft_start_s", [](C& c) { c.limits.soft_start_s = 0; }},
      {"limits.max_force_rate_N_per_s", [](C& c) { c.limits.max_force_rate_N_per_s = kInf; }},
      {"limits.max_torque_rate_Nm_per_s", [](C& c) { c.limits.max_torque_rate_Nm_per_s = 0; }},
      {"limits.max_force_rate_N_per_s", [](C& c) { c.limits.max_force_rate_N_per_s = 399; }},  // 8 N in 20 ms: 400
      {"limits.max_torque_rate_Nm_per_s", [](C& c) { c.limits.max_torque_rate_Nm_per_s = 9.9; }},
      {"limits.max_force_N", [](C& c) { c.limits.max_force_N = kNan; }},
      {"limits.max_torque_Nm", [](C& c) { c.limits.max_torque_Nm = -1; }},
  };
  for (const auto& [field, spoil] : cases) {
    Config<double> config;
    spoil(config);
    const ConfigFault fault = Validate(config);
    ASSERT_TRUE(fault) << field;
    EXPECT_STREQ(fault.field, field);
    EXPECT_NE(fault.what, nullptr);
  }
}

}  // namespace
}  // namespace tactus
