#pragma once
#include "tactus/core/trig.h"
#include "tactus/mechanism/step_scene.h"

namespace tactus {

/// A disk, or a link without a shape (radius 0: it touches nothing). Its own frame: at the centre of mass.
template <class Scalar>
struct PlanarBody {
  Scalar radius_m = Scalar(0);
  Scalar mass_kg = Scalar(1);
  Scalar inertia_kgm2 = Scalar(1);
};

/// A fixed half-plane: solid where normal · (p - point) < 0.
template <class Scalar>
struct FixedLine {
  Vec<Scalar, 2> point_m = Vec<Scalar, 2>::Zero();
  Vec<Scalar, 2> normal{Scalar(0), Scalar(1)};  ///< unit, out of the solid
};

/// Holds a point of body a on a point of body b, or of the world (b = kFixed). Two joint rows.
template <class Scalar>
struct Pin {
  int a = 0;
  int b = kFixed;
  Vec<Scalar, 2> arm_a_m = Vec<Scalar, 2>::Zero();  ///< from a's centre of mass, in a's frame
  Vec<Scalar, 2> arm_b_m = Vec<Scalar, 2>::Zero();  ///< the same of b; kFixed: the point in the world
};

template <class Scalar>
struct PlanarPose {
  Vec<Scalar, 2> p_m = Vec<Scalar, 2>::Zero();
  Scalar angle_rad = Scalar(0);
};

/// Disks, fixed half-planes and pins in the plane: the piles of [AnitescuHart] section 4.B, pendulums, linkages.
///
/// Disks i, j:        Φ = |p_i - p_j| - r_i - r_j,    n = (p_i - p_j)/|p_i - p_j|
/// Disk i, line l:    Φ = n_l · (p_i - point_l) - r_i
/// Pin of a on b:     Φ = p_a + R_a arm_a - p_b - R_b arm_b = 0
///
/// Contact ids: disks i > j: i (bodies) + j; disk i on line l: bodies² + l bodies + i.
template <class Scalar_, Capacity kCapacity_, int kMaxLines = 4>
class PlanarScene {
  static_assert(kCapacity_.dof == 3);

 public:
  using Scalar = Scalar_;
  static constexpr Capacity kCapacity = kCapacity_;
  using Configuration = FixedVector<PlanarPose<Scalar>, kCapacity.bodies>;
  using Point = Vec<Scalar, 2>;

  FixedVector<PlanarBody<Scalar>, kCapacity.bodies> bodies;
  FixedVector<FixedLine<Scalar>, kMaxLines> lines;
  FixedVector<Pin<Scalar>, kCapacity.joints / 2> pins;
  Point gravity_mps2{Scalar(0), Scalar(-9.81)};
  Scalar friction = Scalar(0);  ///< of all contacts

  int body_count() const { return bodies.size(); }

  template <class Velocities, class Bodies>
  void SetBodies(Scalar, const Configuration& q, const Velocities& v, Bodies* list) const {
    list->resize(bodies.size());
    for (int k = 0; k < bodies.size(); ++k) {
      Body<Scalar, 3>& body = (*list)[k];
      body.mass_kg = bodies[k].mass_kg;
      body.inertia_kgm2(0, 0) = bodies[k].inertia_kgm2;
      body.position_m = q[k].p_m;
      body.velocity = v[k];
      body.wrench << body.mass_kg * gravity_mps2, Scalar(0);
    }
  }

  template <class Contacts>
  Status AddContacts(const Configuration& q, Scalar reach_m, Contacts* contacts) const {
    for (int i = 0; i < bodies.size(); ++i) {
      if (bodies[i].radius_m == Scalar(0)) continue;
      for (int l = 0; l < lines.size(); ++l) {
        if (const Status status = AddOnLine(q, i, l, reach_m, contacts); status != Status::kOk) return status;
      }
      for (int j = 0; j < i; ++j) {
        if (const Status status = AddPair(q, i, j, reach_m, contacts); status != Status::kOk) return status;
      }
    }
    return Status::kOk;
  }

  template <class Joints, class Errors>
  Status AddJoints(const Configuration& q, Joints* joints, Errors* errors) const {
    for (const Pin<Scalar>& pin : pins) {
      const Point arm_a = Turned(q[pin.a], pin.arm_a_m);
      const Point arm_b = pin.b == kFixed ? pin.arm_b_m : Turned(q[pin.b], pin.arm_b_m);
      Point error = q[pin.a].p_m + arm_a - arm_b;
      if (pin.b != kFixed) error -= q[pin.b].p_m;
      for (int axis = 0; axis < 2; ++axis) {
        Joint<Scalar, 3> joint;
        joint.a = pin.a;
        joint.b = pin.b;
        joint.jacobian_a = PointRow(arm_a, axis);
        if (pin.b != kFixed) joint.jacobian_b = -PointRow(arm_b, axis);
        if (joints->push_back(joint) != Status::kOk) return Status::kOverCapacity;
        if (errors->push_back(error(axis)) != Status::kOk) return Status::kOverCapacity;
      }
    }
    return Status::kOk;
  }

  template <class Displacements>
  void Move(const Displacements& displacement, Configuration* q) const {
    for (int k = 0; k < q->size(); ++k) {
      (*q)[k].p_m += displacement[k].template head<2>();
      (*q)[k].angle_rad += displacement[k](2);
    }
  }

 private:
  static Point Turned(const PlanarPose<Scalar>& pose, const Point& arm) {
    const Scalar c = Cos(pose.angle_rad), s = Sin(pose.angle_rad);
    return Point(c * arm(0) - s * arm(1), s * arm(0) + c * arm(1));
  }

  // Gradient of one coordinate of p + arm: (e_axis, e_axis · (ẑ × arm)).
  static Vec<Scalar, 3> PointRow(const Point& arm, int axis) {
    Vec<Scalar, 3> row = Vec<Scalar, 3>::Unit(axis);
    row(2) = axis == 0 ? -arm(1) : arm(0);
    return row;
  }

  template <class Contacts>
  Status AddOnLine(const Configuration& q, int i, int l, Scalar reach_m, Contacts* contacts) const {
    const Scalar distance = lines[l].normal.dot(q[i].p_m - lines[l].point_m), gap = distance - bodies[i].radius_m;
    if (gap > reach_m) return Status::kOk;
    const Point foot = q[i].p_m - distance * lines[l].normal;
    const int id = bodies.size() * (bodies.size() + l) + i;
    return Add(id, i, kFixed, foot, lines[l].normal, gap, contacts);
  }

  // Skipped without a root where one coordinate alone keeps them apart: most pairs of a pile. A NaN is not skipped.
  template <class Contacts>
  Status AddPair(const Configuration& q, int i, int j, Scalar reach_m, Contacts* contacts) const {
    if (bodies[j].radius_m == Scalar(0)) return Status::kOk;
    const Scalar touching = bodies[i].radius_m + bodies[j].radius_m, far = touching + reach_m;
    const Point d = q[i].p_m - q[j].p_m;
    if (Abs(d(0)) > far || Abs(d(1)) > far) return Status::kOk;
    const Scalar distance = Sqrt(Scalar(d.squaredNorm()));
    if (distance > far) return Status::kOk;
    const Point normal = distance > Scalar(0) ? Point(d / distance) : Point(Scalar(0), Scalar(1));
    const Scalar gap = distance - touching;
    const Point middle = q[j].p_m + (bodies[j].radius_m + gap / 2) * normal;
    return Add(bodies.size() * i + j, i, j, middle, normal, gap, contacts);
  }

  template <class Contacts>
  Status Add(int id, int a, int b, const Point& point, const Point& normal, Scalar gap, Contacts* contacts) const {
    Contact<Scalar, 3> contact;
    contact.id = id;
    contact.a = a;
    contact.b = b;
    contact.point_m = point;
    contact.normal = normal;
    contact.friction = friction;
    contact.gap_m = gap;
    return contacts->push_back(contact);
  }
};

}  // namespace tactus
