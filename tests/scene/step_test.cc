// A scene's contacts against statics and kinematics.
#include "running.h"

namespace tactus {
namespace {

template <class Scalar>
class SceneStep : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(SceneStep, Scalars);

Scene<> Stack(int cubes) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  for (int i = 0; i < cubes; ++i) {
    EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.04, {0, 0, 0.02 + 0.04 * i})), Status::kOk);
    EXPECT_EQ(scene.shapes.push_back(CubeShape(i, 0.04)), Status::kOk);
  }
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

TYPED_TEST(SceneStep, AStackCarriesItsWeight) {
  for (int cubes = 1; cubes <= 4; ++cubes) {
    Running<TypeParam> run(Stack(cubes));
    run.Steps(300);
    // Tolerance: the round cone's residual in a tick, 1e-6 of the load; float: the gaps' rounding, 1 nm, pushed out in 1 ms
    EXPECT_NEAR(run.ForceOfWorld()(2), cubes * 0.1 * kGravity_mps2, sizeof(TypeParam) == 8 ? 1e-6 * cubes : 1e-3);
    for (int i = 0; i < cubes; ++i) EXPECT_NEAR(run.body(i).p_WT_m(2), 0.02 + 0.04 * i, 1e-6);
  }
}

/// A cube on a slope of `angle_rad` with friction μ = 0.3, for half a second. @returns its way downhill
template <class Scalar>
double WayOnSlope(double angle_rad) {
  Scene<> scene;
  scene.gravity_W_mps2 = {kGravity_mps2 * std::sin(angle_rad), 0, -kGravity_mps2 * std::cos(angle_rad)};
  scene.default_law.friction = 0.3;
  EXPECT_EQ(scene.bodies.push_back(Cube(0.2, 0.04, {0, 0, 0.02})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(0, 0.04)), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  Running<Scalar> run(scene);
  run.Steps(500);
  return static_cast<double>(run.body(0).p_WT_m(0));
}

// Source: Coulomb: it sticks below tan θ = μ, and slides above by g (sin θ - μ cos θ) t²/2.
TYPED_TEST(SceneStep, SticksAndSlipsAtTheAngleOfFriction) {
  const double angle = std::atan(0.3);
  EXPECT_NEAR(WayOnSlope<TypeParam>(std::atan(0.3 * 0.999)), 0, 1e-6);
  EXPECT_GT(WayOnSlope<TypeParam>(std::atan(0.3 * 1.001)), 2e-4);  // g · 3e-4 · cos · t²/2 = 3.4e-4
  const double steep = angle + 0.1;
  const double a = kGravity_mps2 * (std::sin(steep) - 0.3 * std::cos(steep));
  EXPECT_NEAR(WayOnSlope<TypeParam>(steep), a * 0.25 / 2, 0.003 * a * 0.25 / 2);  // one step's share, h/T = 0.2 %
}

TYPED_TEST(SceneStep, APairOfMaterialsHasItsOwnLaw) {
  Scene<> scene = Stack(1);
  scene.default_law.friction = 1;
  scene.shapes[0].material = 2;
  scene.shapes[1].material = 5;
  ASSERT_EQ(scene.laws.push_back({.a = 5, .b = 2, .friction = 0}), Status::kOk);
  scene.bodies[0].velocity_mps = {0.1, 0, 0};
  Running<TypeParam> run(scene);
  run.Steps(200);
  EXPECT_NEAR(run.body(0).p_WT_m(0), 0.02, 1e-5);  // Source: no force along the plane: 0.1 m/s · 0.2 s
}

// Source: a body on a conveyor with friction takes its speed, after v/(μ g) = 34 ms at μ 0.3 and 0.1 m/s.
TYPED_TEST(SceneStep, AConveyorTakesWhatLiesOnIt) {
  Scene<> scene = Stack(1);
  scene.shapes[1].material = 1;
  ASSERT_EQ(scene.laws.push_back({.a = 0, .b = 1, .friction = 0.3, .surface_velocity_mps = {0, 0.1, 0}}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(20);
  EXPECT_NEAR(run.body(0).twist_W(1), 0.3 * kGravity_mps2 * 0.020, 1e-4);
  run.Steps(60);
  EXPECT_NEAR(run.body(0).twist_W(1), 0.1, 1e-5);
  EXPECT_NEAR(run.body(0).twist_W(0), 0, 1e-5);
}

TYPED_TEST(SceneStep, MoreContactsThanRoomKeepTheWeightAndSaySo) {
  Scene<> scene = Stack(1);
  scene.bodies[0] = Cube(1, 0.2, {0, 0, 0.02});
  scene.shapes.clear();
  for (int i = 0; i < 16; ++i) {  // feet
    SceneShape foot = CubeShape(0, 0.04);
    foot.p_BS_m = {0.05 * (i % 4) - 0.075, 0.05 * (i / 4) - 0.075, 0};
    ASSERT_EQ(scene.shapes.push_back(foot), Status::kOk);
  }
  ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(100);
  EXPECT_EQ(run.found.found + run.found.dropped >= 64, true);
  EXPECT_GT(run.found.dropped, 0);
  EXPECT_NEAR(run.ForceOfWorld()(2), kGravity_mps2, 1e-2);
  EXPECT_NEAR(run.body(0).q_WT(0), 1, 1e-6);  // it does not tip: the outermost feet were kept
}

TYPED_TEST(SceneStep, AToolThatDoesNotTurnDoesNot) {
  Scene<> scene = Stack(1);
  scene.bodies[0].motion = BodyMotion::kTranslation;
  Running<TypeParam> run(scene);
  Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
  push(0) = TypeParam(0.1);
  push(4) = TypeParam(0.05);  // would tip it
  for (int i = 0; i < 200; ++i) run.Step(push);
  EXPECT_EQ(run.body(0).q_WT(0), TypeParam(1));
  EXPECT_NEAR(run.ForceOfWorld()(2), 0.1 * kGravity_mps2, 1e-3);
}

// Source: the tool's own weight against a spring: x = m g / K below the point.
TYPED_TEST(SceneStep, FieldsHoldAndPull) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.fields.push_back({.kind = FieldKind::kPoint, .p_W_m = {0, 0, 0}, .strength = 200, .max_force_N = 5}),
            Status::kOk);
  ASSERT_EQ(scene.fields.push_back({.kind = FieldKind::kViscous, .strength = 5, .max_force_N = 100}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(2000);
  EXPECT_NEAR(run.body(0).p_WT_m(2), -0.1 * kGravity_mps2 / 200, 1e-6);
}

}  // namespace
}  // namespace tactus
