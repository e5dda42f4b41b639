#include "host_tools/scene/run_tables.h"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/recorded_hand.h"
#include "host_tools/scene/scene_checks.h"
#include "host_tools/scene/timed_checks.h"
#include "tactus/core/scalar.h"
#include "tactus/haptic/validate.h"

namespace tactus::host {
namespace {

/// Bounds as a controller has them that nobody has changed; the device's own may be narrower, and it says so.
void ReadCoupling(TomlTable* root, SceneFile* file) {
  TomlTable table = root->Table("coupling");
  const wire::ConfigLowest lowest = servo::LowestToWire();
  const wire::ConfigHighest highest = servo::HighestToWire();
  const wire::Config &low = lowest.config(), &high = highest.config();
  const auto read = [&](const char* key, double least, double most) {
    if (!table.Has(key)) return;
    const double x = table.Number(key, 0);
    if (!(x >= least && x <= most)) table.Fail(key, fmt::format("{:g} is out of range: {:g} to {:g}", x, least, most));
    file->coupling[key] = x;
  };
  read("stiffness_N_per_m", low.coupling_stiffness_N_per_m(), high.coupling_stiffness_N_per_m());
  read("damping_Ns_per_m", low.coupling_damping_Ns_per_m(), high.coupling_damping_Ns_per_m());
  read("angular_stiffness_Nm_per_rad", low.coupling_angular_stiffness_Nm_per_rad(),
       high.coupling_angular_stiffness_Nm_per_rad());
  read("angular_damping_Nms_per_rad", low.coupling_angular_damping_Nms_per_rad(),
       high.coupling_angular_damping_Nms_per_rad());
  table.Finish();
}

/// [workspace]: the map from the hand's space.
void ReadWorkspace(TomlTable* root, SceneFile* file) {
  if (!root->Has("workspace")) return;
  TomlTable table = root->Table("workspace");
  WorkspaceConfig<double> map;
  map.scale = table.Number("scale", map.scale);
  map.force_scale = table.Number("force_scale", map.force_scale);
  const Vector3 offset_m = table.Vector("offset_m", {}), axis = table.Vector("axis", {0, 0, 1});
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!(length > 0) || !std::isfinite(length)) table.Fail("axis", "has no direction");
  const double angle_deg = table.Number("angle_deg", 0);
  if (!(std::abs(angle_deg) <= 360)) table.Fail("angle_deg", fmt::format("{:g} is out of range: -360 to 360", angle_deg));
  const double half_rad = angle_deg * std::numbers::pi / 360;
  for (int i = 0; i < 3; ++i) {
    map.offset_m(i) = offset_m[static_cast<std::size_t>(i)];
    map.q_WD(1 + i) = std::sin(half_rad) * axis[static_cast<std::size_t>(i)] / length;
  }
  map.q_WD(0) = std::cos(half_rad);
  const double button = table.Number("clutch_button", 0);
  if (!(button >= kClutchButtonField.lowest && button <= kClutchButtonField.highest && button == std::floor(button)))
    table.Fail("clutch_button", fmt::format("{:g} is no button: 1 to {:g}; 0: none", button, kClutchButtonField.highest));
  map.clutch_button = static_cast<int>(button);
  map.index_turns = table.Flag("index_turns", true);
  if (const ConfigFault fault = ValidateWorkspace(map)) {
    const bool finite = IsFinite(map.scale) && IsFinite(map.force_scale) && IsFinite(map.offset_m);
    table.Fail(fault.field, finite ? fmt::format("{} {:g}", fault.what, fault.limit) : std::string("is not finite"));
  }
  table.Finish();
  file->workspace = map;
}

/// [hand] recording = "file", from the folder of the scene.
void ReadRecording(TomlTable table, SceneFile* file) {
  if (!table.Has("recording")) table.Fail("recording", "is missing: a file; or write [[hand]] for a list of movements");
  const std::string name = table.Text("recording", "");
  try {
    ReadRecordedHand((std::filesystem::path(file->path).parent_path() / name).string(), file);
  } catch (const HostError& error) {
    table.Fail("recording", error.what());
  }
  table.Finish();
}

void ReadMoves(TomlTable* root, SceneFile* file) {
  const std::vector<TomlTable> tables = root->Tables("hand");
  file->move_names.reserve(tables.size());
  for (TomlTable table : tables) {
    hal::HandMove move;
    file->move_names.push_back(table.Name("name", fmt::format("move {}", file->moves.size())));
    move.duration_s = table.Number("duration_s", 0);
    if (!(move.duration_s > 0 && move.duration_s <= 1000))
      table.Fail("duration_s", fmt::format("{} is out of range: above 0, at most 1000", move.duration_s));
    const Vector3 to_m = table.Vector("to_m", {}), turn_deg = table.Vector("turn_deg", {});
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(std::abs(to_m[i]) <= 1)) table.Fail("to_m", fmt::format("{} is out of range: -1 to 1", to_m[i]));
      if (!(std::abs(turn_deg[i]) <= 180))
        table.Fail("turn_deg", fmt::format("{} is out of range: -180 to 180", turn_deg[i]));
      move.p_m[i] = to_m[i];
      move.rotation_rad[i] = turn_deg[i] * std::numbers::pi / 180;
    }
    move.clutch = table.Flag("clutch", false);
    move.circle_m = table.Number("circle_m", 0);
    move.circle_Hz = table.Number("circle_Hz", 0);
    if (!(std::abs(move.circle_m) <= 0.2))
      table.Fail("circle_m", fmt::format("{:g} is out of range: -0.2 to 0.2", move.circle_m));
    if (!(std::abs(move.circle_Hz) <= 10))
      table.Fail("circle_Hz", fmt::format("{:g} is out of range: -10 to 10", move.circle_Hz));
    table.Finish();
    file->moves.push_back(move);
  }
}

void ReadHand(TomlTable* root, SceneFile* file) {
  root->HasTable("hand") ? ReadRecording(root->Table("hand"), file) : ReadMoves(root, file);
  file->gives_hand = !file->moves.empty();
  if (file->moves.empty()) {
    file->move_names.emplace_back("still");
    file->moves.push_back({.duration_s = 1});
  }
  for (std::size_t i = 0; i < file->moves.size(); ++i) file->moves[i].name = file->move_names[i].c_str();
}

void ReadChecks(TomlTable* root, SceneFile* file) {
  TomlTable table = root->Table("checks");
  for (const std::string& name : CheckNames()) {
    if (!table.Has(name)) continue;
    const double bound = table.Number(name, 0);
    if (!std::isfinite(bound)) table.Fail(name, "is not finite");
    const auto [low, high] = RangeOf(name);
    if (!(bound >= low && bound <= high))
      table.Fail(name, fmt::format("{:g} is out of range: {:g} to {:g}", bound, low, high));
    file->checks.bounds[name] = bound;
  }
  ReadTimedChecks(&table, file->bodies, &file->checks.timed);
  table.Finish();
}

}  // namespace

void ReadRun(TomlTable* root, SceneFile* file) {
  ReadCoupling(root, file);
  ReadWorkspace(root, file);
  ReadHand(root, file);
  ReadChecks(root, file);
}

}  // namespace tactus::host
