#pragma once
#include "tactus/core/eigen.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// Pose and motion of a rigid body; frame T at its centre of mass, along its principal axes.
template <class Scalar>
struct RigidBodyState {
  Vec<Scalar, 3> p_WT_m = Vec<Scalar, 3>::Zero();
  Quaternion<Scalar> q_WT = IdentityQuaternion<Scalar>();
  Vec<Scalar, 6> twist_W = Vec<Scalar, 6>::Zero();  ///< velocity of the centre of mass [m/s], angular velocity [rad/s]
};

/// Moves the pose along the twist for one period: p += h v, q ← exp(h ω) q, renormalised.
template <class Scalar>
void IntegratePose(Scalar step_s, RigidBodyState<Scalar>* body) noexcept {
  const Vec<Scalar, 3> velocity_mps = body->twist_W.template head<3>(),
                       rotation_rad = step_s * body->twist_W.template tail<3>();
  body->p_WT_m += step_s * velocity_mps;
  body->q_WT = Normalized(Multiply(ExpMap(rotation_rad), body->q_WT));
}

}  // namespace tactus
