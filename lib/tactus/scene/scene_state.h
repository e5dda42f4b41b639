#pragma once
#include "tactus/collide/broad_phase.h"
#include "tactus/collide/collide.h"
#include "tactus/scene/prepared_scene.h"

namespace tactus {

/// Pairs of shapes that may be near each other in one tick: all of them in a small scene.
template <SceneCapacity kCapacity>
inline constexpr int kScenePairs = Min(40, kCapacity.shapes*(kCapacity.shapes - 1) / 2);
inline constexpr int kSceneCandidates = 64;  ///< contact points before they are reduced

/// Room for one tick's search for contacts: too large for a stack.
template <class Scalar, SceneCapacity kCapacity = kServoScene>
struct SceneWork {
  FixedVector<Solid<Scalar>, kCapacity.shapes> solids;  ///< each shape in the world
  FixedVector<WorldBox<Scalar>, kCapacity.shapes> boxes;
  FixedVector<ContactPoint<Scalar>, kSceneCandidates> points;
};

/// What of a scene moves, and what is remembered from tick to tick. The tool's own state is the tick's.
template <class Scalar, SceneCapacity kCapacity = kServoScene>
struct SceneState {
  /// A pair that was near in the last tick.
  struct Near {
    ShapePair pair;
    PairCache<Scalar> cache;
  };
  /// Where a path's frame is. Its twist is the way to where it will be at the end of the step, over the step.
  struct Carrier {
    RigidBodyState<Scalar> at;
    Scalar time_s = Scalar(0);    ///< within the period
    Scalar spun_rad = Scalar(0);  ///< within ±π
  };
  /// How a motor, or a joint's friction, holds.
  enum class Drive : std::int8_t { kBackward = -1, kHolds = 0, kForward = 1 };

  FixedVector<RigidBodyState<Scalar>, kCapacity.bodies> bodies;  ///< the first is the tool, as of the last step
  SceneList<Carrier, kCapacity.paths> carriers;                  ///< of the paths
  FixedVector<Near, kScenePairs<kCapacity>> near;
  SceneWork<Scalar, kCapacity> work;
  std::array<Drive, static_cast<std::size_t>(kCapacity.joints > 0 ? kCapacity.joints : 1)> drive{};
};

/// Bodies at their start.
template <class Scalar, SceneCapacity kCapacity>
void Restart(const PreparedScene<Scalar, kCapacity>& scene, SceneState<Scalar, kCapacity>* state) noexcept {
  state->near.clear();
  state->drive.fill(SceneState<Scalar, kCapacity>::Drive::kHolds);
  state->bodies.resize(scene.bodies.size());
  for (int i = 0; i < scene.bodies.size(); ++i) state->bodies[i] = scene.bodies[i].start;
  state->carriers.resize(scene.paths.size());
  for (int i = 0; i < scene.paths.size(); ++i) state->carriers[i] = {.at = scene.paths[i].start};
}

}  // namespace tactus
