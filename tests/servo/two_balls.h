#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "controller.h"
#include "tactus/scene/scene_image.h"

namespace tactus::servo {

/// Two balls of 1 cm over a plane, in two hands.
inline Scene<> TwoBalls() {
  Scene<> scene;
  for (const BodyMotion motion : {BodyMotion::kTranslation, BodyMotion::kHeldTranslation}) {
    EXPECT_EQ(scene.bodies.push_back({.mass_kg = 0.05, .inertia_kgm2 = {2e-6, 2e-6, 2e-6}, .motion = motion}), Status::kOk);
    const auto body = static_cast<std::int16_t>(scene.bodies.size() - 1);
    EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = body, .radius_m = 0.01}), Status::kOk);
  }
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

/// @param[out] crc  the image's
/// @returns the answer to the last piece, or to the first that was refused
inline wire::Ack SendScene(const Scene<>& scene, Controller* controller, std::uint32_t* crc) {
  std::vector<std::uint8_t> image(kSceneImageBytes<kServoScene>);
  image.resize(WriteScene(scene, image));
  *crc = Crc32(image);
  wire::Ack ack;
  constexpr std::size_t kPiece = 480;
  for (std::size_t at = 0; at < image.size() && ack.code() == wire::AckCode::kAccepted; at += kPiece) {
    const std::size_t size = std::min(kPiece, image.size() - at);
    wire::ScenePart part;
    part.mutate_total(static_cast<std::uint32_t>(image.size()));
    part.mutate_offset(static_cast<std::uint32_t>(at));
    part.mutate_size(static_cast<std::uint16_t>(size));
    for (std::size_t i = 0; i < size; ++i) part.mutable_bytes()->Mutate(static_cast<std::uint16_t>(i), image[at + i]);
    ack = controller->Answer(part);
  }
  return ack;
}

}  // namespace tactus::servo
