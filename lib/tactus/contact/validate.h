#pragma once
#include <cstdint>
#include <limits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/friction_law.h"
#include "tactus/core/cholesky.h"
#include "tactus/core/scalar.h"

namespace tactus {
/// Whether every number of a vector or matrix is finite.
template <class Derived>
bool AllFinite(const Eigen::MatrixBase<Derived>& m) {
  for (int j = 0; j < m.cols(); ++j)
    for (int i = 0; i < m.rows(); ++i)
      if (!IsFinite(m(i, j))) return false;
  return true;
}

namespace internal {

template <class Scalar>
inline constexpr Scalar kUnitTolerance = Scalar(1e-6);  // of |n| - 1 and n·t: text with 7 digits passes, a mistake does not
template <>
inline constexpr float kUnitTolerance<float> = 1e-4f;

template <class Scalar, int kDof>
ProblemFault ValidateBody(const Body<Scalar, kDof>& body, int index) {
  const auto fault = [index](const char* field, const char* what) { return ProblemFault{what, "bodies", index, field}; };
  if (!IsFinite(body.mass_kg)) return fault("mass_kg", "must be finite");
  if (!(body.mass_kg > Scalar(0))) return fault("mass_kg", "must be > 0");
  if (!AllFinite(body.inertia_kgm2)) return fault("inertia_kgm2", "must be finite");
  const Scalar size = body.inertia_kgm2.diagonal().maxCoeff();
  const Scalar asymmetry = (body.inertia_kgm2 - body.inertia_kgm2.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > kUnitTolerance<Scalar> * Abs(size)) return fault("inertia_kgm2", "must be symmetric");
  typename std::remove_cvref_t<decltype(body)>::Inertia factor;
  if (!Cholesky(body.inertia_kgm2, &factor)) return fault("inertia_kgm2", "must be positive definite");
  if (!AllFinite(body.position_m)) return fault("position_m", "must be finite");
  if (!AllFinite(body.velocity)) return fault("velocity", "must be finite");
  if (!AllFinite(body.wrench)) return fault("wrench", "must be finite");
  return {};
}

constexpr const char* BodyIndexFault(int a, int b, int bodies) {
  if (a < kFixed || a >= bodies || b < kFixed || b >= bodies) return "no body has this index";
  if (a == kFixed && b == kFixed) return "both bodies are fixed";
  return a == b ? "must not be body a itself" : nullptr;
}

/// Whether a contact is valid, in one pass and on the safe side: what this cannot tell ValidateContact() looks at.
/// @param[in] largest_gap_m  that can be divided by step_s
template <class Scalar, int kDof>
bool IsPlainlyValid(const Contact<Scalar, kDof>& contact, int bodies, Scalar largest_gap_m, bool compliant) {
  constexpr Scalar kTolerance = kUnitTolerance<Scalar>;
  static_assert(kFixed == -1);
  const unsigned a = static_cast<unsigned>(contact.a) + 1u, b = static_cast<unsigned>(contact.b) + 1u;  // 0: fixed
  if (Max(a, b) > static_cast<unsigned>(bodies) || a == b) return false;
  Scalar sum = contact.point_m.sum() + contact.surface_velocity_mps.sum() + contact.surface_normal_velocity_mps +
               contact.friction + contact.compliance_mps_per_Ns;  // the other numbers are compared below
  if constexpr (kDof == 3) sum += contact.tangent.sum();
  const Scalar tangent_squared = contact.tangent.squaredNorm();
  const bool is_tangent =
      kDof == 3 || tangent_squared == Scalar(0) ||
      (Abs(tangent_squared - Scalar(1)) <= Scalar(2) * kTolerance && Abs(contact.tangent.dot(contact.normal)) <= kTolerance);
  return IsFinite(sum) && Abs(contact.normal.squaredNorm() - Scalar(1)) <= Scalar(2) * kTolerance && is_tangent &&
         Abs(contact.gap_m) <= largest_gap_m && contact.friction >= Scalar(0) &&
         contact.compliance_mps_per_Ns >= Scalar(0) && (compliant || contact.compliance_mps_per_Ns == Scalar(0));
}

template <class Scalar, int kDof>
ProblemFault ValidateContact(const Contact<Scalar, kDof>& contact, int bodies, Scalar step_s, bool compliant, int index) {
  const auto fault = [index](const char* field, const char* what) { return ProblemFault{what, "contacts", index, field}; };
  if (const char* what = BodyIndexFault(contact.a, contact.b, bodies)) {
    return fault(contact.a < kFixed || contact.a >= bodies ? "a" : "b", what);
  }
  if (!AllFinite(contact.point_m)) return fault("point_m", "must be finite");
  if (!AllFinite(contact.normal)) return fault("normal", "must be finite");
  constexpr Scalar kTolerance = kUnitTolerance<Scalar>;
  if (Abs(contact.normal.squaredNorm() - Scalar(1)) > Scalar(2) * kTolerance) return fault("normal", "must have length 1");
  if (!AllFinite(contact.tangent)) return fault("tangent", "must be finite");
  const Scalar tangent_squared = contact.tangent.squaredNorm();
  if (kDof == 6 && tangent_squared != Scalar(0)) {
    if (Abs(tangent_squared - Scalar(1)) > Scalar(2) * kTolerance) return fault("tangent", "must have length 1");
    if (Abs(contact.tangent.dot(contact.normal)) > kTolerance)
      return fault("tangent", "must be perpendicular to the normal");
  }
  if (!IsFinite(contact.friction)) return fault("friction", "must be finite");
  if (contact.friction < Scalar(0)) return fault("friction", "must be >= 0");
  if (!IsFinite(contact.gap_m)) return fault("gap_m", "must be finite");
  if (!IsFinite(contact.gap_m / step_s)) return fault("gap_m", "divided by step_s must be finite");
  if (!AllFinite(contact.surface_velocity_mps) || !IsFinite(contact.surface_normal_velocity_mps)) {
    return fault("surface_velocity_mps", "must be finite");
  }
  if (!IsFinite(contact.compliance_mps_per_Ns) || contact.compliance_mps_per_Ns < Scalar(0)) {
    return fault("compliance_mps_per_Ns", "must be >= 0 and finite");
  }
  if (!compliant && contact.compliance_mps_per_Ns > Scalar(0)) {
    return fault("compliance_mps_per_Ns", "needs a capacity with compliant = true");
  }
  return {};
}

template <class Scalar, int kDof>
ProblemFault ValidateFrictionLaw(const Contact<Scalar, kDof>& contact, int index) {
  const auto fault = [index](const char* field, const char* what) { return ProblemFault{what, "contacts", index, field}; };
  if (!IsFinite(contact.static_friction)) return fault("static_friction", "must be finite");
  if (contact.static_friction != Scalar(0) && !(contact.static_friction >= contact.friction)) {
    return fault("static_friction", "must be >= friction, or 0: the same as friction");
  }
  if (!IsFinite(contact.viscous_friction_Ns_per_m)) return fault("viscous_friction_Ns_per_m", "must be finite");
  if (contact.viscous_friction_Ns_per_m < Scalar(0)) return fault("viscous_friction_Ns_per_m", "must be >= 0");
  if (contact.viscous_friction_Ns_per_m > Scalar(kMostViscousFriction_Ns_per_m)) {
    return fault("viscous_friction_Ns_per_m", "must be <= 1e9");
  }
  return {};
}

/// @returns the first contact with an id that one before it has; -1: there is none. An id is compared with those before it
/// only where one of them has the same mark, one of 128.
template <class Contacts>
int FirstRepeatedId(const Contacts& contacts) {
  constexpr std::uint32_t kGolden = 0x9e3779b1;  // 2³²/φ: ids that are close or far apart by a round number get other marks
  std::uint32_t seen[4] = {};
  for (int i = 0; i < contacts.size(); ++i) {
    const std::uint32_t mark = static_cast<std::uint32_t>(contacts[i].id) * kGolden >> 25;
    std::uint32_t& word = seen[mark >> 5];
    const std::uint32_t bit = 1u << (mark & 31);
    for (int j = 0; (word & bit) != 0 && j < i; ++j) {
      if (contacts[i].id == contacts[j].id) return i;
    }
    word |= bit;
  }
  return -1;
}

template <class Scalar, int kDof>
ProblemFault ValidateJoint(const Joint<Scalar, kDof>& joint, int bodies, int index) {
  const auto fault = [index](const char* field, const char* what) { return ProblemFault{what, "joints", index, field}; };
  if (const char* what = BodyIndexFault(joint.a, joint.b, bodies)) {
    return fault(joint.a < kFixed || joint.a >= bodies ? "a" : "b", what);
  }
  if (!AllFinite(joint.jacobian_a)) return fault("jacobian_a", "must be finite");
  if (!AllFinite(joint.jacobian_b)) return fault("jacobian_b", "must be finite");
  if (!IsFinite(joint.speed)) return fault("speed", "must be finite");
  const Scalar a = joint.a == kFixed ? Scalar(0) : joint.jacobian_a.cwiseAbs().maxCoeff();
  const Scalar b = joint.b == kFixed ? Scalar(0) : joint.jacobian_b.cwiseAbs().maxCoeff();
  if (!(Max(a, b) > Scalar(0))) return fault("jacobian_a", "the row is zero: it constrains nothing");
  return {};
}

}  // namespace internal

/// Looks at every number of a problem. @returns the first fault found; what to compare it with: docs/problem_format.md.
template <class Scalar, Capacity kCapacity>
ProblemFault Validate(const ContactProblem<Scalar, kCapacity>& problem) {
  const auto fault = [](const char* field, const char* what) { return ProblemFault{what, nullptr, -1, field}; };
  if (!IsFinite(problem.step_s) || !(problem.step_s > Scalar(0))) return fault("step_s", "must be > 0 and finite");
  if (problem.bodies.empty()) return fault("bodies", "needs at least one moving body");
  const int least_directions = kCapacity.dof == 6 ? 3 : 2, most_directions = kCapacity.dof == 6 ? kCapacity.directions : 2;
  if (problem.directions < least_directions) return fault("directions", kCapacity.dof == 6 ? "must be >= 3" : "must be 2");
  if (problem.directions > most_directions) {
    return fault("directions", kCapacity.dof == 6 ? "more than the capacity holds" : "must be 2");
  }
  // The range in which Sin and Cos keep their stated error.
  if (!(Abs(problem.direction_offset_rad) <= Scalar(100))) return fault("direction_offset_rad", "must be within ±100");
  for (int k = 0; k < problem.bodies.size(); ++k) {
    if (const ProblemFault f = internal::ValidateBody(problem.bodies[k], k)) return f;
  }
  const Scalar largest_gap_m = std::numeric_limits<Scalar>::max() / Scalar(4) * Min(problem.step_s, Scalar(1));
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    if (!internal::IsPlainlyValid(contact, problem.bodies.size(), largest_gap_m, kCapacity.compliant)) {
      const ProblemFault f =
          internal::ValidateContact(contact, problem.bodies.size(), problem.step_s, kCapacity.compliant, i);
      if (f) return f;
    }
    if (!HasFrictionLaw(contact)) continue;
    if (const ProblemFault f = internal::ValidateFrictionLaw(contact, i)) return f;
  }
  const int again = internal::FirstRepeatedId(problem.contacts);
  if (again >= 0) return {"another contact has it", "contacts", again, "id"};
  for (int j = 0; j < problem.joints.size(); ++j) {
    if (const ProblemFault f = internal::ValidateJoint(problem.joints[j], problem.bodies.size(), j)) return f;
  }
  return {};
}

}  // namespace tactus
