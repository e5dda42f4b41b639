// Parts of the world that move as they are told, and surfaces with a wave, against kinematics and conservation laws.
#include "running.h"

namespace tactus {
namespace {

constexpr double kPi = std::numbers::pi;

template <class Scalar>
class ScenePaths : public testing::Test {};
template <class Scalar>
class SceneWaves : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(ScenePaths, Scalars);
TYPED_TEST_SUITE(SceneWaves, Scalars);

/// Of what single precision keeps of a place some centimetres away.
template <class Scalar>
constexpr double kPlace_m = sizeof(Scalar) == 8 ? 1e-6 : 2e-5;

Scene<> CubeOnPath(const ScenePath& path) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.04, {0, 0, 0.02})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(0, 0.04)), Status::kOk);
  EXPECT_EQ(scene.paths.push_back(path), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kBox,
                                    .body = kFirstPath,
                                    .radius_m = 2e-4,
                                    .half_m = {0.2, 0.2, 0.01},
                                    .p_BS_m = {0, 0, -0.01}}),
            Status::kOk);
  return scene;
}

// Source: s = (1 - cos(2π t/T))/2; a cube that never leaves the platform is where the platform is.
TYPED_TEST(ScenePaths, ALiftCarriesACube) {
  Running<TypeParam> run(CubeOnPath({.way_m = {0, 0, 0.05}, .period_s = 2}));
  for (int i = 1; i <= 2000; ++i) {
    run.Step();
    const double top_m = 0.05 * (1 - std::cos(kPi * i * 1e-3)) / 2;
    ASSERT_NEAR(run.body(0).p_WT_m(2), 0.02 + top_m, kPlace_m<TypeParam>) << i;
  }
}

// Source: m a; the platform's acceleration is largest at its ends, way/2 (2π/T)² = 0.247 m/s².
TYPED_TEST(ScenePaths, ALiftPressesWithWeightAndAcceleration) {
  Running<TypeParam> run(CubeOnPath({.way_m = {0, 0, 0.05}, .period_s = 2}));
  const double most_mps2 = 0.025 * kPi * kPi;
  run.Steps(20);
  EXPECT_NEAR(run.ForceOfWorld()(2), 0.1 * (kGravity_mps2 + most_mps2), 2e-3);
  run.Steps(980);
  EXPECT_NEAR(run.ForceOfWorld()(2), 0.1 * (kGravity_mps2 - most_mps2), 2e-3);
}

// Source: friction takes the cube along while μ g is above the platform's acceleration, 0.247 of 4.9 m/s².
TYPED_TEST(ScenePaths, FrictionTakesACubeAlongASlide) {
  Scene<> scene = CubeOnPath({.way_m = {0.05, 0, 0}, .period_s = 2});
  scene.default_law.friction = 0.5;
  Running<TypeParam> run(scene);
  run.Steps(1000);
  EXPECT_NEAR(run.body(0).p_WT_m(0), 0.05, 2 * kPlace_m<TypeParam>);
}

// Source: rigid rotation. A cube on a turntable's axis turns with it: after 1 s at 1 rad/s by 1 rad, once it has taken its
// speed, which friction gives it within milliseconds.
TYPED_TEST(ScenePaths, ATurntableTurnsACube) {
  Scene<> scene = CubeOnPath({.period_s = 1, .spin_radps = 1});
  scene.default_law.friction = 0.8;
  Running<TypeParam> run(scene);
  run.Steps(1000);
  const auto turn = LogMap(run.body(0).q_WT);
  EXPECT_NEAR(turn(2), 1, 0.01);
  EXPECT_NEAR(run.body(0).twist_W(5), 1, 1e-3);
  EXPECT_NEAR(run.body(0).p_WT_m(0), 0, 1e-4);
}

// Source: rigid rotation: what friction holds on a turntable (μ g > ω² r) goes round with it, and is back after a turn.
TYPED_TEST(ScenePaths, ATurntableKeepsACubeWhereItStands) {
  constexpr double kSpin_radps = 8, kFrom_m = 0.07;
  Scene<> scene = CubeOnPath({.period_s = 1, .spin_radps = kSpin_radps});
  scene.default_law.friction = 0.8;
  scene.bodies[0].p_WB_m = {kFrom_m, 0, 0.02};
  scene.bodies[0].velocity_mps = {0, kSpin_radps * kFrom_m, 0};
  scene.bodies[0].omega_radps = {0, 0, kSpin_radps};
  Running<TypeParam> run(scene);
  for (int i = 1; i <= 785; ++i) {
    run.Step();
    const auto p = run.body(0).p_WT_m;
    ASSERT_NEAR(std::hypot(p(0), p(1)), kFrom_m, kPlace_m<TypeParam>) << i;
  }
  EXPECT_NEAR(run.body(0).p_WT_m(0), kFrom_m * std::cos(785e-3 * kSpin_radps), 5 * kPlace_m<TypeParam>);
}

TYPED_TEST(ScenePaths, TurnsThereAndBackToWhereItStarted) {
  Running<TypeParam> run(CubeOnPath({.axis = {0, 1, 0}, .turn_rad = 0.05, .period_s = 1}));
  run.Steps(500);
  EXPECT_NEAR(2 * std::asin(static_cast<double>(run.state.carriers[0].at.q_WT(2))), 0.05, 1e-4);
  run.Steps(500);
  EXPECT_NEAR(run.state.carriers[0].at.q_WT(2), 0, 1e-5);
}

// Source: the time alone says where a path is; after 10 minutes it is where it was a period ago.
TEST(ScenePaths, DoNotDrift) {
  Scene<> scene = CubeOnPath({.way_m = {0, 0, 0.02}, .period_s = 0.5, .spin_radps = 3});
  const auto prepared = std::make_unique<PreparedScene<float>>();
  ASSERT_FALSE(Prepare(scene, prepared.get()));
  const auto state = std::make_unique<SceneState<float>>();
  Restart(*prepared, state.get());
  for (int i = 0; i < 600000; ++i) AdvancePaths(*prepared, 1e-3f, state.get());
  EXPECT_LE(state->carriers[0].at.p_WT_m(2), 0.02f);
  EXPECT_GE(state->carriers[0].at.p_WT_m(2), 0.0f);
  EXPECT_LE(std::abs(state->carriers[0].spun_rad), 3.15f);
}

Scene<> BallOnWave(double height_m, double length_m, double friction) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = 0.1, .p_WB_m = {0, 0, 0.01 + height_m}, .motion = BodyMotion::kTranslation}),
            Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 0, .material = 1, .radius_m = 0.01}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .material = 2}), Status::kOk);
  EXPECT_EQ(
      scene.laws.push_back({.a = 1, .b = 2, .friction = friction, .wave_length_m = length_m, .wave_height_m = height_m}),
      Status::kOk);
  return scene;
}

// Source: the ball is where the wave is, height cos(2π x/length) above its radius.
TYPED_TEST(SceneWaves, ABallFollowsTheWave) {
  constexpr double kHeight_m = 2e-4, kLength_m = 0.02;
  Scene<> scene = BallOnWave(kHeight_m, kLength_m, 0);
  scene.bodies[0].velocity_mps = {0.02, 0, 0};
  Running<TypeParam> run(scene);
  double lowest_m = 1, highest_m = 0;
  for (int i = 0; i < 2000; ++i) {
    run.Step();
    const double x = run.body(0).p_WT_m(0), z = run.body(0).p_WT_m(2);
    ASSERT_NEAR(z, 0.01 + kHeight_m * std::cos(2 * kPi * x / kLength_m), sizeof(TypeParam) == 8 ? 1e-6 : 3e-6) << i;
    lowest_m = std::min(lowest_m, z);
    highest_m = std::max(highest_m, z);
  }
  EXPECT_NEAR(highest_m - lowest_m, 2 * kHeight_m, 5e-6);
}

// Source: energy. Without friction a ball that rolls over crests and troughs has no more than it began with.
TYPED_TEST(SceneWaves, GivesNoEnergy) {
  constexpr double kHeight_m = 2e-4, kLength_m = 0.004;  // as steep as the limit nearly
  Scene<> scene = BallOnWave(kHeight_m, kLength_m, 0);
  scene.bodies[0].velocity_mps = {0.1, 0.05, 0};
  Running<TypeParam> run(scene);
  const auto energy_J = [&] {
    const auto& body = run.body(0);
    const double v2 = static_cast<double>(body.twist_W.template head<3>().squaredNorm());
    return 0.1 * (v2 / 2 + kGravity_mps2 * static_cast<double>(body.p_WT_m(2)));
  };
  const double start_J = energy_J();
  for (int i = 0; i < 1000; ++i) {
    run.Step();
    ASSERT_LE(energy_J(), start_J * (1 + 1e-3)) << i;
  }
}

// Source: statics. On a slope of the wave that friction holds, tan θ = 2π height/length sin(2π x/length) < μ, a ball rests.
TYPED_TEST(SceneWaves, FrictionHoldsABallOnItsSlope) {
  for (const double friction : {0.05, 0.08}) {  // the slope there: 0.0628
    Scene<> scene = BallOnWave(2e-4, 0.02, friction);
    scene.bodies[0].p_WB_m = {0.005, 0, 0.01};
    Running<TypeParam> run(scene);
    run.Steps(500);
    if (friction > 0.0628) {
      EXPECT_NEAR(run.body(0).p_WT_m(0), 0.005, 2e-5);
    } else {
      EXPECT_GT(run.body(0).p_WT_m(0), 0.0055);
    }
  }
}

// Source: μ (1 + share cos(2π x/length)) N on a smooth plate.
TYPED_TEST(SceneWaves, FrictionIsAWave) {
  Scene<> scene = BallOnWave(0, 0.02, 0.3);
  scene.laws[0].wave_friction = 0.5;
  for (const double x : {0.0, 0.01}) {
    scene.bodies[0].p_WB_m = {x, 0, 0.01};
    scene.bodies[0].velocity_mps = {0, 0.3, 0};  // across the wave: x stays
    Running<TypeParam> run(scene);
    run.Steps(20);
    EXPECT_NEAR(run.ForceOfWorld()(1), -0.3 * (x == 0 ? 1.5 : 0.5) * 0.1 * kGravity_mps2, 2e-3) << x;
  }
}

// A wave that is passed over faster than the loop can show is a smooth plate.
TYPED_TEST(SceneWaves, FadeWhereTheyAreTooFast) {
  Scene<> scene = BallOnWave(2e-4, 0.004, 0);
  scene.bodies[0].p_WB_m = {0, 0, 0.01};
  scene.bodies[0].velocity_mps = {1.1, 0, 0};  // 275 Hz
  Running<TypeParam> run(scene);
  for (int i = 0; i < 100; ++i) {
    run.Step();
    ASSERT_NEAR(run.body(0).p_WT_m(2), 0.01, 2e-6);
  }
}

TEST(SceneWaves, AWaveOfTheToolIsThatOfThePlate) {
  const auto run_with = [](bool of_plate) {
    Scene<> scene = BallOnWave(2e-4, 0.02, 0.2);
    if (!of_plate) std::swap(scene.laws[0].a, scene.laws[0].b);
    scene.bodies[0].p_WB_m = {0.005, 0, 0.0101};
    Running<double> run(scene);
    run.Steps(3);
    return run.found.min_gap_m;
  };
  // The plate has its slope there, and the ball is 0.1 mm above, less two steps of its fall: h² g (1 + 2).
  EXPECT_NEAR(run_with(true), 1e-4 - 3e-6 * kGravity_mps2, 1e-6);
  // The ball's own frame goes along, with a crest in its middle: 0.1 mm inside, pushed out by 20 mm/s for two steps.
  EXPECT_NEAR(run_with(false), -1e-4 + 2 * 2e-5, 1e-7);
}

SceneFault FaultOf(const Scene<>& scene) { return Validate(scene); }

TEST(ScenePaths, AreRefusedByName) {
  const double nan = std::nan("");
  const auto refused = [](ScenePath path) {
    const SceneFault fault = FaultOf(CubeOnPath(path));
    EXPECT_TRUE(fault);
    if (fault) {
      EXPECT_STREQ(fault.list, "paths");
    }
    return fault ? std::string(fault.field) : "";
  };
  EXPECT_EQ(refused({.p_WP_m = {nan, 0, 0}}), "p_WP_m");
  EXPECT_EQ(refused({.q_WP = {2, 0, 0, 0}}), "q_WP");
  EXPECT_EQ(refused({.way_m = {0, 0, 1e9}}), "way_m");
  EXPECT_EQ(refused({.way_m = {0, 0, 0.4}, .period_s = 1}), "way_m");  // 1.26 m/s
  EXPECT_EQ(refused({.axis = {0, 0, 0}}), "axis");
  EXPECT_EQ(refused({.turn_rad = 7, .period_s = 1}), "turn_rad");
  EXPECT_EQ(refused({.period_s = 0}), "period_s");
  EXPECT_EQ(refused({.spin_radps = 1e3}), "spin_radps");
  Scene<> none = CubeOnPath({});
  none.shapes[1].body = kFirstPath - 1;
  EXPECT_STREQ(FaultOf(none).field, "body");
  none.shapes[1].body = INT16_MIN;
  EXPECT_STREQ(FaultOf(none).field, "body");
}

TEST(SceneWaves, AreRefusedByName) {
  const auto refused = [](const ContactLaw& law) {
    Scene<> scene = BallOnWave(0, 0, 0);
    scene.laws[0] = law;
    const SceneFault fault = FaultOf(scene);
    return fault ? std::string(fault.field) : "";
  };
  EXPECT_EQ(refused({.wave_length_m = 0.02, .wave_height_m = 2e-4}), "");
  EXPECT_EQ(refused({.wave_length_m = 1e-5}), "wave_length_m");
  EXPECT_EQ(refused({.wave_length_m = 0.02, .wave_along = {1, 1, 0}}), "wave_along");
  EXPECT_EQ(refused({.wave_length_m = 0.001, .wave_height_m = 2e-4}), "wave_height_m");  // too steep
  EXPECT_EQ(refused({.wave_height_m = 2e-4}), "wave_height_m");
  EXPECT_EQ(refused({.wave_length_m = 0.1, .wave_height_m = 6e-4}), "wave_height_m");
  EXPECT_EQ(refused({.wave_length_m = 0.02, .wave_friction = 1.5}), "wave_friction");
  EXPECT_EQ(refused({.wave_friction = 0.5}), "wave_friction");
  EXPECT_EQ(refused({.wave_length_m = std::nan("")}), "wave_length_m");
  Scene<> thin = BallOnWave(2e-4, 0.02, 0);
  thin.margin_m = 1e-4;
  EXPECT_STREQ(FaultOf(thin).field, "wave_height_m");
  std::swap(thin.laws[0], thin.default_law);
  EXPECT_STREQ(FaultOf(thin).list, "default_law");
}

}  // namespace
}  // namespace tactus
