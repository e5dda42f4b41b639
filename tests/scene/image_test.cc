// A scene as bytes: it comes back as it was, and nothing else is taken for one.
#include <vector>

#include "scenes.h"
#include "tactus/scene/scene_image.h"

namespace tactus {
namespace {

Scene<> Full() {
  Scene<> scene;
  scene.gravity_W_mps2 = {1, 2, -3};
  for (int i = 0; i < kServoScene.bodies; ++i)
    EXPECT_EQ(scene.bodies.push_back(Cube(0.1 + i, 0.04, {0.1 * i, 0, 0.02})), Status::kOk);
  for (int i = 0; i < kServoScene.shapes; ++i)
    EXPECT_EQ(scene.shapes.push_back(CubeShape(i % 4, 0.01 + 0.001 * i)), Status::kOk);
  for (int i = 0; i < kServoScene.hulls; ++i) {
    SceneHull hull;
    hull.vertex_m.resize(kHullVertices);
    hull.counts.resize(kHullFaces);
    hull.corners.resize(2 * kHullEdges);
    EXPECT_EQ(scene.hulls.push_back(hull), Status::kOk);
  }
  for (int i = 0; i < kServoScene.laws; ++i) EXPECT_EQ(scene.laws.push_back({.a = 1, .friction = 0.1 * i}), Status::kOk);
  for (int i = 0; i < kServoScene.joints; ++i)
    EXPECT_EQ(scene.joints.push_back({.a = 0, .b = 1, .rest = 0.1 * i}), Status::kOk);
  for (int i = 0; i < kServoScene.fields; ++i) EXPECT_EQ(scene.fields.push_back({.count = i}), Status::kOk);
  return scene;
}

std::vector<std::uint8_t> ImageOf(const Scene<>& scene) {
  std::vector<std::uint8_t> image(kSceneImageBytes<kServoScene>);
  image.resize(WriteScene(scene, image));
  EXPECT_LE(image.size(), kSceneImageBytes<kServoScene>);
  return image;
}

TEST(SceneImage, TheFullestSceneFitsAndComesBack) {
  const std::vector<std::uint8_t> image = ImageOf(Full());
  const auto back = std::make_unique<Scene<>>();
  const SceneFault fault = ReadScene(image, back.get());
  ASSERT_FALSE(fault) << fault.what;
  EXPECT_EQ(ImageOf(*back), image);
  EXPECT_EQ(back->laws[11].friction, 0.1 * 11);
  EXPECT_EQ(back->fields[3].count, 3);
}

TEST(SceneImage, CutAtEveryByteIsRefused) {
  const std::vector<std::uint8_t> image = ImageOf(Full());
  const auto back = std::make_unique<Scene<>>();
  for (std::size_t size = 0; size < image.size(); ++size)
    ASSERT_TRUE(ReadScene(std::span(image).first(size), back.get())) << size;
  std::vector<std::uint8_t> longer = image;
  longer.push_back(0);
  EXPECT_TRUE(ReadScene(longer, back.get()));
}

TEST(SceneImage, WithOneByteWrongIsRefused) {
  std::vector<std::uint8_t> image = ImageOf(Full());
  const auto back = std::make_unique<Scene<>>();
  for (std::size_t i = 0; i < image.size(); i += 3) {
    image[i] ^= 0x40;
    ASSERT_TRUE(ReadScene(image, back.get())) << i;
    image[i] ^= 0x40;
  }
}

TEST(SceneImage, OfALargerSceneNamesTheList) {
  constexpr SceneCapacity kSmall{.bodies = 1, .shapes = 2, .joints = 0, .laws = 1, .fields = 1, .hulls = 0};
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back({}), Status::kOk);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(scene.shapes.push_back(CubeShape(0, 0.01)), Status::kOk);
  Scene<kSmall> small;
  const SceneFault fault = ReadScene(ImageOf(scene), &small);
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.list, "shapes");
  EXPECT_STREQ(fault.what, "are more than there is room for");
  EXPECT_EQ(fault.value, 3);
}

}  // namespace
}  // namespace tactus
