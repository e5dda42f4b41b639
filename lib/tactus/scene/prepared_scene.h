#pragma once
#include <array>
#include <span>

#include "tactus/collide/broad_phase.h"
#include "tactus/collide/distance_grid.h"
#include "tactus/collide/hull.h"
#include "tactus/collide/sample_points.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/core/spatial.h"
#include "tactus/scene/spring_check.h"
#include "tactus/scene/validate.h"
#include "tactus/step/rigid_body.h"

namespace tactus {

/// A scene in the numbers that a tick computes with: made once, when a scene is loaded, and read only from then on. Its
/// grids are views of the bytes that the scene's were.
template <class Scalar_, SceneCapacity kCapacity = kServoScene>
struct PreparedScene {
  using Scalar = Scalar_;
  using Vec3 = Vec<Scalar, 3>;
  using Mat3 = Mat<Scalar, 3, 3>;

  struct Moving {
    Scalar mass_kg;
    Vec3 inertia_kgm2;
    RigidBodyState<Scalar> start;
    Scalar reach_m;  ///< of its shapes, from its origin
    bool turns;      ///< false: BodyMotion::kTranslation, kHeldTranslation
  };
  struct Part {
    Shape<Scalar> shape;
    std::int16_t body;
    std::uint8_t material, hull;
    std::uint8_t cloud;  ///< number of its points, of a shape that can touch a grid
    Vec3 p_BS_m;
    Mat3 R_BS;
    LocalBox<Scalar> box;
  };
  struct Law {
    Scalar friction, static_friction, viscous_friction_Ns_per_m;
    Scalar stiffness_N_per_m, damping_Ns_per_m;  ///< K, B of a contact; K = 0: rigid
    Vec3 surface_velocity_mps;
    std::uint8_t surface;      ///< the material that moves, and has the wave
    Scalar wave_number_per_m;  ///< 2π/length; 0: smooth
    Vec3 wave_along;
    Scalar wave_height_m, wave_friction;
  };
  struct Path {
    RigidBodyState<Scalar> start;
    Vec3 way_m, axis;
    Scalar turn_rad, period_s, spin_radps;
    Scalar reach_m;  ///< of its shapes, from its origin
  };
  struct Frame {
    Vec3 p_m;
    Quaternion<Scalar> q;
  };
  struct Link {
    JointKind kind;
    std::int16_t a, b;
    Frame in_a, in_b;
    bool has_low, has_high;
    Scalar low, high, stiffness, rest, damping;
    Scalar drive_speed, drive_force;  ///< of the motor, or 0 and the friction; no force: none
    int drive_rows;                   ///< of the motor or the friction while it holds
    Scalar pitch_m_per_rad, ratio;
  };
  struct Field {
    FieldKind kind;
    Vec3 p_W_m, direction;
    Scalar strength, max_force_N;
    int count;
  };

  Vec3 gravity_W_mps2 = Vec3::Zero();
  Scalar margin_m = Scalar(0), max_push_out_mps = Scalar(0);
  SceneList<Moving, kCapacity.bodies> bodies;
  int hands = 1;  ///< 2: body kSecondTool is in a second one
  SceneList<Part, kCapacity.shapes> parts;
  FixedVector<std::int16_t, kCapacity.shapes> body_of_part;
  SceneList<Hull<Scalar>, kCapacity.hulls> hulls;
  SceneList<DistanceGrid, kCapacity.grids> grids;
  SceneList<SampleCloud<Scalar>, kCapacity.clouds> clouds;  ///< in the frames of their shapes
  FixedVector<Law, kCapacity.laws + 1> laws;                ///< the first is the default
  std::array<std::array<std::uint8_t, kMaterials>, kMaterials> law_of{};
  SceneList<Link, kCapacity.joints> links;
  SceneList<Field, kCapacity.fields> fields;
  SceneList<Path, kCapacity.paths> paths;
  /// What a tool must have for the springs that hold it to be stable at 1 kHz: SpringCheck.
  Scalar least_tool_mass_kg = Scalar(0), least_tool_moment_kgm2 = Scalar(0);
  int joint_rows = 0;                    ///< of the solver, at most
  bool yields = false;                   ///< contacts of some law do
  int grid_points = 0;                   ///< that a tick may look for on grids: of each cloud on each grid
  bool is_large = false;                 ///< more than a board takes
  SceneRoom room = RoomOf(kSmallScene);  ///< of a board, or all of it for a large scene

  /// Whether the solver of the tool alone can step it: nothing else moves, no joint, no contact that yields.
  bool IsToolAlone() const { return bodies.size() == 1 && joint_rows == 0 && !yields; }
};

namespace internal {

template <class Scalar>
Vec<Scalar, 3> ToVec(const Vector3& v) {
  return {static_cast<Scalar>(v[0]), static_cast<Scalar>(v[1]), static_cast<Scalar>(v[2])};
}
template <class Scalar>
Quaternion<Scalar> ToQuaternion(const Rotation& q) {
  return Normalized(Quaternion<Scalar>(static_cast<Scalar>(q[0]), static_cast<Scalar>(q[1]), static_cast<Scalar>(q[2]),
                                       static_cast<Scalar>(q[3])));
}

/// Builds a PreparedScene from a valid Scene; each member prepares one list.
template <class Scalar, SceneCapacity kCapacity>
class ScenePreparer {
  using Prepared = PreparedScene<Scalar, kCapacity>;

 public:
  ScenePreparer(const Scene<kCapacity>& scene, std::span<const GridReader> read, Prepared* prepared)
      : scene_(scene), read_(read), out_(*prepared) {}

  SceneFault Run() {
    out_.gravity_W_mps2 = ToVec<Scalar>(scene_.gravity_W_mps2);
    out_.margin_m = static_cast<Scalar>(scene_.margin_m);
    out_.max_push_out_mps = static_cast<Scalar>(scene_.max_push_out_mps);
    TakeBodies();
    TakePaths();
    if (const SceneFault fault = TakeHulls()) return fault;
    if (const SceneFault fault = TakeGrids()) return fault;
    TakeShapes();
    if (const SceneFault fault = TakeClouds()) return fault;
    TakeLaws();
    TakeFields();
    TakeJoints();
    const SpringCheck<kCapacity> springs(scene_);
    out_.least_tool_mass_kg = static_cast<Scalar>(springs.LeastMass());
    out_.least_tool_moment_kgm2 = static_cast<Scalar>(springs.LeastMoment());
    return springs.Run();
  }

 private:
  void TakeBodies() {
    out_.bodies.resize(scene_.bodies.size());
    out_.hands = HandsOf(scene_);
    for (int i = 0; i < scene_.bodies.size(); ++i) {
      const SceneBody& body = scene_.bodies[i];
      typename Prepared::Moving& moving = out_.bodies[i];
      moving.mass_kg = static_cast<Scalar>(body.mass_kg);
      moving.inertia_kgm2 = ToVec<Scalar>(body.inertia_kgm2);
      moving.start.p_WT_m = ToVec<Scalar>(body.p_WB_m);
      moving.start.q_WT = ToQuaternion<Scalar>(body.q_WB);
      moving.start.twist_W.template head<3>() = ToVec<Scalar>(body.velocity_mps);
      moving.start.twist_W.template tail<3>() = ToVec<Scalar>(body.omega_radps);
      moving.reach_m = Scalar(0);
      moving.turns = Turns(body.motion);
    }
  }

  void TakePaths() {
    out_.paths.resize(scene_.paths.size());
    for (int i = 0; i < scene_.paths.size(); ++i) {
      const ScenePath& path = scene_.paths[i];
      out_.paths[i] = {.start = {.p_WT_m = ToVec<Scalar>(path.p_WP_m), .q_WT = ToQuaternion<Scalar>(path.q_WP)},
                       .way_m = ToVec<Scalar>(path.way_m),
                       .axis = ToVec<Scalar>(path.axis),
                       .turn_rad = static_cast<Scalar>(path.turn_rad),
                       .period_s = static_cast<Scalar>(path.period_s),
                       .spin_radps = static_cast<Scalar>(path.spin_radps),
                       .reach_m = Scalar(0)};
    }
  }

  SceneFault TakeHulls() {
    out_.hulls.resize(scene_.hulls.size());
    for (int i = 0; i < scene_.hulls.size(); ++i) {
      const SceneHull& hull = scene_.hulls[i];
      FixedVector<Vec<Scalar, 3>, kHullVertices> vertices;
      for (const Vector3& p : hull.vertex_m) (void)vertices.push_back(ToVec<Scalar>(p));  // of the same capacity
      const std::span<const Vec<Scalar, 3>> points(vertices.begin(), static_cast<std::size_t>(vertices.size()));
      const HullFaces faces{{hull.counts.begin(), static_cast<std::size_t>(hull.counts.size())},
                            {hull.corners.begin(), static_cast<std::size_t>(hull.corners.size())}};
      if (const HullFault fault = MakeHull(points, faces, &out_.hulls[i])) {
        return {
            .what = fault.what, .list = "hulls", .index = i, .field = fault.list, .value = static_cast<double>(fault.index)};
      }
    }
    return {};
  }

  SceneFault TakeGrids() {
    out_.grids.resize(scene_.grids.size());
    for (int i = 0; i < scene_.grids.size(); ++i) {
      const auto number = static_cast<std::size_t>(i);
      const char* const wrong = number < read_.size() ? read_[number].Finish(&out_.grids[i])
                                                      : DistanceGrid::Open(scene_.grids[i].bytes, &out_.grids[i]);
      if (wrong != nullptr) return {.what = wrong, .list = "grids", .index = i, .field = "bytes"};
    }
    return {};
  }

  /// The points at which grids see each shape that moves freely.
  SceneFault TakeClouds() {
    out_.clouds.clear();
    out_.grid_points = 0;
    if (scene_.grids.empty()) return {};
    double spacing_m = scene_.grids[0].spacing_m;
    for (const SceneGrid& grid : scene_.grids) spacing_m = Min(spacing_m, grid.spacing_m);
    for (int i = 0; i < out_.parts.size(); ++i) {
      typename Prepared::Part& part = out_.parts[i];
      if (part.body < 0) continue;
      SceneFault fault{.list = "shapes", .index = i, .field = "kind"};
      const int number = out_.clouds.size();
      fault.what = "is one of more shapes of bodies than there is room for beside a grid";
      fault.value = kCapacity.clouds;
      if (number == kCapacity.clouds) return fault;
      out_.clouds.resize(number + 1);
      SampleCloud<Scalar>& cloud = out_.clouds[number];
      cloud.points.clear();
      fault.what = "needs more than 256 points for a grid to see it: give the grid a larger spacing_m";
      if (AddSamplePoints(part.shape, HullOf(part), static_cast<Scalar>(spacing_m), Vec<Scalar, 3>(Vec<Scalar, 3>::Zero()),
                          Mat<Scalar, 3, 3>(Mat<Scalar, 3, 3>::Identity()), &cloud) != Status::kOk) {
        return fault;
      }
      if (const SceneFault deep = CheckBands(part.shape.radius_m, i)) return deep;
      MakeClusters(&cloud);
      part.cloud = static_cast<std::uint8_t>(number);
      out_.grid_points += cloud.points.size() * GridShapes();
    }
    return {};
  }

  /// A grid may be the form of several.
  int GridShapes() const {
    int count = 0;
    for (const SceneShape& shape : scene_.shapes) count += shape.kind == ShapeKind::kGrid ? 1 : 0;
    return count;
  }

  /// A ball of a cloud is seen by the distance at its centre, which must be known before it touches.
  SceneFault CheckBands(Scalar radius_m, int index) const {
    const Scalar needed_m = radius_m + out_.margin_m + static_cast<Scalar>(scene_limit::kGridReach_m);
    for (const DistanceGrid& grid : out_.grids) {
      if (Scalar(grid.band_m()) >= needed_m) continue;
      return {.what = "has a radius beyond a grid's band less 3 mm and margin_m: bake the grid with a larger --band",
              .list = "shapes",
              .index = index,
              .field = "radius_m",
              .value = static_cast<double>(radius_m)};
    }
    return {};
  }

  void TakeShapes() {
    out_.parts.resize(scene_.shapes.size());
    out_.body_of_part.resize(scene_.shapes.size());
    for (int i = 0; i < scene_.shapes.size(); ++i) {
      const SceneShape& shape = scene_.shapes[i];
      typename Prepared::Part& part = out_.parts[i];
      part.shape = {
          .kind = shape.kind, .radius_m = static_cast<Scalar>(shape.radius_m), .half_m = ToVec<Scalar>(shape.half_m)};
      part.body = shape.body;
      part.material = shape.material;
      part.hull = shape.hull;
      part.cloud = 0;
      part.p_BS_m = ToVec<Scalar>(shape.p_BS_m);
      part.R_BS = RotationMatrix(ToQuaternion<Scalar>(shape.q_BS));
      part.box = shape.kind == ShapeKind::kGrid ? BoxOf(out_.grids[shape.hull]) : LocalBox<Scalar>(part.shape, HullOf(part));
      out_.body_of_part[i] = shape.body;
      if (shape.body == kWorld) continue;
      const Scalar reach_m = Norm(Vec<Scalar, 3>(part.p_BS_m + Times(part.R_BS, part.box.middle_m))) + Norm(part.box.half_m);
      Scalar& of_all_m = IsPath(shape.body) ? out_.paths[PathOf(shape.body)].reach_m : out_.bodies[shape.body].reach_m;
      of_all_m = Max(of_all_m, reach_m);
    }
  }
  /// All that has samples: the body and its band.
  static LocalBox<Scalar> BoxOf(const DistanceGrid& grid) {
    LocalBox<Scalar> box;
    for (int x = 0; x < 3; ++x)
      box.half_m(x) = Scalar(grid.spacing_m()) * static_cast<Scalar>(kGridBlock * grid.blocks(x)) / Scalar(2);
    box.middle_m = grid.origin_m().template cast<Scalar>() + box.half_m;
    return box;
  }
  const Hull<Scalar>* HullOf(const typename Prepared::Part& part) const {
    return part.shape.kind == ShapeKind::kHull ? &out_.hulls[part.hull] : nullptr;
  }

  void TakeLaws() {
    out_.laws.clear();
    out_.yields = false;
    for (auto& row : out_.law_of) row.fill(0);
    TakeLaw(scene_.default_law);
    for (const ContactLaw& law : scene_.laws) {
      const auto number = static_cast<std::uint8_t>(out_.laws.size());
      TakeLaw(law);
      out_.law_of[law.a][law.b] = out_.law_of[law.b][law.a] = number;
    }
  }
  void TakeLaw(const ContactLaw& law) {
    out_.yields = out_.yields || law.stiffness_N_per_m > 0;
    (void)out_.laws.push_back(
        {.friction = static_cast<Scalar>(law.friction),
         .static_friction = static_cast<Scalar>(law.static_friction),
         .viscous_friction_Ns_per_m = static_cast<Scalar>(law.viscous_friction_Ns_per_m),
         .stiffness_N_per_m = static_cast<Scalar>(law.stiffness_N_per_m),
         .damping_Ns_per_m = static_cast<Scalar>(law.damping_Ns_per_m),
         .surface_velocity_mps = ToVec<Scalar>(law.surface_velocity_mps),
         .surface = law.b,
         .wave_number_per_m = static_cast<Scalar>(law.wave_length_m > 0 ? kTurn_rad<double> / law.wave_length_m : 0),
         .wave_along = ToVec<Scalar>(law.wave_along),
         .wave_height_m = static_cast<Scalar>(law.wave_height_m),
         .wave_friction = static_cast<Scalar>(law.wave_friction)});  // one more than the scene has
  }

  void TakeFields() {
    out_.fields.clear();
    for (const SceneField& field : scene_.fields) {
      (void)out_.fields.push_back({.kind = field.kind,
                                   .p_W_m = ToVec<Scalar>(field.p_W_m),
                                   .direction = ToVec<Scalar>(field.direction),
                                   .strength = static_cast<Scalar>(field.strength),
                                   .max_force_N = static_cast<Scalar>(field.max_force_N),
                                   .count = field.count});  // of the same capacity
    }
  }

  void TakeJoints() {
    out_.links.clear();
    out_.joint_rows = 0;
    for (const SceneJoint& joint : scene_.joints) {
      const bool has_motor = joint.motor_force > 0, is_rope = joint.kind == JointKind::kRope;
      (void)out_.links.push_back({.kind = joint.kind,
                                  .a = joint.a,
                                  .b = joint.b,
                                  .in_a = {ToVec<Scalar>(joint.p_AJ_m), ToQuaternion<Scalar>(joint.q_AJ)},
                                  .in_b = {ToVec<Scalar>(joint.p_BJ_m), ToQuaternion<Scalar>(joint.q_BJ)},
                                  .has_low = joint.limited && joint.kind != JointKind::kBall,
                                  .has_high = joint.limited || is_rope,
                                  .low = static_cast<Scalar>(joint.low),
                                  .high = static_cast<Scalar>(is_rope ? joint.length_m : joint.high),
                                  .stiffness = static_cast<Scalar>(joint.stiffness),
                                  .rest = static_cast<Scalar>(joint.rest),
                                  .damping = static_cast<Scalar>(joint.damping),
                                  .drive_speed = static_cast<Scalar>(has_motor ? joint.motor_speed : 0),
                                  .drive_force = static_cast<Scalar>(has_motor ? joint.motor_force : joint.friction),
                                  .drive_rows = DriveRowsOf(joint),
                                  .pitch_m_per_rad = static_cast<Scalar>(joint.pitch_m_per_rad),
                                  .ratio = static_cast<Scalar>(joint.ratio)});  // of the same capacity
      out_.joint_rows += RowsOf(joint.kind) + DriveRowsOf(joint);
    }
  }

  const Scene<kCapacity>& scene_;
  std::span<const GridReader> read_;
  Prepared& out_;
};

}  // namespace internal

namespace internal {

template <class Prepared>
bool IsLarge(const Prepared& scene) {
  const SceneCapacity& small = kSmallScene;
  return scene.bodies.size() > small.bodies || scene.hands > small.hands || scene.parts.size() > small.shapes ||
         scene.links.size() > small.joints || scene.joint_rows > small.joint_rows;
}

}  // namespace internal

/// Validates a scene and makes it ready. @returns the first fault; then `prepared` is not to be used
/// @param[in] read  of the scene's grids: those whose bytes have been looked at already (SceneArrival)
template <class Scalar, SceneCapacity kCapacity>
SceneFault Prepare(const Scene<kCapacity>& scene, PreparedScene<Scalar, kCapacity>* prepared,
                   std::span<const GridReader> read = {}) noexcept {
  if (const SceneFault fault = Validate(scene)) return fault;
  const SceneFault fault = internal::ScenePreparer<Scalar, kCapacity>(scene, read, prepared).Run();
  prepared->is_large = internal::IsLarge(*prepared);
  prepared->room = RoomOf(prepared->is_large ? kCapacity : kSmallScene);
  return fault;
}

}  // namespace tactus
