#pragma once
#include "tactus/scene/scene_state.h"

namespace tactus {

namespace internal {

inline constexpr double kJointCorrection = 0.1;  ///< share of a joint's drift that one step takes back
/// [m, rad] What a pose's rounding makes of a joint that has not drifted. Undone, it would be all that moves in a scene at
/// rest, and the solver's verdict, which is relative, would be one on rounding errors.
template <class Scalar>
inline constexpr Scalar kLeastDrift = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(2e-8);
inline constexpr double kLimitLever_m = 0.05;  ///< where a hinge's stop stands, off its axis
inline constexpr double kLimitReach_m = 0.02;  ///< a stop that is farther away is no contact
inline constexpr double kStopSlack = 1e-6;     ///< [rad or m] a drive may hold a coordinate so far past its stop
inline constexpr int kStopPair = 4095;         ///< of the ids of stops and ropes

/// A joint at the poses of a step: both frames in the world, its coordinate, and the rows that it can give.
template <class Scalar>
struct LinkPose {
  using Vec3 = Vec<Scalar, 3>;
  Vec3 p_A_m, p_B_m, r_A_m, r_B_m;  ///< origins of the frames; the same from the bodies' centres
  Mat<Scalar, 3, 3> R_B;            ///< axes of B's frame
  Vec3 turn_W_rad;                  ///< of A's frame against B's
  Vec3 p_BA_m;                      ///< p_A - p_B
  Scalar coordinate = Scalar(0);    ///< of a hinge or a slider

  /// Velocity of A's origin against B's along e.
  Joint<Scalar, 6> LinearRow(int a, int b, const Vec3& e) const {
    Joint<Scalar, 6> row{.a = a, .b = b};
    row.jacobian_a << e, Cross(r_A_m, e);
    row.jacobian_b << -e, -Cross(r_B_m, e);
    return row;
  }
  /// Angular velocity of A against B about e.
  static Joint<Scalar, 6> AngularRow(int a, int b, const Vec3& e) {
    Joint<Scalar, 6> row{.a = a, .b = b};
    row.jacobian_a.template tail<3>() = e;
    row.jacobian_b.template tail<3>() = -e;
    return row;
  }
};

template <class Scalar, SceneCapacity kCapacity>
LinkPose<Scalar> PoseOf(const typename PreparedScene<Scalar, kCapacity>::Link& link,
                        const SceneState<Scalar, kCapacity>& state) {
  using Vec3 = Vec<Scalar, 3>;
  LinkPose<Scalar> pose;
  Quaternion<Scalar> q_A = link.in_a.q, q_B = link.in_b.q;
  const auto place = [&state](int body, const Vec3& p_m, Vec3* p_W_m, Vec3* r_W_m, Quaternion<Scalar>* q) {
    *p_W_m = p_m;
    *r_W_m = Vec3::Zero();
    if (body == kWorld) return;
    const RigidBodyState<Scalar>& at = state.bodies[body];
    *r_W_m = Times(RotationMatrix(at.q_WT), p_m);
    *p_W_m = at.p_WT_m + *r_W_m;
    *q = Multiply(at.q_WT, *q);
  };
  place(link.a, link.in_a.p_m, &pose.p_A_m, &pose.r_A_m, &q_A);
  place(link.b, link.in_b.p_m, &pose.p_B_m, &pose.r_B_m, &q_B);
  pose.R_B = RotationMatrix(Normalized(q_B));
  const Vec3 turn_B_rad = LogMap(Normalized(Multiply(Conjugate(q_B), q_A)));
  pose.turn_W_rad = Times(pose.R_B, turn_B_rad);
  pose.p_BA_m = pose.p_A_m - pose.p_B_m;
  if (link.kind == JointKind::kHinge) pose.coordinate = turn_B_rad(2);
  if (link.kind == JointKind::kSlider) pose.coordinate = pose.R_B.col(2).dot(pose.p_BA_m);
  return pose;
}

/// Velocity of the coordinate of a row: jacobian · velocities.
template <class Scalar, SceneCapacity kCapacity>
Scalar SpeedOf(const Joint<Scalar, 6>& row, const SceneState<Scalar, kCapacity>& state) {
  Scalar speed(0);
  if (row.a != kWorld) speed += row.jacobian_a.dot(state.bodies[row.a].twist_W);
  if (row.b != kWorld) speed += row.jacobian_b.dot(state.bodies[row.b].twist_W);
  return speed;
}

}  // namespace internal

/// The joints of a scene in one step's problem: rows that hold, stops as contacts without friction, springs as wrenches.
///
///     row          J_a v_a + J_b v_b = -c Φ/h       c: a share of the drift, no faster than max_push_out
///     stop, rope   Φ/h + n·v ≥ 0                    Φ: way to the stop; of a hinge at a lever of 5 cm
///     spring       -K (x - rest) - B ẋ
///     drive        ẋ = speed while its force is below the bound (a row); then the bound's force until ẋ comes past it
///
/// A stop and a drive's row would hold one motion twice. While the row keeps off the stop there is no stop; a drive that
/// would go past it has no row and presses on it with its bound.
///
/// @param[in,out] problem  bodies are there; joints, contacts and wrenches are added
template <class Scalar, SceneCapacity kCapacity, class Problem>
class JointBuilder {
  using Prepared = PreparedScene<Scalar, kCapacity>;
  using State = SceneState<Scalar, kCapacity>;
  using Pose = internal::LinkPose<Scalar>;
  using Vec3 = Vec<Scalar, 3>;

 public:
  JointBuilder(const Prepared& scene, const State& state, Problem* problem)
      : scene_(scene), state_(state), problem_(*problem) {}

  /// @returns kOverCapacity: more rows than the problem has room for
  Status Run() {
    for (int i = 0; i < scene_.links.size(); ++i) {
      const typename Prepared::Link& link = scene_.links[i];
      const Pose pose = internal::PoseOf<Scalar, kCapacity>(link, state_);
      if (const Status status = AddRows(link, pose); status != Status::kOk) return status;
      const auto drive = state_.drive[static_cast<std::size_t>(i)];
      if (!HasDriveRow(link, pose, drive, problem_.step_s)) AddStops(link, pose, i);
      if (HasCoordinate(link)) {
        AddSpring(link, pose);
        if (const Status status = AddDrive(link, pose, drive); status != Status::kOk) return status;
      }
    }
    return Status::kOk;
  }

  /// The row of a hinge's or a slider's coordinate.
  static Joint<Scalar, 6> CoordinateRow(const typename Prepared::Link& link, const Pose& pose) {
    const Vec3 z = pose.R_B.col(2);
    return link.kind == JointKind::kHinge ? Pose::AngularRow(link.a, link.b, z) : pose.LinearRow(link.a, link.b, z);
  }
  static bool HasCoordinate(const typename Prepared::Link& link) { return internal::HasCoordinate(link.kind); }

  /// Whether a joint's drive is a row in this step: it holds, and does not go past a stop.
  static bool HasDriveRow(const typename Prepared::Link& link, const Pose& pose, typename State::Drive drive,
                          Scalar step_s) {
    if (link.drive_force == Scalar(0) || !HasCoordinate(link) || drive != State::Drive::kHolds) return false;
    const Scalar next = pose.coordinate + step_s * link.drive_speed, slack = Scalar(internal::kStopSlack);
    return !link.limited || (next >= link.low - slack && next <= link.high + slack);
  }

 private:
  using Link = typename Prepared::Link;

  /// Rows that say the same, each with a drift of its own, are no contradiction; and a motor on what is welded stands.
  Status AddRow(Joint<Scalar, 6> row) {
    row.yields = true;
    return problem_.joints.push_back(row);
  }
  Status Add(Joint<Scalar, 6> row, Scalar error) {
    const Scalar most = scene_.max_push_out_mps;
    const Scalar drift = Abs(error) > internal::kLeastDrift<Scalar> ? error : Scalar(0);
    row.speed = Clamp(-Scalar(internal::kJointCorrection) * drift / problem_.step_s, -most, most);
    return AddRow(row);
  }
  Status AddLinear(const Link& link, const Pose& pose, int from, int to) {
    for (int i = from; i < to; ++i) {
      const Vec3 e = pose.R_B.col(i);
      if (const Status s = Add(pose.LinearRow(link.a, link.b, e), e.dot(pose.p_BA_m)); s != Status::kOk) return s;
    }
    return Status::kOk;
  }
  Status AddAngular(const Link& link, const Pose& pose, int from, int to) {
    for (int i = from; i < to; ++i) {
      const Vec3 e = pose.R_B.col(i);
      if (const Status s = Add(Pose::AngularRow(link.a, link.b, e), e.dot(pose.turn_W_rad)); s != Status::kOk) return s;
    }
    return Status::kOk;
  }

  Status AddRows(const Link& link, const Pose& pose) {
    const int linear = link.kind == JointKind::kSlider || link.kind == JointKind::kScrew ? 2 : 3;
    const int angular = link.kind == JointKind::kWeld || link.kind == JointKind::kSlider ? 3 : 2;
    switch (link.kind) {
      case JointKind::kRope: return Status::kOk;
      case JointKind::kBall: return AddLinear(link, pose, 0, 3);
      case JointKind::kGear: return AddGear(link, pose);
      default: break;
    }
    if (const Status s = AddLinear(link, pose, 0, linear); s != Status::kOk) return s;
    if (const Status s = AddAngular(link, pose, 0, angular); s != Status::kOk) return s;
    return link.kind == JointKind::kScrew ? AddThread(link, pose) : Status::kOk;
  }

  /// ż = pitch · ω_z.
  Status AddThread(const Link& link, const Pose& pose) {
    const Vec3 z = pose.R_B.col(2);
    Joint<Scalar, 6> row = pose.LinearRow(link.a, link.b, z);
    const Joint<Scalar, 6> turn = Pose::AngularRow(link.a, link.b, z);
    row.jacobian_a -= link.pitch_m_per_rad * turn.jacobian_a;
    row.jacobian_b -= link.pitch_m_per_rad * turn.jacobian_b;
    return AddRow(row);
  }
  /// ω_a · z_a = ratio · ω_b · z_b, each about its own axis.
  Status AddGear(const Link& link, const Pose& pose) {
    Joint<Scalar, 6> row{.a = link.a, .b = link.b};
    Vec3 z_a = Times(RotationMatrix(link.in_a.q), Vec3(Vec3::UnitZ()));
    if (link.a != kWorld) z_a = Times(RotationMatrix(state_.bodies[link.a].q_WT), z_a);
    row.jacobian_a.template tail<3>() = z_a;
    row.jacobian_b.template tail<3>() = -link.ratio * pose.R_B.col(2);
    return AddRow(row);
  }

  void AddStop(const Link& link, int id, const Vec3& point_m, const Vec3& normal, Scalar gap_m) {
    if (gap_m > Scalar(internal::kLimitReach_m)) return;
    Contact<Scalar, 6> stop{.id = static_cast<std::int32_t>(internal::kStopPair) * kPairIdStride + id};
    stop.a = link.a;
    stop.b = link.b;
    stop.point_m = point_m;
    stop.normal = normal;
    stop.gap_m = gap_m;
    (void)problem_.contacts.push_back(stop);  // before all others, and there are no more than two a joint
  }
  void AddStops(const Link& link, const Pose& pose, int i) {
    if (link.kind == JointKind::kRope) {
      const Scalar length_m = Norm(pose.p_BA_m);
      if (!(length_m > link.length_m / 2)) return;
      AddStop(link, 2 * i, pose.p_A_m, Vec3(-pose.p_BA_m / length_m), link.length_m - length_m);
    }
    if (!link.limited) return;
    const bool turns = link.kind == JointKind::kHinge;
    const Scalar lever_m = turns ? Scalar(internal::kLimitLever_m) : Scalar(1);
    const Vec3 point_m = turns ? Vec3(pose.p_B_m + lever_m * pose.R_B.col(0)) : pose.p_A_m;
    const Vec3 forward = turns ? Vec3(pose.R_B.col(1)) : Vec3(pose.R_B.col(2));
    AddStop(link, 2 * i, point_m, forward, lever_m * (pose.coordinate - link.low));
    AddStop(link, 2 * i + 1, point_m, Vec3(-forward), lever_m * (link.high - pose.coordinate));
  }

  void Push(const Joint<Scalar, 6>& row, Scalar force) {
    if (row.a != kWorld) problem_.bodies[row.a].wrench += force * row.jacobian_a;
    if (row.b != kWorld) problem_.bodies[row.b].wrench += force * row.jacobian_b;
  }
  void AddSpring(const Link& link, const Pose& pose) {
    if (link.stiffness == Scalar(0) && link.damping == Scalar(0)) return;
    const Joint<Scalar, 6> row = CoordinateRow(link, pose);
    Push(row, -link.stiffness * (pose.coordinate - link.rest) - link.damping * internal::SpeedOf(row, state_));
  }
  Status AddDrive(const Link& link, const Pose& pose, typename State::Drive drive) {
    if (link.drive_force == Scalar(0)) return Status::kOk;
    Joint<Scalar, 6> row = CoordinateRow(link, pose);
    row.speed = link.drive_speed;
    if (HasDriveRow(link, pose, drive, problem_.step_s)) return AddRow(row);
    Scalar way(static_cast<int>(drive));
    if (drive == State::Drive::kHolds && link.drive_speed != Scalar(0))
      way = link.drive_speed > Scalar(0) ? Scalar(1) : Scalar(-1);
    Push(row, way * link.drive_force);
    return Status::kOk;
  }

  const Prepared& scene_;
  const State& state_;
  Problem& problem_;
};

/// What the step told of the drives: one whose row needed more than its bound lets go to the bound's force; one that is
/// carried past its speed against that force holds again.
/// @param[in] problem, solution  of the step; state has its velocities
template <class Scalar, SceneCapacity kCapacity, class Problem, class Solution>
void UpdateDrives(const PreparedScene<Scalar, kCapacity>& scene, const Problem& problem, const Solution& solution,
                  SceneState<Scalar, kCapacity>* state) noexcept {
  using Drive = typename SceneState<Scalar, kCapacity>::Drive;
  using Builder = JointBuilder<Scalar, kCapacity, Problem>;
  int row_number = 0;
  for (int i = 0; i < scene.links.size(); ++i) {
    const auto& link = scene.links[i];
    row_number += internal::RowsOf(link.kind);
    if (link.drive_force == Scalar(0) || !Builder::HasCoordinate(link)) continue;
    Drive& drive = state->drive[static_cast<std::size_t>(i)];
    const auto pose = internal::PoseOf<Scalar, kCapacity>(link, *state);
    if (Builder::HasDriveRow(link, pose, drive, problem.step_s)) {
      const Scalar force =
          row_number < solution.joint_impulse_Ns.size() ? solution.joint_impulse_Ns[row_number] / problem.step_s : Scalar(0);
      ++row_number;
      if (Abs(force) > link.drive_force) drive = force > Scalar(0) ? Drive::kForward : Drive::kBackward;
      continue;
    }
    if (drive == Drive::kHolds) continue;  // it presses on a stop
    const auto row = Builder::CoordinateRow(link, pose);
    const Scalar past = (internal::SpeedOf(row, *state) - link.drive_speed) * Scalar(static_cast<int>(drive));
    if (past >= Scalar(0)) drive = Drive::kHolds;
  }
}

}  // namespace tactus
