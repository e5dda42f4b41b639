#pragma once
#include <vector>

#include "host_tools/replay/replay.h"
#include "tactus/haptic/clutch.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/state.h"

namespace tactus::host {

template <class Scalar>
BodyPose PoseOf(const Vec<Scalar, 3>& p_WB_m, const Quaternion<Scalar>& q_WB) {
  BodyPose pose;
  for (int i = 0; i < 3; ++i) pose.p_WB_m[i] = static_cast<double>(p_WB_m(i));
  for (int i = 0; i < 4; ++i) pose.q_WB[i] = static_cast<double>(q_WB(i));
  return pose;
}

/// Where the bodies of a scene are; none before they are placed.
template <class Scalar>
std::vector<BodyPose> PosesOf(const State<Scalar>& state) {
  std::vector<BodyPose> poses;
  for (const RigidBodyState<Scalar>& body : state.scene.bodies) poses.push_back(PoseOf(body.p_WT_m, body.q_WT));
  return poses;
}

/// Where a tick has placed them before its step: the tools in the handles, the others where the scene has them.
/// @param[in] state  after that tick, whose first estimate of a handle is its sample
template <class Scalar>
std::vector<BodyPose> PlacedPosesOf(const Config<Scalar>& config, const State<Scalar>& state) {
  std::vector<BodyPose> poses;
  if (!HasWorld(config)) return poses;
  for (const auto& body : config.world->bodies) poses.push_back(PoseOf(body.start.p_WT_m, body.start.q_WT));
  const HandleState<Scalar> handle = internal::VirtualHandle(state.handle.handle(), config, state);
  poses[kTool] = PoseOf(handle.p_WH_m, handle.q_WH);
  if constexpr (kServoScene.hands > 1) {
    const HandleState<Scalar>& second = state.second.handle.handle();
    if (HasSecondHand(config)) poses[kSecondTool] = PoseOf(second.p_WH_m, second.q_WH);
  }
  return poses;
}

}  // namespace tactus::host
