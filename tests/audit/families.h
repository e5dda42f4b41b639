#pragma once
#include <cstdint>
#include <random>
#include <span>

#include "host_tools/solve/capacities.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/solve/contact_solver.h"

namespace tactus::audit {

// Of `tactus solve`, whose solvers are compiled anyway.
inline constexpr Capacity kMany = host::kSpatialMedium;
inline constexpr Capacity kOne = host::kSpatialSmall;

using ManyProblem = ContactProblem<double, kMany>;
using Random = std::mt19937_64;

/// Random problems of one kind, and how they are to be solved.
struct Family {
  const char* name = "given";
  void (*make)(Random* random, ManyProblem* problem) = nullptr;  ///< fills an empty problem
  bool merge = false;
  int work_budget = 0;  ///< of one contact and body, 0: none
  Cone cone = Cone::kPolygon;
};

std::span<const Family> Families();

/// The same numbers in another precision and capacity. @returns false: it does not fit
template <class Scalar, Capacity kCapacity>
bool CopyProblem(const ManyProblem& from, ContactProblem<Scalar, kCapacity>* to) {
  if (from.bodies.size() > kCapacity.bodies || from.contacts.size() > kCapacity.contacts ||
      from.joints.size() > kCapacity.joints) {
    return false;
  }
  to->step_s = static_cast<Scalar>(from.step_s);
  to->directions = from.directions;
  to->direction_offset_rad = static_cast<Scalar>(from.direction_offset_rad);
  to->bodies.clear();
  to->contacts.clear();
  to->joints.clear();
  for (const auto& body : from.bodies) {
    (void)to->bodies.push_back({static_cast<Scalar>(body.mass_kg), body.inertia_kgm2.template cast<Scalar>(),
                                body.position_m.template cast<Scalar>(), body.velocity.template cast<Scalar>(),
                                body.wrench.template cast<Scalar>()});
  }
  for (const auto& contact : from.contacts) {
    (void)to->contacts.push_back(
        {contact.id, contact.a, contact.b, contact.point_m.template cast<Scalar>(),
         contact.normal.template cast<Scalar>().normalized(), contact.tangent.template cast<Scalar>(),
         static_cast<Scalar>(contact.friction), static_cast<Scalar>(contact.gap_m),
         contact.surface_velocity_mps.template cast<Scalar>(), static_cast<Scalar>(contact.surface_normal_velocity_mps),
         Scalar(0), static_cast<Scalar>(contact.static_friction), static_cast<Scalar>(contact.viscous_friction_Ns_per_m)});
  }
  for (const auto& joint : from.joints) {
    (void)to->joints.push_back({joint.a, joint.b, joint.jacobian_a.template cast<Scalar>(),
                                joint.jacobian_b.template cast<Scalar>(), static_cast<Scalar>(joint.speed)});
  }
  return true;
}

}  // namespace tactus::audit
