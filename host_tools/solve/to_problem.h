#pragma once
#include <cstddef>

#include "host_tools/solve/problem_document.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/friction_frame.h"

namespace tactus::host {
namespace internal {

template <class Vector, class Numbers>
Vector ToVector(const Numbers& numbers) {
  Vector vector;
  for (int i = 0; i < vector.size(); ++i) {
    vector(i) = static_cast<typename Vector::Scalar>(numbers[static_cast<std::size_t>(i)]);
  }
  return vector;
}

template <class Scalar, int kDof>
Body<Scalar, kDof> ToBody(const BodyDocument& document) {
  using Result = Body<Scalar, kDof>;
  Result body;
  body.mass_kg = static_cast<Scalar>(document.mass_kg);
  for (int i = 0; i < body.inertia_kgm2.size(); ++i) {
    body.inertia_kgm2(i / Result::kAngular, i % Result::kAngular) =
        static_cast<Scalar>(document.inertia_kgm2[static_cast<std::size_t>(i)]);
  }
  body.position_m = ToVector<decltype(body.position_m)>(document.position_m);
  body.velocity = ToVector<decltype(body.velocity)>(document.velocity);
  body.wrench = ToVector<decltype(body.wrench)>(document.wrench);
  return body;
}

// The library wants the surface's velocity along its tangents, so a contact that leaves the tangent to the library gets the
// library's own here when its surface moves.
template <class Scalar, int kDof>
Contact<Scalar, kDof> ToContact(const ContactDocument& document) {
  Contact<Scalar, kDof> contact;
  contact.id = document.id;
  contact.a = document.a;
  contact.b = document.b;
  contact.point_m = ToVector<decltype(contact.point_m)>(document.point_m);
  contact.normal = ToVector<decltype(contact.normal)>(document.normal);
  contact.friction = static_cast<Scalar>(document.friction);
  contact.static_friction = static_cast<Scalar>(document.static_friction);
  contact.viscous_friction_Ns_per_m = static_cast<Scalar>(document.viscous_friction_Ns_per_m);
  contact.gap_m = static_cast<Scalar>(document.gap_m);
  contact.compliance_mps_per_Ns = static_cast<Scalar>(document.compliance_mps_per_Ns);
  using Vector = Vec<double, LinearSize(kDof)>;
  const Vector w = ToVector<Vector>(document.surface_velocity_mps), n = ToVector<Vector>(document.normal);
  contact.surface_normal_velocity_mps = static_cast<Scalar>(w.dot(n));
  if constexpr (kDof == 3) {
    contact.surface_velocity_mps(0) = static_cast<Scalar>(-n(1) * w(0) + n(0) * w(1));
  } else {
    if (document.tangent) contact.tangent = ToVector<decltype(contact.tangent)>(*document.tangent);
    if (!document.tangent && w != Vector::Zero()) contact.tangent = DefaultTangent(contact.normal);
    const Vector t = contact.tangent.template cast<double>();
    const Vector s(n(1) * t(2) - n(2) * t(1), n(2) * t(0) - n(0) * t(2), n(0) * t(1) - n(1) * t(0));
    contact.surface_velocity_mps << static_cast<Scalar>(w.dot(t)), static_cast<Scalar>(w.dot(s));
  }
  return contact;
}

template <class Scalar, int kDof>
Joint<Scalar, kDof> ToJoint(const JointDocument& document) {
  Joint<Scalar, kDof> joint;
  joint.a = document.a;
  joint.b = document.b;
  joint.jacobian_a = ToVector<decltype(joint.jacobian_a)>(document.jacobian_a);
  joint.jacobian_b = ToVector<decltype(joint.jacobian_b)>(document.jacobian_b);
  joint.speed = static_cast<Scalar>(document.speed);
  return joint;
}

}  // namespace internal

/// Copies a problem that fits into a ContactProblem, rounding to `Scalar`.
template <class Scalar, Capacity kCapacity>
void ToContactProblem(const ProblemDocument& document, ContactProblem<Scalar, kCapacity>* problem) {
  constexpr int kDof = kCapacity.dof;
  problem->step_s = static_cast<Scalar>(document.step_s);
  problem->directions = document.directions;
  problem->direction_offset_rad = static_cast<Scalar>(document.direction_offset_rad);
  problem->bodies.resize(static_cast<int>(document.bodies.size()));
  problem->contacts.resize(static_cast<int>(document.contacts.size()));
  problem->joints.resize(static_cast<int>(document.joints.size()));
  for (int i = 0; i < problem->bodies.size(); ++i) {
    problem->bodies[i] = internal::ToBody<Scalar, kDof>(document.bodies[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < problem->contacts.size(); ++i) {
    problem->contacts[i] = internal::ToContact<Scalar, kDof>(document.contacts[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < problem->joints.size(); ++i) {
    problem->joints[i] = internal::ToJoint<Scalar, kDof>(document.joints[static_cast<std::size_t>(i)]);
  }
}

}  // namespace tactus::host
