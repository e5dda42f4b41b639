#pragma once
#include "tactus/collide/contact_set.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/core/spatial.h"
#include "tactus/step/gyroscopic_torque.h"
#include "tactus/step/rigid_body.h"

namespace tactus {

/// A wrench that falls with the body's velocity, taken at the *end* of the step: f(v) = constant - impedance · v.
///
/// Linear part: impedance_Ns_per_m (a damper, or h K of a spring); angular part: impedance_Nms_per_rad.
template <class Scalar>
struct ImplicitWrench {
  Vec<Scalar, 6> constant_W = Vec<Scalar, 6>::Zero();  ///< the wrench on the body at rest [N, N·m]
  Scalar impedance_Ns_per_m = Scalar(0);
  Scalar impedance_Nms_per_rad = Scalar(0);

  /// f(v).
  Vec<Scalar, 6> At(const Vec<Scalar, 6>& twist_W) const {
    Vec<Scalar, 6> wrench_W = constant_W;
    wrench_W.template head<3>() -= impedance_Ns_per_m * twist_W.template head<3>();
    wrench_W.template tail<3>() -= impedance_Nms_per_rad * twist_W.template tail<3>();
    return wrench_W;
  }
};

/// What one step of one body needs besides its state and its contacts.
template <class Scalar>
struct BodyStep {
  Scalar step_s;  ///< h
  Scalar mass_kg;
  Vec<Scalar, 3> inertia_kgm2;                        ///< principal moments, about T's axes
  Vec<Scalar, 3> force_W_N = Vec<Scalar, 3>::Zero();  ///< constant force at the centre of mass: weight
  ImplicitWrench<Scalar> coupling;
  Scalar friction;                     ///< μ of every contact
  Scalar static_friction = Scalar(0);  ///< μ_s of every contact; 0: μ
  Scalar viscous_friction_Ns_per_m = Scalar(0);
  int directions;
  Scalar direction_offset_rad;
};

/// A point of the body's own shape against what is fixed. Every member is written in its place: a contact that is built and
/// then copied takes twice as long.
template <class Scalar>
void SetContact(const ContactPoint<Scalar>& point, const BodyStep<Scalar>& step, Contact<Scalar, 6>* contact) noexcept {
  contact->id = point.id;
  contact->a = 0;
  contact->b = kFixed;
  contact->point_m = point.point_m;
  contact->normal = point.normal;
  contact->tangent = point.tangent;
  contact->friction = step.friction;
  contact->gap_m = point.gap_m;
  contact->surface_velocity_mps.setZero();
  contact->surface_normal_velocity_mps = contact->compliance_mps_per_Ns = Scalar(0);
  contact->static_friction = step.static_friction;
  contact->viscous_friction_Ns_per_m = step.viscous_friction_Ns_per_m;
}

/// The contact problem of one body's step, with the implicit wrench f(v1) = c - Z v1 moved into its mass:
///
///     M v1 = M v0 + h (c - Z v1 + g) + N θ + D φ           g: weight, and GyroscopicTorque
///     (M + h Z) v1 = (M + h Z) v0 + h (c - Z v0 + g) + N θ + D φ
///
/// So the solver sees the mass M + h Z and the wrench f(v0) + g: an ordinary problem of theory (1). Because h Z adds to the
/// mass, no stiffness and no damping can make the body's own motion unstable, and a light tool behind a stiff coupling stays
/// well conditioned.
template <class Scalar, Capacity kCapacity>
void BuildProblem(const RigidBodyState<Scalar>& body, const BodyStep<Scalar>& step,
                  const ContactSet<Scalar, kCapacity.contacts>& contacts,
                  ContactProblem<Scalar, kCapacity>* problem) noexcept {
  const Mat<Scalar, 3, 3> R_WT = RotationMatrix(body.q_WT), J_W = RotateInertia(R_WT, step.inertia_kgm2);
  const Vec<Scalar, 3> omega_W = body.twist_W.template tail<3>();

  problem->step_s = step.step_s;
  problem->directions = step.directions;
  problem->direction_offset_rad = step.direction_offset_rad;

  problem->bodies.resize(1);
  Body<Scalar, 6>& tool = problem->bodies[0];
  tool.mass_kg = step.mass_kg + step.step_s * step.coupling.impedance_Ns_per_m;
  tool.inertia_kgm2 = J_W;
  tool.inertia_kgm2.diagonal().array() += step.step_s * step.coupling.impedance_Nms_per_rad;
  tool.position_m = body.p_WT_m;
  tool.velocity = body.twist_W;
  tool.wrench = step.coupling.At(body.twist_W);
  tool.wrench.template head<3>() += step.force_W_N;
  tool.wrench.template tail<3>() += GyroscopicTorque(R_WT, step.inertia_kgm2, omega_W, step.step_s);

  problem->contacts.resize(contacts.points().size());
  Contact<Scalar, 6>* contact = problem->contacts.begin();
  for (const ContactPoint<Scalar>& point : contacts.points()) SetContact(point, step, contact++);
  problem->joints.resize(0);
}

/// Takes the velocity of the solution and moves the body along it for the step.
template <class Scalar, Capacity kCapacity>
void AdvanceBody(const ContactSolution<Scalar, kCapacity>& solution, Scalar step_s, RigidBodyState<Scalar>* body) noexcept {
  body->twist_W = solution.velocity[0];
  IntegratePose(step_s, body);
}

}  // namespace tactus
