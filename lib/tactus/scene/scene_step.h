#pragma once
#include "tactus/core/trig.h"
#include "tactus/scene/scene_contacts.h"
#include "tactus/scene/scene_joints.h"
#include "tactus/step/body_step.h"

namespace tactus {

/// What drives the tool of a second hand in one step.
template <class Scalar>
struct SecondDrive {
  ImplicitWrench<Scalar> coupling;
  Scalar handle_speed_mps = Scalar(0);  ///< of its handle, at the tool's fastest point
};

/// What drives the tool in one step.
template <class Scalar>
struct ToolDrive {
  Scalar step_s;                ///< h
  Scalar mass_kg;               ///< of the tool: the scene's, or what a Tune has made of it
  Vec<Scalar, 3> inertia_kgm2;  ///< likewise
  Vec<Scalar, 3> gravity_W_mps2;
  ImplicitWrench<Scalar> coupling;
  Scalar handle_speed_mps;  ///< of the handle, at the tool's fastest point
  Scalar search_factor;     ///< contacts are searched within so many periods
  int directions;
  Scalar direction_offset_rad;
  const SecondDrive<Scalar>* second = nullptr;  ///< of a scene with two hands; nullptr: nothing holds the second tool
};

namespace internal {

/// A tool that does not turn has this moment about every axis: a newton metre turns it by 1 µrad/s in a period.
inline constexpr double kNoTurnInertia_kgm2 = 1e3;

/// What the fields do to a tool.
template <class Scalar>
struct FieldPull {
  Vec<Scalar, 6> wrench_W = Vec<Scalar, 6>::Zero();  ///< at its velocity before the step
  Scalar impedance_Ns_per_m = Scalar(0);             ///< by which it falls with the velocity after it: implicit
};

/// A spring holds no more than its bound, and a viscous field resists with no more: c = min(c, bound/|v|).
template <class Scalar, SceneCapacity kCapacity>
FieldPull<Scalar> PullOfFields(const PreparedScene<Scalar, kCapacity>& scene, const RigidBodyState<Scalar>& tool) {
  using Vec3 = Vec<Scalar, 3>;
  FieldPull<Scalar> pull;
  Vec<Scalar, 6>& wrench = pull.wrench_W;
  for (const auto& field : scene.fields) {
    const Vec3 off_m = tool.p_WT_m - field.p_W_m, along = field.direction * field.direction.dot(off_m);
    const Vec3 velocity_mps = tool.twist_W.template head<3>();
    Vec3 force_N = Vec3::Zero();
    switch (field.kind) {
      case FieldKind::kConstant: force_N = field.strength * field.direction; break;
      case FieldKind::kPoint: force_N = -field.strength * off_m; break;
      case FieldKind::kLine: force_N = -field.strength * (off_m - along); break;
      case FieldKind::kPlane: force_N = -field.strength * along; break;
      case FieldKind::kViscous: {
        const Scalar speed_mps = Norm(velocity_mps);
        const bool bound = field.strength * speed_mps > field.max_force_N;
        const Scalar viscosity_Ns_per_m = bound ? field.max_force_N / speed_mps : field.strength;
        pull.impedance_Ns_per_m += viscosity_Ns_per_m;
        force_N = -viscosity_Ns_per_m * velocity_mps;
        break;
      }
      case FieldKind::kDetents: {
        const Scalar angle_rad = field.direction.dot(LogMap(tool.q_WT)) * Scalar(field.count);
        wrench.template tail<3>() -= field.strength * Sin(angle_rad) * field.direction;
        break;
      }
    }
    const Scalar norm_N = Norm(force_N);
    if (norm_N > field.max_force_N) force_N *= field.max_force_N / norm_N;
    wrench.template head<3>() += force_N;
  }
  return pull;
}

/// The coupling to a hand on the body of its tool, implicit: the solver sees its mass as M + h Z.
/// Viscous fields alike.
template <class Scalar>
void HoldTool(const ImplicitWrench<Scalar>& coupling, const FieldPull<Scalar>& fields, bool turns, Scalar step_s,
              Body<Scalar, 6>* tool) {
  tool->mass_kg += step_s * coupling.impedance_Ns_per_m;
  if (fields.impedance_Ns_per_m > Scalar(0)) tool->mass_kg += step_s * fields.impedance_Ns_per_m;
  if (turns) tool->inertia_kgm2.diagonal().array() += step_s * coupling.impedance_Nms_per_rad;
  tool->wrench += coupling.At(tool->velocity) + fields.wrench_W;
}

/// That of a tool's hand.
template <class Scalar>
ImplicitWrench<Scalar> CouplingOf(const ToolDrive<Scalar>& drive, int tool) {
  if (tool == kTool) return drive.coupling;
  return drive.second != nullptr ? drive.second->coupling : ImplicitWrench<Scalar>{};
}

}  // namespace internal

/// Energy that the fields hold for the tool [J]: of their springs and of a constant force; detents: the height of their
/// waves.
/// @param[in] most_N  what the hand can be given: a field that pulls with more gives and takes no more
template <class Scalar, SceneCapacity kCapacity>
Scalar FieldEnergy(const PreparedScene<Scalar, kCapacity>& scene, const RigidBodyState<Scalar>& tool,
                   Scalar most_N) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  Scalar stored_J(0);
  for (const auto& field : scene.fields) {
    const Vec3 off_m = tool.p_WT_m - field.p_W_m, along = field.direction * field.direction.dot(off_m);
    const Scalar bound_N = Min(field.max_force_N, most_N);
    Scalar way_m(-1);
    switch (field.kind) {
      case FieldKind::kConstant: stored_J -= Min(field.strength, bound_N) * field.direction.dot(off_m); break;
      case FieldKind::kPoint: way_m = Norm(off_m); break;
      case FieldKind::kLine: way_m = Norm(Vec3(off_m - along)); break;
      case FieldKind::kPlane: way_m = Norm(along); break;
      case FieldKind::kViscous: break;
      case FieldKind::kDetents:
        if (field.count > 0)
          stored_J += field.strength / Scalar(field.count) *
                      (Scalar(1) - Cos(field.direction.dot(LogMap(tool.q_WT)) * Scalar(field.count)));
        break;
    }
    if (way_m < Scalar(0) || field.strength == Scalar(0)) continue;
    const Scalar elastic_m = Min(way_m, bound_N / field.strength);
    stored_J += field.strength * elastic_m * elastic_m / 2 + bound_N * (way_m - elastic_m);
  }
  return stored_J;
}

/// The contact problem of one step of a whole scene. The coupling of each tool is implicit as in BuildProblem.
/// @param[in,out] state    the first bodies are the tools, where the tick has them
/// @param[out]    found    the contacts
/// @returns kOverCapacity: bodies, rows or stops that the problem has no room for
template <class Scalar, SceneCapacity kScene, Capacity kCapacity>
Status BuildProblem(const PreparedScene<Scalar, kScene>& scene, const ToolDrive<Scalar>& drive,
                    SceneState<Scalar, kScene>* state, SceneContacts<Scalar>* found,
                    ContactProblem<Scalar, kCapacity>* problem) noexcept {
  if (scene.bodies.size() > kCapacity.bodies) return Status::kOverCapacity;
  AimPaths(scene, drive.step_s, state);
  problem->step_s = drive.step_s;
  problem->directions = drive.directions;
  problem->direction_offset_rad = drive.direction_offset_rad;
  problem->bodies.resize(scene.bodies.size());
  problem->contacts.clear();
  problem->joints.clear();
  for (int i = 0; i < scene.bodies.size(); ++i) {
    const auto& moving = scene.bodies[i];
    const RigidBodyState<Scalar>& at = state->bodies[i];
    const Scalar mass_kg = i == kTool ? drive.mass_kg : moving.mass_kg;
    const Vec<Scalar, 3>& moments_kgm2 = i == kTool ? drive.inertia_kgm2 : moving.inertia_kgm2;
    const Mat<Scalar, 3, 3> R_WT = RotationMatrix(at.q_WT);
    const Vec<Scalar, 3> omega_W = at.twist_W.template tail<3>();
    Body<Scalar, 6>& body = problem->bodies[i];
    body.mass_kg = mass_kg;
    body.inertia_kgm2 = RotateInertia(R_WT, moments_kgm2);
    body.position_m = at.p_WT_m;
    body.velocity = at.twist_W;
    body.wrench.template head<3>() = mass_kg * drive.gravity_W_mps2;
    body.wrench.template tail<3>() = GyroscopicTorque(R_WT, moments_kgm2, omega_W, drive.step_s);
    if (!moving.turns) body.inertia_kgm2 = Mat<Scalar, 3, 3>::Identity() * Scalar(internal::kNoTurnInertia_kgm2);
  }
  const int tools = kScene.hands > 1 ? scene.hands : 1;
  for (int i = 0; i < tools; ++i) {
    Body<Scalar, 6>& tool = problem->bodies[i];
    internal::HoldTool(internal::CouplingOf(drive, i), internal::PullOfFields(scene, state->bodies[i]),
                       scene.bodies[i].turns, drive.step_s, &tool);
    state->joint_wrench_W[static_cast<std::size_t>(i)] = -tool.wrench;
  }
  const Status joints = JointBuilder<Scalar, kScene, ContactProblem<Scalar, kCapacity>>(scene, state, problem).Run();
  for (int i = 0; i < tools; ++i) state->joint_wrench_W[static_cast<std::size_t>(i)] += problem->bodies[i].wrench;
  const Scalar second_mps = drive.second != nullptr ? drive.second->handle_speed_mps : Scalar(0);
  *found = FindContacts(scene, Scalar(drive.search_factor * drive.step_s), drive.handle_speed_mps, drive.step_s, state,
                        &problem->contacts, second_mps);
  return joints;
}

/// Takes the velocities of the solution and moves all bodies along them, and the paths, for the step.
template <class Scalar, SceneCapacity kScene, Capacity kCapacity>
void Advance(const PreparedScene<Scalar, kScene>& scene, const ContactProblem<Scalar, kCapacity>& problem,
             const ContactSolution<Scalar, kCapacity>& solution, SceneState<Scalar, kScene>* state) noexcept {
  for (int i = 0; i < scene.bodies.size(); ++i) {
    RigidBodyState<Scalar>& body = state->bodies[i];
    body.twist_W = solution.velocity[i];
    if (!scene.bodies[i].turns) body.twist_W.template tail<3>().setZero();
  }
  for (RigidBodyState<Scalar>& body : state->bodies) IntegratePose(problem.step_s, &body);
  AdvancePaths(scene, problem.step_s, state);
}

}  // namespace tactus
