#pragma once
#include <array>

#include "tactus/scene/scene.h"

namespace tactus::internal {

/// Springs and dampers that hold one body, summed up; those that turn it apart.
struct SpringSum {
  double stiffness = 0, damping = 0;

  void Add(const SceneJoint& joint, double arm) {
    stiffness += arm * joint.stiffness;
    damping += arm * joint.damping;
  }
};

/// How a joint's spring holds one of its bodies: what a unit of its coordinate moves there, and turns.
struct SpringArm {
  double moves = 0;  ///< 1 of what pulls
  double turns = 0;  ///< 1 of what turns; of a rope the lever that it has at most [m]
};

/// Whether the springs and dampers of joints and fields, which act with the force of a step's start, are stable at h = 1 ms:
///
///     h² Σ_i (e_i d_i/m_i + l_i D_i/J_i) ≤ 1/2      i: both bodies of a joint; e_i, l_i: its arms there
///     h  Σ_i (e_i b_i/m_i + l_i B_i/J_i) ≤ 1/2      d_i = Σ e K, D_i = Σ l K, b_i = Σ e B, B_i = Σ l B of all that hold i
///
/// Of the springs' matrix, one row a joint, no eigenvalue is above its largest row sum (Gershgorin), and a row's is at most
/// the sum here, whatever the springs' directions are. J is a body's least moment. Viscous fields are implicit, and no part
/// of it.
template <SceneCapacity kCapacity>
class SpringCheck {
 public:
  explicit SpringCheck(const Scene<kCapacity>& scene) : scene_(scene) {
    for (const SceneJoint& joint : scene.joints) {
      for (const std::int16_t body : {joint.a, joint.b}) {
        if (body < 0) continue;
        const SpringArm arm = ArmOf(joint, body);
        moving_[static_cast<std::size_t>(body)].Add(joint, arm.moves);
        turning_[static_cast<std::size_t>(body)].Add(joint, arm.turns);
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

  static SpringArm ArmOf(const SceneJoint& joint, int body) {
    switch (joint.kind) {
      case JointKind::kSlider: return {.moves = 1};
      case JointKind::kGear: return {.turns = body == joint.a ? 1.0 : 0.0};
      case JointKind::kRope: {
        double lever_m = 0;  // the sum of the sizes: no root on boards without double hardware
        for (const double x : body == joint.a ? joint.p_AJ_m : joint.p_BJ_m) lever_m += x < 0 ? -x : x;
        return {.moves = 1, .turns = lever_m};
      }
      default: return {.turns = 1};
    }
  }
  static bool IsSpring(FieldKind kind) {
    return kind == FieldKind::kPoint || kind == FieldKind::kLine || kind == FieldKind::kPlane;
  }
  double MassOf(int body, bool turns) const {
    const SceneBody& b = scene_.bodies[body];
    const auto& J = b.inertia_kgm2;
    return turns ? (J[0] < J[1] ? (J[0] < J[2] ? J[0] : J[2]) : (J[1] < J[2] ? J[1] : J[2])) : b.mass_kg;
  }
  /// What all that hold a body are for this joint there.
  SpringSum OverMass(const SceneJoint& joint, int body) const {
    if (body < 0) return {};
    const SpringArm arm = ArmOf(joint, body);
    const double per_mass = arm.moves / MassOf(body, false), per_moment = arm.turns / MassOf(body, true);
    const SpringSum &moving = moving_[static_cast<std::size_t>(body)], &turning = turning_[static_cast<std::size_t>(body)];
    return {.stiffness = per_mass * moving.stiffness + per_moment * turning.stiffness,
            .damping = per_mass * moving.damping + per_moment * turning.damping};
  }
  SpringSum OverMass(const SceneJoint& joint) const {
    const SpringSum a = OverMass(joint, joint.a), b = OverMass(joint, joint.b);
    return {.stiffness = a.stiffness + b.stiffness, .damping = a.damping + b.damping};
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

  /// Of a spring, or of detents, that hold the tool.
  bool HasField(bool turns) const {
    for (const SceneField& field : scene_.fields) {
      if (turns ? field.kind == FieldKind::kDetents : IsSpring(field.kind)) return true;
    }
    return false;
  }

  /// Mass and moment may both fall to the same share of what they are: the tool's terms grow alike, and what the other
  /// body leaves is the bound.
  double Least(const Sums& sums, bool turns) const {
    double least = HasField(turns) ? kStep_s * kStep_s * sums[kTool].stiffness / kMost : 0;
    const double whole = MassOf(kTool, turns);
    for (const SceneJoint& joint : scene_.joints) {
      if (joint.a != kTool && joint.b != kTool) continue;
      const SpringArm arm = ArmOf(joint, kTool);
      if ((turns ? arm.turns : arm.moves) == 0) continue;
      const SpringSum own = OverMass(joint, kTool), other = OverMass(joint, joint.a == kTool ? joint.b : joint.a);
      const double stiff = kMost - kStep_s * kStep_s * other.stiffness, damped = kMost - kStep_s * other.damping;
      const double by_spring = joint.stiffness > 0 ? whole * (kStep_s * kStep_s * own.stiffness / stiff) : 0;
      const double by_damper = joint.damping > 0 ? whole * (kStep_s * own.damping / damped) : 0;
      if (by_spring > least) least = by_spring;
      if (by_damper > least) least = by_damper;
    }
    return least;
  }

  const Scene<kCapacity>& scene_;
  Sums moving_{}, turning_{};
};

}  // namespace tactus::internal
