#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "tactus/collide/shape.h"
#include "tactus/core/eigen.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/scene/scene_list.h"

namespace tactus {

/// The compile-time size of a scene.
struct SceneCapacity {
  int bodies = 4;   ///< that move; the tool is the first
  int hands = 1;    ///< that hold a tool: 1 or 2
  int shapes = 24;  ///< of all bodies and of the world
  int joints = 4;
  int laws = 12;       ///< pairs of materials with a law of their own
  int fields = 4;      ///< forces on the tool
  int hulls = 2;       ///< polytopes, that any number of shapes may use
  int paths = 2;       ///< parts of the world that move as they are told
  int grids = 0;       ///< bodies of any form, that any number of shapes may use
  int clouds = 0;      ///< shapes of bodies that can touch them
  int grid_bytes = 0;  ///< of all grids

  // Of one tick.
  int contacts = 24;    ///< points, and stops of joints
  int joint_rows = 20;  ///< of the solver
  int pairs = 40;       ///< of shapes near each other that are remembered; those beyond are searched anew in each tick
  int candidates = 64;  ///< contact points before they are reduced to those that count

  friend constexpr bool operator==(const SceneCapacity&, const SceneCapacity&) = default;
};

/// Of a board.
inline constexpr SceneCapacity kBoardScene;
/// Of a board with memory for a grid, of 64 samples along each edge and more, and for a second hand: one shape more, which
/// is the grid's.
inline constexpr SceneCapacity kGridBoardScene{.hands = 2, .shapes = 25, .grids = 1, .clouds = 2, .grid_bytes = 1 << 19};
/// Of a computer: [AnitescuHart]'s pile of 21 disks, and as much again of contacts. A grid of 64 samples along each edge
/// takes 0.2 MB.
inline constexpr SceneCapacity kComputerScene{.bodies = 24,
                                              .hands = 2,
                                              .shapes = 64,
                                              .joints = 16,
                                              .grids = 4,
                                              .clouds = 8,
                                              .grid_bytes = 1 << 20,
                                              .contacts = 96,
                                              .joint_rows = 80,
                                              .pairs = 192,
                                              .candidates = 192};

/// Bodies that a servo loop has room for. A board whose stack and memory have no room for scenes says 0: its tick knows the
/// peg and the plate alone (TACTUS_BOARD_SCENE_BODIES in its board.cmake). A build for a computer defines
/// TACTUS_COMPUTER_SCENE instead. TACTUS_SCENE_GRIDS 1: it has memory for a grid too (TACTUS_BOARD_SCENE_GRIDS).
#ifndef TACTUS_SCENE_BODIES
#define TACTUS_SCENE_BODIES 4
#endif
#ifndef TACTUS_SCENE_GRIDS
#define TACTUS_SCENE_GRIDS 0
#endif
inline constexpr bool kHasScenes = TACTUS_SCENE_BODIES > 0;
/// Whether contacts may yield: the tick's solver for the tool alone is a rigid one.
constexpr bool Yields(const SceneCapacity& capacity) { return capacity.bodies > 1; }
/// What a servo loop has room for.
#ifdef TACTUS_COMPUTER_SCENE
inline constexpr SceneCapacity kServoScene = kComputerScene;
#elif TACTUS_SCENE_GRIDS > 0
inline constexpr SceneCapacity kServoScene = kGridBoardScene;
#else
inline constexpr SceneCapacity kServoScene =
    kHasScenes ? SceneCapacity{.bodies = TACTUS_SCENE_BODIES > 1 ? TACTUS_SCENE_BODIES : 1,
                               .joints = TACTUS_SCENE_BODIES > 1 ? 4 : 0,
                               .joint_rows = TACTUS_SCENE_BODIES > 1 ? 20 : 0}
               : SceneCapacity{
                     .bodies = 1, .shapes = 2, .joints = 0, .laws = 0, .fields = 0, .hulls = 0, .paths = 0, .joint_rows = 0};
#endif

/// A scene that fits a board is solved in a board's room on a computer too, and so has a board's bits: which contacts stay
/// where there are too many, and how long a solver searches, goes by its room.
inline constexpr SceneCapacity kSmallScene = kServoScene.bodies > kBoardScene.bodies ? kGridBoardScene : kServoScene;
inline constexpr bool kHasLargeScenes = !(kServoScene == kSmallScene);

/// What of its capacity the search for contacts uses.
struct SceneRoom {
  int contacts, pairs, candidates;
};
constexpr SceneRoom RoomOf(const SceneCapacity& capacity) {
  return {.contacts = capacity.contacts, .pairs = capacity.pairs, .candidates = capacity.candidates};
}
/// The capacity of a controller that tells by Hello how many bodies and shapes it takes.
constexpr const SceneCapacity& CapacityOf(int bodies, int shapes) {
  if (bodies > kBoardScene.bodies) return kComputerScene;
  return shapes > kBoardScene.shapes ? kGridBoardScene : kBoardScene;
}

/// The body number of what stands still.
inline constexpr std::int16_t kWorld = -1;
/// The body number of the first path; of the second it is one less, and so on.
inline constexpr std::int16_t kFirstPath = -2;
constexpr bool IsPath(int body) { return body <= kFirstPath; }
/// Which path it is, from its body number.
constexpr int PathOf(int body) { return kFirstPath - body; }
/// The body number of what the hand holds.
inline constexpr std::int16_t kTool = 0;
/// The body number of what a second hand holds, where one does (BodyMotion::kHeld).
inline constexpr std::int16_t kSecondTool = 1;
inline constexpr int kMaterials = 16;

using Vector3 = std::array<double, 3>;
/// A unit quaternion: w, x, y, z.
using Rotation = std::array<double, 4>;
inline constexpr Rotation kNoRotation{1, 0, 0, 0};

/// How a body can move.
enum class BodyMotion : std::uint8_t {
  kFree,             ///< six degrees of freedom
  kTranslation,      ///< its orientation stays: what a device with three degrees of freedom holds
  kHeld,             ///< as kFree, in a second hand. Of body 1 alone
  kHeldTranslation,  ///< as kTranslation, in a second hand. Of body 1 alone
};
constexpr bool IsHeld(BodyMotion motion) { return motion >= BodyMotion::kHeld; }
constexpr bool Turns(BodyMotion motion) { return motion == BodyMotion::kFree || motion == BodyMotion::kHeld; }

/// A body that moves. Frame B: origin at the centre of mass, principal axes.
struct SceneBody {
  double mass_kg = 0.1;
  Vector3 inertia_kgm2{1e-5, 1e-5, 1e-5};  ///< principal moments
  Vector3 p_WB_m{};                        ///< at the start; the tool starts in the hand instead
  Rotation q_WB = kNoRotation;
  Vector3 velocity_mps{}, omega_radps{};  ///< at the start, in the world
  BodyMotion motion = BodyMotion::kFree;
};

/// A part of the world that moves on a path, whatever pushes against it: there and back, from rest to rest, and round. Frame
/// P, at the time t:
///
///     s = (1 - cos(2π t/T))/2,   p_WP + s way,   q_WP turned about `axis` by s turn + spin t
struct ScenePath {
  Vector3 p_WP_m{};  ///< at the start
  Rotation q_WP = kNoRotation;
  Vector3 way_m{};        ///< from the start to the far end
  Vector3 axis{0, 0, 1};  ///< unit, in the world
  double turn_rad = 0;    ///< at the far end
  double period_s = 1;    ///< T, there and back
  double spin_radps = 0;  ///< for ever
};

/// A shape of a body, a path or the world. Frame S is where shape.h has it.
struct SceneShape {
  ShapeKind kind = ShapeKind::kSphere;
  std::int16_t body = kWorld;
  std::uint8_t material = 0;
  std::uint8_t hull = 0;  ///< of a kHull: its number; of a kGrid: that of the grid
  double radius_m = 0;    ///< as Shape's
  Vector3 half_m{};       ///< as Shape's
  Vector3 p_BS_m{};       ///< of a path's shapes p_PS_m, of the world's p_WS_m
  Rotation q_BS = kNoRotation;
};

/// A convex polytope: its corners, and its faces as MakeHull takes them (collide/hull.h).
struct SceneHull {
  FixedVector<Vector3, kHullVertices> vertex_m;
  FixedVector<std::uint8_t, kHullFaces> counts;       ///< corners of each face
  FixedVector<std::uint8_t, 2 * kHullEdges> corners;  ///< one face after the other, counterclockwise seen from outside
};

/// A body of any form as the distances around it (collide/distance_grid.h), and how it sees the others: at points on their
/// surfaces, at most `spacing_m` apart.
struct SceneGrid {
  double spacing_m = 2e-3;
  std::span<const std::uint8_t> bytes;  ///< a view of bytes that outlive the scene: of its image, or of a file
};

/// Friction of two materials on each other, in either order (docs/theory/friction.md), how they yield (theory 1,
/// compliance), and what the surface of `b` is like.
struct ContactLaw {
  std::uint8_t a = 0, b = 0;             ///< materials; those of the default law are not used
  double friction = 0.25;                ///< μ
  double static_friction = 0;            ///< μ_s ≥ μ; 0: μ
  double viscous_friction_Ns_per_m = 0;  ///< β
  double stiffness_N_per_m = 0;          ///< K of each point of contact; 0: rigid
  double damping_Ns_per_m = 0;           ///< B on the way inside, of a K > 0
  Vector3 surface_velocity_mps{};        ///< of the surface of `b`, in the frame of its shape: a conveyor
  /// A wave over the surface of `b`, x measured along `wave_along` from the frame of its shape: the surface stands out by
  /// height cos(2π x/length), and the friction is μ (1 + friction cos(2π x/length)).
  double wave_length_m = 0;     ///< 0: smooth
  Vector3 wave_along{1, 0, 0};  ///< unit, in the frame of b's shape
  double wave_height_m = 0, wave_friction = 0;
};

enum class JointKind : std::uint8_t {
  kWeld,    ///< no motion between the frames
  kHinge,   ///< turns about z
  kSlider,  ///< moves along z
  kBall,    ///< turns about the origin
  kScrew,   ///< turns about z and moves along it: z = pitch · angle
  kGear,  ///< couples two turns: angle_A = ratio · angle_B, each about its z, an axis that another joint or the world holds
  kRope,  ///< the origins are at most `length_m` apart
};

/// A joint between frame J of body a and frame J of body b: the two coincide at zero. Stops, spring, friction and motor are
/// its coordinate's, which a weld has not: the angle about z of a hinge or a screw and the turn of a gear's body a about its
/// z [rad], counted over whole turns, with torques [N·m]; the way of a slider and the distance of a rope's origins [m], with
/// forces [N]. Of a ball: the stop is for the swing of A's z axis away from B's, the spring draws the turn vector to zero,
/// damper and friction are against the turning about any axis, the motor turns about B's z axis. What a rope's spring,
/// damper, friction and motor do, they do by pulling.
struct SceneJoint {
  JointKind kind = JointKind::kHinge;
  std::int16_t a = kTool, b = kWorld;
  Vector3 p_AJ_m{}, p_BJ_m{};  ///< of a kWorld body: in the world
  Rotation q_AJ = kNoRotation, q_BJ = kNoRotation;
  bool limited = false;        ///< the coordinate stays in [low, high]; kBall: below high, kRope: above low
  double low = 0, high = 0;    ///< [rad] or [m]; of what is counted within ±1000 turns
  double stiffness = 0;        ///< spring to `rest` [N·m/rad] or [N/m]
  double rest = 0;             ///< [rad] or [m]
  double damping = 0;          ///< [N·m·s/rad] or [N·s/m]
  double friction = 0;         ///< Coulomb's, against the motion [N·m] or [N]
  double motor_speed = 0;      ///< that the motor goes for [rad/s] or [m/s]
  double motor_force = 0;      ///< at most [N·m] or [N]; 0: there is no motor
  double pitch_m_per_rad = 0;  ///< kScrew
  double ratio = 1;            ///< kGear
  double length_m = 0;         ///< kRope: its upper limit
};

enum class FieldKind : std::uint8_t {
  kConstant,  ///< force along `direction`, of `strength` [N]
  kPoint,     ///< spring of `strength` [N/m] to the point p_W
  kLine,      ///< … to the line through p_W along `direction`
  kPlane,     ///< … to the plane through p_W with normal `direction`
  kViscous,   ///< -strength · velocity [N·s/m]
  kDetents,   ///< about the axis `direction` through p_W: torque -strength · sin(count · angle) [N·m]
};

/// A force on the tool.
struct SceneField {
  FieldKind kind = FieldKind::kConstant;
  Vector3 p_W_m{};
  Vector3 direction{0, 0, 1};  ///< unit
  double strength = 0;
  double max_force_N = 2;  ///< of a spring: it holds no more than this
  int count = 0;           ///< kDetents: so many a turn
};

/// Everything a scene is, as data: bodies, shapes, joints, materials, fields. SI, world axes. Nothing in it moves. It holds
/// all but the bytes of its grids.
template <SceneCapacity kCapacity = kServoScene>
struct Scene {
  Vector3 gravity_W_mps2{};
  double margin_m = 5e-4;                         ///< points with a larger gap are no contacts of bodies at rest
  double max_push_out_mps = 0.02;                 ///< a penetration is undone no faster than this
  ContactLaw default_law;                         ///< of all pairs of materials without one
  SceneList<SceneBody, kCapacity.bodies> bodies;  ///< the first is the tool
  SceneList<SceneShape, kCapacity.shapes> shapes;
  SceneList<SceneHull, kCapacity.hulls> hulls;
  SceneList<ContactLaw, kCapacity.laws> laws;
  SceneList<SceneJoint, kCapacity.joints> joints;
  SceneList<SceneField, kCapacity.fields> fields;
  SceneList<ScenePath, kCapacity.paths> paths;
  SceneList<SceneGrid, kCapacity.grids> grids;
};

/// How many hands hold a tool of it.
template <SceneCapacity kCapacity>
constexpr int HandsOf(const Scene<kCapacity>& scene) {
  return scene.bodies.size() > kSecondTool && IsHeld(scene.bodies[kSecondTool].motion) ? 2 : 1;
}

/// What is wrong with a scene, and where: the first offending field.
struct SceneFault {
  const char* what = nullptr;   ///< nullptr: nothing is wrong
  const char* list = nullptr;   ///< "bodies", "shapes", …; nullptr: the scene itself
  int index = -1;               ///< place in that list
  const char* field = nullptr;  ///< the member's name
  double value = 0;             ///< of that field, where it is a number
  double low = 0, high = 0;     ///< its range, where "is out of range"

  constexpr explicit operator bool() const { return what != nullptr; }
};

}  // namespace tactus
