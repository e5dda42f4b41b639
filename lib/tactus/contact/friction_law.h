#pragma once
// Friction that depends on how a contact has moved (docs/theory/friction.md). In each step it is Coulomb's, with a μ of its
// own: whatever is true of a solver's answer for μ is true of these.
//
//     |f| ≤ μ_i θ,  f against the slip          μ_i = μ_d + min(h β |s|/Θ, kMostViscous)                            (F1)
//     μ_d = μ_s where the contact has rested for kRestTime_s, else μ                                               (F2)
//
// Θ: Σθ over the contacts of the same two bodies.

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/lever.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// A contact that slips no faster rests [m/s]: what the tolerances leave of slip where a contact sticks in a motion of 1
/// m/s. A block that breaks loose passes it within milliseconds, and until then has μ_s.
template <class Scalar>
inline constexpr Scalar kRestSpeed_mps = Scalar(1e-5);
template <>
inline constexpr float kRestSpeed_mps<float> = 1e-4f;
/// So long a contact rests until μ_s is its own again [s]. Between two slips that start at μ_s there are as many ticks at
/// rest, so that a contact cannot stick and slip at the loop's own rate.
inline constexpr double kRestTime_s = 5e-3;
/// Viscous friction is no more than so many times the normal force: beside Θ = 0 the ratio means nothing.
inline constexpr double kMostViscous = 10;
/// A gram stops within a nanosecond.
inline constexpr double kMostViscousFriction_Ns_per_m = 1e9;

/// Whether the friction of a contact is more than one number.
template <class Scalar, int kDof>
bool HasFrictionLaw(const Contact<Scalar, kDof>& contact) {
  return contact.static_friction != Scalar(0) || contact.viscous_friction_Ns_per_m != Scalar(0);
}
template <class Scalar, Capacity kCapacity>
bool HasFrictionLaws(const ContactProblem<Scalar, kCapacity>& problem) {
  for (const auto& contact : problem.contacts) {
    if (HasFrictionLaw(contact)) return true;
  }
  return false;
}

/// μ_d of (F2). @param rest_s  since the contact slipped last
template <class Scalar, int kDof>
Scalar DryFriction(const Contact<Scalar, kDof>& contact, Scalar rest_s) {
  // Steps add up to the time but for their rounding.
  constexpr Scalar kRested = Scalar(kRestTime_s * (1 - 1e-3));
  return rest_s >= kRested ? Max(contact.static_friction, contact.friction) : contact.friction;
}

/// Coulomb's μ that a contact has in a solution: its own, or what its law made of it.
template <class Scalar, Capacity kCapacity>
Scalar FrictionOf(const ContactProblem<Scalar, kCapacity>& problem, const ContactSolution<Scalar, kCapacity>& solution,
                  int contact) {
  return solution.friction_coefficient.empty() ? problem.contacts[contact].friction : solution.friction_coefficient[contact];
}

/// |s|: how fast the bodies of a contact slip on each other there, before the step.
template <class Scalar, Capacity kCapacity>
Scalar SlipSpeedBefore(const ContactProblem<Scalar, kCapacity>& problem, int i,
                       const Vec<Scalar, LinearSize(kCapacity.dof)>& tangent) {
  constexpr int kLinear = LinearSize(kCapacity.dof), kTangent = TangentSize(kCapacity.dof);
  using Point = Vec<Scalar, kLinear>;
  const auto& contact = problem.contacts[i];
  Point v = Point::Zero();
  for (const int body : {contact.a, contact.b}) {
    if (body == kFixed) continue;
    const Point velocity =
        VelocityAt(problem.bodies[body].velocity, Point(contact.point_m - problem.bodies[body].position_m));
    v += body == contact.a ? velocity : Point(-velocity);
  }
  Vec<Scalar, kTangent> slip = -contact.surface_velocity_mps;
  slip(0) += tangent.dot(v);
  if constexpr (kTangent == 2) slip(1) += Moment(contact.normal, tangent).dot(v);
  return Sqrt(Scalar(slip.squaredNorm()));
}

}  // namespace tactus
