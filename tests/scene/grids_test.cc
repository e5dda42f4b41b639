// Bodies of any form in a scene: as bytes, refused by name, and with the closed forms of a plane, a ball and a hollow ball.
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "running.h"
#include "tactus/scene/scene_image.h"
#include "tests/collide/made_grid.h"

namespace tactus {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class Distance>
Bytes Made(const MadeGrid& made, Distance distance) {
  Bytes bytes(std::size_t{1} << 20);
  bytes.resize(MakeGrid(made, distance, bytes));
  EXPECT_GT(bytes.size(), 0u);
  return bytes;
}
/// The plane z = 0, ±20 mm wide: a cubic spline through it is the plane itself.
const Bytes& Plane() {
  static const Bytes bytes = Made({.band_m = 9e-3}, [](double, double, double z) { return z; });
  return bytes;
}
/// Of the spline through the distances of a ball: β smooths d by h² (d_xx + d_yy + d_zz)/6 = h² /(3 r), taken out here.
double BallCoefficient(double r, double radius_m, double spacing_m) {
  return r - radius_m - (r > 0 ? spacing_m * spacing_m / (3 * r) : 0);
}
constexpr double kBall_m = 0.012;
const Bytes& Ball() {
  static const Bytes bytes = Made({.band_m = 9e-3, .slack_m = 5e-5}, [](double x, double y, double z) {
    return BallCoefficient(std::sqrt(x * x + y * y + z * z), kBall_m, 1e-3);
  });
  return bytes;
}
/// All but a ball.
constexpr double kHollow_m = 0.016;
const Bytes& Hollow() {
  static const Bytes bytes = Made({.band_m = 9e-3, .slack_m = 5e-5}, [](double x, double y, double z) {
    return -BallCoefficient(std::sqrt(x * x + y * y + z * z), kHollow_m, 1e-3);
  });
  return bytes;
}

Scene<> SceneOn(const Bytes& grid, const SceneShape& shape) {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = 0.1}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(shape), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kGrid}), Status::kOk);
  EXPECT_EQ(scene.grids.push_back({.spacing_m = 2e-3, .bytes = grid}), Status::kOk);
  return scene;
}
SceneShape BallShape(double radius_m) { return {.kind = ShapeKind::kSphere, .body = kTool, .radius_m = radius_m}; }

Bytes ImageOf(const Scene<>& scene) {
  Bytes image(kSceneImageBytes<kServoScene>);
  image.resize(WriteScene(scene, image));
  return image;
}

TEST(SceneGrid, GoesThroughAnImageAndIsReadInPlace) {
  const Bytes image = ImageOf(SceneOn(Ball(), BallShape(0.005)));
  const auto back = std::make_unique<Scene<>>();
  ASSERT_FALSE(ReadScene(image, back.get()));
  ASSERT_EQ(back->grids.size(), 1);
  EXPECT_EQ(back->grids[0].spacing_m, 2e-3);
  EXPECT_TRUE(std::equal(back->grids[0].bytes.begin(), back->grids[0].bytes.end(), Ball().begin(), Ball().end()));
  EXPECT_GE(back->grids[0].bytes.data(), image.data());
  EXPECT_LE(back->grids[0].bytes.data() + Ball().size(), image.data() + image.size());
  EXPECT_EQ(ImageOf(*back), image);
}

TEST(SceneGrid, CutAtEveryByteIsRefused) {
  const Bytes image = ImageOf(SceneOn(Ball(), BallShape(0.005)));
  const auto back = std::make_unique<Scene<>>();
  for (std::size_t size = 0; size < image.size(); ++size)
    ASSERT_TRUE(ReadScene(std::span(image).first(size), back.get())) << size;
}

// The image is whole, and the grid in it is not.
TEST(SceneGrid, ThatIsCutOrWrongItselfIsRefusedByName) {
  const auto prepared = std::make_unique<PreparedScene<double>>();
  for (std::size_t size = 0; size < Ball().size(); size += size < 64 ? 1 : 997) {
    const Bytes cut(Ball().begin(), Ball().begin() + static_cast<std::ptrdiff_t>(size));
    const SceneFault fault = Prepare(SceneOn(cut, BallShape(0.005)), prepared.get());
    ASSERT_TRUE(fault) << size;
    EXPECT_STREQ(fault.list, "grids");
    EXPECT_STREQ(fault.field, "bytes");
  }
  Bytes wrong = Ball();
  for (std::size_t i = 0; i < wrong.size(); i += 101) {
    wrong[i] ^= 0x10;
    ASSERT_TRUE(Prepare(SceneOn(wrong, BallShape(0.005)), prepared.get())) << i;
    wrong[i] ^= 0x10;
  }
}

TEST(SceneGrid, AnImageOfTheVersionBeforeIsRefused) {
  Bytes image = ImageOf(SceneOn(Ball(), BallShape(0.005)));
  image[4] = 2;
  const SceneFault fault = ReadScene(image, std::make_unique<Scene<>>().get());
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.what, "is an image of another version");
  EXPECT_EQ(fault.value, 2);
}

SceneFault FaultOf(const Scene<>& scene) {
  const auto prepared = std::make_unique<PreparedScene<double>>();
  return Prepare(scene, prepared.get());
}

TEST(SceneGrid, BadNumbersAreNamed) {
  const auto with = [](double spacing_m) {
    Scene<> scene = SceneOn(Plane(), BallShape(0.005));
    scene.grids[0].spacing_m = spacing_m;
    return FaultOf(scene);
  };
  for (const double bad :
       {0.0, -1e-3, 1.1, 1e-9, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const SceneFault fault = with(bad);
    ASSERT_TRUE(fault) << bad;
    EXPECT_STREQ(fault.field, "spacing_m");
  }
  Scene<> scene = SceneOn(Plane(), BallShape(0.005));
  scene.shapes[1].hull = 1;
  EXPECT_STREQ(FaultOf(scene).what, "is no grid");
  scene.shapes[1] = {.kind = ShapeKind::kGrid, .body = kTool};
  EXPECT_STREQ(FaultOf(scene).what, "is a grid, which only the world and a path can have");
}

TEST(SceneGrid, WhatHasNoRoomIsNamed) {
  // 60 mm at 2 mm: 31 × 31 points on each face.
  const SceneFault box = FaultOf(SceneOn(Plane(), CubeShape(kTool, 0.06)));
  ASSERT_TRUE(box);
  EXPECT_STREQ(box.list, "shapes");
  EXPECT_EQ(box.index, 0);
  EXPECT_STREQ(box.what, "needs more than 256 points for a grid to see it: give the grid a larger spacing_m");
  Scene<> many = SceneOn(Plane(), BallShape(0.005));
  for (int i = 1; i < kServoScene.clouds; ++i) ASSERT_EQ(many.shapes.push_back(BallShape(0.005)), Status::kOk);
  EXPECT_FALSE(FaultOf(many));
  ASSERT_EQ(many.shapes.push_back(BallShape(0.005)), Status::kOk);
  EXPECT_EQ(FaultOf(many).index, many.shapes.size() - 1);
  const Bytes much(static_cast<std::size_t>(kServoScene.grid_bytes) - Plane().size() + 1);
  Scene<> large = SceneOn(Plane(), BallShape(0.005));
  ASSERT_EQ(large.grids.push_back({.bytes = much}), Status::kOk);
  const SceneFault fault = FaultOf(large);
  EXPECT_STREQ(fault.list, "grids");
  EXPECT_EQ(fault.index, 1);
  EXPECT_STREQ(fault.what, "is too large with those before it");
}

// A ball's centre is as far from the surface as its radius: where the grid ends before that, it would be seen too late.
TEST(SceneGrid, AShapeBeyondTheBandIsNamed) {
  EXPECT_FALSE(FaultOf(SceneOn(Plane(), BallShape(0.0054))));  // 5.4 + 0.5 + 3 mm of 9
  const SceneFault fault = FaultOf(SceneOn(Plane(), BallShape(0.0056)));
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.list, "shapes");
  EXPECT_STREQ(fault.field, "radius_m");
}

// Source: closed form, m g; the plane's grid is exact but for the steps of its numbers, 0.2 µm.
TEST(SceneGrid, ABlockStandsOnAPlane) {
  Scene<> scene = SceneOn(Plane(), CubeShape(kTool, 0.01));
  scene.bodies[0] = Cube(0.1, 0.01, {0, 0, 0.005});
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  Running<double> run(scene);
  run.Steps(200);
  EXPECT_NEAR(run.state.bodies[0].p_WT_m(2), 0.005, 1e-6);
  EXPECT_NEAR(run.ForceOfWorld()(2), 0.1 * kGravity_mps2, 1e-6);
  EXPECT_NEAR(run.ForceOfWorld().head<2>().norm(), 0, 1e-6);
  EXPECT_GE(run.problem->contacts.size(), 4);
}

// Source: Coulomb's law. Points of a grid are contacts as others: it sticks at 0.999 of the slope, and at 1.001 slides with
// g (sin θ - μ cos θ).
TEST(SceneGrid, ABlockSticksAndSlidesOnASlope) {
  constexpr double kFriction = 0.3;
  for (const double share : {0.999, 1.001}) {
    const double angle = std::atan(share * kFriction), c = std::cos(angle), s = std::sin(angle);
    Scene<> scene = SceneOn(Plane(), CubeShape(kTool, 0.01));
    scene.default_law.friction = kFriction;
    scene.bodies[0] = Cube(0.1, 0.01, {-0.005 * s, 0, 0.005 * c});
    scene.bodies[0].q_WB = scene.shapes[1].q_BS = TurnAbout({0, 1, 0}, -angle);
    scene.bodies[0].p_WB_m = {-0.005 * s, 0, 0.005 * c};
    scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
    Running<double> run(scene);
    run.Steps(200);
    const double speed = run.state.bodies[0].twist_W.head<3>().norm();
    const double expected = share > 1 ? 0.2 * kGravity_mps2 * (s - kFriction * c) : 0;
    EXPECT_NEAR(speed, expected, 0.01 * 0.2 * kGravity_mps2 * 0.001 * kFriction + 1e-3 * expected) << share;
  }
}

int Motions() {
  const char* const given = std::getenv("TACTUS_PLACEMENTS");
  return given != nullptr ? std::atoi(given) : 2000;
}

/// The deepest that a ball of 5 mm gets in a tick, at 2 m/s, from up to 1 mm above the surface.
/// @param[in] from_m, sign  its centre at the surface, from the middle of the grid; which way out is
double DeepestOfFlights(const Bytes& grid, double from_m, double sign) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto direction = [&] {
    const Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  Scene<> scene = SceneOn(grid, BallShape(0.005));
  scene.default_law.friction = 0;
  Running<double> run(scene);
  double deepest_m = 0;
  for (int n = 0; n < Motions() && !testing::Test::HasFatalFailure(); ++n) {
    auto& ball = run.state.bodies[0];
    ball.p_WT_m = direction() * (from_m + sign * 1e-3 * uniform(random));
    ball.twist_W << 2 * direction(), 20 * direction();
    run.Step();
    deepest_m = std::max(deepest_m, sign * (from_m - ball.p_WT_m.norm()));
  }
  return deepest_m;
}

// Source: a plane between two convex bodies is passed by neither; what is left is the grid's own error.
TEST(SceneGrid, FastBallsDoNotEnterAConvexBody) {
  const double deepest_m = DeepestOfFlights(Ball(), kBall_m + 0.005, 1);
  EXPECT_LT(deepest_m, 2e-6);
}

// Source: closed form. Along the tangent of a hollow ball the centre goes 2 mm in a tick, on a sphere of ρ = 11 mm:
// sqrt(ρ² + (v h)²) - ρ = 180 µm inside, and no more.
TEST(SceneGrid, FastBallsEnterAHollowByItsCurvatureAlone) {
  constexpr double kRho_m = kHollow_m - 0.005;
  const double bound_m = std::sqrt(kRho_m * kRho_m + 4e-6) - kRho_m;
  const double deepest_m = DeepestOfFlights(Hollow(), kRho_m, -1);
  // The grid's own error on top: 2 µm, and 1e-3 rad of the normal on a way of 2 mm.
  EXPECT_LT(deepest_m, bound_m + 4e-6);
  EXPECT_GT(deepest_m, bound_m / 2);
}

TEST(SceneGrid, DeepInsideIsSaidAndGivesNoForce) {
  Scene<> scene = SceneOn(Ball(), BallShape(0.005));
  Running<double> run(scene);
  run.Step();
  EXPECT_EQ(run.found.deep, 1);
  EXPECT_EQ(run.problem->contacts.size(), 0);
}

/// Of a torus: what it is of, and which shapes it meets.
TEST(SceneTorus, NoPairsAreNamed) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back({.mass_kg = 0.1}), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(BallShape(0.005)), Status::kOk);
  SceneShape torus{.kind = ShapeKind::kTorus, .radius_m = 0.005, .half_m = {0.02, 0.02, 0}};
  ASSERT_EQ(scene.shapes.push_back(torus), Status::kOk);
  EXPECT_FALSE(FaultOf(scene));
  scene.shapes[1].body = kTool;
  EXPECT_STREQ(FaultOf(scene).what, "is a torus, which only the world and a path can have");
  scene.shapes[1].body = kWorld;
  scene.shapes[0] = CubeShape(kTool, 0.01);
  EXPECT_STREQ(FaultOf(scene).what, "is a box or hull of a body, which makes no contacts with the scene's torus");
}

// Source: closed form. In the hole, along the ring, the centre goes 2 mm in a tick on a circle of ρ = 20 - 5 - 5 mm:
// sqrt(ρ² + (v h)²) - ρ = 198 µm inside, and nowhere more, for elsewhere the torus is flatter or convex.
TEST(SceneTorus, FastBallsEnterItByItsCurvatureAlone) {
  constexpr double kRing_m = 0.02, kTube_m = 0.005, kBallRadius_m = 0.005, kRho_m = kRing_m - kTube_m - kBallRadius_m;
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back({.mass_kg = 0.1}), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(BallShape(kBallRadius_m)), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kTorus, .radius_m = kTube_m, .half_m = {kRing_m, kRing_m, 0}}),
            Status::kOk);
  scene.default_law.friction = 0;
  Running<double> run(scene);
  std::mt19937 random(12);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto direction = [&] {
    const Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  double deepest_m = 0;
  for (int n = 0; n < Motions() && !testing::Test::HasFatalFailure(); ++n) {
    const double around = 2 * std::numbers::pi * uniform(random), tube = 2 * std::numbers::pi * uniform(random);
    const Vec<double, 3> out(std::cos(around), std::sin(around), 0);
    auto& ball = run.state.bodies[0];
    ball.p_WT_m = kRing_m * out + (kTube_m + kBallRadius_m + 1e-3 * uniform(random)) *
                                      (std::cos(tube) * out + std::sin(tube) * Vec<double, 3>::UnitZ());
    ball.twist_W << 2 * direction(), 20 * direction();
    run.Step();
    const double from_ring = std::hypot(ball.p_WT_m.head<2>().norm() - kRing_m, ball.p_WT_m(2));
    deepest_m = std::max(deepest_m, kTube_m + kBallRadius_m - from_ring);
  }
  EXPECT_LT(deepest_m, std::sqrt(kRho_m * kRho_m + 4e-6) - kRho_m + 1e-7);
}

/// A grid that is the first of the pair: normals point the other way, the force does not.
TEST(SceneGrid, TheOrderOfShapesDoesNotMatter) {
  Scene<> scene = SceneOn(Ball(), BallShape(0.005));
  scene.bodies[0].p_WB_m = {0, 0, kBall_m + 0.005};
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  Scene<> other = scene;
  std::swap(other.shapes[0], other.shapes[1]);
  Running<double> one(scene), two(other);
  one.Step();
  two.Step();
  EXPECT_GT(one.ForceOfWorld()(2), 0.9 * 0.1 * kGravity_mps2);  // a gap of the grid's step, 0.2 µm, is 20 mN
  EXPECT_NEAR((one.ForceOfWorld() - two.ForceOfWorld()).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace tactus
