// [AnitescuHart]'s piles of disks on a plank, against statics. A disk is a ball with the moments of a disk; all forces lie
// in its plane.
#include "running.h"

namespace tactus {
namespace {

constexpr double kRadius_m = 0.0075, kMass_kg = 0.02;

/// The tool lies on the plank, far away; `rows` rows of disks, one fewer in each.
Scene<> Pile(int rows, double friction) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  scene.default_law.friction = friction;
  const double about_y = kMass_kg * kRadius_m * kRadius_m / 2, across = about_y / 2 + kMass_kg * 3e-6;
  const auto add = [&](const Vector3& p_WB_m) {
    const auto body = static_cast<std::int16_t>(scene.bodies.size());
    EXPECT_EQ(scene.bodies.push_back({.mass_kg = kMass_kg, .inertia_kgm2 = {across, about_y, across}, .p_WB_m = p_WB_m}),
              Status::kOk);
    EXPECT_EQ(scene.shapes.push_back({.body = body, .radius_m = kRadius_m}), Status::kOk);
  };
  add({-0.1, 0, kRadius_m});
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < rows - row; ++i) add({kRadius_m * (2 * i + row), 0, kRadius_m * (1 + std::numbers::sqrt3 * row)});
  }
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

/// A block with a smooth face at each end of the lowest row.
void AddEdges(int rows, Scene<>* scene) {
  for (const double x_m : {-kRadius_m - 0.005, kRadius_m * (2 * rows - 1) + 0.005}) {
    EXPECT_EQ(scene->shapes.push_back({.kind = ShapeKind::kBox,
                                       .material = 1,
                                       .radius_m = 2e-4,
                                       .half_m = {0.005, 0.01, 0.006},
                                       .p_BS_m = {x_m, 0, 0.006}}),
              Status::kOk);
  }
  EXPECT_EQ(scene->laws.push_back({.a = 0, .b = 1, .friction = 0}), Status::kOk);
}

/// How far the topmost of three disks sinks in 0.2 s.
double Sunk_m(double friction) {
  Running<double> run(Pile(2, friction));
  const double start_m = run.body(3).p_WT_m(2);
  run.Steps(200);
  return start_m - run.body(3).p_WT_m(2);
}

// Source: a disk of the lower row turns under two forces that must be one: along the chord from the plank to the upper
// disk, which stands 15 degrees off both normals.
TEST(Pile, ThreeDisksHoldAboveTan15DegreesAndFallBelow) {
  EXPECT_NEAR(Sunk_m(0.3), 0, 1e-8);    // rounding of the start, 1e-10, pushed out
  EXPECT_NEAR(Sunk_m(0.275), 0, 1e-8);  // tan 15° = 0.26795
  EXPECT_GT(Sunk_m(0.26), 1e-4);
  EXPECT_GT(Sunk_m(0.05), 5e-3);
}

TEST(Pile, ThreeDisksCarryTheirWeight) {
  Running<double> run(Pile(2, 0.3));
  run.Steps(100);
  EXPECT_NEAR(run.ForceOfWorld()(2), 4 * kMass_kg * kGravity_mps2, 1e-6);  // the round cone's residual
  EXPECT_NEAR(run.ForceOfWorld()(0), 0, 1e-6);
}

// Source: balance of all forces; and a frame that holds the lowest row holds the pile, for each disk then lies on two.
TEST(Pile, TwentyOneDisksBetweenTwoEdgesCarryTheirWeight) {
  Scene<> scene = Pile(6, 0.3);
  AddEdges(6, &scene);
  Running<double, kLargeSceneCapacity> run(scene);
  ASSERT_TRUE(run.scene().is_large);
  run.Steps(100);
  EXPECT_EQ(run.problem->contacts.size(), 1 + 6 + 15 + 30 + 2);  // tool, plank, side by side, on each other, edges
  EXPECT_NEAR(run.ForceOfWorld()(2), 22 * kMass_kg * kGravity_mps2, 1e-5);
  EXPECT_NEAR(run.ForceOfWorld()(0), 0, 1e-5);
  for (int i = 0; i < 22; ++i) {
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(run.body(i).p_WT_m(k), scene.bodies[i].p_WB_m[static_cast<std::size_t>(k)], 1e-6);
  }
}

}  // namespace
}  // namespace tactus
