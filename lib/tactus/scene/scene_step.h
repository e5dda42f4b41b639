#pragma once
#include "tactus/core/trig.h"
#include "tactus/scene/scene_contacts.h"
#include "tactus/scene/scene_joints.h"
#include "tactus/step/body_step.h"

namespace tactus {

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
};

namespace internal {

/// A tool that does not turn has this moment about every axis: a newton metre turns it by 1 µrad/s in a period.
inline constexpr double kNoTurnInertia_kgm2 = 1e3;

/// Force of the fields on the tool: a spring holds no more than its bound.
template <class Scalar, SceneCapacity kCapacity>
Vec<Scalar, 6> FieldWrench(const PreparedScene<Scalar, kCapacity>& scene, const RigidBodyState<Scalar>& tool) {
  using Vec3 = Vec<Scalar, 3>;
  Vec<Scalar, 6> wrench = Vec<Scalar, 6>::Zero();
  for (const auto& field : scene.fields) {
    const Vec3 off_m = tool.p_WT_m - field.p_W_m, along = field.direction * field.direction.dot(off_m);
    const Vec3 velocity_mps = tool.twist_W.template head<3>();
    Vec3 force_N = Vec3::Zero();
    switch (field.kind) {
      case FieldKind::kConstant: force_N = field.strength * field.direction; break;
      case FieldKind::kPoint: force_N = -field.strength * off_m; break;
      case FieldKind::kLine: force_N = -field.strength * (off_m - along); break;
      case FieldKind::kPlane: force_N = -field.strength * along; break;
      case FieldKind::kViscous: force_N = -field.strength * velocity_mps; break;
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
  return wrench;
}

}  // namespace internal

/// Energy that the fields hold for the tool [J]: of their springs and of a constant force; detents: the height of their
/// waves.
template <class Scalar, SceneCapacity kCapacity>
Scalar FieldEnergy(const PreparedScene<Scalar, kCapacity>& scene, const RigidBodyState<Scalar>& tool) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  Scalar stored_J(0);
  for (const auto& field : scene.fields) {
    const Vec3 off_m = tool.p_WT_m - field.p_W_m, along = field.direction * field.direction.dot(off_m);
    Scalar way_m(-1);
    switch (field.kind) {
      case FieldKind::kConstant: stored_J -= Min(field.strength, field.max_force_N) * field.direction.dot(off_m); break;
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
    const Scalar elastic_m = Min(way_m, field.max_force_N / field.strength);
    stored_J += field.strength * elastic_m * elastic_m / 2 + field.max_force_N * (way_m - elastic_m);
  }
  return stored_J;
}

/// The contact problem of one step of a whole scene. The tool's coupling is implicit as in BuildProblem: the solver sees its
/// mass as M + h Z.
/// @param[in,out] state    body 0 is the tool, where the tick has it
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
    const Mat<Scalar, 3, 3> J_W = RotateInertia(RotationMatrix(at.q_WT), moments_kgm2);
    const Vec<Scalar, 3> omega_W = at.twist_W.template tail<3>();
    const Vec<Scalar, 3> angular_momentum_W = J_W * omega_W;
    Body<Scalar, 6>& body = problem->bodies[i];
    body.mass_kg = mass_kg;
    body.inertia_kgm2 = J_W;
    body.position_m = at.p_WT_m;
    body.velocity = at.twist_W;
    body.wrench.template head<3>() = mass_kg * drive.gravity_W_mps2;
    body.wrench.template tail<3>() = -Cross(omega_W, angular_momentum_W);
    if (!moving.turns) body.inertia_kgm2 = Mat<Scalar, 3, 3>::Identity() * Scalar(internal::kNoTurnInertia_kgm2);
  }
  Body<Scalar, 6>& tool = problem->bodies[kTool];
  tool.mass_kg += drive.step_s * drive.coupling.impedance_Ns_per_m;
  if (scene.bodies[kTool].turns) tool.inertia_kgm2.diagonal().array() += drive.step_s * drive.coupling.impedance_Nms_per_rad;
  tool.wrench += drive.coupling.At(tool.velocity) + internal::FieldWrench(scene, state->bodies[kTool]);
  state->joint_wrench_W = -tool.wrench;
  const Status joints = JointBuilder<Scalar, kScene, ContactProblem<Scalar, kCapacity>>(scene, *state, problem).Run();
  state->joint_wrench_W += tool.wrench;
  *found = FindContacts(scene, Scalar(drive.search_factor * drive.step_s), drive.handle_speed_mps, Scalar(drive.step_s / 2),
                        state, &problem->contacts);
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
  UpdateDrives(scene, problem, solution, state);
  for (RigidBodyState<Scalar>& body : state->bodies) IntegratePose(problem.step_s, &body);
  AdvancePaths(scene, problem.step_s, state);
}

}  // namespace tactus
