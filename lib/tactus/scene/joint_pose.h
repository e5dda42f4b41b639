#pragma once
#include "tactus/scene/scene_state.h"

namespace tactus::internal {

inline constexpr double kTiltByTurn_rad = 2.5;  ///< a hinge that is turned farther has its tilt from the axes
inline constexpr double kLeastSwing = 1e-6;     ///< [rad or m] a swing or a rope below it has no direction
inline constexpr double kLeastAway2 = 2.5e-5;   ///< sin² of half the 0.01 rad by which a gear's axis may lean

/// A joint at the poses of a step: both frames in the world, its coordinate, and the rows that it can give.
template <class Scalar>
struct LinkPose {
  using Vec3 = Vec<Scalar, 3>;
  Vec3 p_A_m, p_B_m, r_A_m, r_B_m;  ///< origins of the frames; the same from the bodies' centres
  Mat<Scalar, 3, 3> R_A, R_B;       ///< axes of the frames
  Vec3 turn_W_rad;                  ///< of A's frame against B's
  Vec3 p_BA_m;                      ///< p_A - p_B
  Vec3 arm_B_m;                     ///< from B's centre to where the joint's force acts
  Vec3 along = Vec3::Zero();        ///< unit: from B's origin to A's of a rope, axis of a ball's swing; 0: has none
  Scalar part = Scalar(0);          ///< the coordinate, but for whole turns
  Scalar whole = Scalar(0);         ///< whole turns [rad]
  Scalar mesh_rad = Scalar(0);      ///< kGear: how far a is ahead of ratio · b
  JointTurns<Scalar> turns;

  /// Angle about z of a hinge or a screw, turn of a gear's wheel a, way of a slider, length of a rope, swing of a ball.
  Scalar Coordinate() const { return part + whole; }
  /// Coordinate - place, and place - coordinate: as exact after a thousand turns as before.
  Scalar Past(Scalar place) const { return part - (place - whole); }
  Scalar Before(Scalar place) const { return (place - whole) - part; }

  /// Velocity along e of A's origin against the point of B that is there: B's origin, but of what slides.
  Joint<Scalar, 6> LinearRow(int a, int b, const Vec3& e) const {
    Joint<Scalar, 6> row{.a = a, .b = b};
    row.jacobian_a << e, Cross(r_A_m, e);
    row.jacobian_b << -e, -Cross(arm_B_m, e);
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

/// How far a frame has turned about its z axis, which another joint or the world holds.
template <class Scalar>
struct Twist {
  Scalar angle_rad;  ///< within ±π
  bool leans;        ///< its axis is no longer where it started: the angle is not all of the turning about it
};
template <class Scalar>
Twist<Scalar> TwistOf(const Quaternion<Scalar>& q_start, const Quaternion<Scalar>& q_now) {
  const Quaternion<Scalar> q = Normalized(Multiply(Conjugate(q_start), q_now));
  const Scalar sign = q(0) < Scalar(0) ? Scalar(-1) : Scalar(1);
  return {.angle_rad = Scalar(2) * Atan2(sign * q(3), sign * q(0)),
          .leans = q(1) * q(1) + q(2) * q(2) > Scalar(kLeastAway2)};
}

/// Looks at one joint at the poses of a state.
template <class Scalar, SceneCapacity kCapacity>
class LinkPoser {
  using Prepared = PreparedScene<Scalar, kCapacity>;
  using Link = typename Prepared::Link;
  using State = SceneState<Scalar, kCapacity>;
  using Vec3 = Vec<Scalar, 3>;

 public:
  LinkPoser(const Prepared& scene, int index, const State& state)
      : scene_(scene), link_(scene.links[index]), last_(state.turns[static_cast<std::size_t>(index)]), state_(state) {}

  LinkPose<Scalar> Run() {
    Place(link_.a, link_.in_a, &pose_.p_A_m, &pose_.r_A_m, &q_A_);
    Place(link_.b, link_.in_b, &pose_.p_B_m, &pose_.r_B_m, &q_B_);
    pose_.R_A = RotationMatrix(Normalized(q_A_));
    pose_.R_B = RotationMatrix(Normalized(q_B_));
    const Vec3 turn_B_rad = LogMap(Normalized(Multiply(Conjugate(q_B_), q_A_)));
    pose_.turn_W_rad = Times(pose_.R_B, turn_B_rad);
    pose_.p_BA_m = pose_.p_A_m - pose_.p_B_m;
    const bool slides = link_.kind == JointKind::kSlider || link_.kind == JointKind::kScrew;
    pose_.arm_B_m = slides ? Vec3(pose_.r_B_m + pose_.p_BA_m) : pose_.r_B_m;
    pose_.turns = last_;
    pose_.turns.begun = true;
    switch (link_.kind) {
      case JointKind::kWeld: break;
      case JointKind::kHinge:
      case JointKind::kScrew: Count(turn_B_rad(2)); break;
      case JointKind::kSlider: pose_.part = pose_.R_B.col(2).dot(pose_.p_BA_m); break;
      case JointKind::kBall: Swing(); break;
      case JointKind::kGear: Mesh(); break;
      case JointKind::kRope:
        pose_.part = Norm(pose_.p_BA_m);
        if (pose_.part > Scalar(kLeastSwing)) pose_.along = pose_.p_BA_m / pose_.part;
        break;
    }
    return pose_;
  }

 private:
  void Place(int body, const typename Prepared::Frame& in, Vec3* p_W_m, Vec3* r_W_m, Quaternion<Scalar>* q) const {
    *p_W_m = in.p_m;
    *r_W_m = Vec3::Zero();
    *q = in.q;
    if (body == kWorld) return;
    const RigidBodyState<Scalar>& at = state_.bodies[body];
    *r_W_m = Times(RotationMatrix(at.q_WT), in.p_m);
    *p_W_m = at.p_WT_m + *r_W_m;
    *q = Multiply(at.q_WT, in.q);
  }
  Quaternion<Scalar> AtStart(int body, const typename Prepared::Frame& in) const {
    return body == kWorld ? in.q : Multiply(scene_.bodies[body].start.q_WT, in.q);
  }
  void Count(Scalar part_rad) {
    pose_.turns.a = last_.a.To(part_rad);
    pose_.part = part_rad;
    pose_.whole = pose_.turns.a.whole_rad();
  }
  /// The angle between the z axes, and the axis about which A's is swung away from B's.
  void Swing() {
    const Vec3 z_A = pose_.R_A.col(2), z_B = pose_.R_B.col(2), cross = Cross(z_B, z_A);
    const Scalar sine = Norm(cross);
    pose_.part = Atan2(sine, z_B.dot(z_A));
    if (sine > Scalar(kLeastSwing)) pose_.along = cross / sine;
  }
  /// Of a wheel whose axis leans, turning and angle are not the same: it meshes again as it stands.
  void Mesh() {
    const Twist<Scalar> a = TwistOf(AtStart(link_.a, link_.in_a), q_A_), b = TwistOf(AtStart(link_.b, link_.in_b), q_B_);
    Count(a.angle_rad);
    JointTurns<Scalar>& turns = pose_.turns;
    turns.b = last_.b.To(b.angle_rad);
    const Scalar ahead_rad = a.angle_rad - link_.ratio * b.angle_rad;
    const auto turned = [](const TurnCount<Scalar>& from, const TurnCount<Scalar>& to) {
      return static_cast<Scalar>(to.whole - from.whole);
    };
    turns.mesh_rad += kTurn_rad<Scalar> * (turned(last_.a, turns.a) - link_.ratio * turned(last_.b, turns.b));
    if (!last_.begun || a.leans || b.leans) turns.mesh_rad = -ahead_rad;
    pose_.mesh_rad = ahead_rad + turns.mesh_rad;
  }

  const Prepared& scene_;
  const Link& link_;
  const JointTurns<Scalar>& last_;
  const State& state_;
  Quaternion<Scalar> q_A_, q_B_;
  LinkPose<Scalar> pose_;
};

template <class Scalar, SceneCapacity kCapacity>
LinkPose<Scalar> PoseOf(const PreparedScene<Scalar, kCapacity>& scene, int index,
                        const SceneState<Scalar, kCapacity>& state) {
  return LinkPoser<Scalar, kCapacity>(scene, index, state).Run();
}

/// Velocity of the coordinate of a row: jacobian · velocities.
template <class Scalar, SceneCapacity kCapacity>
Scalar SpeedOf(const Joint<Scalar, 6>& row, const SceneState<Scalar, kCapacity>& state) {
  Scalar speed(0);
  if (row.a != kWorld) speed += row.jacobian_a.dot(state.bodies[row.a].twist_W);
  if (row.b != kWorld) speed += row.jacobian_b.dot(state.bodies[row.b].twist_W);
  return speed;
}

}  // namespace tactus::internal
