#pragma once
#include <cstdint>

#include "tactus/core/capacity.h"
#include "tactus/core/eigen.h"
#include "tactus/core/fixed_vector.h"

namespace tactus {

/// Stands for a body that cannot move.
inline constexpr int kFixed = -1;

/// A rigid body at the start of the step. World axes, SI; velocities and wrenches at the centre of mass.
template <class Scalar, int kDof>
struct Body {
  static constexpr int kLinear = LinearSize(kDof), kAngular = AngularSize(kDof);
  using Inertia = Mat<Scalar, kAngular, kAngular>;

  Scalar mass_kg = Scalar(1);
  Inertia inertia_kgm2 = Inertia::Identity();                      ///< about the centre of mass
  Vec<Scalar, kLinear> position_m = Vec<Scalar, kLinear>::Zero();  ///< of the centre of mass
  Vec<Scalar, kDof> velocity =
      Vec<Scalar, kDof>::Zero();  ///< twist before the step: (v_x, v_y, v_z, ω_x, ω_y, ω_z) | (v_x, v_y, ω)
  Vec<Scalar, kDof> wrench = Vec<Scalar, kDof>::Zero();  ///< during the step: (force, torque), gyroscopic terms included
};

/// One point where body `a` may touch body `b`. The contact impulse acts along +normal on a, along -normal on b.
template <class Scalar, int kDof>
struct Contact {
  static constexpr int kLinear = LinearSize(kDof), kTangent = TangentSize(kDof);

  std::int32_t id = 0;  ///< the same number in the next tick for the same contact; the warm start goes by it
  int a = 0;            ///< body index, or kFixed
  int b = kFixed;       ///< body index, or kFixed; not both fixed, not equal
  Vec<Scalar, kLinear> point_m = Vec<Scalar, kLinear>::Zero();
  Vec<Scalar, kLinear> normal = Vec<Scalar, kLinear>::Unit(kLinear - 1);  ///< unit, from b into a
  Vec<Scalar, kLinear> tangent =
      Vec<Scalar, kLinear>::Zero();  ///< unit, ⊥ normal; zero: chosen by the library. Planar: ignored
  Scalar friction = Scalar(0);       ///< Coulomb's μ ≥ 0, of a contact that slides
  Scalar gap_m = Scalar(0);          ///< signed distance Φ; < 0: penetration
  /// Velocity of b's surface on top of b's own motion (a conveyor): along tangent and normal × tangent. Planar: along (-n_y,
  /// n_x).
  Vec<Scalar, kTangent> surface_velocity_mps = Vec<Scalar, kTangent>::Zero();
  Scalar surface_normal_velocity_mps = Scalar(0);  ///< the same along the normal
  Scalar compliance_mps_per_Ns = Scalar(0);        ///< ε of theory eq. (3): 1/(h(hK+B)); 0: rigid
  /// μ_s ≥ μ of a contact that rests, 0: μ. Slip begins at μ_s N and goes on at μ N (docs/theory/friction.md).
  Scalar static_friction = Scalar(0);
  /// β ≥ 0 [N·s/m]: two bodies that slide on each other with speed |s| have β |s| of friction on top of μ N. Their contacts
  /// share it as they share the load.
  Scalar viscous_friction_Ns_per_m = Scalar(0);
};

/// One bilateral row: jacobian_a · v_a + jacobian_b · v_b = speed.
template <class Scalar, int kDof>
struct Joint {
  int a = 0;
  int b = kFixed;
  Vec<Scalar, kDof> jacobian_a = Vec<Scalar, kDof>::Zero();
  Vec<Scalar, kDof> jacobian_b = Vec<Scalar, kDof>::Zero();
  Scalar speed = Scalar(0);
  /// Where it depends on earlier rows and asks for another speed, it is left out, with no impulse; else the problem is
  /// refused. For rows that differ by their drift, as of a door on two hinges.
  bool yields = false;
};

/// What one time step has to solve. Find v and impulses θ (normal), φ (friction), c (joints) with
///
///     M (v - v0) = h f + N θ + D φ + B c            Bᵀv = speed                                    (1)
///     0 ≤ Nᵀv + b + ε θ      ⊥ θ ≥ 0                b = Φ/h - n·w                                   (3)
///     0 ≤ Dᵀv + τ + λ e      ⊥ φ ≥ 0                τ = -d·w                                       (4)
///     0 ≤ μ θ - eᵀφ          ⊥ λ ≥ 0                                                               (5)
///
/// Friction direction j of a contact is cos(a0 + 2πj/d)·tangent + sin(a0 + 2πj/d)·(normal × tangent); planar: +t, -t with
/// t = (-n_y, n_x). Numbers in brackets: docs/theory. w: the velocity of b's surface.
template <class Scalar_, Capacity kCapacity>
struct ContactProblem {
  using Scalar = Scalar_;
  static_assert(IsValid(kCapacity));
  static constexpr int kDof = kCapacity.dof;

  Scalar step_s = Scalar(1e-3);               ///< h
  int directions = kDof == 6 ? 8 : 2;         ///< d in [3, capacity]; even is better (a balanced set); planar: 2
  Scalar direction_offset_rad = Scalar(0.1);  ///< a0; a value that lines up with nothing in the scene avoids ties
  FixedVector<Body<Scalar, kDof>, kCapacity.bodies> bodies;
  FixedVector<Contact<Scalar, kDof>, kCapacity.contacts> contacts;
  FixedVector<Joint<Scalar, kDof>, kCapacity.joints> joints;
};

/// Whether some contact yields.
template <class Scalar, Capacity kCapacity>
bool HasCompliance(const ContactProblem<Scalar, kCapacity>& problem) {
  if constexpr (kCapacity.compliant) {
    for (const auto& contact : problem.contacts) {
      if (contact.compliance_mps_per_Ns != Scalar(0)) return true;
    }
  }
  return false;
}

/// What is wrong with a problem, and where.
struct ProblemFault {
  const char* what = nullptr;   ///< nullptr: nothing is wrong
  const char* list = nullptr;   ///< "bodies", "contacts", "joints", "options" or nullptr for the problem itself
  int index = -1;               ///< place in that list; -1: it is none
  const char* field = nullptr;  ///< the field's name in docs/problem_format.md

  constexpr explicit operator bool() const { return what != nullptr; }
};

}  // namespace tactus
