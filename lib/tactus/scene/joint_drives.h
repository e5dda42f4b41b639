#pragma once
#include "tactus/scene/joint_pose.h"

namespace tactus {

namespace internal {

inline constexpr double kStopSlack = 1e-6;  ///< [rad or m] a drive may hold a coordinate so far past its stop
inline constexpr double kHeldSpeed = 1e-3;  ///< [rad/s or m/s] what is held moves no faster

/// The row of a joint's coordinate; of a ball that of its motor, the turning about B's z axis.
template <class Link, class Scalar>
Joint<Scalar, 6> CoordinateRow(const Link& link, const LinkPose<Scalar>& pose) {
  using Vec3 = Vec<Scalar, 3>;
  switch (link.kind) {
    case JointKind::kSlider: return pose.LinearRow(link.a, link.b, Vec3(pose.R_B.col(2)));
    case JointKind::kRope: return pose.LinearRow(link.a, link.b, pose.along);
    case JointKind::kGear: {
      Joint<Scalar, 6> row{.a = link.a, .b = kWorld};
      row.jacobian_a.template tail<3>() = pose.R_A.col(2);
      return row;
    }
    default: return pose.AngularRow(link.a, link.b, Vec3(pose.R_B.col(2)));
  }
}

/// Row `number` of a drive: the friction of a ball has three, all others the coordinate's.
template <class Link, class Scalar>
Joint<Scalar, 6> DriveRow(const Link& link, const LinkPose<Scalar>& pose, int number) {
  if (link.drive_rows == 1) return CoordinateRow(link, pose);
  return pose.AngularRow(link.a, link.b, Vec<Scalar, 3>(pose.R_B.col(number)));
}

/// The most that a drive pushes forwards: a rope's pulls alone. Backwards it is drive_force.
template <class Link>
auto MostForwards(const Link& link) {
  return link.kind == JointKind::kRope ? decltype(link.drive_force)(0) : link.drive_force;
}

/// Rows that a joint's drive is in this step: it holds, and does not go past a stop. 0: it pushes with its bound, if at all.
template <class Link, class Scalar, class Drive>
int DriveRows(const Link& link, const LinkPose<Scalar>& pose, Drive drive, Scalar step_s) {
  if (link.drive_force == Scalar(0) || drive != Drive::kHolds) return 0;
  if (link.kind == JointKind::kRope && pose.along.isZero(0)) return 0;
  const bool is_off_stops = link.kind == JointKind::kBall && link.drive_rows == 1;  // its motor's axis is across the swing
  if (is_off_stops) return 1;
  const Scalar next = pose.part + step_s * link.drive_speed, slack = Scalar(kStopSlack);
  if (link.has_low && !(next >= link.low - pose.whole - slack)) return 0;
  if (link.has_high && !(next <= link.high - pose.whole + slack)) return 0;
  return link.drive_rows;
}

/// Turning of A's frame against B's, in W.
template <class Link, class Scalar, SceneCapacity kCapacity>
Vec<Scalar, 3> TurningOf(const Link& link, const SceneState<Scalar, kCapacity>& state) {
  Vec<Scalar, 3> omega_radps = Vec<Scalar, 3>::Zero();
  if (link.a != kWorld) omega_radps += state.bodies[link.a].twist_W.template tail<3>();
  if (link.b != kWorld) omega_radps -= state.bodies[link.b].twist_W.template tail<3>();
  return omega_radps;
}

/// How a drive holds when a step begins. In the first one a rope that becomes shorter faster than its drive hauls it is
/// slack, and a ball that turns slips: a row would stop them dead.
template <class Link, class Scalar, SceneCapacity kCapacity>
auto DriveAtStart(const Link& link, const LinkPose<Scalar>& pose, int index, const SceneState<Scalar, kCapacity>& state) {
  using Drive = typename SceneState<Scalar, kCapacity>::Drive;
  const Drive drive = state.drive[static_cast<std::size_t>(index)];
  if (link.drive_force == Scalar(0) || state.turns[static_cast<std::size_t>(index)].begun) return drive;
  bool moves = false;
  if (link.kind == JointKind::kRope)
    moves = SpeedOf(CoordinateRow(link, pose), state) < link.drive_speed - Scalar(kHeldSpeed);
  if (link.drive_rows == 3) moves = Norm(TurningOf(link, state)) > Scalar(kHeldSpeed);
  return moves ? Drive::kForward : drive;
}

/// Of a ball's friction: its torque against the turning, while it turns.
template <class Scalar, SceneCapacity kCapacity>
void UpdateBallFriction(const typename PreparedScene<Scalar, kCapacity>::Link& link, const Vec<Scalar, 3>& held_Nm,
                        int index, SceneState<Scalar, kCapacity>* state) {
  using Drive = typename SceneState<Scalar, kCapacity>::Drive;
  Drive& drive = state->drive[static_cast<std::size_t>(index)];
  Vec<Scalar, 3>& against = state->slip_W[static_cast<std::size_t>(index)];
  if (drive == Drive::kHolds) {
    const Scalar torque_Nm = Norm(held_Nm);
    if (!(torque_Nm > link.drive_force)) return;
    drive = Drive::kForward;
    against = held_Nm / torque_Nm;
    return;
  }
  const Vec<Scalar, 3> omega_radps = TurningOf(link, *state);
  if (omega_radps.dot(against) >= Scalar(0)) {
    drive = Drive::kHolds;
  } else {
    against = -omega_radps / Norm(omega_radps);
  }
}

}  // namespace internal

/// What the step told of the drives: one whose row needed more than its bound lets go to the bound's force; one that is
/// carried past its speed against that force holds again.
/// @param[in] problem, solution  of the step; state has its velocities
template <class Scalar, SceneCapacity kCapacity, class Problem, class Solution>
void UpdateDrives(const PreparedScene<Scalar, kCapacity>& scene, const Problem& problem, const Solution& solution,
                  SceneState<Scalar, kCapacity>* state) noexcept {
  using Drive = typename SceneState<Scalar, kCapacity>::Drive;
  int row_number = 0;
  for (int i = 0; i < scene.links.size(); ++i) {
    const auto& link = scene.links[i];
    row_number += internal::RowsOf(link.kind);
    if (link.drive_force == Scalar(0)) continue;
    Drive& drive = state->drive[static_cast<std::size_t>(i)];
    const auto pose = internal::PoseOf<Scalar, kCapacity>(scene, i, *state);
    const int rows = internal::DriveRows(link, pose, drive, problem.step_s);
    Vec<Scalar, 3> force = Vec<Scalar, 3>::Zero();  // of the rows
    for (int k = 0; k < rows; ++k, ++row_number) {
      if (row_number < solution.joint_impulse_Ns.size()) force(k) = solution.joint_impulse_Ns[row_number] / problem.step_s;
    }
    if (link.drive_rows == 3) {
      internal::UpdateBallFriction(link, Vec<Scalar, 3>(Times(pose.R_B, force)), i, state);
      continue;
    }
    if (rows > 0) {
      if (force(0) > internal::MostForwards(link)) drive = Drive::kForward;
      if (force(0) < -link.drive_force) drive = Drive::kBackward;
      continue;
    }
    if (drive == Drive::kHolds) continue;  // it presses on a stop
    const Scalar speed = internal::SpeedOf(internal::CoordinateRow(link, pose), *state);
    if ((speed - link.drive_speed) * Scalar(static_cast<int>(drive)) >= Scalar(0)) drive = Drive::kHolds;
  }
}

}  // namespace tactus
