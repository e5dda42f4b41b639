// What a board answers to a scene of a computer: the board's own loader, compiled for a board's capacity (CMakeLists.txt).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "firmware/servo/scene_loader.h"
#include "host_tools/session/scene_piece.h"

namespace tactus::servo {
namespace {

static_assert(kServoScene == kBoardScene, "this test is compiled for a board");

/// A row of balls on a plane, the tool the first of them.
std::vector<std::uint8_t> ImageOf(int bodies, int shapes) {
  const auto scene = std::make_unique<Scene<kComputerScene>>();
  for (int i = 0; i < bodies; ++i) EXPECT_EQ(scene->bodies.push_back({.p_WB_m = {0.02 * i, 0, 0}}), Status::kOk);
  for (int i = 0; i < shapes; ++i) {
    EXPECT_EQ(scene->shapes.push_back(
                  {.body = static_cast<std::int16_t>(i % bodies), .radius_m = 0.01, .p_BS_m = {0, 0, 0.001 * (i / bodies)}}),
              Status::kOk);
  }
  std::vector<std::uint8_t> image(kSceneImageBytes<kComputerScene>);
  image.resize(WriteScene(*scene, image));
  return image;
}

SceneAnswer Send(const std::vector<std::uint8_t>& image, SceneLoader<double>* loader) {
  SceneAnswer answer;
  for (std::size_t at = 0; at < image.size() && answer.code == wire::AckCode::kAccepted; at += 480) {
    answer = loader->Take(host::PieceOf(image, at));
  }
  return answer;
}

// Source: docs/wire.md, Ack: the list's number and its room; and the scene before stays in force.
TEST(BoardScene, IsRefusedByNameOverCapacity) {
  const auto loader = std::make_unique<SceneLoader<double>>();
  ASSERT_TRUE(Send(ImageOf(4, 24), loader.get()).complete);
  const std::uint32_t crc = loader->crc();
  const SceneAnswer bodies = Send(ImageOf(22, 24), loader.get());
  EXPECT_EQ(bodies.code, wire::AckCode::kOverCapacity);
  EXPECT_EQ(bodies.field, static_cast<std::uint16_t>(SceneList::kBodies));
  EXPECT_EQ(bodies.limit, 4);
  const SceneAnswer shapes = Send(ImageOf(4, 25), loader.get());
  EXPECT_EQ(shapes.code, wire::AckCode::kOverCapacity);
  EXPECT_EQ(shapes.field, static_cast<std::uint16_t>(SceneList::kShapes));
  EXPECT_EQ(shapes.limit, 24);
  EXPECT_EQ(loader->crc(), crc);
  EXPECT_EQ(loader->world()->bodies.size(), 4);
}

// Source: docs/scenes.md, section 3: no grids on a board. What is in it does not matter, nor whether it would fit.
TEST(BoardScene, RefusesAGridByName) {
  const auto loader = std::make_unique<SceneLoader<double>>();
  const auto scene = std::make_unique<Scene<kComputerScene>>();
  ASSERT_EQ(scene->bodies.push_back({}), Status::kOk);
  ASSERT_EQ(scene->grids.push_back({}), Status::kOk);
  std::vector<std::uint8_t> image(kSceneImageBytes<kComputerScene>);
  image.resize(WriteScene(*scene, image));
  const SceneAnswer answer = Send(image, loader.get());
  EXPECT_EQ(answer.code, wire::AckCode::kOverCapacity);
  EXPECT_EQ(answer.field, static_cast<std::uint16_t>(SceneList::kGrids));
  EXPECT_EQ(answer.limit, 0);
  EXPECT_EQ(loader->world(), nullptr);
}

}  // namespace
}  // namespace tactus::servo
