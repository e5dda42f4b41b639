#pragma once
#include <vector>

#include "host_tools/replay/replay.h"
#include "tactus/contact/contact_events.h"
#include "tactus/core/spatial.h"
#include "tactus/scene/joint_reactions.h"
#include "tactus/scene/scene_contacts.h"

namespace tactus::host {

/// The contacts of a solved problem.
/// @param[in] world  the scene they are of; nullptr: of none
template <class Scalar, Capacity kCapacity>
std::vector<ReplayedContact> ContactsOf(const ContactProblem<Scalar, kCapacity>& problem,
                                        const ContactSolution<Scalar, kCapacity>& solution,
                                        const PreparedScene<Scalar>* world) {
  using Vec3 = Vec<double, 3>;
  std::vector<ReplayedContact> contacts;
  const auto step_s = static_cast<double>(problem.step_s);
  for (int i = 0; i < problem.contacts.size() && i < solution.impulse.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Vec3 point_m = contact.point_m.template cast<double>(), n = contact.normal.template cast<double>(),
               t = solution.tangent[i].template cast<double>(), o = Cross(n, t);
    Vec3 friction_N = Vec3::Zero();
    if (i < solution.friction_Ns.size()) {
      const Vec<double, 2> f = solution.friction_Ns[i].template cast<double>() / step_s;
      friction_N = f(0) * t + f(1) * o;
    }
    ReplayedContact seen{
        .id = contact.id,
        .a = contact.a,
        .b = contact.b,
        .gap_m = static_cast<double>(world != nullptr ? GapOf(*world, contact, problem.step_s) : contact.gap_m),
        .normal_N = static_cast<double>(solution.impulse.normal_Ns(i)) / step_s,
        .slip_mps = static_cast<double>(Norm(SlipAt(problem, solution, i)))};
    for (int k = 0; k < 3; ++k) {
      seen.point_m[k] = point_m(k);
      seen.normal[k] = n(k);
      seen.friction_N[k] = friction_N(k);
    }
    contacts.push_back(seen);
  }
  return contacts;
}

/// What the joints of a scene did in a step. @param[in] before  where its bodies were. @param[in] after  the step
template <class Scalar, Capacity kCapacity>
std::vector<ReplayedJoint> JointsOf(const PreparedScene<Scalar>& world, const SceneState<Scalar>& before,
                                    const SceneState<Scalar>& after, const ContactProblem<Scalar, kCapacity>& problem,
                                    const ContactSolution<Scalar, kCapacity>& solution) {
  std::vector<ReplayedJoint> joints;
  for (const JointReaction<Scalar>& reaction : JointReactions(world, before, after, problem, solution)) {
    ReplayedJoint& joint = joints.emplace_back();
    joint.coordinate = static_cast<double>(reaction.coordinate);
    for (int k = 0; k < 3; ++k) {
      joint.point_m[k] = static_cast<double>(reaction.point_m(k));
      joint.force_N[k] = static_cast<double>(reaction.force_N(k));
      joint.torque_Nm[k] = static_cast<double>(reaction.torque_Nm(k));
    }
  }
  return joints;
}

}  // namespace tactus::host
