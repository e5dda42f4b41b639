#pragma once
#include "tactus/mechanism/step_scene.h"
#include "tactus/step/rigid_body.h"

namespace tactus::test {

inline constexpr Capacity kSpatialFew{.bodies = 2, .contacts = 8, .joints = 6, .directions = 8, .dof = 6};

/// Balls on the floor z = 0, or one body that hangs on a ball joint at the origin. Gyroscopic torque included.
class SpatialScene {
 public:
  using Scalar = double;
  static constexpr Capacity kCapacity = kSpatialFew;
  using Vec3 = Vec<double, 3>;
  struct Pose {
    Vec3 p_m = Vec3::Zero();
    Quaternion<double> q = IdentityQuaternion<double>();
  };
  using Configuration = FixedVector<Pose, kCapacity.bodies>;
  using Twists = SceneTypes<SpatialScene>::Twists;

  int count = 1;
  double radius_m = 0;  ///< > 0: balls on the floor
  Vec3 principal_kgm2 = Vec3(0.1, 0.2, 0.3);
  Vec3 arm_m = Vec3::Zero();  ///< to the joint, in the body's frame; zero: no joint
  double friction = 0;
  double gravity_mps2 = 9.81;

  int body_count() const { return count; }

  Mat<double, 3, 3> Inertia(const Pose& pose) const { return RotateInertia(RotationMatrix(pose.q), principal_kgm2); }

  void SetBodies(double, const Configuration& q, const Twists& v, FixedVector<Body<double, 6>, 2>* bodies) const {
    bodies->resize(count);
    for (int k = 0; k < count; ++k) {
      Body<double, 6>& body = (*bodies)[k];
      body.inertia_kgm2 = Inertia(q[k]);
      body.position_m = q[k].p_m;
      body.velocity = v[k];
      const Vec3 omega = v[k].tail<3>(), momentum = body.inertia_kgm2 * omega;
      body.wrench << 0, 0, -gravity_mps2 * body.mass_kg, -Cross(omega, momentum);
    }
  }

  Status AddContacts(const Configuration& q, double reach_m, FixedVector<Contact<double, 6>, 8>* contacts) const {
    for (int k = 0; k < count && radius_m > 0; ++k) {
      Contact<double, 6> contact;
      contact.id = k;
      contact.a = k;
      contact.gap_m = q[k].p_m(2) - radius_m;
      contact.point_m << q[k].p_m(0), q[k].p_m(1), 0;
      contact.friction = friction;
      if (!(contact.gap_m > reach_m) && contacts->push_back(contact) != Status::kOk) return Status::kOverCapacity;
    }
    return Status::kOk;
  }

  Status AddJoints(const Configuration& q, FixedVector<Joint<double, 6>, 6>* joints, FixedVector<double, 6>* errors) const {
    if (arm_m.squaredNorm() == 0) return Status::kOk;
    const Vec3 arm = RotationMatrix(q[0].q) * arm_m, error = q[0].p_m + arm;
    for (int axis = 0; axis < 3; ++axis) {
      Joint<double, 6> joint;
      joint.jacobian_a << Vec3::Unit(axis), Cross(arm, Vec3(Vec3::Unit(axis)));
      if (joints->push_back(joint) != Status::kOk) return Status::kOverCapacity;
      if (errors->push_back(error(axis)) != Status::kOk) return Status::kOverCapacity;
    }
    return Status::kOk;
  }

  void Move(const Twists& displacement, Configuration* q) const {
    for (int k = 0; k < count; ++k) {
      RigidBodyState<double> body{(*q)[k].p_m, (*q)[k].q, displacement[k]};
      IntegratePose(1.0, &body);
      (*q)[k] = {body.p_WT_m, body.q_WT};
    }
  }
};

}  // namespace tactus::test
