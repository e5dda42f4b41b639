#include "host_tools/scene/scene_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/include_files.h"
#include "host_tools/scene/mass_properties.h"
#include "host_tools/scene/rotations.h"
#include "host_tools/scene/run_tables.h"
#include "host_tools/scene/scene_grid.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/scene/set_value.h"
#include "host_tools/scene/shape_size.h"
#include "host_tools/scene/toml_table.h"
#include "tactus/collide/hull_of_points.h"
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

std::string OutOfRange(double value, double low, double high) {
  if (!std::isfinite(value)) return "is not finite";
  return fmt::format("{:g} is out of range: {:g} to {:g}", value, low, high);
}

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
    return std::move(file_);
  }

 private:
  Scene<>& scene() { return file_.scene; }

  template <class T, class List>
  void Append(const T& item, const TomlTable& table, const char* list, List* to) {
    if (to->push_back(item) == Status::kOk) {
      lines_[list].push_back(&*tables_.insert(tables_.end(), std::make_unique<TomlTable>(table))->get());
      return;
    }
    table.Fail("", fmt::format("is one too many: a controller has room for {} {}", List::capacity(), list));
  }

  Rotation ReadRotation(TomlTable& table) {
    if (!table.Has("axis") && !table.Has("angle_deg")) return kNoRotation;
    const Vector3 axis = table.Vector("axis", {0, 0, 1});
    const double norm2 = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    if (!(norm2 > 0) || !std::isfinite(norm2)) table.Fail("axis", "has no direction");
    return TurnTo(Unit(axis), table.Number("angle_deg", 0) * std::numbers::pi / 180);
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
      if (std::count(file_.bodies.begin(), file_.bodies.end(), name) > 0 || name == "world")
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

  void ReadPaths() {
    for (TomlTable& table : root_.Tables("paths")) {
      ScenePath path;
      const auto number = static_cast<std::int16_t>(kFirstPath - static_cast<int>(file_.paths.size()));
      file_.paths.push_back(table.Name("name", fmt::format("path {}", file_.paths.size() + 1)));
      path.p_WP_m = table.Vector("position_m", {});
      path.q_WP = ReadRotation(table);
      path.way_m = table.Vector("way_m", {});
      const Vector3 axis = table.Vector("turn_axis", {0, 0, 1});
      if (!(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] > 0)) table.Fail("turn_axis", "has no direction");
      path.axis = Unit(axis);
      path.turn_rad = table.Number("turn_deg", 0) * std::numbers::pi / 180;
      path.period_s = table.Number("period_s", path.period_s);
      path.spin_radps = table.Number("spin_radps", 0);
      if (file_.paths.size() <= static_cast<std::size_t>(SceneCapacity().paths))
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

  void ReadShapesOf(std::int16_t body, std::vector<TomlTable> tables) {
    for (TomlTable& table : tables) {
      SceneShape shape;
      shape.kind = static_cast<ShapeKind>(table.Choice("kind", kShapeNames, -1));
      shape.body = body;
      shape.material = Material(table.Name("material", "any"), table, "material");
      shape.p_BS_m = table.Vector("position_m", {});
      shape.q_BS = ReadRotation(table);
      ReadSize(&table, &shape);
      if (shape.kind == ShapeKind::kHull) shape.hull = ReadHull(table);
      if (shape.kind == ShapeKind::kGrid) shape.hull = TakeGrid(table);
      table.Finish();
      Append(shape, table, "shapes", &scene().shapes);
    }
  }

  std::uint8_t TakeGrid(TomlTable& table) {
    Append(ReadGrid(&table, &file_), table, "grids", &scene().grids);
    return static_cast<std::uint8_t>(scene().grids.size() - 1);
  }

  /// Corners as a flat list of numbers: x, y, z of each.
  std::uint8_t ReadHull(TomlTable& table) {
    SceneHull hull;
    FixedVector<Vec<double, 3>, kHullVertices> points;
    for (TomlTable& corner : table.Tables("corners")) {
      const Vector3 p = corner.Vector("at_m", {});
      corner.Finish();
      if (hull.vertex_m.push_back(p) != Status::kOk) table.Fail("corners", "are more than 64");
      (void)points.push_back({p[0], p[1], p[2]});  // of the same capacity
    }
    auto made = std::make_unique<Hull<double>>();
    internal::FaceFinder<double> finder(
        std::span<const Vec<double, 3>>(points.begin(), static_cast<std::size_t>(points.size())));
    if (points.size() < 4 || !finder.Run()) table.Fail("corners", "have no convex hull with all of them as its corners");
    const HullFaces faces = finder.faces();
    for (const std::uint8_t count : faces.counts) (void)hull.counts.push_back(count);  // FaceFinder's capacities
    for (const std::uint8_t corner : faces.corners) (void)hull.corners.push_back(corner);
    Append(hull, table, "hulls", &scene().hulls);
    return static_cast<std::uint8_t>(scene().hulls.size() - 1);
  }

  ContactLaw ReadLaw(TomlTable& table) {
    ContactLaw law;
    law.friction = table.Number("friction", law.friction);
    law.static_friction = table.Number("static_friction", 0);
    law.viscous_friction_Ns_per_m = table.Number("viscous_friction_Ns_per_m", 0);
    law.stiffness_N_per_m = table.Number("stiffness_N_per_m", 0);
    law.damping_Ns_per_m = table.Number("damping_Ns_per_m", 0);
    return law;
  }

  void ReadWave(TomlTable* table, ContactLaw* law) {
    law->wave_length_m = table->Number("wave_length_m", 0);
    const Vector3 along = table->Vector("wave_along", law->wave_along);
    if (!(along[0] * along[0] + along[1] * along[1] + along[2] * along[2] > 0))
      table->Fail("wave_along", "has no direction");
    law->wave_along = Unit(along);
    law->wave_height_m = table->Number("wave_height_m", 0);
    law->wave_friction = table->Number("wave_friction", 0);
  }

  void ReadPairs() {
    TomlTable other = root_.Table("any_pair");
    scene().default_law = ReadLaw(other);
    other.Finish();
    for (TomlTable& table : root_.Tables("pairs")) {
      ContactLaw law = ReadLaw(table);
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
      const Vector3 axis = table.Vector("axis", {0, 0, 1});
      if (!(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] > 0)) table.Fail("axis", "has no direction");
      const Vector3 at_m = table.Vector("at_m", {});
      const Rotation frame = FrameWithZ(Unit(axis));
      Anchor(joint.a, at_m, frame, &joint.p_AJ_m, &joint.q_AJ);
      const bool is_rope = joint.kind == JointKind::kRope;
      const Vector3 to_m = is_rope ? table.Vector("to_m", {}) : at_m;
      const Vector3 axis_b = joint.kind == JointKind::kGear ? table.Vector("axis_b", axis) : axis;
      Anchor(joint.b, to_m, FrameWithZ(Unit(axis_b)), &joint.p_BJ_m, &joint.q_BJ);
      ReadDrive(table, &joint);
      table.Finish();
      Append(joint, table, "joints", &scene().joints);
    }
  }

  /// Angles in degrees, lengths in metres.
  void ReadDrive(TomlTable& table, SceneJoint* joint) {
    const bool turns = joint->kind == JointKind::kHinge;
    const double unit = turns ? std::numbers::pi / 180 : 1;
    const char* const low = turns ? "low_deg" : "low_m";
    const char* const high = turns ? "high_deg" : "high_m";
    joint->limited = table.Has(low) || table.Has(high);
    const double most = turns ? 3.0 / unit : 10;
    joint->low = table.Number(low, joint->limited ? -most : 0) * unit;
    joint->high = table.Number(high, joint->limited ? most : 0) * unit;
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
      field.direction = Unit(table.Vector("direction", {0, 0, 1}));
      field.strength = table.Number("strength", 0);
      field.max_force_N = table.Number("max_force_N", field.max_force_N);
      const double count = table.Number("count", 0);
      if (count != std::floor(count) || !(std::abs(count) < 1e6)) table.Fail("count", "is no whole number");
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
    const std::string what =
        std::string_view(fault.what) == "is out of range" ? OutOfRange(fault.value, fault.low, fault.high) : fault.what;
    if (fault.list != nullptr && std::string_view(fault.list) == "default_law")
      root_.Table("any_pair").Fail(fault.field, what);
    const auto lines = fault.list != nullptr ? lines_.find(fault.list) : lines_.end();
    if (lines == lines_.end() || fault.index < 0 || fault.index >= static_cast<int>(lines->second.size()))
      root_.Fail(std::string_view(fault.field) == "gravity_W_mps2" ? "gravity_mps2" : fault.field, what);
    lines->second[static_cast<std::size_t>(fault.index)]->Fail(KeyOf(fault), what);
  }

  /// The key of the file for a member of the library's.
  const char* KeyOf(const SceneFault& fault) {
    const std::string_view field = fault.field, list = fault.list;
    if (list == "shapes") {
      const ShapeKind kind = scene().shapes[fault.index].kind;
      const bool rounded = kind == ShapeKind::kBox || kind == ShapeKind::kHull || IsRound(kind);
      if (kind == ShapeKind::kTorus && field == "radius_m") return "tube_radius_m";
      if (kind == ShapeKind::kTorus && field == "half_m") return "radius_m";
      if (kind == ShapeKind::kHole && field == "radius_m") return "rim_radius_m";
      if (kind == ShapeKind::kHole && field == "half_m") return "chamfer_m";  // the others are in their ranges
      if (field == "half_m") return kind == ShapeKind::kBox ? "size_m" : "length_m";
      if (field == "radius_m" && rounded) return "rounding_m";
      if (field == "p_BS_m") return "position_m";
    }
    if (list == "grids" && field == "bytes") return "file";
    if (list == "bodies" && field == "p_WB_m") return "position_m";
    if (list == "joints" && (field == "low" || field == "high")) {
      const bool turns = scene().joints[fault.index].kind == JointKind::kHinge;
      if (field == "low") return turns ? "low_deg" : "low_m";
      return turns ? "high_deg" : "high_m";
    }
    if (list == "joints" && (field == "p_AJ_m" || field == "p_BJ_m")) return "at_m";
    if (list == "fields" && field == "p_W_m") return "at_m";
    if (list == "paths" && field == "p_WP_m") return "position_m";
    if (list == "paths" && field == "turn_rad") return "turn_deg";
    return fault.field;
  }

  TomlTable root_;
  SceneFile file_;
  std::vector<std::unique_ptr<TomlTable>> tables_;
  std::map<std::string, std::vector<const TomlTable*>, std::less<>> lines_;
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
