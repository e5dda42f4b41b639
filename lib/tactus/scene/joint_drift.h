#pragma once
#include "tactus/scene/joint_pose.h"

namespace tactus {

/// How far the two sides of a joint stand apart that holds them together, of all joints the most [m]: ‖p_A - p_B‖ of the
/// frames' origins, of a slider and a screw across their axis. Gears and ropes hold no points together: 0.
template <class Scalar, SceneCapacity kCapacity>
Scalar JointDrift_m(const PreparedScene<Scalar, kCapacity>& scene, const SceneState<Scalar, kCapacity>& state) noexcept {
  Scalar most_m(0);
  for (int i = 0; i < scene.links.size(); ++i) {
    const JointKind kind = scene.links[i].kind;
    if (kind == JointKind::kGear || kind == JointKind::kRope) continue;
    const auto pose = internal::PoseOf<Scalar, kCapacity>(scene, i, state);
    const bool slides = kind == JointKind::kSlider || kind == JointKind::kScrew;
    const Vec<Scalar, 3> in_B = pose.R_B.transpose() * pose.p_BA_m;
    most_m = Max(most_m, slides ? Norm(Vec<Scalar, 3>(in_B(0), in_B(1), Scalar(0))) : Norm(in_B));
  }
  return most_m;
}

/// How far a joint is past one of its stops, of all joints the most: [m] of sliders and ropes, [rad] of angles. 0: none is.
template <class Scalar, SceneCapacity kCapacity>
Scalar PastStops(const PreparedScene<Scalar, kCapacity>& scene, const SceneState<Scalar, kCapacity>& state) noexcept {
  Scalar most(0);
  for (int i = 0; i < scene.links.size(); ++i) {
    const auto& link = scene.links[i];
    const auto pose = internal::PoseOf<Scalar, kCapacity>(scene, i, state);
    if (link.has_low) most = Max(most, pose.Before(link.low));
    if (link.has_high) most = Max(most, pose.Past(link.high));
  }
  return most;
}

}  // namespace tactus
