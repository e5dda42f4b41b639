// A hole with a chamfer in a scene: what slides in, what flies at it, and what is refused.
#include <algorithm>
#include <cmath>
#include <random>

#include "running.h"
#include "tests/collide/chamfered_plate.h"
#include "tests/collide/core_search.h"

namespace tactus {
namespace {

constexpr double kHole_m = 0.01, kDepth_m = 0.02, kRim_m = 5e-4, kChamfer_m = 0.003, kMass_kg = 0.1, kStep_s = 1e-3;

/// A tool of that shape and a plate with a hole, without friction.
Scene<> OverAHole(const SceneShape& tool) {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = kMass_kg, .inertia_kgm2 = {1e-5, 1e-5, 1e-5}}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(tool), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(
                {.kind = ShapeKind::kHole, .radius_m = kRim_m, .half_m = {kHole_m, kHole_m + kChamfer_m, kDepth_m}}),
            Status::kOk);
  scene.default_law.friction = 0;
  return scene;
}
Scene<> WithABall(double radius_m) { return OverAHole({.kind = ShapeKind::kSphere, .body = kTool, .radius_m = radius_m}); }

int Motions() {
  const char* const given = std::getenv("TACTUS_PLACEMENTS");
  return given != nullptr ? std::atoi(given) : 2000;
}

/// Draws of one test.
class Flights {
 public:
  explicit Flights(unsigned seed) : random_(seed) {}

  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vec<double, 3> Direction() {
    const Vec<double, 3> v(normal_(random_), normal_(random_), normal_(random_));
    return v / v.norm();
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_{0, 1};
};

// Source: closed forms. On a slope of 45° without friction a ball goes by g/√2 down along it, s = g/√2 h² n (n + 1)/2 after
// n ticks, and the face pushes it aside by m g/2, as hard as up. It ends on the floor. In single precision each
// rounding of a gap, 2^-30 m, is m 2^-30/h² or 1e-4 N.
template <class Scalar>
void SlideIn(double tolerance) {
  constexpr double kBall_m = 0.004, kAngle = 0.4;
  constexpr int kTicks = 15;
  const double h = std::sqrt(0.5), rho = kHole_m + 0.8 * kChamfer_m - h * kBall_m;
  const Vec<double, 3> out(std::cos(kAngle), std::sin(kAngle), 0), up(0, 0, 1);
  const Vec<double, 3> start = rho * out + (h * kBall_m - 0.2 * kChamfer_m) * up;
  Scene<> scene = WithABall(kBall_m);
  scene.bodies[0].p_WB_m = {start(0), start(1), start(2)};
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  Running<Scalar> run(scene);
  for (int n = 1; n <= kTicks; ++n) {
    run.Step();
    EXPECT_LE((run.ForceOfWorld() - kMass_kg * kGravity_mps2 / 2 * (up - out)).norm(), tolerance) << n;
    const double way_m = h * kGravity_mps2 * kStep_s * kStep_s * n * (n + 1) / 2;
    const Vec<double, 3> p_m = run.body(0).p_WT_m.template cast<double>();
    EXPECT_LE((p_m - start + way_m * h * (out + up)).norm(), 1e-7 + tolerance * 1e-3) << n;
  }
  run.Steps(600);
  EXPECT_NEAR(static_cast<double>(run.body(0).p_WT_m(2)), kBall_m - kDepth_m, 1e-6);
}
TEST(SceneChamfer, ABallSlidesIn) {
  SlideIn<double>(1e-6);
  SlideIn<float>(2e-3);
}

// Source: closed form, as at a fillet. Along the wall the centre of a ball goes 2 mm in a tick on a circle of ρ = R - r:
// sqrt(ρ² + (v h)²) - ρ inside, and nowhere more: the face of the chamfer is flatter, the plate a plane. The nearest place
// is no contact where a fixed one is within 0.1 um of it, ρ (1 - cos α): on that way v h α more.
TEST(SceneChamfer, FastBallsEnterItByItsCurvatureAlone) {
  for (const double ball_m : {0.001, 0.005}) {
    const Scene<> scene = WithABall(ball_m);
    Running<double> run(scene);
    const auto gap_m = [&](const Vec<double, 3>& p) {
      return test::ChamferedPlateDistance(run.scene().parts[1].shape, p) - ball_m;
    };
    Flights dice(41);
    double deepest_m = 0;
    int flown = 0;
    for (int n = 0; n < 4 * Motions() && !testing::Test::HasFatalFailure(); ++n) {
      auto& ball = run.state.bodies[0];
      ball.p_WT_m = {dice.Uniform(-0.016, 0.016), dice.Uniform(-0.016, 0.016), dice.Uniform(-0.01, 0.007)};
      const double before_m = gap_m(ball.p_WT_m);
      if (before_m < 0 || before_m > 1e-3) continue;
      ++flown;
      ball.twist_W << 2 * dice.Direction(), 20 * dice.Direction();
      run.Step();
      deepest_m = std::max(deepest_m, -gap_m(ball.p_WT_m));
    }
    const double rho_m = kHole_m - ball_m, way_m = 2 * kStep_s;
    EXPECT_GT(flown, Motions() / 10);
    EXPECT_LT(deepest_m, std::hypot(rho_m, way_m) - rho_m + way_m * std::sqrt(2e-7 / (rho_m - 1e-3)));
    std::printf("%d flights of a ball of %g m, deepest %.2f um\n", flown, ball_m, 1e6 * deepest_m);
  }
}

// Source: closed form, as a ball of the peg's radius: on a circle of ρ = 10 - 7 mm 2 mm along it are 606 um inside. Its
// core, half a millimetre inside, stays out of the plate even so.
TEST(SceneChamfer, FastPegsDoNotPassItsEdges) {
  constexpr double kPeg_m = 0.007, kHalf_m = 0.015;
  Running<double> run(
      OverAHole({.kind = ShapeKind::kCylinder, .body = kTool, .radius_m = 5e-4, .half_m = {kPeg_m, kPeg_m, kHalf_m}}));
  const Shape<double> peg = run.scene().parts[0].shape, hole = run.scene().parts[1].shape;
  const auto gap_m = [&](const RigidBodyState<double>& body) {
    const auto distance = [&](const Vec<double, 3>& p) { return test::ChamferedPlateDistance(hole, p); };
    return test::LeastOverCore(peg, body.p_WT_m, RotationMatrix(body.q_WT), distance) - peg.radius_m;
  };
  Flights dice(42);
  double deepest_m = 0;
  int flown = 0;
  for (int n = 0; n < std::min(Motions() / 10, 1000) && !testing::Test::HasFatalFailure(); ++n) {
    auto& body = run.state.bodies[0];
    body.q_WT = ExpMap(Vec<double, 3>(0.3 * dice.Direction()));
    body.p_WT_m = {dice.Uniform(-0.008, 0.008), dice.Uniform(-0.008, 0.008), kHalf_m + dice.Uniform(-0.006, 0.002)};
    const double before_m = gap_m(body);
    if (before_m < 0 || before_m > 1e-3) continue;
    ++flown;
    body.twist_W << 2 * dice.Direction(), 20 * dice.Direction();
    run.Step();
    deepest_m = std::max(deepest_m, -gap_m(body));
  }
  EXPECT_GT(flown, 10);
  EXPECT_LT(deepest_m, peg.radius_m);
  std::printf("%d flights of a peg, deepest %.2f um\n", flown, 1e6 * deepest_m);
}

// A chamfer that single precision rounds to none is refused on computers too.
TEST(SceneChamfer, WhatItCannotBeIsNamed) {
  const auto fault = [](double chamfer_m) {
    Scene<> scene = WithABall(0.005);
    scene.shapes[1].half_m[1] = kHole_m + chamfer_m;
    const auto prepared = std::make_unique<PreparedScene<double>>();
    return Prepare(scene, prepared.get());
  };
  EXPECT_FALSE(fault(kChamfer_m));
  EXPECT_FALSE(fault(0));
  for (const double least_m : {1e-12, 1e-4}) {
    EXPECT_STREQ(fault(least_m).what, "leaves no face between the rounded edges of the chamfer");
    EXPECT_STREQ(fault(least_m).field, "radius_m");
    EXPECT_EQ(fault(least_m).index, 1);
  }
  EXPECT_STREQ(fault(0.0199).what, "is a chamfer down to the floor of the hole");
  EXPECT_STREQ(fault(-1e-3).what, "is narrower at the mouth (y) than below (x)");
  EXPECT_STREQ(fault(-1e-3).field, "half_m");
}

}  // namespace
}  // namespace tactus
