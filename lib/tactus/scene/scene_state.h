#pragma once
#include "tactus/collide/broad_phase.h"
#include "tactus/collide/collide.h"
#include "tactus/scene/prepared_scene.h"
#include "tactus/scene/turn_count.h"

namespace tactus {

/// Pairs of shapes that were near each other and are remembered: all of them in a small scene.
template <SceneCapacity kCapacity>
inline constexpr int kScenePairs = Min(kCapacity.pairs, kCapacity.shapes*(kCapacity.shapes - 1) / 2);

/// A pair that was near in a tick.
template <class Scalar>
struct NearPair {
  ShapePair pair;
  PairCache<Scalar> cache;
};

/// Points on grids that a tick remembers.
template <SceneCapacity kCapacity>
inline constexpr int kGridPoints = kCapacity.grids > 0 ? kCapacity.candidates : 0;

/// Room for one tick's search for contacts: too large for a stack, and to be cleared with each.
template <class Scalar, SceneCapacity kCapacity = kServoScene>
struct SceneWork {
  FixedVector<NearPair<Scalar>, kScenePairs<kCapacity>> near;
  FixedVector<Solid<Scalar>, kCapacity.shapes> solids;  ///< each shape in the world
  FixedVector<WorldBox<Scalar>, kCapacity.shapes> boxes;
  FixedVector<ContactPoint<Scalar>, kCapacity.candidates> points;
  SceneList<std::int32_t, kGridPoints<kCapacity>> on_grids;
  FixedVector<Vec<Scalar, 6>, kCapacity.bodies> undriven_W;  ///< on each body: all but the drives' pushes
};

/// What of a scene moves, and what is remembered from tick to tick. The tools' own states are the tick's.
template <class Scalar, SceneCapacity kCapacity = kServoScene>
struct SceneState {
  /// Where a path's frame is. Its twist is the way to where it will be at the end of the step, over the step.
  struct Carrier {
    RigidBodyState<Scalar> at;
    Scalar time_s = Scalar(0);    ///< within the period
    Scalar spun_rad = Scalar(0);  ///< within ±π
  };
  /// How a motor, or a joint's friction, holds.
  enum class Drive : std::int8_t { kBackward = -1, kHolds = 0, kForward = 1 };

  FixedVector<RigidBodyState<Scalar>, kCapacity.bodies> bodies;  ///< the first are the tools, as of the last step
  SceneList<Carrier, kCapacity.paths> carriers;                  ///< of the paths
  FixedVector<NearPair<Scalar>, kScenePairs<kCapacity>> near;    ///< of the last tick
  SceneList<std::int32_t, kGridPoints<kCapacity>> on_grids;      ///< ids of the last tick's points on grids
  SceneWork<Scalar, kCapacity> work;
  static constexpr std::size_t kJoints = static_cast<std::size_t>(kCapacity.joints > 0 ? kCapacity.joints : 1);
  std::array<Drive, kJoints> drive{};
  std::array<std::int8_t, kJoints> held_rows{};     ///< of each drive in the problem of the last step
  std::array<Vec<Scalar, 3>, kJoints> slip_W;       ///< direction of a ball's friction while it turns; else of no use
  std::array<JointTurns<Scalar>, kJoints> turns{};  ///< as of the last step's start
  /// Of springs and drives on each tool, in the last step.
  std::array<Vec<Scalar, 6>, static_cast<std::size_t>(kCapacity.hands)> joint_wrench_W;
};

/// Bodies at their start.
template <class Scalar, SceneCapacity kCapacity>
void Restart(const PreparedScene<Scalar, kCapacity>& scene, SceneState<Scalar, kCapacity>* state) noexcept {
  state->near.clear();
  state->on_grids.clear();
  state->drive.fill(SceneState<Scalar, kCapacity>::Drive::kHolds);
  state->slip_W.fill(Vec<Scalar, 3>::Zero());
  state->turns.fill({});
  for (Vec<Scalar, 6>& wrench_W : state->joint_wrench_W) wrench_W.setZero();
  state->bodies.resize(scene.bodies.size());
  for (int i = 0; i < scene.bodies.size(); ++i) state->bodies[i] = scene.bodies[i].start;
  state->carriers.resize(scene.paths.size());
  for (int i = 0; i < scene.paths.size(); ++i) state->carriers[i] = {.at = scene.paths[i].start};
}

}  // namespace tactus
