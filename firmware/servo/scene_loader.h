#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "tactus/haptic/config.h"
#include "tactus/scene/scene_arrival.h"
#include "tactus/scene/scene_image.h"
#include "tactus/wire/message.h"

namespace tactus::servo {

/// How a piece of a scene was taken: what an Ack tells.
struct SceneAnswer {
  wire::AckCode code = wire::AckCode::kAccepted;
  std::uint16_t field = 0xFFFF;  ///< for kOverCapacity: which list, see SceneList
  double limit = 0;              ///< for kOverCapacity: its room; else the place of the item at fault, or -1
  bool complete = false;         ///< a scene is ready, or none is wanted: both are to be put in force
};

/// The lists of a scene, as an Ack numbers them.
enum class SceneList : std::uint16_t { kBodies, kShapes, kHulls, kLaws, kJoints, kFields, kImage, kPaths, kGrids, kHands };

/// Collects a scene's image piece by piece, and makes it ready beside the scene in force, which stays as it is until the new
/// one has been found good.
template <class Scalar, bool kScenes = kHasScenes>
class SceneLoader {
 public:
  /// @param hands  that the device has: a scene that needs more is refused
  explicit SceneLoader(int hands = kServoScene.hands) : hands_(hands) {}

  /// @returns the answer to the piece
  SceneAnswer Take(const wire::ScenePart& part) noexcept;

  /// What the last complete image was; nullptr: no scene. It stays valid until the image after the next.
  const PreparedScene<Scalar>* world() const { return has_world_ ? &worlds_[which_] : nullptr; }
  /// Checksum of its image; 0: no scene.
  std::uint32_t crc() const { return crc_; }
  /// That image, as it came; empty: no scene. It stays valid until the next image comes.
  std::span<const std::uint8_t> image() const {
    return has_world_ ? std::span(images_[which_]).first(image_size_) : std::span<const std::uint8_t>();
  }

 private:
  using Image = std::array<std::uint8_t, kSceneImageBytes<kServoScene>>;
  /// Where the next image comes to. A world's grids are views of its image: the one in force keeps its own.
  Image& incoming() { return images_[1 - which_]; }
  SceneAnswer Finish() noexcept;

  const int hands_;
  Image images_[2] = {};               // in force, and coming
  std::size_t image_size_ = 0;         // of the one in force
  std::size_t total_ = 0, size_ = 0;   // of the image that is coming
  SceneArrival<kServoScene> arrival_;  // of it
  Scene<> scene_;
  PreparedScene<Scalar> worlds_[2];
  int which_ = 0;
  bool has_world_ = false;
  std::uint32_t crc_ = 0;
};

/// Of a board without room for scenes: it keeps nothing of them, and refuses each.
template <class Scalar>
class SceneLoader<Scalar, false> {
 public:
  explicit SceneLoader(int = 1) {}

  SceneAnswer Take(const wire::ScenePart& part) noexcept {
    if (part.total() == 0) return {.complete = true};
    return {.code = wire::AckCode::kOverCapacity, .field = static_cast<std::uint16_t>(SceneList::kImage)};
  }
  const PreparedScene<Scalar>* world() const { return nullptr; }
  std::uint32_t crc() const { return 0; }
  std::span<const std::uint8_t> image() const { return {}; }
};

extern template class SceneLoader<double>;
extern template class SceneLoader<float>;

}  // namespace tactus::servo
