#pragma once
#include "tactus/scene/joint_drives.h"

namespace tactus {

namespace internal {

inline constexpr double kJointCorrection = 0.1;  ///< share of a joint's drift that one step takes back
/// [m, rad] What a pose's rounding makes of a joint that has not drifted. Undone, it would be all that moves in a scene at
/// rest, and the solver's verdict, which is relative, would be one on rounding errors.
template <class Scalar>
inline constexpr Scalar kLeastDrift = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(2e-8);
inline constexpr double kDriftTurn_rad = 0.05;  ///< in a step, of a body whose joints' drift is undone as fast as it comes
inline constexpr double kLimitLever_m = 0.05;   ///< where the stop of what turns stands, off its axis
inline constexpr double kLimitReach_m = 0.02;   ///< a stop that is farther away is no contact
inline constexpr int kStopPair = 4095;          ///< of the ids of stops and ropes

/// Where a joint's stops stand. A's point moves along `forward`, by lever · the coordinate.
template <class Scalar>
struct StopPlace {
  Vec<Scalar, 3> point_m, forward;
  Scalar lever_m;
};
template <class Link, class Scalar>
StopPlace<Scalar> StopPlaceOf(const Link& link, const LinkPose<Scalar>& pose) {
  using Vec3 = Vec<Scalar, 3>;
  const Scalar lever_m = Scalar(kLimitLever_m);
  switch (link.kind) {
    case JointKind::kSlider: return {pose.p_A_m, Vec3(pose.R_B.col(2)), Scalar(1)};
    case JointKind::kRope: return {pose.p_A_m, pose.along, Scalar(1)};
    case JointKind::kGear: return {Vec3(pose.p_A_m + lever_m * pose.R_A.col(0)), Vec3(pose.R_A.col(1)), lever_m};
    case JointKind::kBall: {
      const Vec3 z_A = pose.R_A.col(2);
      return {Vec3(pose.p_B_m + lever_m * z_A), Cross(pose.along, z_A), lever_m};
    }
    default: return {Vec3(pose.p_B_m + lever_m * pose.R_B.col(0)), Vec3(pose.R_B.col(1)), lever_m};
  }
}

}  // namespace internal

/// The joints of a scene in one step's problem: rows that hold, stops as contacts without friction, springs as wrenches.
///
///     row          J_a v_a + J_b v_b = -c Φ/h       c: a share of the drift, no faster than max_push_out, or than turning
///                                                   makes it: h ω² r of each body
///     stop, rope   Φ/h + n·v ≥ 0                    Φ: way to the stop; of what turns at a lever of 5 cm
///     spring       -K (x - rest) - B ẋ              of a rope no more than 0, and 0 while x < rest
///     ball's       -K φ - B ω                       φ: its turn, ω its turning
///     drive        ẋ = speed while its force is below the bound (a row); else the bound's force, until ẋ comes past it
///
/// A stop and a drive's row would hold one motion twice. While the row keeps off the stop there is no stop; a drive that
/// would go past it has no row and presses on it with its bound.
///
/// @param[in,out] state    keeps how far the joints have turned
/// @param[in,out] problem  bodies are there; joints, contacts and wrenches are added
template <class Scalar, SceneCapacity kCapacity, class Problem>
class JointBuilder {
  using Prepared = PreparedScene<Scalar, kCapacity>;
  using State = SceneState<Scalar, kCapacity>;
  using Pose = internal::LinkPose<Scalar>;
  using Vec3 = Vec<Scalar, 3>;

 public:
  JointBuilder(const Prepared& scene, State* state, Problem* problem) : scene_(scene), state_(*state), problem_(*problem) {}

  /// @returns kOverCapacity: more rows than the problem has room for
  Status Run() {
    drives_W_.fill(Wrench::Zero());
    for (int i = 0; i < scene_.links.size(); ++i) {
      const Link& link = scene_.links[i];
      const Pose pose = internal::PoseOf<Scalar, kCapacity>(scene_, i, state_);
      if (const Status status = AddRows(link, pose); status != Status::kOk) return status;
      const auto place = static_cast<std::size_t>(i);
      state_.turns[place] = pose.turns;
      const int rows = internal::DriveRows(link, pose, state_.drive[place], problem_.step_s);
      state_.held_rows[place] = static_cast<std::int8_t>(rows);
      AddStops(link, pose, i, rows);
      AddSpring(link, pose);
      for (int k = 0; k < rows; ++k) {
        if (const Status status = AddRow(HeldRow(link, pose, k)); status != Status::kOk) return status;
      }
      PushDrive(link, pose, i);
    }
    state_.work.undriven_W.resize(problem_.bodies.size());
    for (int i = 0; i < problem_.bodies.size(); ++i) state_.work.undriven_W[i] = problem_.bodies[i].wrench;
    AddPushes();
    return Status::kOk;
  }

  /// A drive of the problem that Run has made does otherwise: its rows and stops are changed, they alone. Then PushAgain.
  /// @param[in] first  the first row of the drive, or where it would be
  /// @returns kOverCapacity: no room for them; nothing has changed
  Status Change(int i, int first, const internal::DriveWish<Scalar, typename State::Drive>& wish) {
    const Link& link = scene_.links[i];
    const Pose pose = internal::PoseOf<Scalar, kCapacity>(scene_, i, state_);
    const auto place = static_cast<std::size_t>(i);
    const int before = state_.held_rows[place];
    const int after = internal::DriveRows(link, pose, wish.drive, problem_.step_s);
    const int stops = after > 0 ? 0 : int{link.has_low} + int{link.has_high};  // at most
    const bool has_room = problem_.contacts.size() - OwnStops(i) + stops <= problem_.contacts.capacity();
    if (!has_room || problem_.joints.size() + after - before > problem_.joints.capacity()) return Status::kOverCapacity;
    state_.drive[place] = wish.drive;
    state_.slip_W[place] = wish.slip_W;
    state_.held_rows[place] = static_cast<std::int8_t>(after);
    MoveRows(first + before, after - before);
    for (int k = 0; k < after; ++k) {
      problem_.joints[first + k] = HeldRow(link, pose, k);
      problem_.joints[first + k].yields = true;
    }
    DropStops(i);
    AddStops(link, pose, i, after);
    return Status::kOk;
  }
  /// What the drives push as they are now.
  void PushAgain() {
    drives_W_.fill(Wrench::Zero());
    for (int i = 0; i < scene_.links.size(); ++i) {
      if (scene_.links[i].drive_force == Scalar(0) || state_.held_rows[static_cast<std::size_t>(i)] > 0) continue;
      PushDrive(scene_.links[i], internal::PoseOf<Scalar, kCapacity>(scene_, i, state_), i);
    }
    AddPushes();
  }

 private:
  using Link = typename Prepared::Link;
  using Row = Joint<Scalar, 6>;
  using Wrench = Vec<Scalar, 6>;

  /// Rows that say the same, each with a drift of its own, are no contradiction; and a motor on what is welded stands.
  Status AddRow(Row row) {
    row.yields = true;
    return problem_.joints.push_back(row);
  }
  Status Add(Row row, Scalar error, Scalar most) {
    const Scalar drift = Abs(error) > internal::kLeastDrift<Scalar> ? error : Scalar(0);
    row.speed = Clamp(-Scalar(internal::kJointCorrection) * drift / problem_.step_s, -most, most);
    return AddRow(row);
  }
  /// h ω² of a body: what rows that are linear over a step h let an arm of 1 m drift in it, doubled. Of one that turns by
  /// more than hω = 0.05 no more than that: its correction would be a motion of its own, and give the bodies energy.
  Scalar DriftOf(int body) const {
    if (body == kWorld) return Scalar(0);
    const Scalar spin = Norm(Vec3(state_.bodies[body].twist_W.template tail<3>()));
    const Scalar turn_rad = Min(problem_.step_s * spin, Scalar(internal::kDriftTurn_rad));
    return turn_rad * turn_rad / problem_.step_s;
  }
  /// What its bodies' turning takes a joint apart by is undone as fast as it comes [m/s].
  Scalar MostOf(const Link& link, const Pose& pose) const {
    return scene_.max_push_out_mps + DriftOf(link.a) * Norm(pose.r_A_m) + DriftOf(link.b) * Norm(pose.r_B_m);
  }
  Status AddLinear(const Link& link, const Pose& pose, int from, int to) {
    const Scalar most = MostOf(link, pose);
    for (int i = from; i < to; ++i) {
      const Vec3 e = pose.R_B.col(i);
      if (const Status s = Add(pose.LinearRow(link.a, link.b, e), e.dot(pose.p_BA_m), most); s != Status::kOk) return s;
    }
    return Status::kOk;
  }
  Status AddAngular(const Link& link, const Pose& pose, const Vec3& tilt_W_rad, int from, int to) {
    const Scalar most = scene_.max_push_out_mps + DriftOf(link.a) + DriftOf(link.b);  // [rad/s]
    for (int i = from; i < to; ++i) {
      const Vec3 e = pose.R_B.col(i);
      if (const Status s = Add(Pose::AngularRow(link.a, link.b, e), e.dot(tilt_W_rad), most); s != Status::kOk) return s;
    }
    return Status::kOk;
  }
  /// What turns A's frame away from where its joint holds it. The turn vector of a hinge has its tilt turned by half the
  /// hinge's angle: towards half a turn it points across, and what is undone along it would grow. There it is the sine
  /// between the axes.
  Vec3 TiltOf(const Link& link, const Pose& pose) const {
    const bool turns = link.kind == JointKind::kHinge || link.kind == JointKind::kScrew;
    if (!turns || Abs(pose.part) < Scalar(internal::kTiltByTurn_rad)) return pose.turn_W_rad;
    return Cross(Vec3(pose.R_B.col(2)), Vec3(pose.R_A.col(2)));
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
    if (const Status s = AddAngular(link, pose, TiltOf(link, pose), 0, angular); s != Status::kOk) return s;
    return link.kind == JointKind::kScrew ? AddThread(link, pose) : Status::kOk;
  }

  /// z = pitch · angle.
  Status AddThread(const Link& link, const Pose& pose) {
    const Vec3 z = pose.R_B.col(2);
    Row row = pose.LinearRow(link.a, link.b, z);
    const Row turn = Pose::AngularRow(link.a, link.b, z);
    row.jacobian_a -= link.pitch_m_per_rad * turn.jacobian_a;
    row.jacobian_b -= link.pitch_m_per_rad * turn.jacobian_b;
    return Add(row, z.dot(pose.p_BA_m) - link.pitch_m_per_rad * pose.Coordinate(), scene_.max_push_out_mps);
  }
  /// angle of a = ratio · angle of b, each about its own axis.
  Status AddGear(const Link& link, const Pose& pose) {
    Row row{.a = link.a, .b = link.b};
    row.jacobian_a.template tail<3>() = pose.R_A.col(2);
    row.jacobian_b.template tail<3>() = -link.ratio * pose.R_B.col(2);
    return Add(row, pose.mesh_rad, scene_.max_push_out_mps);
  }

  void AddStop(const Link& link, int id, const Vec3& point_m, const Vec3& normal, Scalar gap_m) {
    if (gap_m > Scalar(internal::kLimitReach_m)) return;
    Contact<Scalar, 6> stop{.id = static_cast<std::int32_t>(internal::kStopPair) * kPairIdStride + id};
    stop.a = link.a;
    stop.b = link.kind == JointKind::kGear ? kFixed : link.b;
    stop.point_m = point_m;
    stop.normal = normal;
    stop.gap_m = gap_m;
    (void)problem_.contacts.push_back(stop);  // before all others, and there are no more than two a joint
  }
  /// Not where the drive's rows keep off them. A ball's motor holds none of its swing; its friction holds all of it.
  void AddStops(const Link& link, const Pose& pose, int i, int drive_rows) {
    const bool swings = link.kind == JointKind::kBall;
    if (drive_rows == 3 || (drive_rows > 0 && !swings)) return;
    if ((swings || link.kind == JointKind::kRope) && pose.along.isZero(0)) return;
    const internal::StopPlace<Scalar> at = internal::StopPlaceOf(link, pose);
    if (link.has_low) AddStop(link, 2 * i, at.point_m, at.forward, at.lever_m * pose.Past(link.low));
    if (link.has_high) AddStop(link, 2 * i + 1, at.point_m, Vec3(-at.forward), at.lever_m * pose.Before(link.high));
  }
  bool IsStopOf(int i, int contact) const {
    const std::int32_t id = problem_.contacts[contact].id - static_cast<std::int32_t>(internal::kStopPair) * kPairIdStride;
    return id == 2 * i || id == 2 * i + 1;
  }
  int OwnStops(int i) const {
    int own = 0;
    for (int k = 0; k < problem_.contacts.size(); ++k) own += IsStopOf(i, k) ? 1 : 0;
    return own;
  }
  void DropStops(int i) {
    int kept = 0;
    for (int k = 0; k < problem_.contacts.size(); ++k) {
      if (IsStopOf(i, k)) continue;
      if (kept != k) problem_.contacts[kept] = problem_.contacts[k];
      ++kept;
    }
    problem_.contacts.resize(kept);
  }
  /// Makes room for rows from `from` on, or takes it away before that.
  void MoveRows(int from, int by) {
    const int size = problem_.joints.size();
    if (by > 0) {
      problem_.joints.resize(size + by);
      for (int k = size - 1; k >= from; --k) problem_.joints[k + by] = problem_.joints[k];
    } else if (by < 0) {
      for (int k = from; k < size; ++k) problem_.joints[k + by] = problem_.joints[k];
      problem_.joints.resize(size + by);
    }
  }

  void Push(const Row& row, Scalar force) {
    if (row.a != kWorld) problem_.bodies[row.a].wrench += force * row.jacobian_a;
    if (row.b != kWorld) problem_.bodies[row.b].wrench += force * row.jacobian_b;
  }
  /// As exact as in the first problem, also where a push is taken back.
  void AddPushes() {
    for (int i = 0; i < problem_.bodies.size(); ++i)
      problem_.bodies[i].wrench = state_.work.undriven_W[i] + drives_W_[static_cast<std::size_t>(i)];
  }
  void AddSpring(const Link& link, const Pose& pose) {
    if (link.stiffness == Scalar(0) && link.damping == Scalar(0)) return;
    if (link.kind == JointKind::kBall) return AddBallSpring(link, pose);
    const Row row = internal::CoordinateRow(link, pose);
    const Scalar past = pose.Past(link.rest);
    const Scalar force = -link.stiffness * past - link.damping * internal::SpeedOf(row, state_);
    if (link.kind != JointKind::kRope) return Push(row, force);
    if (past > Scalar(0)) Push(row, Min(force, Scalar(0)));
  }
  void AddBallSpring(const Link& link, const Pose& pose) {
    const Vec3 torque_Nm = -link.stiffness * pose.turn_W_rad - link.damping * internal::TurningOf(link, state_);
    Push(Pose::AngularRow(link.a, link.b, torque_Nm), Scalar(1));
  }
  Row HeldRow(const Link& link, const Pose& pose, int number) const {
    Row row = internal::DriveRow(link, pose, number);
    row.speed = link.drive_speed;
    return row;
  }
  /// What a drive without rows does: it pushes with its bound. One that would go past its stop presses on it.
  void PushDrive(const Link& link, const Pose& pose, int i) {
    using Drive = typename State::Drive;
    const auto place = static_cast<std::size_t>(i);
    if (link.drive_force == Scalar(0) || state_.held_rows[place] > 0) return;
    Drive way = state_.drive[place];
    if (link.drive_rows == 3) {
      if (way != Drive::kHolds) Drives(Pose::AngularRow(link.a, link.b, state_.slip_W[place]), link.drive_force);
      return;
    }
    if (way == Drive::kHolds && link.drive_speed != Scalar(0))
      way = link.drive_speed > Scalar(0) ? Drive::kForward : Drive::kBackward;
    const Row row = internal::CoordinateRow(link, pose);
    if (way == Drive::kForward) Drives(row, internal::MostForwards(link));
    if (way == Drive::kBackward) Drives(row, -link.drive_force);
  }
  void Drives(const Row& row, Scalar force) {
    if (row.a != kWorld) drives_W_[static_cast<std::size_t>(row.a)] += force * row.jacobian_a;
    if (row.b != kWorld) drives_W_[static_cast<std::size_t>(row.b)] += force * row.jacobian_b;
  }

  const Prepared& scene_;
  State& state_;
  Problem& problem_;
  std::array<Vec<Scalar, 6>, static_cast<std::size_t>(kCapacity.bodies)> drives_W_;  ///< pushes on each body
};

}  // namespace tactus
