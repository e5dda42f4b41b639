#include "host_tools/scene/scene_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/direction.h"
#include "host_tools/scene/fault_words.h"
#include "host_tools/scene/include_files.h"
#include "host_tools/scene/joint_keys.h"
#include "host_tools/scene/mass_properties.h"
#include "host_tools/scene/out_of_range.h"
#include "host_tools/scene/rotations.h"
#include "host_tools/scene/run_tables.h"
#include "host_tools/scene/scene_grid.h"
#include "host_tools/scene/scene_hull.h"
#include "host_tools/scene/scene_law.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/scene/scene_rules.h"
#include "host_tools/scene/set_value.h"
#include "host_tools/scene/shape_size.h"
#include "host_tools/scene/toml_table.h"
#include "tactus/haptic/config.h"
#include "tactus/scene/prepared_scene.h"
#include "tactus/scene/scene_image.h"

namespace tactus::host {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kShapeNames = {"half-space", "sphere", "capsule", "box",  "hull",
                                              "cylinder",   "grid",   "torus",   "cone", "hole"};
const std::vector<std::string> kJointNames = {"weld", "hinge", "slider", "ball", "screw", "gear", "rope"};
const std::vector<std::string> kFieldNames = {"constant", "point", "line", "plane", "viscous", "detents"};

/// Reads one file; each member reads one part of it.
class Loader {
 public:
  Loader(const std::string& path, const toml::table& table) : root_(table, path, "") { file_.path = path; }

  SceneFile Run() {
    file_.title = root_.Text("title", fs::path(file_.path).stem().string());
    file_.shows = root_.Text("shows", "");
    scene().gravity_W_mps2 = root_.Vector("gravity_mps2", {});
    scene().margin_m = root_.Number("margin_m", scene().margin_m);
    scene().max_push_out_mps = root_.Number("max_push_out_mps", scene().max_push_out_mps);
    ReadBodies();
    ReadPaths();
    ReadShapesOf(kWorld, root_.Tables("world"));
    ReadPairs();
    ReadJoints();
    ReadFields();
    ReadRun(&root_, &file_);
    root_.Finish();
    CheckAll();
    CheckRules();
    return std::move(file_);
  }

 private:
  Scene<>& scene() { return file_.scene; }

  template <class T, class List>
  void Append(const T& item, const TomlTable& table, const char* list, List* to) {
    ExpectRoom(*to, table, list);
    (void)to->push_back(item);
    lines_[list].push_back(&*tables_.insert(tables_.end(), std::make_unique<TomlTable>(table))->get());
  }

  template <class List>
  void ExpectRoom(const List& of, const TomlTable& table, const char* list) {
    if (of.size() < List::capacity()) return;
    const char* const name = std::string_view(list) == "laws" ? "pairs" : list;
    table.Fail("", fmt::format("is one too many: a controller has room for {} {}", List::capacity(), name));
  }

  Rotation ReadRotation(TomlTable& table) {
    if (!table.Has("axis") && !table.Has("angle_deg")) return kNoRotation;
    if (!table.Has("angle_deg")) table.Fail("axis", "turns nothing by itself: angle_deg says how far");
    const Vector3 axis = ReadDirection(&table, "axis", {0, 0, 1});
    const double angle_deg = table.Number("angle_deg", 0);
    if (!std::isfinite(angle_deg))
      table.Fail("angle_deg", fmt::format("{:g} is not finite: give a number of degrees", angle_deg));
    return TurnTo(axis, angle_deg * std::numbers::pi / 180);
  }

  void ReadBodies() {
    TomlTable tool = root_.Table("tool");
    if (!root_.Has("tool")) root_.Fail("tool", "is missing: the body in the hand, with mass_kg and [[tool.shapes]]");
    if (root_.Has("tool") && tool.Has("name")) tool.Fail("name", "is not known here: the tool's name is \"tool\"");
    ReadBody(tool, "tool");
    if (root_.Has("second_tool")) {
      TomlTable second = root_.Table("second_tool");
      if (second.Has("name")) second.Fail("name", "is not known here: its name is \"second_tool\"");
      ReadBody(second, "second_tool", true);
    }
    for (TomlTable& body : root_.Tables("bodies")) {
      const std::string name = body.Name("name", fmt::format("body {}", file_.bodies.size()));
      if (name == "world") body.Fail("name", "\"world\" is what does not move");
      if (std::count(file_.bodies.begin(), file_.bodies.end(), name) > 0)
        body.Fail("name", fmt::format("\"{}\" is the name of another body", name));
      ReadBody(body, name);
    }
  }

  /// @param held  in a second hand
  void ReadBody(TomlTable& table, const std::string& name, bool held = false) {
    SceneBody body;
    const auto number = static_cast<std::int16_t>(file_.bodies.size());
    body.mass_kg = table.Number("mass_kg", body.mass_kg);
    // Before moments are made of it.
    if (!(body.mass_kg >= scene_limit::kLeastMass_kg && body.mass_kg <= scene_limit::kMostMass_kg))
      table.Fail("mass_kg", OutOfRange(body.mass_kg, scene_limit::kLeastMass_kg, scene_limit::kMostMass_kg));
    body.p_WB_m = table.Vector("position_m", {});
    body.q_WB = ReadRotation(table);
    body.velocity_mps = table.Vector("velocity_mps", {});
    body.omega_radps = table.Vector("omega_radps", {});
    const int motion = table.Choice("motion", {"free", "translation"}, 0);
    body.motion = static_cast<BodyMotion>(motion + (held ? static_cast<int>(BodyMotion::kHeld) : 0));
    file_.bodies.push_back(name);
    const int first = scene().shapes.size();
    ReadShapesOf(number, table.Tables("shapes"));
    if (table.Has("inertia_kgm2")) {
      body.inertia_kgm2 = table.Vector("inertia_kgm2", {});
    } else {
      const std::string why = SolidInertia(scene(), first, body.mass_kg, &body.inertia_kgm2);
      if (!why.empty()) table.Fail("inertia_kgm2", why);
      const std::string wrong = OutOfBounds(body.inertia_kgm2);
      if (!wrong.empty()) table.Fail("shapes", wrong);
    }
    table.Finish();
    Append(body, table, "bodies", &scene().bodies);
  }

  std::string NameOfPath(TomlTable& table) {
    std::string name = table.Name("name", fmt::format("path {}", file_.paths.size() + 1));
    const auto is_taken = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_taken(file_.paths) || is_taken(file_.bodies) || name == "world")
      table.Fail("name", fmt::format("\"{}\" is the name of another path or body", name));
    return name;
  }

  void ReadPaths() {
    for (TomlTable& table : root_.Tables("paths")) {
      ExpectRoom(scene().paths, table, "paths");
      ScenePath path;
      const auto number = static_cast<std::int16_t>(kFirstPath - static_cast<int>(file_.paths.size()));
      file_.paths.push_back(NameOfPath(table));
      path.p_WP_m = table.Vector("position_m", {});
      path.q_WP = ReadRotation(table);
      path.way_m = table.Vector("way_m", {});
      path.axis = ReadDirection(&table, "turn_axis", {0, 0, 1});
      path.turn_rad = table.Number("turn_deg", 0) * std::numbers::pi / 180;
      path.period_s = table.Number("period_s", path.period_s);
      path.spin_radps = table.Number("spin_radps", 0);
      ReadShapesOf(number, table.Tables("shapes"));
      table.Finish();
      Append(path, table, "paths", &scene().paths);
    }
  }

  std::uint8_t Material(const std::string& name, const TomlTable& table, const char* key) {
    auto found = std::find(file_.materials.begin(), file_.materials.end(), name);
    if (found == file_.materials.end()) {
      if (file_.materials.size() == kMaterials) table.Fail(key, fmt::format("is one of more than {} materials", kMaterials));
      found = file_.materials.insert(found, name);
    }
    return static_cast<std::uint8_t>(found - file_.materials.begin());
  }

  /// Some kinds are for what no force moves.
  static void ExpectHome(const TomlTable& table, const SceneShape& shape) {
    const ShapeKind kind = shape.kind;
    const bool is_plane = kind == ShapeKind::kHalfSpace;
    const bool of_world = is_plane || kind == ShapeKind::kTorus || kind == ShapeKind::kHole || kind == ShapeKind::kGrid;
    if (!of_world || shape.body == kWorld || (IsPath(shape.body) && !is_plane)) return;
    table.Fail("kind", fmt::format("\"{}\" is for {}", kShapeNames[static_cast<std::size_t>(kind)],
                                   is_plane ? "the world only" : "the world and paths only"));
  }

  void ReadShapesOf(std::int16_t body, std::vector<TomlTable> tables) {
    for (TomlTable& table : tables) {
      SceneShape shape;
      shape.kind = static_cast<ShapeKind>(table.Choice("kind", kShapeNames, -1));
      shape.body = body;
      ExpectHome(table, shape);
      shape.material = Material(table.Name("material", "any"), table, "material");
      shape.p_BS_m = table.Vector("position_m", {});
      shape.q_BS = ReadRotation(table);
      ReadSize(&table, &shape);
      if (shape.kind == ShapeKind::kHull) shape.hull = TakeHull(table);
      if (shape.kind == ShapeKind::kGrid) shape.hull = TakeGrid(table);
      table.Finish();
      Append(shape, table, "shapes", &scene().shapes);
    }
  }

  std::uint8_t TakeGrid(TomlTable& table) {
    Append(ReadGrid(&table, &file_), table, "grids", &scene().grids);
    return static_cast<std::uint8_t>(scene().grids.size() - 1);
  }

  std::uint8_t TakeHull(TomlTable& table) {
    Append(ReadHull(&table), table, "hulls", &scene().hulls);
    return static_cast<std::uint8_t>(scene().hulls.size() - 1);
  }

  void ReadPairs() {
    TomlTable other = root_.Table("any_pair");
    scene().default_law = ReadLaw(&other);
    other.Finish();
    for (TomlTable& table : root_.Tables("pairs")) {
      ContactLaw law = ReadLaw(&table);
      law.a = MaterialOf(table, "a");
      law.b = MaterialOf(table, "b");
      law.surface_velocity_mps = table.Vector("surface_velocity_mps", {});
      ReadWave(&table, &law);
      table.Finish();
      Append(law, table, "laws", &scene().laws);
    }
  }
  std::uint8_t MaterialOf(TomlTable& table, const char* key) {
    return static_cast<std::uint8_t>(table.Choice(key, file_.materials, -1));
  }

  std::int16_t BodyOf(TomlTable& table, const char* key, const char* otherwise) {
    std::vector<std::string> names = file_.bodies;
    names.emplace_back("world");
    const auto place = std::find(names.begin(), names.end(), otherwise);
    const int number = table.Choice(key, names, place == names.end() ? -1 : static_cast<int>(place - names.begin()));
    return number == static_cast<int>(file_.bodies.size()) ? kWorld : static_cast<std::int16_t>(number);
  }

  /// A joint stands in the world, with the bodies where they start: its place and its axis go into both bodies' frames.
  void Anchor(int body, const Vector3& at_m, const Rotation& frame, Vector3* p_m, Rotation* q) {
    *p_m = at_m;
    *q = frame;
    if (body == kWorld || body >= scene().bodies.size()) return;
    const SceneBody& start = scene().bodies[body];
    const Q q_WB = ToQ(start.q_WB);
    const Mat<double, 3, 3> R_BW = RotationMatrix(q_WB).transpose();
    const Vec<double, 3> off(at_m[0] - start.p_WB_m[0], at_m[1] - start.p_WB_m[1], at_m[2] - start.p_WB_m[2]);
    const Vec<double, 3> p = R_BW * off;
    *p_m = {p(0), p(1), p(2)};
    *q = FromQ(Normalized(Multiply(Conjugate(q_WB), ToQ(frame))));
  }

  void ReadJoints() {
    for (TomlTable& table : root_.Tables("joints")) {
      SceneJoint joint;
      joint.kind = static_cast<JointKind>(table.Choice("kind", kJointNames, -1));
      joint.a = BodyOf(table, "a", "");
      joint.b = BodyOf(table, "b", "world");
      if (joint.a == kWorld && joint.b == kWorld && !table.Has("b"))
        table.Fail("b", "is missing: a is the world, and so is b where it is left out");
      const Vector3 axis = ReadDirection(&table, "axis", {0, 0, 1});
      const Vector3 at_m = table.Vector("at_m", {});
      const Rotation frame = FrameWithZ(axis);
      Anchor(joint.a, at_m, frame, &joint.p_AJ_m, &joint.q_AJ);
      const bool is_rope = joint.kind == JointKind::kRope;
      const Vector3 to_m = is_rope ? table.Vector("to_m", {}) : at_m;
      const Vector3 axis_b =
          joint.kind == JointKind::kGear && table.Has("axis_b") ? ReadDirection(&table, "axis_b", axis) : axis;
      Anchor(joint.b, to_m, FrameWithZ(axis_b), &joint.p_BJ_m, &joint.q_BJ);
      ReadDrive(table, &joint);
      table.Finish();
      Append(joint, table, "joints", &scene().joints);
    }
  }

  /// Angles in degrees, lengths in metres.
  void ReadDrive(TomlTable& table, SceneJoint* joint) {
    CheckJointKeys(joint->kind, table);
    const bool turns = internal::IsAngle(joint->kind);
    const bool has_two_stops = internal::IsCounted(joint->kind) || joint->kind == JointKind::kSlider;
    const double unit = turns ? scene_limit::kDegree_rad : 1;
    const char* const low = turns ? "low_deg" : "low_m";
    const char* const high = turns ? "high_deg" : "high_m";
    joint->limited = table.Has(low) || table.Has(high);
    const double most = turns ? scene_limit::kMostAngle_rad : scene_limit::kMostPlace_m;
    const double otherwise = joint->limited && has_two_stops ? most : 0;
    joint->low = table.Has(low) ? table.Number(low, 0) * unit : -otherwise;
    joint->high = table.Has(high) ? table.Number(high, 0) * unit : otherwise;
    joint->stiffness = table.Number("stiffness", 0);
    joint->rest = table.Number(turns ? "rest_deg" : "rest_m", 0) * unit;
    joint->damping = table.Number("damping", 0);
    joint->friction = table.Number("friction", 0);
    joint->motor_speed = table.Number("motor_speed", 0);
    joint->motor_force = table.Number("motor_force", 0);
    joint->pitch_m_per_rad = table.Number("pitch_m_per_rad", 0);
    joint->ratio = table.Number("ratio", 1);
    if (joint->kind == JointKind::kGear && joint->ratio == 0)
      table.Fail("ratio", "0 holds a and leaves b free; its range is -100 to 100 without 0");
    joint->length_m = table.Number("length_m", 0);
  }

  void ReadFields() {
    for (TomlTable& table : root_.Tables("fields")) {
      SceneField field;
      field.kind = static_cast<FieldKind>(table.Choice("kind", kFieldNames, -1));
      field.p_W_m = table.Vector("at_m", {});
      if (field.kind == FieldKind::kConstant && !table.Has("direction"))
        table.Fail("direction", "is missing: where it pushes");
      field.direction = ReadDirection(&table, "direction", {0, 0, 1});
      field.strength = table.Number("strength", 0);
      if (field.kind == FieldKind::kDetents && table.Has("max_force_N"))
        table.Fail("max_force_N", "is not for detents: strength is their largest torque [N m]");
      field.max_force_N = table.Number("max_force_N", field.max_force_N);
      const double count = table.Number("count", 0);
      if (count != std::floor(count) || !(std::abs(count) < 1e6))
        table.Fail("count", fmt::format("{:g} is no whole number", count));
      field.count = static_cast<int>(count);
      table.Finish();
      Append(field, table, "fields", &scene().fields);
    }
  }

  /// What the library says of the numbers, at the line of the table that they came from.
  void CheckAll() {
    const auto prepared = std::make_unique<PreparedScene<float>>();
    const SceneFault fault = Prepare(scene(), prepared.get());
    if (!fault) {
      if (const char* const list = LacksRoom(*prepared)) {
        root_.Fail(list, fmt::format("take {} rows of the solver; a controller has room for {}", prepared->joint_rows,
                                     kServoScene.joint_rows));
      }
      return;
    }
    const FaultWords words(scene(), fault);
    if (fault.list != nullptr && std::string_view(fault.list) == "default_law")
      root_.Table("any_pair").Fail(words.Key(), words.What());
    const auto lines = fault.list != nullptr ? lines_.find(fault.list) : lines_.end();
    if (lines == lines_.end() || fault.index < 0 || fault.index >= static_cast<int>(lines->second.size()))
      root_.Fail(words.Key(), words.What());
    lines->second[static_cast<std::size_t>(fault.index)]->Fail(words.Key(), words.What());
  }

  /// What the library takes and nobody can mean.
  void CheckRules() {
    const SceneRules rules(file_);
    const auto each = [&](const char* list, auto&& check) {
      for (std::size_t i = 0; i < lines_[list].size(); ++i) check(lines_[list][i], static_cast<int>(i));
    };
    each("laws", [&](TomlTable* table, int i) { rules.CheckPair(table, i, lines_["laws"]); });
    each("joints", [&](TomlTable* table, int i) { rules.CheckJoint(table, i); });
    rules.CheckJoints(lines_["joints"]);
    rules.CheckStart(lines_["bodies"]);
    each("fields", [&](TomlTable* table, int i) { rules.CheckField(table, i); });
    each("paths", [&](TomlTable* table, int i) { rules.CheckPath(table, i); });
  }

  TomlTable root_;
  SceneFile file_;
  std::vector<std::unique_ptr<TomlTable>> tables_;
  std::map<std::string, std::vector<TomlTable*>, std::less<>> lines_;
};

}  // namespace

std::string SceneFile::NameOf(int body) const {
  if (body == kWorld) return "the world";
  return IsPath(body) ? paths[static_cast<std::size_t>(PathOf(body))] : bodies[static_cast<std::size_t>(body)];
}

std::vector<std::uint8_t> SceneFile::Image() const {
  std::vector<std::uint8_t> image(kSceneImageBytes<kServoScene>);
  image.resize(WriteScene(scene, image));
  return image;
}

void SceneFile::Tell(wire::Config* config) const {
  for (const auto& [key, value] : coupling) {
    if (key == "stiffness_N_per_m") config->mutate_coupling_stiffness_N_per_m(value);
    if (key == "damping_Ns_per_m") config->mutate_coupling_damping_Ns_per_m(value);
    if (key == "angular_stiffness_Nm_per_rad") config->mutate_coupling_angular_stiffness_Nm_per_rad(value);
    if (key == "angular_damping_Nms_per_rad") config->mutate_coupling_angular_damping_Nms_per_rad(value);
  }
}

SceneFile LoadScene(const std::string& place, const std::vector<std::string>& changes) {
  const std::string path = FindScene(place);
  toml::table table = ReadWithIncludes(path);
  for (const std::string& change : changes) SetValue(change, &table);
  return Loader(path, table).Run();
}

}  // namespace tactus::host
