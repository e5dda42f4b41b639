// Scenes in the servo loop's tick: the hand's force is the wall's, whatever the scene is made of.
#include "firmware/servo/servo_tick.h"
#include "scenes.h"

namespace tactus {
namespace {

/// The tick with a handle that is led, and nothing else: no device, no quantisation.
template <class Scalar>
class Loop {
 public:
  explicit Loop(const Scene<>& scene) {
    EXPECT_FALSE(Prepare(scene, world_.get()));
    config.device.resolution_m = config.device.resolution_rad = Scalar(0);
    config.limits.soft_start_s = Scalar(0.001);
    UseScene(*world_, &config);
    Tick({0, 0, 0.1});
    EXPECT_EQ(Arm(&*state), Status::kOk);
  }
  void Tick(const Vector3& p_m) {
    SensorFrame sample;
    sample.sequence = ++sequence_;
    for (std::size_t i = 0; i < 3; ++i) sample.p_WH_m[i] = static_cast<float>(p_m[i]);
    status = tactus::Tick(sample, config, &*state, &command, &telemetry);
  }
  /// Straight from one place to another, at 0.1 m/s; then `rest` ticks there.
  void Lead(const Vector3& from, const Vector3& to, int rest) {
    double way = 0;
    for (std::size_t i = 0; i < 3; ++i) way += (to[i] - from[i]) * (to[i] - from[i]);
    const int steps = std::max(1, static_cast<int>(std::sqrt(way) / 1e-4));
    for (int k = 1; k <= steps + rest; ++k) {
      const double share = std::min(1.0, static_cast<double>(k) / steps);
      Tick({from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]), from[2] + share * (to[2] - from[2])});
      if (telemetry.fault != Fault::kNone) return;
    }
  }

  Config<Scalar> config;
  std::unique_ptr<State<Scalar>> state = std::make_unique<State<Scalar>>();
  CommandFrame command;
  Telemetry<Scalar> telemetry;
  Status status = Status::kOk;

 private:
  std::unique_ptr<PreparedScene<Scalar>> world_ = std::make_unique<PreparedScene<Scalar>>();
  std::uint32_t sequence_ = 0;
};

template <class Scalar>
class SceneTick : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(SceneTick, Scalars);

Scene<> BallOverPlane(double mass_kg = 0.1) {
  Scene<> scene;
  SceneBody ball{.mass_kg = mass_kg};
  const double J = 0.4 * mass_kg * 1e-4;
  ball.inertia_kgm2 = {J, J, J};
  EXPECT_EQ(scene.bodies.push_back(ball), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 0, .radius_m = 0.01}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

// Source: at rest the wall's force is K times the handle's depth.
TYPED_TEST(SceneTick, AWallIsAsStiffAsTheCoupling) {
  Loop<TypeParam> loop(BallOverPlane());
  loop.Lead({0, 0, 0.1}, {0, 0, 0.008}, 1000);
  EXPECT_EQ(loop.telemetry.fault, Fault::kNone);
  EXPECT_EQ(loop.telemetry.contacts, 1);
  EXPECT_NEAR(loop.command.force_N[2], 1500 * 0.002, 1e-3);
  EXPECT_NEAR(loop.command.force_N[0], 0, 1e-4);
  EXPECT_NEAR(loop.telemetry.p_WT_m(2), 0.01, 1e-6);
}

// Source: springs in series, F = depth · K_c K/(K_c + K); the mat has its share of the depth.
TYPED_TEST(SceneTick, AMatIsInSeriesWithTheCoupling) {
  for (const double mat_N_per_m : {300.0, 1500.0, 1e5}) {
    for (const double mat_Ns_per_m : {0.0, 10.0}) {
      Scene<> scene = BallOverPlane();
      scene.default_law.stiffness_N_per_m = mat_N_per_m;
      scene.default_law.damping_Ns_per_m = mat_Ns_per_m;
      Loop<TypeParam> loop(scene);
      loop.Lead({0, 0, 0.1}, {0, 0, 0.008}, 1500);
      ASSERT_EQ(loop.telemetry.fault, Fault::kNone);
      const double force_N = 0.002 * 1500 * mat_N_per_m / (1500 + mat_N_per_m);
      EXPECT_NEAR(loop.command.force_N[2], force_N, 2e-3) << mat_N_per_m;
      EXPECT_NEAR(static_cast<double>(loop.telemetry.p_WT_m(2)), 0.01 - force_N / mat_N_per_m, 2e-6);
      loop.Lead({0, 0, 0.008}, {0, 0, 0.05}, 0);
      EXPECT_EQ(loop.telemetry.status & status_bit::kPlacedInside, 0u);
      EXPECT_EQ(loop.telemetry.damping_ratio, TypeParam(0));  // what the mat gives back is no energy made
    }
  }
}

// Where the coupling pulls harder than the hand may feel, the mat takes more than the hand gives, and gives it back. That is
// no energy made: the account has both as far as the hand can feel them, and damps nothing.
TYPED_TEST(SceneTick, AMatBeyondTheLimitOfForceIsNoDebt) {
  Scene<> scene = BallOverPlane();
  scene.default_law.stiffness_N_per_m = 3000;
  Loop<TypeParam> loop(scene);
  loop.config.limits.max_force_N = TypeParam(3);
  loop.Lead({0, 0, 0.1}, {0, 0, 0.002}, 500);  // 8 mm · 1000 N/m
  double lowest_J = 0;
  for (int round = 0; round < 5; ++round) {
    for (const double z_m : {0.0035, 0.002}) {
      loop.Lead({0, 0, z_m < 0.003 ? 0.0035 : 0.002}, {0, 0, z_m}, 200);
      ASSERT_EQ(loop.telemetry.fault, Fault::kNone);
      lowest_J = std::min(lowest_J, static_cast<double>(loop.telemetry.dissipated_J));
      EXPECT_EQ(loop.telemetry.damping_ratio, TypeParam(0));
    }
  }
  EXPECT_NEAR(loop.command.force_N[2], 3, 1e-3);
  EXPECT_GE(lowest_J, -2e-4);
}

// With the least work that there is, some ticks have a safe answer instead of the exact one; the hand gets no more than it
// has given.
TYPED_TEST(SceneTick, AMatGivesNoEnergyWithoutWork) {
  Scene<> scene = BallOverPlane();
  scene.default_law.friction = 0.5;
  scene.default_law.stiffness_N_per_m = 2000;
  for (std::int16_t i = 0; i < 3; ++i) {  // a stack whose faces are turned on each other: 8 points a face
    ASSERT_EQ(scene.bodies.push_back(Cube(0.05, 0.03, {0.02, 0, 0.015 + 0.03 * i})), Status::kOk);
    scene.bodies[1 + i].q_WB = {std::cos(0.1 * i), 0, 0, std::sin(0.1 * i)};
    ASSERT_EQ(scene.shapes.push_back(CubeShape(static_cast<std::int16_t>(1 + i), 0.03)), Status::kOk);
  }
  Loop<TypeParam> loop(scene);
  loop.config.work.of_many = kLeastWorkBudget;
  double given_J = 0;
  int safe = 0;
  Vector3 last{0, 0, 0.1};
  const auto go = [&](const Vector3& to) {
    const int steps = 400;
    const Vector3 from = last;
    for (int k = 1; k <= steps; ++k) {
      Vector3 at;
      for (std::size_t i = 0; i < 3; ++i) at[i] = from[i] + (to[i] - from[i]) * k / steps;
      for (std::size_t i = 0; i < 3; ++i) given_J += static_cast<double>(loop.command.force_N[i]) * (at[i] - last[i]);
      loop.Tick(at);
      last = at;
      if (loop.telemetry.solve_status == SolveStatus::kBudget) ++safe;
      ASSERT_EQ(loop.telemetry.fault, Fault::kNone);
    }
  };
  go({0, 0, 0.008});
  for (int round = 0; round < 5; ++round) go({0.004, 0, 0.006}), go({-0.01, 0.003, 0.009});
  go({0, 0, 0.1});
  EXPECT_GT(safe, 0);
  EXPECT_LE(given_J, 1e-3);
}

// Source: a block that is pushed along the plane takes μ m g; the hand feels it and nothing aside.
TYPED_TEST(SceneTick, ABlockIsPushedAgainstItsFriction) {
  Scene<> scene = BallOverPlane();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  scene.default_law.friction = 0.3;
  // the ball's own weight is held by the hand
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0.1, 0, 0.025})), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, 0.05)), Status::kOk);
  ASSERT_EQ(scene.laws.push_back({.a = 3, .b = 0, .friction = 0}), Status::kOk);
  scene.shapes[0].material = 3;  // the ball is smooth
  Loop<TypeParam> loop(scene);
  loop.Lead({0, 0, 0.1}, {0, 0, 0.025}, 50);
  loop.Lead({0, 0, 0.025}, {0.11, 0, 0.025}, 0);
  // Ball and block swing in the coupling at 11 Hz, with a time constant of 2 m/B = 0.2 s: the mean of two periods.
  double mean_N = 0;
  for (int k = 0; k < 180; ++k) {
    loop.Lead({0.11 + 1e-4 * k, 0, 0.025}, {0.11 + 1e-4 * (k + 1), 0, 0.025}, 0);
    mean_N += static_cast<double>(loop.command.force_N[0]) / 180;
    EXPECT_NEAR(loop.command.force_N[1], 0, 0.01);
  }
  ASSERT_EQ(loop.telemetry.fault, Fault::kNone);
  EXPECT_NEAR(mean_N, -0.3 * 0.2 * kGravity_mps2, 0.01);
  EXPECT_NEAR(loop.state->scene.bodies[1].twist_W(0), 0.1, 2e-3);
  EXPECT_EQ(loop.telemetry.solve_status, SolveStatus::kSolved);
}

TYPED_TEST(SceneTick, AToolPlacedInsideWaitsWithoutForce) {
  Loop<TypeParam> loop(BallOverPlane());
  ClearFault(&*loop.state);
  loop.Tick({0, 0, 0.1});
  *loop.state = State<TypeParam>{};
  loop.Tick({0, 0, 0.005});
  EXPECT_EQ(Arm(&*loop.state), Status::kOk);
  for (int i = 0; i < 50; ++i) loop.Tick({0, 0, 0.005});
  EXPECT_TRUE(loop.telemetry.status & status_bit::kPlacedInside);
  EXPECT_EQ(loop.command.force_N[2], 0);
  loop.Lead({0, 0, 0.005}, {0, 0, 0.02}, 10);
  EXPECT_FALSE(loop.telemetry.status & status_bit::kPlacedInside);
}

TYPED_TEST(SceneTick, AToolOfThreeDegreesFeelsNoTorque) {
  Scene<> scene = BallOverPlane();
  scene.bodies[0].motion = BodyMotion::kTranslation;
  scene.default_law.friction = 0.5;
  Loop<TypeParam> loop(scene);
  loop.Lead({0, 0, 0.1}, {0, 0, 0.008}, 200);
  loop.Lead({0, 0, 0.008}, {0.03, 0, 0.008}, 0);
  ASSERT_EQ(loop.telemetry.fault, Fault::kNone);
  EXPECT_EQ(loop.command.torque_Nm[1], 0);
  EXPECT_EQ(loop.state->tool.q_WT(0), TypeParam(1));
  EXPECT_NEAR(loop.command.force_N[0], -0.5 * 1500 * 0.002, 0.01);  // Source: μ N
}

/// A ball over a plane, and far away a box that a path lifts and one that slides on the plane.
Scene<> BusyElsewhere() {
  Scene<> scene = BallOverPlane();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  scene.default_law.friction = 0.3;
  EXPECT_EQ(scene.bodies.push_back(Cube(1, 0.04, {0.5, 0, 0.12})), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Cube(5, 0.04, {0, 0.5, 0.02})), Status::kOk);
  scene.bodies[2].velocity_mps = {0, 3, 0};
  for (const int body : {1, 2}) EXPECT_EQ(scene.shapes.push_back(CubeShape(body, 0.04)), Status::kOk);
  EXPECT_EQ(scene.paths.push_back({.p_WP_m = {0.5, 0, 0.09}, .way_m = {0, 0, 0.03}, .period_s = 1}), Status::kOk);
  EXPECT_EQ(
      scene.shapes.push_back({.kind = ShapeKind::kBox, .body = kFirstPath, .radius_m = 2e-4, .half_m = {0.05, 0.05, 0.01}}),
      Status::kOk);
  return scene;
}

/// Source: the same motion without the two boxes. They neither fill the tank nor make a debt.
TYPED_TEST(SceneTick, WhatIsElsewhereIsNotInTheAccount) {
  Scene<> alone = BallOverPlane();
  alone.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  alone.default_law.friction = 0.3;
  Loop<TypeParam> loop(alone), busy(BusyElsewhere());
  const double rounding_J = sizeof(TypeParam) == 8 ? 1e-9 : 1e-6;
  Vector3 from = {0, 0, 0.1};
  for (const Vector3& to : {Vector3{0.02, 0, 0.05}, Vector3{0, 0, 0.008}, Vector3{0.03, 0, 0.007}, Vector3{0.03, 0, 0.05}}) {
    for (int k = 1; k <= 300; ++k) {
      Vector3 p;
      for (std::size_t i = 0; i < 3; ++i) p[i] = from[i] + (to[i] - from[i]) * k / 300;
      loop.Tick(p), busy.Tick(p);
      ASSERT_NEAR(busy.telemetry.dissipated_J, loop.telemetry.dissipated_J, rounding_J) << to[2] << ' ' << k;
      ASSERT_NEAR(busy.telemetry.damping_ratio, loop.telemetry.damping_ratio, 1e-3);
    }
    from = to;
  }
  EXPECT_EQ(busy.telemetry.fault, Fault::kNone);
  EXPECT_GT(busy.state->scene.bodies[2].p_WT_m(1), 0.9) << "it slid";
}

/// Source: a belt that draws the ball at 50 mm/s; the loop makes nothing of that.
TYPED_TEST(SceneTick, ABeltIsNoRunaway) {
  Scene<> scene = BallOverPlane();
  ASSERT_EQ(scene.laws.push_back({.a = 0, .b = 1, .friction = 0.5, .surface_velocity_mps = {0.05, 0, 0}}), Status::kOk);
  scene.shapes[1].material = 1;
  scene.bodies[0].motion = BodyMotion::kTranslation;
  Loop<TypeParam> loop(scene);
  loop.Lead({0, 0, 0.1}, {0, 0, 0.008}, 300);
  double most = 0, drawn_N = 0;
  for (int k = 0; k < 400; ++k) {  // with the belt, and slower
    loop.Lead({2e-5 * k, 0, 0.008}, {2e-5 * (k + 1), 0, 0.008}, 0);
    most = std::max(most, static_cast<double>(loop.telemetry.damping_ratio));
    drawn_N = loop.command.force_N[0];
  }
  EXPECT_NEAR(drawn_N, 0.5 * 1500 * 0.002, 0.02);  // μ N
  EXPECT_EQ(most, 0);
}

/// The same twice, bit by bit, with bodies and joints that move.
TYPED_TEST(SceneTick, RepeatsItself) {
  Scene<> scene = BallOverPlane();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0.05, 0, 0.03})), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, 0.05)), Status::kOk);
  std::uint64_t hash[2];
  for (std::uint64_t& h : hash) {
    Loop<TypeParam> loop(scene);
    loop.Lead({0, 0, 0.1}, {0.04, 0.01, 0.02}, 300);
    h = loop.telemetry.state_hash;
  }
  EXPECT_EQ(hash[0], hash[1]);
}

}  // namespace
}  // namespace tactus
