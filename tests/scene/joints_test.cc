// Joints against closed forms: periods, stops, springs, motors, gears, ropes.
#include <algorithm>

#include "running.h"

namespace tactus {
namespace {

template <class Scalar>
class SceneJoints : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(SceneJoints, Scalars);

/// Of a speed of 10 after 300 steps: what rounding adds up to.
template <class Scalar>
inline constexpr double kNear = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;

/// A bob of 0.1 kg on an arm of 0.1 m, 0.2 rad off, which turns about y.
Scene<> Pendulum(JointKind kind) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  SceneBody bob = Cube(0.1, 0.02, {0.1 * std::sin(0.2), 0, -0.1 * std::cos(0.2)});
  bob.q_WB = TurnAbout({0, 1, 0}, -0.2);
  EXPECT_EQ(scene.bodies.push_back(bob), Status::kOk);
  SceneJoint joint{.kind = kind, .p_AJ_m = {0, 0, 0.1}};
  joint.q_AJ = joint.q_BJ = TurnAbout({1, 0, 0}, -std::numbers::pi / 2);  // z of the joint along y
  EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
  return scene;
}

/// Time of the first return through the vertical, twice that is half a period.
template <class Scalar>
double QuarterPeriod_s(Running<Scalar>* run) {
  for (int i = 1; i < 1000; ++i) {
    const double before = static_cast<double>(run->body(0).p_WT_m(0));
    run->Step();
    const double after = static_cast<double>(run->body(0).p_WT_m(0));
    if (before > 0 && after <= 0) return (i - 1 + before / (before - after)) * 1e-3;
  }
  return -1;
}

// Source: T = 2π √((J + m l²)/(m g l)) (1 + θ²/16 + …), θ = 0.2 rad: 0.25 % more.
TYPED_TEST(SceneJoints, APendulumSwingsInItsPeriod) {
  const double J = 0.1 * 0.02 * 0.02 / 6, ml2 = 0.1 * 0.01;
  const double period_s = 2 * std::numbers::pi * std::sqrt((J + ml2) / (0.1 * kGravity_mps2 * 0.1)) * (1 + 0.04 / 16);
  for (const JointKind kind : {JointKind::kHinge, JointKind::kBall}) {
    Running<TypeParam> run(Pendulum(kind));
    EXPECT_NEAR(QuarterPeriod_s(&run), period_s / 4, 0.01 * period_s / 4);  // a step is 0.6 % of it
    run.Steps(2000);
    const Vec<TypeParam, 3> p = run.body(0).p_WT_m;
    EXPECT_NEAR(Norm(p), 0.1, 2e-5);  // drift of the joint
    EXPECT_NEAR(p(1), 0, 1e-6);
  }
}

// Rows of a joint that is tilted hold each other, and some hold nothing: their motion is rounding. Source: each answer is
// verified (Running::Step), and the body moves as its joint lets it.
TYPED_TEST(SceneJoints, HoldExactlyInEveryPosture) {
  for (const JointKind kind :
       {JointKind::kWeld, JointKind::kHinge, JointKind::kSlider, JointKind::kBall, JointKind::kScrew}) {
    for (const Vector3& axis : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0.6, 0.8, 0}}) {
      Scene<> scene;
      scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
      SceneBody body = Cube(0.5, 0.1, {0.1, 0, 0});
      body.velocity_mps = {0.1, 0.2, -0.3};
      body.omega_radps = {1, -2, 3};  // what the joint takes of it leaves rounding
      ASSERT_EQ(scene.bodies.push_back(body), Status::kOk);
      SceneJoint joint{.kind = kind, .p_AJ_m = {-0.1, 0.02, 0}, .p_BJ_m = {0, 0.02, 0}};
      joint.q_AJ = joint.q_BJ = TurnAbout(axis, 0.4);
      if (kind == JointKind::kScrew) joint.pitch_m_per_rad = 0.01;
      ASSERT_EQ(scene.joints.push_back(joint), Status::kOk);
      Running<TypeParam> run(scene);
      run.Steps(200);
      ASSERT_FALSE(testing::Test::HasFailure()) << static_cast<int>(kind) << ", tilted about " << axis[0] << " " << axis[1];
    }
  }
}

// Two links that fall: the rows that hold their turning see nothing but rounding. Source: free fall, v = g t; each answer is
// verified (Running::Step).
TYPED_TEST(SceneJoints, LinksThatFallTogetherFall) {
  for (const Vector3& axis : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0.48, 0.6, 0.64}}) {
    Scene<> scene;
    scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
    ASSERT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {0.03, 0.01, 0})), Status::kOk);
    ASSERT_EQ(scene.bodies.push_back(Cube(0.3, 0.03, {-0.03, 0, 0.02})), Status::kOk);
    SceneJoint hinge{.a = 0, .b = 1, .p_AJ_m = {-0.03, -0.01, 0}, .p_BJ_m = {0.03, 0, -0.02}};
    hinge.q_AJ = hinge.q_BJ = TurnAbout(axis, 0.7);
    ASSERT_EQ(scene.joints.push_back(hinge), Status::kOk);
    Running<TypeParam> run(scene);
    run.Steps(300);
    constexpr double kRounding_mps = sizeof(TypeParam) == 8 ? 1e-9 : 5e-5;  // of 300 sums
    EXPECT_NEAR(run.body(0).twist_W(2), -0.3 * kGravity_mps2, kRounding_mps);
    EXPECT_NEAR(run.body(1).twist_W(2), -0.3 * kGravity_mps2, kRounding_mps);
  }
}

// Energy of a pendulum over 5 s: the joint's correction gives none.
TYPED_TEST(SceneJoints, APendulumGainsNoEnergy) {
  Running<TypeParam> run(Pendulum(JointKind::kHinge));
  const double start_m = static_cast<double>(run.body(0).p_WT_m(2));
  double highest_m = start_m;
  for (int i = 0; i < 5000; ++i) {
    run.Step();
    highest_m = std::max(highest_m, static_cast<double>(run.body(0).p_WT_m(2)));
  }
  EXPECT_LT(highest_m, start_m + 2e-5);
}

TYPED_TEST(SceneJoints, ADoorStopsAtItsLimits) {
  Scene<> scene;
  SceneBody door = Cube(0.5, 0.1, {0.1, 0, 0});
  door.velocity_mps = {0, 0.1, 0};
  door.omega_radps = {0, 0, 1};
  ASSERT_EQ(scene.bodies.push_back(door), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.p_AJ_m = {-0.1, 0, 0}, .limited = true, .low = -0.5, .high = 0.7}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(300);
  EXPECT_NEAR(run.body(0).p_WT_m(1), 0.1 * std::sin(0.3), 1e-4);  // Source: free turning, 1 rad/s
  run.Steps(1000);
  EXPECT_NEAR(run.body(0).p_WT_m(1), 0.1 * std::sin(0.7), 1e-4);
  EXPECT_NEAR(run.body(0).twist_W(5), 0, 1e-4);
}

// Source: m g sin θ = K x along the slider, at rest.
TYPED_TEST(SceneJoints, ADrawerHangsInItsSpring) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .stiffness = 100, .rest = 0, .damping = 5}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(2000);
  EXPECT_NEAR(run.body(0).p_WT_m(2), -0.2 * kGravity_mps2 / 100, 1e-6);
  EXPECT_NEAR(run.body(0).p_WT_m(0), 0, 1e-6);
  EXPECT_NEAR(run.body(0).q_WT(0), 1, 1e-6);
}

// Source: Coulomb friction F in a slider: it holds below F, and above moves by (P - F)/m.
TYPED_TEST(SceneJoints, FrictionHoldsUpToItsForce) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .friction = 1}), Status::kOk);
  Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
  Running<TypeParam> held(scene);
  push(2) = TypeParam(0.99);
  for (int i = 0; i < 500; ++i) held.Step(push);
  EXPECT_NEAR(held.body(0).p_WT_m(2), 0, 1e-7);
  Running<TypeParam> moved(scene);
  push(2) = TypeParam(1.5);
  for (int i = 0; i < 200; ++i) moved.Step(push);
  EXPECT_NEAR(moved.body(0).twist_W(2), 0.5 / 0.2 * 0.2, 0.01 * 0.5);  // one step until it lets go
  push(2) = TypeParam(0);
  for (int i = 0; i < 200; ++i) moved.Step(push);
  EXPECT_NEAR(moved.body(0).twist_W(2), 0, 1e-6);  // and it stops again: 0.5 m/s · 0.2 kg / 1 N = 100 ms
}

// A stop and the friction that holds are one motion twice: without care the solver finds no answer there.
// Source: statics; a body at its stop stays, whether it is pressed on it with less than the friction or more, and leaves it
// with more than the friction.
TYPED_TEST(SceneJoints, FrictionAndAStopHoldTogether) {
  for (const double start_m : {0.0, -1e-9, 1e-9, -1e-5}) {
    Scene<> scene;
    ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, start_m})), Status::kOk);
    ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .limited = true, .low = 0, .high = 0.01, .friction = 1}),
              Status::kOk);
    Running<TypeParam> run(scene);
    Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
    for (const double force_N : {0.0, -0.5, -3.0, 0.5}) {
      push(2) = static_cast<TypeParam>(force_N);
      for (int i = 0; i < 200 && !this->HasFatalFailure(); ++i) run.Step(push);
      // kStopSlack, and the friction that turns a tick late: (0.5 N + 1 N)/0.2 kg · (1 ms)² = 7.5 µm. What is outside is
      // undone by up to 20 µm a step, and floats come out by 5 µm.
      EXPECT_NEAR(run.body(0).p_WT_m(2), 0, sizeof(TypeParam) == 4 || start_m < -1e-6 ? 2e-5 : 8.5e-6)
          << start_m << " " << force_N;
    }
    push(2) = TypeParam(1.5);
    for (int i = 0; i < 300; ++i) run.Step(push);
    EXPECT_NEAR(run.body(0).p_WT_m(2), 0.01, 2e-6);  // at the other stop: (0.5 N / 0.2 kg) t²/2 = 10 mm after 90 ms
  }
}

// Source: statics; a door that is swung on its stop, pressed on it, and left there.
TYPED_TEST(SceneJoints, ADoorStaysAtItsStop) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.3, 0.05, {0.04, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back(
                {.p_AJ_m = {-0.04, 0, 0}, .limited = true, .low = 0, .high = 0.7, .damping = 0.002, .friction = 0.01}),
            Status::kOk);
  Running<TypeParam> run(scene);
  Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
  for (const double torque_Nm : {0.1, 0.02, 0.009, 0.0, -0.005}) {
    push(5) = static_cast<TypeParam>(torque_Nm);
    for (int i = 0; i < 400 && !this->HasFatalFailure(); ++i) run.Step(push);
    EXPECT_NEAR(2 * std::atan2(double(run.body(0).q_WT(3)), double(run.body(0).q_WT(0))), 0.7, 1e-5) << torque_Nm;
  }
}

// Source: statics; the motor goes on pressing, and the stop holds.
TYPED_TEST(SceneJoints, AMotorRunsIntoItsStop) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(
      scene.joints.push_back(
          {.kind = JointKind::kSlider, .limited = true, .low = -0.01, .high = 0.01, .motor_speed = 0.1, .motor_force = 1}),
      Status::kOk);
  Running<TypeParam> run(scene);
  Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
  for (int i = 0; i < 500 && !this->HasFatalFailure(); ++i) run.Step(push);
  EXPECT_NEAR(run.body(0).p_WT_m(2), 0.01, 2e-6);
  push(2) = TypeParam(-0.9);  // less than the motor's force
  for (int i = 0; i < 200; ++i) run.Step(push);
  EXPECT_NEAR(run.body(0).p_WT_m(2), 0.01, 2e-6);
  push(2) = TypeParam(-1.5);  // more
  for (int i = 0; i < 50; ++i) run.Step(push);
  EXPECT_LT(run.body(0).p_WT_m(2), TypeParam(0.009));
}

// Source: a motor with a bound: ω = M t/J until its speed, and there it stays.
TYPED_TEST(SceneJoints, AMotorGoesToItsSpeedWithinItsTorque) {
  Scene<> scene;
  SceneBody wheel = Cube(0.2, 0.05, {0, 0, 0});
  const double J = wheel.inertia_kgm2[2];
  ASSERT_EQ(scene.bodies.push_back(wheel), Status::kOk);
  const double torque_Nm = J * 99.7;  // it comes to its speed in the 101st step
  ASSERT_EQ(scene.joints.push_back({.motor_speed = 10, .motor_force = torque_Nm}), Status::kOk);
  Running<TypeParam> run(scene);
  for (int i = 1; i <= 300; ++i) {
    run.Step();
    EXPECT_NEAR(run.body(0).twist_W(5), std::min(10.0, 99.7e-3 * i), kNear<TypeParam>) << i;
  }
}

// Source: v = v0 - f t/m until it rests; a stop that it meets on the way takes the rest.
TYPED_TEST(SceneJoints, FrictionBrakesWithItsForceAndHoldsAtRest) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .friction = 1}), Status::kOk);
  Running<TypeParam> run(scene);
  run.state.bodies[0].twist_W(2) = TypeParam(0.5);
  for (int i = 1; i <= 300; ++i) {  // 5 (m/s)/s: 0.1 s
    run.Step();
    EXPECT_NEAR(run.body(0).twist_W(2), std::max(0.0, 0.5 - 5e-3 * i), kNear<TypeParam>) << i;
  }
  scene.joints[0].limited = true;
  scene.joints[0].low = -1;
  scene.joints[0].high = 0.01;
  Running<TypeParam> stopped(scene);
  stopped.state.bodies[0].twist_W(2) = TypeParam(0.5);
  for (int i = 1; i <= 300; ++i) {
    stopped.Step();
    EXPECT_LE(stopped.body(0).p_WT_m(2), 0.01 + 1e-7) << i;
  }
  EXPECT_NEAR(stopped.body(0).p_WT_m(2), 0.01, 1e-6);
}

// Source: F = f while it slides, whoever pushes: a blow of 1 N s on it leaves (P - f h)/m.
TYPED_TEST(SceneJoints, ABlowOnWhatFrictionHoldsLosesNoMoreThanTheFriction) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.5, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .friction = 2}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(20);
  Vec<TypeParam, 6> blow = Vec<TypeParam, 6>::Zero();
  blow(2) = TypeParam(1000);
  run.Step(blow);
  EXPECT_NEAR(run.body(0).twist_W(2), (1 - 2e-3) / 0.5, kNear<TypeParam>);
}

TYPED_TEST(SceneJoints, GearsTurnInTheirRatio) {
  Scene<> scene;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0.1 * i, 0, 0})), Status::kOk);
    ASSERT_EQ(scene.joints.push_back({.a = static_cast<std::int16_t>(i), .p_BJ_m = {0.1 * i, 0, 0}}), Status::kOk);
  }
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kGear, .a = 0, .b = 1, .ratio = -2}), Status::kOk);
  Running<TypeParam> run(scene);
  Vec<TypeParam, 6> turn = Vec<TypeParam, 6>::Zero();
  turn(5) = TypeParam(1e-3);
  for (int i = 0; i < 300; ++i) run.Step(turn);
  const double J = scene.bodies[0].inertia_kgm2[2];
  // Source: ω0 = -2 ω1; (J + J/4) ω̇0 = M.
  EXPECT_NEAR(run.body(0).twist_W(5), 1e-3 * 0.3 / (1.25 * J), 1e-3 * 1e-3 * 0.3 / J);
  EXPECT_NEAR(run.body(0).twist_W(5), -2 * run.body(1).twist_W(5), 1e-4);
}

TYPED_TEST(SceneJoints, ARopeHoldsAndOnlyPulls) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, -0.05})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kRope, .length_m = 0.1}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(80);
  EXPECT_NEAR(run.body(0).p_WT_m(2), -0.05 - kGravity_mps2 * 0.0064 / 2, 0.02 * 0.03);  // it falls freely: g t²/2
  run.Steps(1000);
  EXPECT_NEAR(run.body(0).p_WT_m(2), -0.1, 1e-5);
}

TYPED_TEST(SceneJoints, AScrewAdvancesByItsPitch) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kScrew, .pitch_m_per_rad = 0.002}), Status::kOk);
  Running<TypeParam> run(scene);
  Vec<TypeParam, 6> turn = Vec<TypeParam, 6>::Zero();
  turn(5) = TypeParam(1e-3);
  for (int i = 0; i < 300; ++i) run.Step(turn);
  EXPECT_GT(run.body(0).twist_W(5), TypeParam(1));
  EXPECT_NEAR(run.body(0).twist_W(2), 0.002 * static_cast<double>(run.body(0).twist_W(5)), 1e-6);
}

// Source: reactions of a hinge: the weight, and the moment of an overhanging weight.
TYPED_TEST(SceneJoints, AHingeCarriesAnOverhangingWeight) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(0.5, 0.1, {0.1, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.p_AJ_m = {-0.1, 0, 0}}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(100);
  // rows: x, y, z of the origin; turns about x, y
  EXPECT_NEAR(run.solution->joint_impulse_Ns[2] * 1000, 0.5 * kGravity_mps2, 1e-3);
  EXPECT_NEAR(Abs(run.solution->joint_impulse_Ns[4]) * 1000, 0.5 * kGravity_mps2 * 0.1, 1e-3);
}

}  // namespace
}  // namespace tactus
