#pragma once
#include "tactus/contact/contact_solution.h"
#include "tactus/scene/joint_pose.h"

namespace tactus {

namespace internal {

inline constexpr double kStopSlack = 1e-6;  ///< [rad or m] a drive may hold a coordinate so far past its stop
/// [rad/s or m/s] Beyond its speed by less than this a drive has not come past it: rounding, or at rest on a stop, where it
/// may push for ever.
template <class Scalar>
inline constexpr Scalar kPastSpeed = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);

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

/// Rows that a joint's drive is in this step: it holds, and does not go past a stop; back from beyond it, it may. 0: it
/// pushes with its bound, if at all.
template <class Link, class Scalar, class Drive>
int DriveRows(const Link& link, const LinkPose<Scalar>& pose, Drive drive, Scalar step_s) {
  if (link.drive_force == Scalar(0) || drive != Drive::kHolds) return 0;
  if (link.kind == JointKind::kRope && pose.along.isZero(0)) return 0;
  const bool is_off_stops = link.kind == JointKind::kBall && link.drive_rows == 1;  // its motor's axis is across the swing
  if (is_off_stops) return 1;
  const Scalar next = pose.part + step_s * link.drive_speed, slack = Scalar(kStopSlack);
  const bool past_low = link.has_low && !(next >= link.low - pose.whole - slack);
  const bool past_high = link.has_high && !(next <= link.high - pose.whole + slack);
  if ((past_low && !(link.drive_speed > Scalar(0))) || (past_high && !(link.drive_speed < Scalar(0)))) return 0;
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

/// What the bodies do after a step: the state's twists, before Advance has taken them over.
template <class Scalar, SceneCapacity kCapacity, class Solution>
class AfterStep {
 public:
  AfterStep(const PreparedScene<Scalar, kCapacity>& scene, const Solution& solution) : scene_(scene), solution_(solution) {}

  Scalar Speed(const Joint<Scalar, 6>& row) const {
    return row.jacobian_a.dot(Twist(row.a)) + row.jacobian_b.dot(Twist(row.b));
  }
  /// Of A's frame against B's, in W.
  Vec<Scalar, 3> Turning(int a, int b) const {
    return Vec<Scalar, 3>(Twist(a).template tail<3>() - Twist(b).template tail<3>());
  }

 private:
  Vec<Scalar, 6> Twist(int body) const {
    Vec<Scalar, 6> twist_W = Vec<Scalar, 6>::Zero();
    if (body == kWorld) return twist_W;
    twist_W = solution_.velocity[body];
    if (!scene_.bodies[body].turns) twist_W.template tail<3>().setZero();
    return twist_W;
  }

  const PreparedScene<Scalar, kCapacity>& scene_;
  const Solution& solution_;
};

/// What a step's answer says of a drive: as it held in it, or otherwise.
template <class Scalar, class Drive>
struct DriveWish {
  Drive drive = Drive::kHolds;
  Vec<Scalar, 3> slip_W = Vec<Scalar, 3>::Zero();  ///< of a ball's friction
  bool is_squeezed = false;                        ///< no force holds it: it must let go
};

/// Less than this share of the largest c of a certificate is rounding: drives that have no part in it.
inline constexpr double kShareOfJam = 1e-4;

/// Of a certificate's c: what a drive must have of it at least to be squeezed.
template <class Scalar, class Solution>
Scalar LeastSqueeze_Ns(const Solution& solution) {
  Scalar largest_Ns(0);
  if (solution.status == SolveStatus::kJammed)
    for (const Scalar c : solution.certificate_joint_Ns) largest_Ns = Max(largest_Ns, Abs(c));
  return Scalar(kShareOfJam) * largest_Ns;
}

/// What a drive's rows take to hold, and whether a jam squeezes them. Any multiple of a certificate may be added to an
/// answer: then the force goes its way without a bound.
template <class Scalar>
struct HeldForce {
  Vec<Scalar, 3> force = Vec<Scalar, 3>::Zero();
  bool is_squeezed = false;
};
template <class Scalar, class Solution>
HeldForce<Scalar> HeldForceOf(const Solution& solution, int first, int rows, Scalar step_s, Scalar bound,
                              Scalar least_squeeze_Ns) {
  HeldForce<Scalar> held;
  const auto take = [&](const auto& impulse_Ns) {
    for (int k = 0; k < rows && first + k < impulse_Ns.size(); ++k) held.force(k) = impulse_Ns[first + k];
    return Norm(held.force);
  };
  const Scalar squeeze_Ns = least_squeeze_Ns > Scalar(0) ? take(solution.certificate_joint_Ns) : Scalar(0);
  held.is_squeezed = squeeze_Ns > least_squeeze_Ns;
  if (held.is_squeezed) {
    held.force *= Scalar(2) * bound / squeeze_Ns;
  } else {
    (void)take(solution.joint_impulse_Ns);
    held.force /= step_s;
  }
  return held;
}

/// Of a ball's friction: its torque is against the turning, while it turns.
template <class Scalar, class Link, class Wish, class After>
Wish BallFrictionWish(const Link& link, const Wish& now, const Vec<Scalar, 3>& held_Nm, bool is_squeezed,
                      const After& after) {
  using Drive = decltype(now.drive);
  if (now.drive == Drive::kHolds) {
    const Scalar torque_Nm = Norm(held_Nm);
    return torque_Nm > link.drive_force ? Wish{Drive::kForward, held_Nm / torque_Nm, is_squeezed} : now;
  }
  const Vec<Scalar, 3> omega_radps = after.Turning(link.a, link.b);
  if (omega_radps.dot(now.slip_W) > kPastSpeed<Scalar>) return {Drive::kHolds, now.slip_W};
  const Scalar turning_radps = Norm(omega_radps);
  if (turning_radps <= kPastSpeed<Scalar>) return now;
  return {now.drive, Vec<Scalar, 3>(-omega_radps / turning_radps)};
}

/// One whose rows need more than its bound lets go, and pushes with it; one that is carried past its speed against that
/// force holds.
/// @param[in] rows   that the drive has in the problem, from `first` on
/// @param[in] least_squeeze_Ns  LeastSqueeze_Ns of the solution
template <class Scalar, SceneCapacity kCapacity, class Problem, class Solution>
auto WishOfDrive(const PreparedScene<Scalar, kCapacity>& scene, int index, int first, int rows, const Problem& problem,
                 const Solution& solution, Scalar least_squeeze_Ns, const SceneState<Scalar, kCapacity>& state) {
  using Drive = typename SceneState<Scalar, kCapacity>::Drive;
  using Wish = DriveWish<Scalar, Drive>;
  const auto& link = scene.links[index];
  const auto place = static_cast<std::size_t>(index);
  const Wish now{state.drive[place], state.slip_W[place]};
  const AfterStep<Scalar, kCapacity, Solution> after(scene, solution);
  const auto pose = PoseOf<Scalar, kCapacity>(scene, index, state);
  const auto [force, is_squeezed] = HeldForceOf(solution, first, rows, problem.step_s, link.drive_force, least_squeeze_Ns);
  if (link.drive_rows == 3) return BallFrictionWish(link, now, Vec<Scalar, 3>(Times(pose.R_B, force)), is_squeezed, after);
  if (rows > 0) {
    if (force(0) > MostForwards(link)) return Wish{Drive::kForward, now.slip_W, is_squeezed};
    if (force(0) < -link.drive_force) return Wish{Drive::kBackward, now.slip_W, is_squeezed};
    return now;
  }
  if (now.drive == Drive::kHolds) return now;  // it presses on a stop
  const Scalar past = after.Speed(CoordinateRow(link, pose)) - link.drive_speed;
  return past * Scalar(static_cast<int>(now.drive)) > kPastSpeed<Scalar> ? Wish{Drive::kHolds, now.slip_W} : now;
}

}  // namespace internal
}  // namespace tactus
