// docs/wire.md against the schema, the library's defaults and the decoder: what the page prints is what the code does.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "bytes.h"
#include "schema_tables.h"
#include "tactus/haptic/config.h"
#include "tactus/wire/fields.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::wire {
namespace {

std::string Document() { return ReadFile(TACTUS_WIRE_DOCUMENT); }

TEST(Document, HasTheTableOfEveryNameOfTheSchema) {  // If not: wire_update_tables tactus.bfbs docs/wire.md
  const std::string document = Document();
  const Schema schema(TACTUS_WIRE_SCHEMA);
  for (const std::string& name : schema.names()) {
    const std::string table = "<!-- schema: " + name + " -->\n" + schema.Table(name).value_or("") + "<!-- end -->\n";
    EXPECT_TRUE(document.find(table) != std::string::npos) << "the table of " << name << " is missing or old";
  }
}

TEST(Document, HasNoOtherTables) {
  const std::string document = Document();
  EXPECT_TRUE(document == WithTables(document, Schema(TACTUS_WIRE_SCHEMA)));
}

/// Second column of the table "| field | value |", by field.
std::map<std::string, std::vector<double>> StartValues() {
  std::istringstream lines(Document());
  std::map<std::string, std::vector<double>> values;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| field | value |", 0) == 0) inside = true;
    if (line.empty()) inside = false;
    const std::size_t name = line.find('`'), name_end = line.find('`', name + 1);
    if (!inside || name == std::string::npos) continue;
    std::vector<double>& numbers = values[line.substr(name + 1, name_end - name - 1)];
    std::istringstream cell(line.substr(line.find('|', name_end) + 1));
    char comma = ',';
    for (double number = 0; comma == ',' && cell >> number; cell >> comma) numbers.push_back(number);
  }
  return values;
}

template <int kRows>
std::vector<double> List(const Vec<double, kRows>& v) {
  return {v.data(), v.data() + kRows};
}

TEST(Document, StartsWithTheValuesOfTheLibrary) {  // Source: the defaults of tactus::Config.
  const tactus::Config<double> c;
  const std::map<std::string, std::vector<double>> expected = {
      {"tool_mass_kg", {c.tool.mass_kg}},
      {"tool_inertia_kgm2", List(c.tool.inertia_kgm2)},
      {"tool_radius_m", {c.tool.radius_m}},
      {"tool_length_m", {c.tool.length_m}},
      {"scene_p_WS_m", List(c.scene.p_WS_m)},
      {"scene_q_WS", List(c.scene.q_WS)},
      {"scene_hole_radius_m", {c.scene.hole_radius_m}},
      {"scene_hole_depth_m", {c.scene.hole_depth_m}},
      {"scene_rim_radius_m", {c.scene.rim_radius_m}},
      {"scene_friction", {c.scene.friction}},
      {"scene_margin_m", {c.scene.margin_m}},
      {"scene_max_push_out_mps", {c.scene.max_push_out_mps}},
      {"scene_gravity_W_mps2", List(c.scene.gravity_W_mps2)},
      {"coupling_stiffness_N_per_m", {c.coupling.stiffness_N_per_m}},
      {"coupling_damping_Ns_per_m", {c.coupling.damping_Ns_per_m}},
      {"coupling_angular_stiffness_Nm_per_rad", {c.coupling.angular_stiffness_Nm_per_rad}},
      {"coupling_angular_damping_Nms_per_rad", {c.coupling.angular_damping_Nms_per_rad}},
      {"device_mass_kg", {c.device.mass_kg}},
      {"device_inertia_kgm2", {c.device.inertia_kgm2}},
      {"device_resolution_m", {c.device.resolution_m}},
      {"device_resolution_rad", {c.device.resolution_rad}},
      {"passivity_max_damping_ratio", {c.passivity.max_damping_ratio}},
      {"passivity_tank_J", {c.passivity.tank_J}},
      {"guard_ramp_down_s", {c.guard.ramp_down_s}},
      {"guard_max_jump_m", {c.guard.max_jump_m}},
      {"guard_max_jump_rad", {c.guard.max_jump_rad}},
      {"guard_max_speed_mps", {c.guard.max_speed_mps}},
      {"guard_max_speed_radps", {c.guard.max_speed_radps}},
      {"guard_workspace_center_W_m", List(c.guard.workspace_center_W_m)},
      {"guard_workspace_radius_m", {c.guard.workspace_radius_m}},
      {"limits_soft_start_s", {c.limits.soft_start_s}},
      {"limits_max_force_rate_N_per_s", {c.limits.max_force_rate_N_per_s}},
      {"limits_max_torque_rate_Nm_per_s", {c.limits.max_torque_rate_Nm_per_s}},
      {"limits_max_force_N", {c.limits.max_force_N}},
      {"limits_max_torque_Nm", {c.limits.max_torque_Nm}},
      {"direction_offset_rad", {c.direction_offset_rad}},
      {"directions", {static_cast<double>(c.directions)}},
      {"device_command_delay_ticks", {static_cast<double>(c.device.command_delay_ticks)}},
      {"guard_max_age_us", {static_cast<double>(c.guard.max_age_us)}},
      {"guard_hold_ticks", {static_cast<double>(c.guard.hold_ticks)}},
      {"passivity_enabled", {c.passivity.enabled ? 1.0 : 0.0}},
      {"telemetry_every_ticks", {10}},
      {"pacing", {static_cast<double>(Pacing::kClock)}},
  };
  std::map<std::string, std::vector<double>> found = StartValues();
  for (const auto& [name, values] : expected)
    EXPECT_EQ(found[name], values) << name << ": set the document, and the example's client";
  EXPECT_EQ(found.size(), expected.size());
}

TEST(Document, StartsEveryFieldOfConfigButTheReservedOnes) {
  const reflection::Object* config = Schema(TACTUS_WIRE_SCHEMA).Struct("Config");
  EXPECT_EQ(StartValues().size() + 1, config->fields()->size());
  for (const auto& [name, values] : StartValues()) EXPECT_NE(FieldOffset<Config>(name.c_str()), kNoField) << name;
}

/// The frames of section 10: a line "    >   # what" or "    <   # what", then lines of bytes.
std::vector<std::pair<char, Bytes>> SessionFrames() {
  const std::string document = Document();
  std::istringstream lines(document.substr(document.find("## 10. A session in bytes")));
  std::vector<std::pair<char, Bytes>> frames;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("    >", 0) == 0 || line.rfind("    <", 0) == 0) {
      frames.emplace_back(line[4], Bytes{});
    } else if (line.rfind("      ", 0) == 0 && !frames.empty()) {
      frames.back().second = Join(frames.back().second, FromHex(line));
    }
  }
  return frames;
}

TEST(Document, PrintsASessionOfGoodFrames) {
  using enum MessageType;
  const std::vector<std::pair<char, MessageType>> expected = {
      {'>', kHelloRequest}, {'<', kHello},   {'>', kConfig},  {'<', kAck}, {'>', kControl}, {'<', kAck},
      {'>', kSample},       {'<', kCommand}, {'>', kControl}, {'<', kAck}, {'<', kStopped}};
  std::vector<std::pair<char, MessageType>> found;
  FrameDecoder from_host, from_controller;
  for (const auto& [direction, bytes] : SessionFrames()) {
    FrameDecoder& decoder = direction == '>' ? from_host : from_controller;
    std::size_t used = 0;
    ASSERT_EQ(decoder.Push(bytes, &used), Status::kOk);
    ASSERT_EQ(used, bytes.size());
    found.emplace_back(direction, decoder.frame().type);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(from_host.counters().missing + from_controller.counters().missing, 0u);
}

}  // namespace
}  // namespace tactus::wire
