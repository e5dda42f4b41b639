#pragma once
#include "tactus/scene/scene_joints.h"

namespace tactus {

/// What a joint did in a step to its first body, in W. The second body got the opposite at the same point; of a gear it got
/// -ratio times the torque, about its own axis.
template <class Scalar>
struct JointReaction {
  Vec<Scalar, 3> point_m = Vec<Scalar, 3>::Zero();  ///< where the joint's frame stands on the first body
  Vec<Scalar, 3> force_N = Vec<Scalar, 3>::Zero();
  Vec<Scalar, 3> torque_Nm = Vec<Scalar, 3>::Zero();  ///< about that point
  Scalar coordinate = Scalar(0);                      ///< [rad or m] docs/scenes.md; 0 of a weld
};

/// The reactions of all joints of a scene in one step of length h:
///
///     F = Σ λ e/h,   τ = Σ λ (J_τ - r × e)/h     over a joint's rows J_a = (e, J_τ), impulses λ; r from a's centre to the
///     joint F += N n,      τ += (p - p_A) × N n        over its stops, or its rope
///
/// A spring, a damper and a drive at its bound push as the scene says: they are no reactions, and not in it.
///
/// @param[in] before                    the state that the step's problem was built of
/// @param[in] after, problem, solution  of the step
template <class Scalar, SceneCapacity kCapacity, class Problem, class Solution>
SceneList<JointReaction<Scalar>, kCapacity.joints> JointReactions(const PreparedScene<Scalar, kCapacity>& scene,
                                                                  const SceneState<Scalar, kCapacity>& before,
                                                                  const SceneState<Scalar, kCapacity>& after,
                                                                  const Problem& problem,
                                                                  const Solution& solution) noexcept {
  using Vec3 = Vec<Scalar, 3>;
  SceneList<JointReaction<Scalar>, kCapacity.joints> reactions;
  int row = 0;
  for (int i = 0; i < scene.links.size(); ++i) {
    const auto& link = scene.links[i];
    const auto pose = internal::PoseOf<Scalar, kCapacity>(scene, i, before);
    JointReaction<Scalar> reaction{.point_m = pose.p_A_m, .coordinate = pose.Coordinate()};
    const int end = row + internal::RowsOf(link.kind) + after.held_rows[static_cast<std::size_t>(i)];
    for (; row < end && row < solution.joint_impulse_Ns.size(); ++row) {
      const Vec<Scalar, 6> push = problem.joints[row].jacobian_a * (solution.joint_impulse_Ns[row] / problem.step_s);
      const Vec3 force_N = push.template head<3>(), torque_Nm = push.template tail<3>();
      reaction.force_N += force_N;
      reaction.torque_Nm += torque_Nm - Cross(pose.r_A_m, force_N);
    }
    (void)reactions.push_back(reaction);  // of joints' capacity
  }
  for (int i = 0; i < problem.contacts.size() && i < solution.impulse.size(); ++i) {
    const auto& stop = problem.contacts[i];
    const int joint = stop.id % kPairIdStride / 2;
    if (stop.id / kPairIdStride != internal::kStopPair || joint >= reactions.size()) continue;
    const Vec3 force_N = stop.normal * (solution.impulse.normal_Ns(i) / problem.step_s);
    reactions[joint].force_N += force_N;
    reactions[joint].torque_Nm += Cross(Vec3(stop.point_m - reactions[joint].point_m), force_N);
  }
  return reactions;
}

}  // namespace tactus
