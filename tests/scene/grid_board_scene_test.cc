// What a board with memory for a grid does with a scene that has one: the board's own loader, compiled for its capacity
// (CMakeLists.txt).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "firmware/servo/scene_loader.h"
#include "host_tools/session/scene_piece.h"
#include "tests/collide/made_grid.h"

namespace tactus::servo {
namespace {

static_assert(kServoScene == kGridBoardScene, "this test is compiled for a board with memory for a grid");

using Bytes = std::vector<std::uint8_t>;
using host::PieceOf;
using wire::AckCode;
constexpr std::size_t kPiece = 480;

/// The plane z = 0: 6³ blocks, 0.2 MB.
Bytes Plane() {
  Bytes bytes(static_cast<std::size_t>(kServoScene.grid_bytes));
  bytes.resize(MakeGrid(
      {.blocks = 6, .band_m = 1}, [](double, double, double z) { return z; }, bytes));
  EXPECT_GT(bytes.size(), 200'000u);
  return bytes;
}

/// A ball above the grids.
Bytes ImageOf(const std::vector<Bytes>& grids) {
  const auto scene = std::make_unique<Scene<kComputerScene>>();
  EXPECT_EQ(scene->bodies.push_back({.p_WB_m = {0, 0, 0.01}}), Status::kOk);
  EXPECT_EQ(scene->shapes.push_back({.body = kTool, .radius_m = 0.005}), Status::kOk);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    EXPECT_EQ(scene->shapes.push_back({.kind = ShapeKind::kGrid, .hull = static_cast<std::uint8_t>(i)}), Status::kOk);
    EXPECT_EQ(scene->grids.push_back({.bytes = grids[i]}), Status::kOk);
  }
  Bytes image(kSceneImageBytes<kComputerScene>);
  image.resize(WriteScene(*scene, image));
  return image;
}

SceneAnswer Send(const Bytes& image, SceneLoader<double>* loader, std::size_t from = 0) {
  SceneAnswer answer;
  for (std::size_t at = from; at < image.size() && answer.code == AckCode::kAccepted; at += kPiece)
    answer = loader->Take(PieceOf(image, at));
  return answer;
}

/// The image's own checksum made right again: what a hostile sender can do.
void Seal(Bytes* image) {
  const std::uint32_t crc = Crc32(std::span(*image).first(image->size() - 4));
  for (std::size_t i = 0; i < 4; ++i) (*image)[image->size() - 4 + i] = static_cast<std::uint8_t>(crc >> 8 * i);
}

class GridBoardScene : public testing::Test {
 protected:
  const std::unique_ptr<SceneLoader<double>> loader = std::make_unique<SceneLoader<double>>();
  const Bytes image = ImageOf({Plane()});

  /// A refusal changes nothing.
  void ExpectInForce() const {
    ASSERT_NE(loader->world(), nullptr);
    EXPECT_EQ(loader->crc(), Crc32(image));
    EXPECT_EQ(loader->world()->grids.size(), 1);
    EXPECT_TRUE(std::equal(image.begin(), image.end(), loader->image().begin(), loader->image().end()));
    double d = 0;
    Vec<double, 3> gradient;
    EXPECT_TRUE(loader->world()->grids[0].Distance(Vec<double, 3>(1e-3, 2e-3, 3e-3), &d, &gradient));
    EXPECT_NEAR(d, 3e-3, 1e-6);
  }
};

TEST_F(GridBoardScene, ComesPieceByPieceAndIsInForce) {
  const SceneAnswer answer = Send(image, loader.get());
  EXPECT_EQ(answer.code, AckCode::kAccepted);
  EXPECT_TRUE(answer.complete);
  EXPECT_FALSE(loader->world()->is_large);
  EXPECT_EQ(loader->world()->grid_points, 1);
  ExpectInForce();
}

// As it was read at once: the same answer and the same checksum, whatever the pieces' sizes.
TEST_F(GridBoardScene, PiecesOfAnySizeAreTheSameImage) {
  for (const std::size_t piece : {1u, 7u, 479u}) {
    std::size_t at = 0;
    SceneAnswer answer;
    while (at < image.size() && answer.code == AckCode::kAccepted) {
      wire::ScenePart part = PieceOf(image, at);
      const std::size_t size = std::min(piece, image.size() - at);
      part.mutate_size(static_cast<std::uint32_t>(size));
      answer = loader->Take(part);
      at += size;
    }
    EXPECT_TRUE(answer.complete) << piece;
    ExpectInForce();
  }
}

TEST_F(GridBoardScene, AMissingPieceRefusesAndTheImageMayComeAnew) {
  ASSERT_TRUE(Send(image, loader.get()).complete);
  ASSERT_EQ(loader->Take(PieceOf(image, 0)).code, AckCode::kAccepted);
  ASSERT_EQ(loader->Take(PieceOf(image, kPiece)).code, AckCode::kAccepted);
  EXPECT_EQ(loader->Take(PieceOf(image, 3 * kPiece)).code, AckCode::kOutOfRange);
  EXPECT_EQ(loader->Take(PieceOf(image, 2 * kPiece)).code, AckCode::kOutOfRange);
  ExpectInForce();
  EXPECT_TRUE(Send(image, loader.get()).complete);
  ExpectInForce();
}

TEST_F(GridBoardScene, AWrongByteInAnyPieceIsRefused) {
  ASSERT_TRUE(Send(image, loader.get()).complete);
  for (std::size_t at = 0; at < image.size(); at += 9'973) {
    Bytes wrong = image;
    wrong[at] ^= 0x10;
    const SceneAnswer answer = Send(wrong, loader.get());
    EXPECT_NE(answer.code, AckCode::kAccepted) << at;
    EXPECT_FALSE(answer.complete) << at;
  }
  ExpectInForce();
}

// Source: docs/wire.md, ScenePart: the place of the item at fault. The image's checksum is right, the grid is not.
TEST_F(GridBoardScene, AHostileGridIsRefusedByItsPlace) {
  ASSERT_TRUE(Send(image, loader.get()).complete);
  const std::size_t grid = image.size() - 4 - Plane().size();
  for (const std::size_t at : {std::size_t{0}, std::size_t{6}, std::size_t{9}, std::size_t{28}, std::size_t{49},
                               std::size_t{5'000}, Plane().size() - 1}) {
    Bytes wrong = image;
    wrong[grid + at] ^= 0x40;
    Seal(&wrong);
    const SceneAnswer answer = Send(wrong, loader.get());
    EXPECT_EQ(answer.code, AckCode::kOutOfRange) << at;
    EXPECT_EQ(answer.limit, 0) << at;
  }
  ExpectInForce();
}

TEST_F(GridBoardScene, AGridThatLiesAboutItsSizeIsRefused) {
  ASSERT_TRUE(Send(image, loader.get()).complete);
  const std::size_t size_at = image.size() - 4 - Plane().size() - 4;
  for (const unsigned high : {0x00u, 0x7Fu, 0xFFu}) {
    Bytes wrong = image;
    wrong[size_at + 3] = static_cast<std::uint8_t>(high);
    wrong[size_at] ^= 1;
    Seal(&wrong);
    EXPECT_EQ(Send(wrong, loader.get()).code, AckCode::kOutOfRange) << high;
  }
  ExpectInForce();
}

TEST_F(GridBoardScene, OneGridMoreIsRefusedByName) {
  ASSERT_TRUE(Send(image, loader.get()).complete);
  const SceneAnswer answer = Send(ImageOf({Plane(), Bytes(60)}), loader.get());
  EXPECT_EQ(answer.code, AckCode::kOverCapacity);
  EXPECT_EQ(answer.field, static_cast<std::uint16_t>(SceneList::kGrids));
  EXPECT_EQ(answer.limit, 1);
  ExpectInForce();
}

// 152 points and as many more: each cloud has room, a tick has not the work for both.
TEST_F(GridBoardScene, MorePointsThanATickHasWorkForAreRefused) {
  ASSERT_TRUE(Send(image, loader.get()).complete);
  const SceneShape box{.kind = ShapeKind::kBox, .body = kTool, .radius_m = 1e-3, .half_m = {4e-3, 4e-3, 4e-3}};
  const auto with = [&](int boxes) {
    const auto scene = std::make_unique<Scene<kComputerScene>>();
    EXPECT_EQ(scene->bodies.push_back({}), Status::kOk);
    for (int i = 0; i < boxes; ++i) EXPECT_EQ(scene->shapes.push_back(box), Status::kOk);
    EXPECT_EQ(scene->shapes.push_back({.kind = ShapeKind::kGrid}), Status::kOk);
    const Bytes plane = Plane();
    EXPECT_EQ(scene->grids.push_back({.spacing_m = 1.25e-3, .bytes = plane}), Status::kOk);
    Bytes bytes(kSceneImageBytes<kComputerScene>);
    bytes.resize(WriteScene(*scene, bytes));
    return bytes;
  };
  const SceneAnswer answer = Send(with(2), loader.get());
  EXPECT_EQ(answer.code, AckCode::kOverCapacity);
  EXPECT_EQ(answer.field, static_cast<std::uint16_t>(SceneList::kGrids));
  EXPECT_EQ(answer.limit, kMaxSamplePoints);
  ExpectInForce();
  EXPECT_TRUE(Send(with(1), loader.get()).complete);
  EXPECT_EQ(loader->world()->grid_points, 152);
}

// Each byte of a grid is summed in its own piece, so that the last one has no more to do than the others: whatever is
// changed behind its back after that is not seen.
TEST_F(GridBoardScene, TheLastPieceDoesNotLookAtTheGridAgain) {
  SceneArrival<kServoScene> arrival;
  Bytes room(image.size());
  const auto scene = std::make_unique<Scene<>>();
  const auto prepared = std::make_unique<PreparedScene<double>>();
  arrival = SceneArrival<kServoScene>(room);
  for (std::size_t at = 0; at < image.size(); at += kPiece) {
    const std::size_t there = std::min(at + kPiece, image.size());
    std::copy(image.begin() + static_cast<std::ptrdiff_t>(at), image.begin() + static_cast<std::ptrdiff_t>(there),
              room.begin() + static_cast<std::ptrdiff_t>(at));
    arrival.Look(there, scene.get());
    // A piece that has been looked at may be gone, but for the lists at the image's beginning and the grid's head and map.
    if (at > 3 * kPiece && there + kPiece < image.size())
      std::fill(room.begin() + static_cast<std::ptrdiff_t>(at), room.begin() + static_cast<std::ptrdiff_t>(there),
                std::uint8_t{0});
  }
  EXPECT_FALSE(arrival.Finish(scene.get(), prepared.get()));
  EXPECT_EQ(arrival.crc(), Crc32(image));
}

}  // namespace
}  // namespace tactus::servo
