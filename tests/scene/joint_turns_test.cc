// Hinges, screws and gears over many turns, and what their drift comes to, against closed forms.
#include "running.h"

namespace tactus {
namespace {

template <class Scalar>
class JointTurnsTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(JointTurnsTest, Scalars);

constexpr double kTurn = 2 * std::numbers::pi;

/// A cube of 0.2 kg and 5 cm that a joint holds to the world at its middle.
Scene<> Wheel(const SceneJoint& joint) {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
  return scene;
}
constexpr double kMoment_kgm2 = 0.2 * 0.05 * 0.05 / 6;

template <class Scalar>
double Coordinate(const Running<Scalar>& run, int joint = 0) {
  return static_cast<double>(internal::PoseOf<Scalar, kServoScene>(run.scene(), joint, run.state).Coordinate());
}
template <class Scalar>
Vec<Scalar, 6> Torque(double torque_Nm) {
  Vec<Scalar, 6> wrench = Vec<Scalar, 6>::Zero();
  wrench(5) = static_cast<Scalar>(torque_Nm);
  return wrench;
}

// Source: ω t. Tolerance: in single precision each of 6 600 poses is rounded, to 1e-7.
TYPED_TEST(JointTurnsTest, AMotorTurnsAHingeTenTimes) {
  Running<TypeParam> run(Wheel({.motor_speed = 10, .motor_force = 100}));
  for (int i = 1; i <= 6600 && !this->HasFatalFailure(); ++i) {
    run.Step();
    ASSERT_NEAR(Coordinate(run), 10e-3 * i, sizeof(TypeParam) == 8 ? 1e-9 : 1e-3) << i;
  }
  EXPECT_GT(Coordinate(run), 10 * kTurn);
}

// Source: statics; the stop is where it is said to be, forwards and backwards.
TYPED_TEST(JointTurnsTest, AHingeStopsAfterTurns) {
  for (const double way : {1.0, -1.0}) {
    Running<TypeParam> run(
        Wheel({.limited = true, .low = -1.75 * kTurn, .high = 3.25 * kTurn, .motor_speed = way * 20, .motor_force = 1e-3}));
    run.Steps(2500);
    EXPECT_NEAR(Coordinate(run), (way > 0 ? 3.25 : -1.75) * kTurn, 1e-5);
    EXPECT_NEAR(run.body(0).twist_W(5), 0, 1e-3);
  }
}

// Source: statics: a spring is at rest where its rest is, and K (x - rest) = M carries a torque.
TYPED_TEST(JointTurnsTest, ASpringRestsThreeTurnsAway) {
  Running<TypeParam> run(Wheel({.stiffness = 0.01, .rest = 3 * kTurn, .damping = 2 * std::sqrt(0.01 * kMoment_kgm2)}));
  run.Steps(3000);
  EXPECT_NEAR(Coordinate(run), 3 * kTurn, 1e-5);
  for (int i = 0; i < 3000; ++i) run.Step(Torque<TypeParam>(0.01));
  EXPECT_NEAR(Coordinate(run), 3 * kTurn + 1, 1e-5);
}

// Source: E = J ω²/2 + K (x - rest)²/2 stays, and the spring's torque does not jump where the pose's angle does.
TYPED_TEST(JointTurnsTest, ASpringKeepsItsEnergyOverTurns) {
  Running<TypeParam> run(Wheel({.stiffness = 1e-3, .rest = 2 * kTurn}));
  const double start_J = 1e-3 * 4 * kTurn * kTurn / 2;
  double most = 0, least = 1;
  for (int i = 0; i < 4000; ++i) {
    run.Step();
    const double off = Coordinate(run) - 2 * kTurn, omega = static_cast<double>(run.body(0).twist_W(5));
    const double share = (kMoment_kgm2 * omega * omega / 2 + 1e-3 * off * off / 2) / start_J;
    most = std::max(most, share), least = std::min(least, share);
  }
  // Semi-implicit Euler: E swings by h sqrt(K/J)/2 of it, 0.17 %.
  EXPECT_LT(most, 1.003);
  EXPECT_GT(least, 0.997);
}

// A turn vector near half a turn has the tilt across: undone along it, a tilt would grow. Source: the hinge's axis stays.
TYPED_TEST(JointTurnsTest, AHingeAtHalfATurnKeepsItsAxis) {
  for (const double angle_rad : {2.4, 2.6, 3.0, 3.14, std::numbers::pi, 3.2}) {
    Running<TypeParam> run(Wheel({.friction = 1}));
    const auto tilt = ExpMap(Vec<TypeParam, 3>(TypeParam(1e-3), TypeParam(0), TypeParam(0)));
    const auto turn = ExpMap(Vec<TypeParam, 3>(TypeParam(0), TypeParam(0), static_cast<TypeParam>(angle_rad)));
    run.state.bodies[0].q_WT = Multiply(tilt, turn);
    run.Steps(1000);
    const Vec<TypeParam, 3> z = RotationMatrix(run.body(0).q_WT).col(2);
    EXPECT_NEAR(z(0), 0, 1e-6) << angle_rad;
    EXPECT_NEAR(z(1), 0, 1e-6) << angle_rad;
  }
}

// Source: a copy of the state and the same steps give the same bits.
TYPED_TEST(JointTurnsTest, ACopyOfTheStateCountsOn) {
  const SceneJoint joint{.limited = true, .low = 0, .high = 2.5 * kTurn, .stiffness = 1e-3, .rest = 3 * kTurn};
  Running<TypeParam> first(Wheel(joint)), second(Wheel(joint));
  first.Steps(500), second.Steps(500);
  ASSERT_GT(Coordinate(first), kTurn);
  Restart(second.scene(), &second.state);
  EXPECT_EQ(Coordinate(second), 0);
  second.state = first.state;
  first.Steps(800), second.Steps(800);
  EXPECT_EQ(Coordinate(first), Coordinate(second));
  EXPECT_EQ(first.body(0).q_WT, second.body(0).q_WT);
  EXPECT_EQ(first.body(0).twist_W, second.body(0).twist_W);
}

// Source: virtual work: F pitch = M on the edge; beyond it (J + m pitch²) α = F pitch - M.
TYPED_TEST(JointTurnsTest, AForceTurnsAScrewAgainstItsFriction) {
  const double pitch = 0.01, friction_Nm = 0.005;
  for (const double over : {0.95, 1.5}) {
    Running<TypeParam> run(Wheel({.kind = JointKind::kScrew, .friction = friction_Nm, .pitch_m_per_rad = pitch}));
    Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
    push(2) = static_cast<TypeParam>(over * friction_Nm / pitch);
    for (int i = 0; i < 200; ++i) run.Step(push);
    const double alpha = (over - 1) * friction_Nm / (kMoment_kgm2 + 0.2 * pitch * pitch);
    const double wanted = over < 1 ? 0 : alpha * 0.2;  // and a step until it lets go
    EXPECT_NEAR(run.body(0).twist_W(5), wanted, over < 1 ? 1e-6 : 0.02 * wanted) << over;
    EXPECT_NEAR(run.body(0).twist_W(2), pitch * wanted, over < 1 ? 1e-6 : 0.02 * pitch * wanted);
  }
}

// Source: statics; the stop and the spring of a screw are its angle's: K x = F pitch.
TYPED_TEST(JointTurnsTest, AScrewHasStopsAndASpringAlongItsAngle) {
  const double pitch = 0.002;
  Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
  push(2) = TypeParam(5);
  Running<TypeParam> stopped(
      Wheel({.kind = JointKind::kScrew, .limited = true, .low = -1, .high = 1.5 * kTurn, .pitch_m_per_rad = pitch}));
  for (int i = 0; i < 1000; ++i) stopped.Step(push);
  EXPECT_NEAR(Coordinate(stopped), 1.5 * kTurn, 1e-4);
  EXPECT_NEAR(stopped.body(0).p_WT_m(2), pitch * 1.5 * kTurn, 1e-6);
  Running<TypeParam> sprung(Wheel({.kind = JointKind::kScrew,
                                   .stiffness = 1e-3,
                                   .damping = 2 * std::sqrt(1e-3 * kMoment_kgm2),
                                   .pitch_m_per_rad = pitch}));
  for (int i = 0; i < 6000; ++i) sprung.Step(push);
  EXPECT_NEAR(Coordinate(sprung), 5 * pitch / 1e-3, 1e-4);
}

/// Where all is held and rounding is all that moves, a safe answer at rest will do.
constexpr int kAtRest = 1 << 20;

/// Two wheels beside each other in mesh, wheel a turning -2 times as far; the gear is joint 2.
Scene<> Gears(SceneJoint gear) {
  Scene<> scene;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0.1 * i, 0, 0})), Status::kOk);
    EXPECT_EQ(scene.joints.push_back({.a = static_cast<std::int16_t>(i), .p_BJ_m = {0.1 * i, 0, 0}}), Status::kOk);
  }
  gear.kind = JointKind::kGear, gear.a = 0, gear.b = 1, gear.ratio = -2;
  EXPECT_EQ(scene.joints.push_back(gear), Status::kOk);
  return scene;
}

// Source: statics: wheel a stands at its stop, wheel b at half of it backwards; virtual work: K x = -2 M for a torque on a.
TYPED_TEST(JointTurnsTest, AGearHasStopsAndASpringOfItsFirstWheel) {
  Running<TypeParam> stopped(Gears({.limited = true, .low = -1, .high = 1.25 * kTurn}));
  stopped.work_budget = kAtRest;
  for (int i = 0; i < 1600; ++i) stopped.Step(Torque<TypeParam>(1e-3));
  EXPECT_NEAR(Coordinate(stopped, 2), 1.25 * kTurn, 1e-4);
  EXPECT_NEAR(Coordinate(stopped, 1), -1.25 * kTurn / 2, 1e-4);
  Running<TypeParam> sprung(Gears({.stiffness = 1e-3, .damping = 2.2 * std::sqrt(1e-3 * kMoment_kgm2)}));
  for (int i = 0; i < 4000; ++i) sprung.Step(Torque<TypeParam>(0.01));
  EXPECT_NEAR(Coordinate(sprung, 2), 10, 1e-3);
}

// Source: a motor's speed is wheel a's, and wheel b follows; friction holds both up to its torque.
TYPED_TEST(JointTurnsTest, AGearHasAMotorAndFrictionOfItsFirstWheel) {
  Running<TypeParam> driven(Gears({.motor_speed = 4, .motor_force = 1}));
  driven.Steps(3000);
  EXPECT_NEAR(Coordinate(driven, 2), 12, 1e-3);
  EXPECT_NEAR(driven.body(1).twist_W(5), -2, 1e-4);
  Running<TypeParam> held(Gears({.friction = 0.01}));
  held.work_budget = kAtRest;
  for (int i = 0; i < 300; ++i) held.Step(Torque<TypeParam>(0.0099));
  EXPECT_NEAR(Coordinate(held, 2), 0, 1e-6);
}

// What docs/scenes.md states: the drift of a screw and of a gear that turn for 10^5 ticks, to and fro.
TYPED_TEST(JointTurnsTest, ScrewsAndGearsDoNotDrift) {
  constexpr bool kIsDouble = sizeof(TypeParam) == 8;
  Running<TypeParam> screw(Wheel({.kind = JointKind::kScrew, .damping = 1e-4, .pitch_m_per_rad = 0.001}));
  Running<TypeParam> gears(Gears({.damping = 1e-4}));
  double thread_m = 0, mesh_rad = 0, farthest = 0;
  for (int i = 0; i < 100000 && !this->HasFatalFailure(); ++i) {
    const double torque_Nm = i % 20000 < 9000 ? 2e-3 : -1e-3;
    screw.Step(Torque<TypeParam>(torque_Nm));
    gears.Step(Torque<TypeParam>(torque_Nm));
    const double z_m = static_cast<double>(screw.body(0).p_WT_m(2));
    thread_m = std::max(thread_m, std::abs(z_m - 0.001 * Coordinate(screw)));
    mesh_rad = std::max(mesh_rad, std::abs(Coordinate(gears, 2) + 2 * Coordinate(gears, 1)));
    farthest = std::max(farthest, std::abs(Coordinate(screw)));
  }
  EXPECT_GT(farthest, 10 * kTurn);
  EXPECT_LT(thread_m, kIsDouble ? 1e-13 : 5e-7);  // measured: 4e-15 and 1.6e-7 m
  EXPECT_LT(mesh_rad, kIsDouble ? 1e-12 : 1e-4);  // 1.1e-13 and 3e-5 rad
}

}  // namespace
}  // namespace tactus
