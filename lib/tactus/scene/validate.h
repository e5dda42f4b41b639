#pragma once
#include "tactus/collide/round_core.h"
#include "tactus/core/spatial.h"
#include "tactus/scene/scene.h"

namespace tactus {

/// Bounds of a scene's numbers: what a hand can feel and single precision can carry.
namespace scene_limit {
inline constexpr double kLeastMass_kg = 1e-3, kMostMass_kg = 1e3;
inline constexpr double kLeastInertia_kgm2 = 1e-9, kMostInertia_kgm2 = 1e3;
inline constexpr double kMostPlace_m = 10;  ///< of any point
inline constexpr double kMostSpeed_mps = 20, kMostSpin_radps = 200;
inline constexpr double kMostGravity_mps2 = 100;
inline constexpr double kMostFriction = 10;
inline constexpr double kMostViscous_Ns_per_m = 1e3;
inline constexpr double kLeastYield_N_per_m = 100, kMostYield_N_per_m = 1e7;  ///< of a point of contact
inline constexpr double kMostMargin_m = 0.01;
inline constexpr double kLeastPushOut_mps = 1e-4, kMostPushOut_mps = 1;  // 0: the solver would undo an overlap at once
inline constexpr double kMostStiffness = 1e5, kMostDamping = 1e4, kMostForce = 1e3;
inline constexpr double kDegree_rad = kPi<double> / 180;
inline constexpr double kMostAngle_rad = 360e3 * kDegree_rad;  ///< of a joint's stops and springs: 1000 turns
/// Of a ball's cone: its swing has a direction there.
inline constexpr double kLeastSwing_rad = 1 * kDegree_rad, kMostSwing_rad = 178 * kDegree_rad;
inline constexpr double kLeastStrut_m = 1e-3;  ///< that a rope must keep
inline constexpr double kUnitRoom = 1e-6;      ///< of a direction's or a quaternion's length
inline constexpr int kMostDetents = 360;
inline constexpr double kLeastPeriod_s = 0.1, kMostPeriod_s = 1e3;         ///< of a path
inline constexpr double kMostPathSpeed_mps = 1, kMostPathSpin_radps = 20;  ///< at its fastest
inline constexpr double kMostTurn_rad = 100;
inline constexpr double kLeastWave_m = 5e-4, kMostWave_m = 1;
inline constexpr double kMostWaveHeight_m = 5e-4, kMostWaveSlope = 0.5;
inline constexpr double kLeastSpacing_m = 2e-5, kMostSpacing_m = 1;  ///< of the points that a grid sees
inline constexpr double kGridReach_m = 3e-3;  ///< 2 m/s for a tick and a half: so far ahead a grid must know a shape
}  // namespace scene_limit

namespace internal {

/// Keeps the first fault of a list's item.
class SceneCheck {
 public:
  SceneCheck(const char* list, int index) : list_(list), index_(index) {}

  void Range(const char* field, double x, double low, double high) {
    if (!(x - x == 0)) return Say("is not finite", field, x);
    if (x >= low && x <= high) return;
    if (!fault_) fault_ = {"is out of range", list_, index_, field, x, low, high};
  }
  void Range(const char* field, const Vector3& v, double most) {
    for (const double x : v) Range(field, x, -most, most);
  }
  template <std::size_t kSize>
  void Unit(const char* field, const std::array<double, kSize>& v) {
    double norm2 = 0;
    for (const double x : v) norm2 += x * x;
    if (!(norm2 - norm2 == 0)) return Say("is not finite", field, norm2);
    if (!(Abs(norm2 - 1) <= 2 * scene_limit::kUnitRoom)) Say("is not of unit length; its square is", field, norm2);
  }
  void That(bool right, const char* what, const char* field, double x = 0) {
    if (!right) Say(what, field, x);
  }
  const SceneFault& fault() const { return fault_; }

 private:
  void Say(const char* what, const char* field, double x) {
    if (!fault_) fault_ = {.what = what, .list = list_, .index = index_, .field = field, .value = x};
  }
  const char* list_;
  int index_;
  SceneFault fault_;
};

/// @param hands  that there is room for
inline SceneFault CheckBody(const SceneBody& b, int hands, int index) {
  namespace limit = scene_limit;
  SceneCheck check("bodies", index);
  check.Range("mass_kg", b.mass_kg, limit::kLeastMass_kg, limit::kMostMass_kg);
  for (const double j : b.inertia_kgm2) check.Range("inertia_kgm2", j, limit::kLeastInertia_kgm2, limit::kMostInertia_kgm2);
  const auto& j = b.inertia_kgm2;
  // A solid's moments keep the triangle's inequality; rounding gets room.
  const double sum = (j[0] + j[1] + j[2]) * (1 + 1e-9);
  for (const double one : j)
    check.That(2 * one <= sum, "is no inertia: one moment is above the sum of the others", "inertia_kgm2", one);
  check.Range("p_WB_m", b.p_WB_m, limit::kMostPlace_m);
  check.Unit("q_WB", b.q_WB);
  check.Range("velocity_mps", b.velocity_mps, limit::kMostSpeed_mps);
  check.Range("omega_radps", b.omega_radps, limit::kMostSpin_radps);
  check.That(b.motion <= BodyMotion::kHeldTranslation, "is not a kind of motion", "motion");
  check.That(!IsHeld(b.motion) || index == kSecondTool, "is held, and only the second body can be", "motion");
  check.That(!IsHeld(b.motion) || hands > 1, "is held by a second hand, for which there is no room", "motion");
  return check.fault();
}

/// @param margin_m  of the scene: a contact is looked for where the smooth surface is within it
/// @param yields    whether there is room for contacts that yield
inline SceneFault CheckLaw(const ContactLaw& l, const char* list, int index, double margin_m, bool yields) {
  namespace limit = scene_limit;
  SceneCheck check(list, index);
  check.That(l.a < kMaterials, "is no material", "a", l.a);
  check.That(l.b < kMaterials, "is no material", "b", l.b);
  check.Range("friction", l.friction, 0, limit::kMostFriction);
  check.Range("static_friction", l.static_friction, 0, limit::kMostFriction);
  check.That(l.static_friction == 0 || l.static_friction >= l.friction, "is below friction", "static_friction",
             l.static_friction);
  check.Range("viscous_friction_Ns_per_m", l.viscous_friction_Ns_per_m, 0, limit::kMostViscous_Ns_per_m);
  if (l.stiffness_N_per_m != 0)
    check.Range("stiffness_N_per_m", l.stiffness_N_per_m, limit::kLeastYield_N_per_m, limit::kMostYield_N_per_m);
  check.That(l.stiffness_N_per_m == 0 || yields, "is of contacts that yield, for which this board has no room",
             "stiffness_N_per_m", l.stiffness_N_per_m);
  check.Range("damping_Ns_per_m", l.damping_Ns_per_m, 0, limit::kMostDamping);
  check.That(l.damping_Ns_per_m == 0 || l.stiffness_N_per_m > 0, "needs a stiffness_N_per_m", "damping_Ns_per_m",
             l.damping_Ns_per_m);
  check.Range("surface_velocity_mps", l.surface_velocity_mps, limit::kMostSpeed_mps);
  if (l.wave_length_m != 0) check.Range("wave_length_m", l.wave_length_m, limit::kLeastWave_m, limit::kMostWave_m);
  check.Unit("wave_along", l.wave_along);
  check.Range("wave_height_m", l.wave_height_m, 0, limit::kMostWaveHeight_m);
  check.Range("wave_friction", l.wave_friction, 0, 1);
  check.That(l.wave_height_m <= margin_m, "is above the scene's margin_m", "wave_height_m", l.wave_height_m);
  check.That(kTurn_rad<double> * l.wave_height_m <= limit::kMostWaveSlope * l.wave_length_m,
             "is too steep for wave_length_m", "wave_height_m", l.wave_height_m);
  check.That(l.wave_friction == 0 || l.wave_length_m > 0, "needs a wave_length_m", "wave_friction", l.wave_friction);
  return check.fault();
}

inline SceneFault CheckPath(const ScenePath& p, int index) {
  namespace limit = scene_limit;
  SceneCheck check("paths", index);
  check.Range("p_WP_m", p.p_WP_m, limit::kMostPlace_m);
  check.Unit("q_WP", p.q_WP);
  check.Range("way_m", p.way_m, limit::kMostPlace_m);
  check.Unit("axis", p.axis);
  check.Range("turn_rad", p.turn_rad, -limit::kMostTurn_rad, limit::kMostTurn_rad);
  check.Range("period_s", p.period_s, limit::kLeastPeriod_s, limit::kMostPeriod_s);
  check.Range("spin_radps", p.spin_radps, -limit::kMostPathSpin_radps, limit::kMostPathSpin_radps);
  // In squares: boards without double hardware have no root for it.
  const double way2 = p.way_m[0] * p.way_m[0] + p.way_m[1] * p.way_m[1] + p.way_m[2] * p.way_m[2];
  const double most_m = limit::kMostPathSpeed_mps * p.period_s / kPi<double>;
  check.That(way2 <= most_m * most_m, "is too far for period_s: faster than 1 m/s", "way_m", most_m);
  check.That(kPi<double> * Abs(p.turn_rad) + p.period_s * Abs(p.spin_radps) <= limit::kMostPathSpin_radps * p.period_s,
             "is too much for period_s: with the spin faster than 20 rad/s", "turn_rad", p.turn_rad);
  return check.fault();
}

inline SceneFault CheckField(const SceneField& f, int index) {
  namespace limit = scene_limit;
  SceneCheck check("fields", index);
  check.That(f.kind <= FieldKind::kDetents, "is not a kind of field", "kind");
  check.Range("p_W_m", f.p_W_m, limit::kMostPlace_m);
  check.Unit("direction", f.direction);
  check.Range("strength", f.strength, 0, limit::kMostStiffness);
  check.Range("max_force_N", f.max_force_N, 0, limit::kMostForce);
  check.Range("count", f.count, 0, limit::kMostDetents);
  return check.fault();
}

/// Rows that a joint takes of the solver.
constexpr int RowsOf(JointKind kind) {
  switch (kind) {
    case JointKind::kWeld: return 6;
    case JointKind::kHinge:
    case JointKind::kSlider:
    case JointKind::kScrew: return 5;
    case JointKind::kBall: return 3;
    case JointKind::kGear: return 1;
    case JointKind::kRope: return 0;
  }
  return 0;
}
/// Rows of its motor or, without one, of its friction.
constexpr int DriveRowsOf(const SceneJoint& joint) {
  if (joint.motor_force > 0) return 1;
  return joint.friction > 0 ? (joint.kind == JointKind::kBall ? 3 : 1) : 0;
}
/// Whether its coordinate is an angle about an axis, of any number of turns.
constexpr bool IsCounted(JointKind kind) {
  return kind == JointKind::kHinge || kind == JointKind::kScrew || kind == JointKind::kGear;
}
/// Whether its coordinate is an angle [rad], and not a way [m].
constexpr bool IsAngle(JointKind kind) { return IsCounted(kind) || kind == JointKind::kBall; }

/// What a joint's coordinate is driven by. @param[in,out] check  of the joint
inline void CheckCoordinate(const SceneJoint& j, SceneCheck* check) {
  const bool has_none = j.kind == JointKind::kWeld, of_world = j.kind == JointKind::kGear && j.a == kWorld;
  const auto refuse = [&](bool used, const char* field, double x) {
    check->That(!used || !has_none, "is not for a weld, which holds all: there is nothing to move", field, x);
    check->That(!used || !of_world, "needs a body as a: a gear's coordinate is the turn of a", field, x);
  };
  refuse(j.limited, "limited", 0);
  refuse(j.stiffness != 0, "stiffness", j.stiffness);
  refuse(j.rest != 0, "rest", j.rest);
  refuse(j.damping != 0, "damping", j.damping);
  refuse(j.friction != 0, "friction", j.friction);
  refuse(j.motor_speed != 0, "motor_speed", j.motor_speed);
  refuse(j.motor_force != 0, "motor_force", j.motor_force);
  if (j.kind == JointKind::kBall) {
    check->That(j.low == 0, "is not for a ball, whose swing has an upper limit alone", "low", j.low);
    check->That(j.rest == 0, "is not for a ball, whose spring rests where its frames coincide", "rest", j.rest);
  }
  if (j.kind == JointKind::kRope)
    check->That(j.high == 0, "is not for a rope, whose upper limit is length_m", "high", j.high);
}

/// The ranges of its stops and its spring's rest.
inline void CheckPlaces(const SceneJoint& j, SceneCheck* check) {
  namespace limit = scene_limit;
  const double most = IsCounted(j.kind) ? limit::kMostAngle_rad : limit::kMostPlace_m;
  check->Range("rest", j.rest, j.kind == JointKind::kRope ? 0 : -most, most);
  if (!j.limited) return;
  switch (j.kind) {
    case JointKind::kBall: return check->Range("high", j.high, limit::kLeastSwing_rad, limit::kMostSwing_rad);
    case JointKind::kRope:
      check->Range("low", j.low, limit::kLeastStrut_m, most);
      return check->That(j.low <= j.length_m, "is above length_m", "low", j.low);
    default: break;
  }
  check->Range("low", j.low, -most, most);
  check->Range("high", j.high, -most, most);
  check->That(j.low <= j.high, "is above high", "low", j.low);
}

inline SceneFault CheckJoint(const SceneJoint& j, int bodies, int index) {
  namespace limit = scene_limit;
  SceneCheck check("joints", index);
  check.That(j.kind <= JointKind::kRope, "is not a kind of joint", "kind");
  check.That(j.a >= kWorld && j.a < bodies, "is no body", "a", j.a);
  check.That(j.b >= kWorld && j.b < bodies, "is no body", "b", j.b);
  check.That(j.a != j.b, "is the body that `a` is", "b", j.b);
  check.Range("p_AJ_m", j.p_AJ_m, limit::kMostPlace_m);
  check.Range("p_BJ_m", j.p_BJ_m, limit::kMostPlace_m);
  check.Unit("q_AJ", j.q_AJ);
  check.Unit("q_BJ", j.q_BJ);
  CheckCoordinate(j, &check);
  CheckPlaces(j, &check);
  check.Range("stiffness", j.stiffness, 0, limit::kMostStiffness);
  check.Range("damping", j.damping, 0, limit::kMostDamping);
  check.Range("friction", j.friction, 0, limit::kMostForce);
  check.Range("motor_speed", j.motor_speed, -limit::kMostSpin_radps, limit::kMostSpin_radps);
  check.Range("motor_force", j.motor_force, 0, limit::kMostForce);
  check.Range("pitch_m_per_rad", j.pitch_m_per_rad, -1, 1);
  check.Range("ratio", j.ratio, -100, 100);
  check.Range("length_m", j.length_m, 0, limit::kMostPlace_m);
  if (j.kind == JointKind::kGear) check.That(j.ratio != 0, "holds a and leaves b free", "ratio", j.ratio);
  if (j.kind == JointKind::kRope) check.That(j.length_m > 0, "is not above 0", "length_m", j.length_m);
  return check.fault();
}

/// The first shape of that kind, or -1.
template <SceneCapacity kCapacity>
int FirstOf(const Scene<kCapacity>& scene, ShapeKind kind) {
  for (int i = 0; i < scene.shapes.size(); ++i) {
    if (scene.shapes[i].kind == kind) return i;
  }
  return -1;
}

/// Pairs that make no contacts: of a body's shape with a torus or a hole of the scene.
template <SceneCapacity kCapacity>
void CheckPairs(const Scene<kCapacity>& scene, const SceneShape& s, SceneCheck* check) {
  if (s.body < 0) return;
  const bool has_faces = s.kind == ShapeKind::kHull || s.kind == ShapeKind::kBox;
  check->That(!has_faces || FirstOf(scene, ShapeKind::kTorus) < 0,
              "is a box or hull of a body, which makes no contacts with the scene's torus", "kind");
  check->That(!has_faces || FirstOf(scene, ShapeKind::kHole) < 0,
              "is a box or hull of a body, which makes no contacts with the scene's hole", "kind");
  if (!IsRound(s.kind)) return;
  for (const SceneShape& hole : scene.shapes) {
    check->That(hole.kind != ShapeKind::kHole || s.radius_m < hole.half_m[0], "is not below the radius of the scene's hole",
                "radius_m", s.radius_m);
  }
}

template <class Scalar>
Shape<Scalar> ShapeOf(const SceneShape& s) {
  return {.kind = s.kind,
          .radius_m = static_cast<Scalar>(s.radius_m),
          .half_m = {static_cast<Scalar>(s.half_m[0]), static_cast<Scalar>(s.half_m[1]), static_cast<Scalar>(s.half_m[2])}};
}

template <SceneCapacity kCapacity>
SceneFault CheckShape(const Scene<kCapacity>& scene, int index) {
  namespace limit = scene_limit;
  const SceneShape& s = scene.shapes[index];
  SceneCheck check("shapes", index);
  check.That(s.body < scene.bodies.size() && (s.body >= kWorld || PathOf(s.body) < scene.paths.size()), "is no body", "body",
             s.body);
  check.That(s.material < kMaterials, "is no material", "material", s.material);
  check.That(s.kind != ShapeKind::kHull || s.hull < scene.hulls.size(), "is no polytope", "hull", s.hull);
  check.That(s.kind != ShapeKind::kGrid || s.hull < scene.grids.size(), "is no grid", "hull", s.hull);
  check.That(s.kind != ShapeKind::kGrid || s.body < 0, "is a grid, which only the world and a path can have", "kind");
  check.That(s.kind != ShapeKind::kTorus || s.body < 0, "is a torus, which only the world and a path can have", "kind");
  check.That(s.kind != ShapeKind::kHole || s.body < 0, "is a hole, which only the world and a path can have", "kind");
  CheckPairs(scene, s, &check);
  check.That(s.kind != ShapeKind::kHalfSpace || s.body == kWorld, "is a half space, which only the world can have", "kind");
  check.Range("p_BS_m", s.p_BS_m, limit::kMostPlace_m);
  check.Unit("q_BS", s.q_BS);
  if (check.fault()) return check.fault();
  if (s.kind == ShapeKind::kHole && IsPath(s.body)) {  // its plate has no end: far out it would be fast
    const ScenePath& path = scene.paths[PathOf(s.body)];
    check.That(path.turn_rad == 0 && path.spin_radps == 0, "is a hole on a path that turns", "kind");
    if (check.fault()) return check.fault();
  }
  if (s.kind == ShapeKind::kGrid) return {};  // its bytes are PreparedScene's to look at
  if (s.kind == ShapeKind::kHull) {
    check.Range("radius_m", s.radius_m, double(kMinRadius_m<float>), 1);
    return check.fault();
  }
  // What single precision can carry, whatever this library computes with: a scene is valid on every board or on none. A
  // chamfer in double besides: one too narrow is none there after rounding.
  if (const ShapeFault fault = Validate(ShapeOf<float>(s))) check.That(false, fault.what, fault.field, s.radius_m);
  const ShapeFault mouth = s.kind == ShapeKind::kHole ? CheckMouth(ShapeOf<double>(s)) : ShapeFault{};
  if (mouth) check.That(false, mouth.what, mouth.field, s.radius_m);
  return check.fault();
}

template <SceneCapacity kCapacity>
SceneFault CheckGrids(const Scene<kCapacity>& scene) {
  namespace limit = scene_limit;
  std::size_t bytes = 0;
  for (int i = 0; i < scene.grids.size(); ++i) {
    SceneCheck check("grids", i);
    check.Range("spacing_m", scene.grids[i].spacing_m, limit::kLeastSpacing_m, limit::kMostSpacing_m);
    bytes += scene.grids[i].bytes.size();
    check.That(bytes <= static_cast<std::size_t>(kCapacity.grid_bytes), "is too large with those before it", "bytes",
               static_cast<double>(bytes));
    if (check.fault()) return check.fault();
  }
  return {};
}

}  // namespace internal

/// Looks at every number of a scene. That polytopes close, and what is in grids, is PreparedScene's to find.
/// @returns the first fault; none: the scene is valid on every target with this capacity
template <SceneCapacity kCapacity>
SceneFault Validate(const Scene<kCapacity>& scene) noexcept {
  namespace limit = scene_limit;
  internal::SceneCheck check(nullptr, -1);
  check.Range("gravity_W_mps2", scene.gravity_W_mps2, limit::kMostGravity_mps2);
  check.Range("margin_m", scene.margin_m, 0, limit::kMostMargin_m);
  check.Range("max_push_out_mps", scene.max_push_out_mps, limit::kLeastPushOut_mps, limit::kMostPushOut_mps);
  check.That(!scene.bodies.empty(), "needs a tool, which is the first", "bodies");
  if (check.fault()) return check.fault();
  if (const SceneFault fault = internal::CheckLaw(scene.default_law, "default_law", -1, scene.margin_m, Yields(kCapacity)))
    return fault;
  for (int i = 0; i < scene.bodies.size(); ++i) {
    if (const SceneFault fault = internal::CheckBody(scene.bodies[i], kCapacity.hands, i)) return fault;
  }
  if (HandsOf(scene) > 1 && Turns(scene.bodies[kTool].motion) != Turns(scene.bodies[kSecondTool].motion)) {
    return {.what = "is not as the first tool's: both turn or none does",
            .list = "bodies",
            .index = kSecondTool,
            .field = "motion"};
  }
  for (int i = 0; i < scene.shapes.size(); ++i) {
    if (const SceneFault fault = internal::CheckShape(scene, i)) return fault;
  }
  for (int i = 0; i < scene.laws.size(); ++i) {
    if (const SceneFault fault = internal::CheckLaw(scene.laws[i], "laws", i, scene.margin_m, Yields(kCapacity)))
      return fault;
  }
  for (int i = 0; i < scene.joints.size(); ++i) {
    if (const SceneFault fault = internal::CheckJoint(scene.joints[i], scene.bodies.size(), i)) return fault;
  }
  for (int i = 0; i < scene.fields.size(); ++i) {
    if (const SceneFault fault = internal::CheckField(scene.fields[i], i)) return fault;
  }
  for (int i = 0; i < scene.paths.size(); ++i) {
    if (const SceneFault fault = internal::CheckPath(scene.paths[i], i)) return fault;
  }
  return internal::CheckGrids(scene);
}

}  // namespace tactus
