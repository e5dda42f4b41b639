// Cones and holes in a scene: what rests, what flies at them, and what is refused.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>

#include "running.h"

namespace tactus {
namespace {

int Motions() {
  const char* const given = std::getenv("TACTUS_PLACEMENTS");
  return given != nullptr ? std::atoi(given) : 2000;
}

constexpr double kRadius_m = 0.012, kHeight_m = 0.03, kMass_kg = 0.1;

Scene<> ConeOverAPlane() {
  Scene<> scene;
  const double across = kMass_kg * (0.15 * kRadius_m * kRadius_m + 0.0375 * kHeight_m * kHeight_m);
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = kMass_kg,
                                    .inertia_kgm2 = {across, across, 0.3 * kMass_kg * kRadius_m * kRadius_m},
                                    .p_WB_m = {0, 0, kHeight_m / 4}}),
            Status::kOk);
  EXPECT_EQ(
      scene.shapes.push_back(
          {.kind = ShapeKind::kCone, .body = kTool, .radius_m = 2e-4, .half_m = {kRadius_m, kRadius_m, kHeight_m / 2}}),
      Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

// Source: closed form, m g; in both precisions.
template <class Scalar>
void StandStill(double tolerance_N) {
  Scene<> scene = ConeOverAPlane();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  Running<Scalar> run(scene);
  run.Steps(200);
  EXPECT_NEAR(static_cast<double>(run.state.bodies[0].p_WT_m(2)), kHeight_m / 4, 1e-7);
  EXPECT_NEAR(run.ForceOfWorld()(2), kMass_kg * kGravity_mps2, tolerance_N);
  EXPECT_EQ(run.problem->contacts.size(), 8);
}
TEST(SceneCone, StandsOnItsBase) {
  StandStill<double>(1e-6);
  StandStill<float>(1e-4);
}

// Eight slabs 0.1 m away, tilted so that their boxes are at the tool, make 64 pairs with its eight balls before the floor
// comes: more than a board remembers. Source: closed form, m g, and the lowest ball rests on the floor.
TEST(SceneShapes, ManyThatAreNearHideNoFloor) {
  constexpr double kBall_m = 0.004;
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(0.05, 0.05, {0, 0, kBall_m})), Status::kOk);
  for (int i = 7; i >= 0; --i) {
    const SceneShape ball{.kind = ShapeKind::kSphere, .body = kTool, .radius_m = kBall_m, .p_BS_m = {0, 0, 0.01 * i}};
    ASSERT_EQ(scene.shapes.push_back(ball), Status::kOk);
  }
  for (int i = 0; i < 8; ++i) {
    const double turn_rad = i * std::numbers::pi / 4, tilt_rad = std::numbers::pi / 4, away_m = 0.1;
    const double x = std::cos(turn_rad), y = std::sin(turn_rad);
    SceneShape slab{.kind = ShapeKind::kBox, .body = kWorld, .radius_m = 2e-4, .half_m = {0.2, 0.2, 0.005}};
    slab.p_BS_m = {away_m * x * std::sin(tilt_rad), away_m * y * std::sin(tilt_rad), 0.05 + away_m * std::cos(tilt_rad)};
    slab.q_BS = TurnAbout({-y, x, 0}, tilt_rad);
    ASSERT_EQ(scene.shapes.push_back(slab), Status::kOk);
  }
  ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  Running<double> run(scene);
  run.Steps(200);
  EXPECT_NEAR(run.body(0).p_WT_m(2), kBall_m, 1e-6);
  EXPECT_NEAR(run.ForceOfWorld()(2), 0.05 * kGravity_mps2, 1e-6);
}

// Source: closed form. Of the rim its eight fixed points and the lowest are contacts. A turn δ = ω h takes the tilt to
// another direction, θ from the nearest of them: |α| (1 - cos θ) R lower, |α| ≤ δ/sin θ, and θ ≤ π/8 for the eight. So
// R δ tan(π/16) is the most, 48 µm, and paths bend by h² ω² ρ/2, 5 µm.
TEST(SceneCone, FastConesDoNotEnterAPlane) {
  constexpr double kSpin_radps = 20, kStep_s = 1e-3;
  const RoundCore<double> core = RoundCoreOf(ConeShape(kRadius_m, kHeight_m));
  Scene<> scene = ConeOverAPlane();
  scene.default_law.friction = 0;
  Running<double> run(scene);
  std::mt19937 random(13);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto direction = [&] {
    const Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  const auto lowest_m = [&](const RigidBodyState<double>& body) {
    const Vec<double, 3> down = -RotationMatrix(body.q_WT).row(2).transpose();
    return body.p_WT_m(2) - core.Support(down).dot(down) - 2e-4;
  };
  double deepest_m = 0;
  for (int n = 0; n < Motions() && !testing::Test::HasFatalFailure(); ++n) {
    auto& body = run.state.bodies[0];
    const double kind = uniform(random);  // a third each upright, on its side, any way
    const Vec<double, 3> turn = kind < 0.33 ? Vec<double, 3>(0.02 * direction())
                                : kind < 0.66
                                    ? Vec<double, 3>(0, M_PI - std::atan2(kHeight_m, kRadius_m) + 0.02 * normal(random), 0)
                                    : Vec<double, 3>(M_PI * direction());
    body.q_WT = ExpMap(turn);
    body.p_WT_m.setZero();
    body.p_WT_m(2) = 1e-3 * uniform(random) - lowest_m(body);
    body.twist_W << 2 * direction(), kSpin_radps * direction();
    run.Step();
    deepest_m = std::max(deepest_m, -lowest_m(body));
  }
  const double lens_m = kRadius_m * kSpin_radps * kStep_s * std::tan(M_PI / 16);
  const double bend_m = kStep_s * kStep_s * kSpin_radps * kSpin_radps * 0.75 * kHeight_m / 2;
  EXPECT_LT(deepest_m, lens_m + bend_m);
  std::printf("%d flights, deepest %.2f um\n", Motions(), 1e6 * deepest_m);
}

constexpr double kHole_m = 0.01, kDepth_m = 0.02, kRim_m = 5e-4;

/// A tool of that shape, and a plate with a hole.
Scene<> OverAHole(const SceneShape& tool) {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = kMass_kg, .inertia_kgm2 = {1e-5, 1e-5, 1e-5}}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(tool), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHole, .radius_m = kRim_m, .half_m = {kHole_m, kHole_m, kDepth_m}}),
            Status::kOk);
  return scene;
}
SceneShape PegShape(double radius_m, double length_m) {
  return {.kind = ShapeKind::kCylinder, .body = kTool, .radius_m = 5e-4, .half_m = {radius_m, radius_m, length_m / 2}};
}
SceneFault FaultOf(const Scene<>& scene) {
  const auto prepared = std::make_unique<PreparedScene<double>>();
  return Prepare(scene, prepared.get());
}

TEST(SceneHole, WhatItDoesNotMeetIsNamed) {
  EXPECT_FALSE(FaultOf(OverAHole(PegShape(0.00998, 0.03))));
  Scene<> scene = OverAHole(CubeShape(kTool, 0.01));
  EXPECT_STREQ(FaultOf(scene).what, "is a box or hull of a body, which makes no contacts with the scene's hole");
  EXPECT_EQ(FaultOf(scene).index, 0);
  scene.shapes[0] = PegShape(0.03, 0.06);
  scene.shapes[0].radius_m = 0.0101;
  EXPECT_STREQ(FaultOf(scene).what, "is not below the radius of the scene's hole");
  EXPECT_STREQ(FaultOf(scene).field, "radius_m");
  scene = OverAHole(PegShape(0.00998, 0.03));
  scene.shapes[1].body = kTool;
  EXPECT_STREQ(FaultOf(scene).what, "is a hole, which only the world and a path can have");
  scene.shapes[1].body = kFirstPath;
  ASSERT_EQ(scene.paths.push_back({.way_m = {0.01, 0, 0}}), Status::kOk);
  EXPECT_FALSE(FaultOf(scene));
  scene.paths[0].spin_radps = 1;
  EXPECT_STREQ(FaultOf(scene).what, "is a hole on a path that turns");
  for (const double bad : {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    for (const int field : {0, 2}) {
      scene = OverAHole(PegShape(0.00998, 0.03));
      scene.shapes[1].half_m[static_cast<std::size_t>(field)] = bad;
      EXPECT_TRUE(FaultOf(scene)) << bad << field;
    }
    scene = OverAHole(PegShape(0.00998, 0.03));
    scene.shapes[1].radius_m = bad;
    EXPECT_TRUE(FaultOf(scene)) << bad;
  }
}

// Source: closed form, m g; on the floor of the hole, in both precisions.
template <class Scalar>
void StandOnTheFloor(double tolerance_N) {
  Scene<> scene = OverAHole(PegShape(0.00998, 0.03));
  scene.bodies[0].p_WB_m = {0, 0, 0.015 - kDepth_m};
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  Running<Scalar> run(scene);
  run.Steps(200);
  EXPECT_NEAR(static_cast<double>(run.state.bodies[0].p_WT_m(2)), 0.015 - kDepth_m, 1e-7);
  EXPECT_NEAR(run.ForceOfWorld()(2), kMass_kg * kGravity_mps2, tolerance_N);
  EXPECT_GE(run.problem->contacts.size(), 12);
}
TEST(SceneHole, APegStandsOnItsFloor) {
  StandOnTheFloor<double>(1e-6);
  StandOnTheFloor<float>(1e-4);
}

// Source: closed form. Along the wall the centre of a ball goes 2 mm in a tick on a circle of ρ = 10 - 5 mm:
// sqrt(ρ² + (v h)²) - ρ inside, 385 um, and nowhere more: on the fillet it is flatter, and the plate is a plane.
TEST(SceneHole, FastBallsEnterItByItsCurvatureAlone) {
  constexpr double kBall_m = 0.005, kRho_m = kHole_m - kBall_m;
  Scene<> scene = OverAHole({.kind = ShapeKind::kSphere, .body = kTool, .radius_m = kBall_m});
  scene.default_law.friction = 0;
  Running<double> run(scene);
  std::mt19937 random(14);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto direction = [&] {
    const Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  const auto gap_m = [&](const Vec<double, 3>& p) {  // of the profile in the half plane (radius, z)
    const double rho = p.head<2>().norm(), into = kHole_m + kRim_m - rho, above = p(2) + kRim_m;
    const double corner = into > 0 && above > 0 ? std::hypot(into, above) : std::max(into, above);
    return (rho < kHole_m ? std::min(corner - kRim_m, p(2) + kDepth_m) : corner - kRim_m) - kBall_m;
  };
  double deepest_m = 0;
  int flown = 0;
  for (int n = 0; n < 4 * Motions() && !testing::Test::HasFatalFailure(); ++n) {
    auto& ball = run.state.bodies[0];
    ball.p_WT_m = {0.015 * uniform(random), 0.015 * uniform(random), -0.005 + 0.012 * uniform(random)};
    const double before_m = gap_m(ball.p_WT_m);
    if (before_m < 0 || before_m > 1e-3) continue;
    ++flown;
    ball.twist_W << 2 * direction(), 20 * direction();
    run.Step();
    deepest_m = std::max(deepest_m, -gap_m(ball.p_WT_m));
  }
  EXPECT_GT(flown, Motions() / 10);
  EXPECT_LT(deepest_m, std::sqrt(kRho_m * kRho_m + 4e-6) - kRho_m + 1e-7);
}

// Source: a bound. A peg with clearance c in the hole: its edge's six places and two minima keep it, but that a tilt of ω h
// shows others of the edge, at most R (1 - cos 15°) ω h lower; v h along the wall's curvature is bounded by the clearance.
TEST(SceneHole, FastPegsStayInIt) {
  constexpr double kClear_m = 2e-5, kSpin_radps = 20, kStep_s = 1e-3;
  Scene<> scene = OverAHole(PegShape(kHole_m - kClear_m, 0.03));
  scene.default_law.friction = 0;
  Running<double> run(scene);
  std::mt19937 random(15);
  std::normal_distribution<double> normal(0, 1);
  const auto direction = [&] {
    const Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  double widest_m = 0;
  for (int n = 0; n < Motions() && !testing::Test::HasFatalFailure(); ++n) {
    auto& peg = run.state.bodies[0];
    peg.q_WT = ExpMap(Vec<double, 3>(3e-4 * direction()));
    peg.p_WT_m = 3e-6 * direction();
    peg.twist_W << 2 * direction(), kSpin_radps * direction();
    run.Step();
    const Vec<double, 3> axis = RotationMatrix(peg.q_WT).col(2), end = peg.p_WT_m - 0.0145 * axis;
    widest_m = std::max(widest_m, end.head<2>().norm() + 0.00948 - (kHole_m - 5e-4));
  }
  EXPECT_LT(widest_m, kHole_m * (1 - std::cos(M_PI / 12)) * kSpin_radps * kStep_s + 5e-6);
  std::printf("%d flights, widest %.2f um\n", Motions(), 1e6 * widest_m);
}

}  // namespace
}  // namespace tactus
