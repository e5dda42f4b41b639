#pragma once
#include <array>

#include "tactus/scene/scene.h"

namespace tactus::internal {

/// Springs and dampers that hold one body, summed up; those that turn it apart.
struct SpringSum {
  double stiffness = 0, damping = 0;
};

/// Whether the springs and dampers of joints and fields, which act with the force of a step's start, are stable at h = 1 ms:
///
///     h² Σ_i d_i/m_i ≤ 1/2,   h Σ_i b_i/m_i ≤ 1/2      i: both bodies of a joint; d_i, b_i: all that holds body i
///
/// Of the springs' matrix, one row a joint, no eigenvalue is above its largest row sum (Gershgorin), and a row's is at most
/// the sum here, whatever the springs' directions are. Hinges and detents alike, with the least moment of a body for m.
/// Viscous fields are implicit, and no part of it.
template <SceneCapacity kCapacity>
class SpringCheck {
 public:
  explicit SpringCheck(const Scene<kCapacity>& scene) : scene_(scene) {
    for (const SceneJoint& joint : scene.joints) {
      for (const std::int16_t body : {joint.a, joint.b}) {
        if (body < 0) continue;
        SpringSum& sum = (Turns(joint) ? turning_ : moving_)[static_cast<std::size_t>(body)];
        sum.stiffness += joint.stiffness;
        sum.damping += joint.damping;
      }
    }
    for (int tool = 0; tool < HandsOf(scene); ++tool) {
      for (const SceneField& field : scene.fields) {
        if (IsSpring(field.kind)) moving_[static_cast<std::size_t>(tool)].stiffness += field.strength;
        if (field.kind == FieldKind::kDetents)
          turning_[static_cast<std::size_t>(tool)].stiffness += field.strength * field.count;
      }
    }
  }

  /// The first joint or field that is too much for its bodies.
  SceneFault Run() const {
    for (int i = 0; i < scene_.joints.size(); ++i) {
      const SceneJoint& joint = scene_.joints[i];
      const SpringSum s = OverMass(joint);
      SceneFault fault{.list = "joints", .index = i};
      if (joint.stiffness > 0 && kStep_s * kStep_s * s.stiffness > kMost) {
        fault.what = "is too stiff for the joint's bodies at 1 kHz";
        fault.field = "stiffness";
        fault.value = joint.stiffness;
        return fault;
      }
      if (joint.damping > 0 && kStep_s * s.damping > kMost) {
        fault.what = "is too much for the joint's bodies at 1 kHz";
        fault.field = "damping";
        fault.value = joint.damping;
        return fault;
      }
    }
    return CheckFields();
  }

  /// What a tool must have, and its least moment, with its joints and fields as they are.
  double LeastMass() const { return Least(moving_, false); }
  double LeastMoment() const { return Least(turning_, true); }

 private:
  static constexpr double kStep_s = 1e-3, kMost = 0.5;
  using Sums = std::array<SpringSum, static_cast<std::size_t>(kCapacity.bodies)>;

  static bool Turns(const SceneJoint& joint) { return joint.kind == JointKind::kHinge; }
  static bool IsSpring(FieldKind kind) {
    return kind == FieldKind::kPoint || kind == FieldKind::kLine || kind == FieldKind::kPlane;
  }
  double MassOf(int body, bool turns) const {
    const SceneBody& b = scene_.bodies[body];
    const auto& J = b.inertia_kgm2;
    return turns ? (J[0] < J[1] ? (J[0] < J[2] ? J[0] : J[2]) : (J[1] < J[2] ? J[1] : J[2])) : b.mass_kg;
  }
  SpringSum OverMass(const SceneJoint& joint) const {
    SpringSum s;
    for (const std::int16_t body : {joint.a, joint.b}) {
      if (body < 0) continue;
      const SpringSum& sum = (Turns(joint) ? turning_ : moving_)[static_cast<std::size_t>(body)];
      s.stiffness += sum.stiffness / MassOf(body, Turns(joint));
      s.damping += sum.damping / MassOf(body, Turns(joint));
    }
    return s;
  }

  SceneFault CheckFields() const {
    for (int i = 0; i < scene_.fields.size(); ++i) {
      const SceneField& field = scene_.fields[i];
      const bool turns = field.kind == FieldKind::kDetents;
      if ((!turns && !IsSpring(field.kind)) || field.strength == 0) continue;
      for (int tool = 0; tool < HandsOf(scene_); ++tool) {
        const SpringSum& sum = (turns ? turning_ : moving_)[static_cast<std::size_t>(tool)];
        if (kStep_s * kStep_s * sum.stiffness <= kMost * MassOf(tool, turns)) continue;
        return {.what = "is too stiff, with what else holds it, for the tool at 1 kHz",
                .list = "fields",
                .index = i,
                .field = "strength",
                .value = field.strength};
      }
    }
    return {};
  }

  double Least(const Sums& sums, bool turns) const {
    const SpringSum& tool = sums[kTool];
    double least = kStep_s * kStep_s * tool.stiffness / kMost;
    for (const SceneJoint& joint : scene_.joints) {
      if (Turns(joint) != turns || (joint.a != kTool && joint.b != kTool)) continue;
      const int other = joint.a == kTool ? joint.b : joint.a;
      double stiff = kMost, damped = kMost;  // what the other body leaves
      if (other >= 0) {
        stiff -= kStep_s * kStep_s * sums[static_cast<std::size_t>(other)].stiffness / MassOf(other, turns);
        damped -= kStep_s * sums[static_cast<std::size_t>(other)].damping / MassOf(other, turns);
      }
      const double by_spring = joint.stiffness > 0 ? kStep_s * kStep_s * tool.stiffness / stiff : 0;
      const double by_damper = joint.damping > 0 ? kStep_s * tool.damping / damped : 0;
      if (by_spring > least) least = by_spring;
      if (by_damper > least) least = by_damper;
    }
    return least;
  }

  const Scene<kCapacity>& scene_;
  Sums moving_{}, turning_{};
};

}  // namespace tactus::internal
