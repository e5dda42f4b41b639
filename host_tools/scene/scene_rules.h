#pragma once
// What a controller would take, and what nobody can mean: it is refused at the line of the file that says it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "host_tools/scene/joint_conflict.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/start_check.h"
#include "host_tools/scene/toml_table.h"
#include "tactus/scene/validate.h"

namespace tactus::host {

/// Looks at a scene whose numbers are all in their ranges.
class SceneRules {
 public:
  explicit SceneRules(const SceneFile& file) : file_(file), scene_(file.scene) {}

  /// @param before  tables of the pairs before it
  void CheckPair(TomlTable* table, int index, const std::vector<TomlTable*>& before) const {
    const ContactLaw& law = scene_.laws[index];
    for (int i = 0; i < index; ++i) {
      const ContactLaw& other = scene_.laws[i];
      const bool same = (other.a == law.a && other.b == law.b) || (other.a == law.b && other.b == law.a);
      const TomlTable& first = *before[static_cast<std::size_t>(i)];
      if (!same || first.File() != table->File()) continue;  // a file's pair stands instead of an included one's
      table->Fail("a", fmt::format("\"{}\" and \"{}\" have a pair already: {}, line {}", file_.materials[law.a],
                                   file_.materials[law.b], first.path(), first.Line()));
    }
    const bool has_wave = law.wave_length_m > 0 && (law.wave_height_m > 0 || law.wave_friction > 0);
    if (has_wave && law.a != law.b && std::abs(law.wave_along[2]) > 1 - 1e-9 && IsOfHalfSpaces(law.b))
      table->Fail("wave_along", "is the normal of its half-space: a wave goes along the surface, as [1, 0, 0]");
  }

  void CheckJoint(TomlTable* table, int index) const {
    const SceneJoint& joint = scene_.joints[index];
    if (joint.motor_speed != 0 && !table->Has("motor_force"))
      table->Fail("motor_speed", "needs a motor_force: without one there is no motor");
    if (HoldsTool(joint)) return;  // the tool starts in the hand, wherever the file has it
    if (joint.kind == JointKind::kRope) return CheckRope(table, joint);
    if (joint.limited) CheckStops(*table, joint);
  }

  /// @param tables  of all joints
  void CheckJoints(const std::vector<TomlTable*>& tables) const {
    const JointConflict conflict = FindJointConflict(scene_);
    if (conflict.joint < 0) return;
    std::string others;
    for (const int i : conflict.others) {
      const TomlTable& other = *tables[static_cast<std::size_t>(i)];
      others += fmt::format("{}{} ({}:{})", others.empty() ? "" : " and ", other.path(), other.File(), other.Line());
    }
    const bool has_motor = scene_.joints[conflict.joint].motor_force > 0;
    tables[static_cast<std::size_t>(conflict.joint)]->Fail(
        has_motor ? "motor_speed" : "kind",
        fmt::format("contradicts {}: where they start no motion of the bodies is what {} ask for", others,
                    conflict.others.size() == 1 ? "both" : "all of them"));
  }

  /// @param tables  of all bodies
  void CheckStart(const std::vector<TomlTable*>& tables) const {
    for (const StartOverlap& overlap : OverlapsAtStart(scene_)) {
      const int later = std::max(overlap.a, overlap.b), other = std::min(overlap.a, overlap.b);
      const std::string inside =
          other == kWorld ? (scene_.paths.empty() ? "the world" : "the world or a path") : "\"" + file_.NameOf(other) + "\"";
      tables[static_cast<std::size_t>(later)]->Fail(
          "position_m",
          fmt::format("\"{}\" starts {:.3g} m inside {}, deeper than margin_m, {:g}: move it out by so much, or "
                      "give the pair of their materials a stiffness_N_per_m",
                      file_.NameOf(later), overlap.depth_m, inside, scene_.margin_m));
    }
  }

  void CheckField(TomlTable* table, int index) const {
    const SceneField& field = scene_.fields[index];
    if (!table->Has("strength"))
      table->Fail("strength", fmt::format("is missing; its range is 0 to {:g}", scene_limit::kMostStiffness));
    if (field.kind != FieldKind::kDetents) return;
    if (field.count == 0)
      table->Fail("count", fmt::format("is {}: detents have 1 to {} a turn", table->Has("count") ? "0" : "missing",
                                       scene_limit::kMostDetents));
    if (!Turns(scene_.bodies[kTool].motion))
      table->Fail("kind", "\"detents\" turn the tool, and its motion is \"translation\": it does not turn");
  }

  void CheckPath(TomlTable* table, int index) const {
    const auto is_of_path = [&](const SceneShape& shape) { return IsPath(shape.body) && PathOf(shape.body) == index; };
    if (std::none_of(scene_.shapes.begin(), scene_.shapes.end(), is_of_path))
      table->Fail("shapes", "are missing: a path without any moves nothing");
  }

 private:
  bool IsOfHalfSpaces(std::uint8_t material) const {
    return std::all_of(scene_.shapes.begin(), scene_.shapes.end(), [&](const SceneShape& shape) {
      return shape.material != material || shape.kind == ShapeKind::kHalfSpace;
    });
  }

  bool HoldsTool(const SceneJoint& joint) const {
    const auto is_held = [&](int body) { return body >= 0 && body < HandsOf(scene_); };
    return is_held(joint.a) || is_held(joint.b);
  }

  /// A joint begins at 0: its frames lie on each other then.
  void CheckStops(const TomlTable& table, const SceneJoint& joint) const {
    const bool turns = internal::IsAngle(joint.kind);
    const double unit = turns ? 180 / std::numbers::pi : 1;
    if (joint.low > 0)
      table.Fail(turns ? "low_deg" : "low_m", fmt::format("{:g} is above 0, where the joint starts", joint.low * unit));
    if (joint.high < 0)
      table.Fail(turns ? "high_deg" : "high_m", fmt::format("{:g} is below 0, where the joint starts", joint.high * unit));
  }

  static void CheckRope(TomlTable* table, const SceneJoint& joint) {
    const Vector3 from_m = table->Vector("at_m", {}), to_m = table->Vector("to_m", {});
    const double across_m = std::hypot(to_m[0] - from_m[0], to_m[1] - from_m[1], to_m[2] - from_m[2]);
    if (joint.length_m < across_m * (1 - 1e-6))
      table->Fail("length_m",
                  fmt::format("{:g} is less than {:g}, from at_m to to_m where the rope starts", joint.length_m, across_m));
    if (joint.limited && joint.low > across_m * (1 + 1e-6))
      table->Fail("low_m",
                  fmt::format("{:g} is more than {:g}, from at_m to to_m where the rope starts", joint.low, across_m));
  }

  const SceneFile& file_;
  const Scene<>& scene_;
};

}  // namespace tactus::host
