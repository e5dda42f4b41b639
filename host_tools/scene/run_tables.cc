#include "host_tools/scene/run_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/direction.h"
#include "host_tools/scene/out_of_range.h"
#include "host_tools/scene/recorded_hand.h"
#include "host_tools/scene/scene_checks.h"
#include "host_tools/scene/timed_checks.h"
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
    if (!(x >= least && x <= most)) table.Fail(key, OutOfRange(x, least, most));
    file->coupling[key] = x;
  };
  read("stiffness_N_per_m", low.coupling_stiffness_N_per_m(), high.coupling_stiffness_N_per_m());
  // The passivity controller multiplies the dampings, so they are not 0 (Validate(), validate.h).
  read("damping_Ns_per_m", std::max(low.coupling_damping_Ns_per_m(), kLeastNumber), high.coupling_damping_Ns_per_m());
  read("angular_stiffness_Nm_per_rad", low.coupling_angular_stiffness_Nm_per_rad(),
       high.coupling_angular_stiffness_Nm_per_rad());
  read("angular_damping_Nms_per_rad", std::max(low.coupling_angular_damping_Nms_per_rad(), kLeastNumber),
       high.coupling_angular_damping_Nms_per_rad());
  table.Finish();
}

/// [workspace]: the map from the hand's space.
void ReadWorkspace(TomlTable* root, SceneFile* file) {
  if (!root->Has("workspace")) return;
  TomlTable table = root->Table("workspace");
  WorkspaceConfig<double> map;
  const auto expect = [&](const char* key, double x, double least, double most) {
    if (!(x >= least && x <= most)) table.Fail(key, OutOfRange(x, least, most));
  };
  map.scale = table.Number("scale", map.scale);
  map.force_scale = table.Number("force_scale", map.force_scale);
  expect("scale", map.scale, kScaleField.lowest, kScaleField.highest);
  expect("force_scale", map.force_scale, kForceScaleField.lowest, kForceScaleField.highest);
  const Vector3 offset_m = table.Vector("offset_m", {}), axis = ReadDirection(&table, "axis", {0, 0, 1});
  for (const double x : offset_m) expect("offset_m", x, kWorkspaceOffsetField.lowest, kWorkspaceOffsetField.highest);
  const double angle_deg = table.Number("angle_deg", 0);
  expect("angle_deg", angle_deg, -360, 360);
  const double half_rad = angle_deg * std::numbers::pi / 360;
  for (int i = 0; i < 3; ++i) {
    map.offset_m(i) = offset_m[static_cast<std::size_t>(i)];
    map.q_WD(1 + i) = std::sin(half_rad) * axis[static_cast<std::size_t>(i)];
  }
  map.q_WD(0) = std::cos(half_rad);
  const double button = table.Number("clutch_button", 0);
  if (!(button >= kClutchButtonField.lowest && button <= kClutchButtonField.highest && button == std::floor(button)))
    table.Fail("clutch_button", fmt::format("{:g} is no button: 1 to {:g}; 0: none", button, kClutchButtonField.highest));
  map.clutch_button = static_cast<int>(button);
  map.index_turns = table.Flag("index_turns", true);
  if (const ConfigFault fault = ValidateWorkspace(map))
    table.Fail(fault.field, fmt::format("{} {:g}", fault.what, fault.limit));
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

/// [[hand]] or [[second_hand]]: a list of movements.
/// @param may_clutch  with one tool only
void ReadMoves(TomlTable* root, const char* key, bool may_clutch, std::vector<std::string>* names,
               std::vector<hal::HandMove>* moves) {
  const std::vector<TomlTable> tables = root->Tables(key);
  names->reserve(tables.size());
  for (TomlTable table : tables) {
    hal::HandMove move;
    names->push_back(table.Name("name", fmt::format("move {}", moves->size())));
    move.duration_s = table.Number("duration_s", 0);
    if (!(move.duration_s > 0 && move.duration_s <= 1000))
      table.Fail("duration_s", fmt::format("{} is out of range: above 0, at most 1000", move.duration_s));
    const Vector3 to_m = table.Vector("to_m", {}), turn_deg = table.Vector("turn_deg", {});
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(std::abs(to_m[i]) <= 1)) table.Fail("to_m", OutOfRange(to_m[i], -1, 1));
      if (!(std::abs(turn_deg[i]) <= 180)) table.Fail("turn_deg", OutOfRange(turn_deg[i], -180, 180));
      move.p_m[i] = to_m[i];
      move.rotation_rad[i] = turn_deg[i] * std::numbers::pi / 180;
    }
    move.clutch = table.Flag("clutch", false);
    if (move.clutch && !may_clutch) table.Fail("clutch", "true is for one tool: with two there is no clutch");
    move.circle_m = table.Number("circle_m", 0);
    move.circle_Hz = table.Number("circle_Hz", 0);
    if (!(std::abs(move.circle_m) <= 0.2)) table.Fail("circle_m", OutOfRange(move.circle_m, -0.2, 0.2));
    if (!(std::abs(move.circle_Hz) <= 10)) table.Fail("circle_Hz", OutOfRange(move.circle_Hz, -10, 10));
    table.Finish();
    moves->push_back(move);
  }
}

void NameMoves(const std::vector<std::string>& names, std::vector<hal::HandMove>* moves) {
  for (std::size_t i = 0; i < moves->size(); ++i) (*moves)[i].name = names[i].c_str();
}

double DurationOf(const std::vector<hal::HandMove>& moves) {
  double duration_s = 0;
  for (const hal::HandMove& move : moves) duration_s += move.duration_s;
  return duration_s;
}

/// [[second_hand]]: of a [second_tool]. Both begin anew together, so they take the same time.
void ReadSecondHand(TomlTable* root, SceneFile* file) {
  const bool has_tool = HandsOf(file->scene) > 1;
  if (root->Has("second_hand") && !has_tool) root->Fail("second_hand", "holds nothing: give a [second_tool] too");
  if (!has_tool) return;
  if (!root->Has("second_hand")) root->Fail("second_hand", "is missing: what the hand of the [second_tool] does");
  if (root->HasTable("second_hand"))
    root->Fail("second_hand", "is a list of movements here, [[second_hand]]: only one hand can be a recording");
  if (file->workspace) root->Fail("workspace", "is for one tool: two are 1 : 1 in the scene");
  ReadMoves(root, "second_hand", false, &file->second_move_names, &file->second_moves);
  NameMoves(file->second_move_names, &file->second_moves);
  const double first_s = DurationOf(file->moves), second_s = DurationOf(file->second_moves);
  if (std::abs(first_s - second_s) > 1e-6)
    root->Fail("second_hand", fmt::format("takes {:g} s, and the hand {:g} s: they are to take as long", second_s, first_s));
}

void ReadHand(TomlTable* root, SceneFile* file) {
  root->HasTable("hand") ? ReadRecording(root->Table("hand"), file)
                         : ReadMoves(root, "hand", HandsOf(file->scene) == 1, &file->move_names, &file->moves);
  file->gives_hand = !file->moves.empty();
  if (file->moves.empty()) {
    file->move_names.emplace_back("still");
    file->moves.push_back({.duration_s = 1});
  }
  NameMoves(file->move_names, &file->moves);
}

/// m g of the tools, scaled as a hand feels their energy: by φ/s.
void NoteWeights(SceneFile* file) {
  const WorkspaceConfig<double> map = file->workspace.value_or(WorkspaceConfig<double>());
  for (std::size_t hand = 0; hand < static_cast<std::size_t>(HandsOf(file->scene)); ++hand) {
    const double felt_kg = file->scene.bodies[static_cast<int>(hand)].mass_kg * map.force_scale / map.scale;
    for (std::size_t i = 0; i < 3; ++i) file->checks.weight_N[hand][i] = felt_kg * file->scene.gravity_W_mps2[i];
  }
}

void ReadChecks(TomlTable* root, SceneFile* file) {
  NoteWeights(file);
  TomlTable table = root->Table("checks");
  for (const std::string& name : CheckNames()) {
    if (!table.Has(name)) continue;
    const double bound = table.Number(name, 0);
    const auto [low, high] = RangeOf(name);
    if (!(bound >= low && bound <= high)) table.Fail(name, OutOfRange(bound, low, high));
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
  ReadSecondHand(root, file);
  ReadChecks(root, file);
}

}  // namespace tactus::host
