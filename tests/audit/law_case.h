#pragma once
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tests/audit/law.h"

namespace tactus::audit {
namespace internal {

template <class Vector>
Vector3 Widen(const Vector& v) {
  Vector3 wide{};
  for (int x = 0; x < v.size(); ++x) wide[static_cast<std::size_t>(x)] = static_cast<Real>(v(x));
  return wide;
}

// The linear and the angular part of a body's numbers; in the plane (x, y) and about z.
template <int kDof, class Vector>
void Split(const Vector& v, Vector3* linear, Vector3* angular) {
  *linear = Widen(v.template head<LinearSize(kDof)>());
  *angular = kDof == 6 ? Widen(v.template tail<AngularSize(kDof)>()) : Vector3{0, 0, static_cast<Real>(v(kDof - 1))};
}

template <class Scalar, int kDof>
LawBody ToLaw(const Body<Scalar, kDof>& body) {
  LawBody law;
  law.mass = body.mass_kg;
  law.position = Widen(body.position_m);
  Split<kDof>(body.velocity, &law.velocity, &law.spin);
  Split<kDof>(body.wrench, &law.force, &law.torque);
  for (std::size_t x = 0; x < 3; ++x) law.inertia[x][x] = 1;
  if constexpr (kDof == 3) {
    law.inertia[2][2] = body.inertia_kgm2(0, 0);
  } else {
    for (int x = 0; x < 3; ++x) law.inertia[static_cast<std::size_t>(x)] = Widen(body.inertia_kgm2.row(x));
  }
  return law;
}

}  // namespace internal

/// @param answer  not kInvalid
template <class Scalar, Capacity kCapacity>
LawCase ToLawCase(const ContactProblem<Scalar, kCapacity>& problem, const ContactSolution<Scalar, kCapacity>& answer) {
  constexpr int kDof = kCapacity.dof;
  LawCase law;
  law.step = problem.step_s;
  law.directions = problem.directions;
  law.offset = kDof == 6 ? static_cast<Real>(problem.direction_offset_rad) : 0;
  for (int k = 0; k < problem.bodies.size(); ++k) {
    law.bodies.push_back(internal::ToLaw(problem.bodies[k]));
    Vector3 velocity, spin;
    internal::Split<kDof>(answer.velocity[k], &velocity, &spin);
    law.velocity.push_back(velocity);
    law.spin.push_back(spin);
  }
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& from = problem.contacts[i];
    LawContact& contact = law.contacts.emplace_back();
    contact.a = from.a;
    contact.b = from.b;
    contact.point = internal::Widen(from.point_m);
    contact.normal = internal::Widen(from.normal);
    contact.tangent = internal::Widen(answer.tangent[i]);
    contact.friction = from.friction;
    contact.gap = from.gap_m;
    contact.compliance = from.compliance_mps_per_Ns;
    contact.surface_normal = from.surface_normal_velocity_mps;
    for (int x = 0; x < TangentSize(kDof); ++x) contact.surface[static_cast<std::size_t>(x)] = from.surface_velocity_mps(x);
    const auto impulse = answer.impulse[i];
    contact.impulse = impulse.normal_Ns;
    contact.is_round = kDof == 6 && answer.ConeOf(i) == Cone::kRound;
    for (int j = 0; j < problem.directions; ++j) contact.friction_impulse.push_back(impulse.friction_Ns(j));
  }
  for (int j = 0; j < problem.joints.size(); ++j) {
    const auto& from = problem.joints[j];
    LawJoint& joint = law.joints.emplace_back();
    joint.a = from.a;
    joint.b = from.b;
    internal::Split<kDof>(from.jacobian_a, &joint.linear_a, &joint.angular_a);
    internal::Split<kDof>(from.jacobian_b, &joint.linear_b, &joint.angular_b);
    joint.speed = from.speed;
    joint.impulse = answer.joint_impulse_Ns[j];
  }
  return law;
}

}  // namespace tactus::audit
