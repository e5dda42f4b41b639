#pragma once
#include <concepts>

#include "tactus/contact/contact_problem.h"
#include "tactus/core/scalar.h"

namespace tactus {

template <class Scene>
struct SceneTypes {
  using Scalar = typename Scene::Scalar;
  static constexpr Capacity kCapacity = Scene::kCapacity;
  using Problem = ContactProblem<Scalar, kCapacity>;
  /// One a body, of velocity or displacement: (linear, angular), world axes.
  using Twists = FixedVector<Vec<Scalar, kCapacity.dof>, kCapacity.bodies>;
  using JointErrors = FixedVector<Scalar, kCapacity.joints>;  ///< Φ_j: [m], or [rad] where the row is one of an angle
};

/// What time stepping has to know of a mechanism ([AnitescuHart] section 2.A): the geometry, the masses and the forces. The
/// configuration q is the scene's own type; it is copied and moved, nothing else.
///
///     body_count   moving bodies, the same at every q
///     SetBodies    M(q) and k(t, q, v): mass, inertia in world axes, position, velocity v, wrench with gyroscopic terms
///     AddContacts  every j with Φ_c(q) ≤ reach_m: point, normal n = ∇Φ_c, friction, Φ_c as gap_m, an id that stays
///     AddJoints    gradients ν = ∇Φ_j of all joint rows, and Φ_j(q)
///     Move         q := q ⊕ displacement, to first order the displacement's linear and angular part in world axes
///
/// Add… append to empty lists; kOverCapacity when one does not hold all.
template <class Scene>
concept StepScene = requires(const Scene& scene, const typename Scene::Configuration& q,
                             typename Scene::Configuration* moved, typename Scene::Scalar scalar,
                             const typename SceneTypes<Scene>::Twists& v, typename SceneTypes<Scene>::Problem* problem,
                             typename SceneTypes<Scene>::JointErrors* errors) {
  { scene.body_count() } -> std::same_as<int>;
  {scene.SetBodies(scalar, q, v, &problem->bodies)};
  { scene.AddContacts(q, scalar, &problem->contacts) } -> std::same_as<Status>;
  { scene.AddJoints(q, &problem->joints, errors) } -> std::same_as<Status>;
  {scene.Move(v, moved)};
};

/// The constraints at one configuration, gathered from the scene.
/// @param[out] problem  its contacts (those with Φ ≤ reach_m) and joints; the rest is left as it is
/// @param[out] errors   Φ_j
template <StepScene Scene, class Problem, class Errors>
Status GatherConstraints(const Scene& scene, const typename Scene::Configuration& q, typename Scene::Scalar reach_m,
                         Problem* problem, Errors* errors) {
  problem->contacts.clear();
  problem->joints.clear();
  errors->clear();
  if (const Status status = scene.AddContacts(q, reach_m, &problem->contacts); status != Status::kOk) return status;
  return scene.AddJoints(q, &problem->joints, errors);
}

/// By how much (1) and (2) of [AnitescuHart] are violated: max(|Φ_j|, -Φ_c) over the gathered constraints, at least 0; not
/// finite if a Φ is not.
template <class Problem, class Errors>
typename Problem::Scalar Violation(const Problem& problem, const Errors& errors) {
  typename Problem::Scalar worst(0);
  for (const auto& contact : problem.contacts) {
    if (!IsFinite(contact.gap_m)) return contact.gap_m;
    worst = Max(worst, -contact.gap_m);
  }
  for (const auto error : errors) {
    if (!IsFinite(error)) return error;
    worst = Max(worst, Abs(error));
  }
  return worst;
}

}  // namespace tactus
