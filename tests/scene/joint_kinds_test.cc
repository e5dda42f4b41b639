// Stops, springs, friction and motors of balls and ropes against closed forms; what undoes the drift of every kind.
#include <algorithm>
#include <cmath>
#include <vector>

#include "running.h"

namespace tactus {
namespace {

template <class Scalar>
class JointKindsTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(JointKindsTest, Scalars);

constexpr double kMass_kg = 0.2, kMoment_kgm2 = 0.2 * 0.05 * 0.05 / 6;

/// A cube of 0.2 kg and 5 cm, and its joint to the world.
Scene<> Held(const SceneJoint& joint, const Vector3& at_m = {0, 0, 0}, double gravity_mps2 = 0) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -gravity_mps2};
  EXPECT_EQ(scene.bodies.push_back(Cube(kMass_kg, 0.05, at_m)), Status::kOk);
  EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
  return scene;
}
template <class Scalar>
Vec<Scalar, 6> Wrench(const Vector3& force_N, const Vector3& torque_Nm = {0, 0, 0}) {
  Vec<Scalar, 6> wrench;
  for (int k = 0; k < 3; ++k) {
    wrench(k) = static_cast<Scalar>(force_N[static_cast<std::size_t>(k)]);
    wrench(k + 3) = static_cast<Scalar>(torque_Nm[static_cast<std::size_t>(k)]);
  }
  return wrench;
}
template <class Scalar>
void Push(const Vec<Scalar, 6>& wrench, int steps, Running<Scalar>* run) {
  for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) run->Step(wrench);
}
template <class Scalar>
double Coordinate(const Running<Scalar>& run) {
  return static_cast<double>(internal::PoseOf<Scalar, kServoScene>(run.scene(), 0, run.state).Coordinate());
}

// Source: statics: a bob on an arm of 0.1 m that is pushed aside with more than m g tan(high) leans on its cone, whichever
// way, and may turn about its arm there.
TYPED_TEST(JointKindsTest, ABallStopsAtItsCone) {
  for (const double way_rad : {0.0, 1.0, 2.5, -2.0}) {
    Running<TypeParam> run(
        Held({.kind = JointKind::kBall, .p_AJ_m = {0, 0, 0.1}, .limited = true, .high = 0.4}, {0, 0, -0.1}, kGravity_mps2));
    const double push_N = 2 * kMass_kg * kGravity_mps2 * std::tan(0.4);
    Push(Wrench<TypeParam>({push_N * std::cos(way_rad), push_N * std::sin(way_rad), 0}), 1500, &run);
    EXPECT_NEAR(Coordinate(run), 0.4, 1e-5);
    EXPECT_NEAR(run.body(0).p_WT_m(0), 0.1 * std::sin(0.4) * std::cos(way_rad), 2e-4) << way_rad;  // it slides along the rim
    EXPECT_NEAR(run.body(0).p_WT_m(1), 0.1 * std::sin(0.4) * std::sin(way_rad), 2e-4);
  }
}

// Source: a pendulum below its cone does not see it: the same bits as without.
TYPED_TEST(JointKindsTest, ABallFarFromItsConeIsFree) {
  SceneJoint joint{.kind = JointKind::kBall, .p_AJ_m = {0, 0, 0.1}};
  Running<TypeParam> free(Held(joint, {0, 0, -0.1}, kGravity_mps2));
  joint.limited = true, joint.high = 1.5;
  Running<TypeParam> within(Held(joint, {0, 0, -0.1}, kGravity_mps2));
  for (Running<TypeParam>* run : {&free, &within}) Push(Wrench<TypeParam>({0.5, 0, 0}), 300, run);
  EXPECT_GT(Coordinate(free), 0.2);
  EXPECT_EQ(free.body(0).q_WT, within.body(0).q_WT);
}

// Source: statics: K φ = M about any axis.
TYPED_TEST(JointKindsTest, ABallsSpringHoldsATorque) {
  Running<TypeParam> run(Held({.kind = JointKind::kBall, .stiffness = 0.1, .damping = 2 * std::sqrt(0.1 * kMoment_kgm2)}));
  Push(Wrench<TypeParam>({0, 0, 0}, {0.06, 0, 0.08}), 2000, &run);
  const Vec<TypeParam, 3> turn_rad = LogMap(run.body(0).q_WT);
  EXPECT_NEAR(turn_rad(0), 0.6, 1e-5);
  EXPECT_NEAR(turn_rad(1), 0, 1e-5);
  EXPECT_NEAR(turn_rad(2), 0.8, 1e-5);
}

// Source: Coulomb: it holds up to its torque about any axis, (M - F)/J beyond, and it stops again after ω J/F.
TYPED_TEST(JointKindsTest, ABallsFrictionHoldsUpToItsTorque) {
  const double F = 0.01;
  const SceneJoint joint{.kind = JointKind::kBall, .friction = F};
  Running<TypeParam> held(Held(joint));
  Push(Wrench<TypeParam>({0, 0, 0}, {0.6 * 0.99 * F, 0, -0.8 * 0.99 * F}), 500, &held);
  EXPECT_NEAR(Norm(LogMap(held.body(0).q_WT)), 0, 1e-6);
  Running<TypeParam> turned(Held(joint));
  Push(Wrench<TypeParam>({0, 0, 0}, {0.6 * 1.5 * F, 0, -0.8 * 1.5 * F}), 200, &turned);
  const double omega = 0.5 * F / kMoment_kgm2 * 0.2;
  EXPECT_NEAR(turned.body(0).twist_W(3), 0.6 * omega, 0.01 * omega);  // a step until it lets go
  EXPECT_NEAR(turned.body(0).twist_W(5), -0.8 * omega, 0.01 * omega);
  turned.Steps(120);
  EXPECT_NEAR(Norm(Vec<TypeParam, 3>(turned.body(0).twist_W.template tail<3>())), 0, 1e-6);
}

// Source: friction takes energy and gives none: E falls in every step, whichever way the body tumbles.
TYPED_TEST(JointKindsTest, ABallsFrictionOnlyTakesEnergy) {
  Scene<> scene = Held({.kind = JointKind::kBall, .friction = 1e-3});
  scene.bodies[0].inertia_kgm2 = {5e-5, 8e-5, 1.2e-4};
  scene.bodies[0].omega_radps = {3, -5, 4};
  Running<TypeParam> run(scene);
  const auto energy = [&] {
    const Vec<TypeParam, 3> w = RotationMatrix(run.body(0).q_WT).transpose() * run.body(0).twist_W.template tail<3>();
    return (5e-5 * double(w(0)) * double(w(0)) + 8e-5 * double(w(1)) * double(w(1)) + 1.2e-4 * double(w(2)) * double(w(2))) /
           2;
  };
  double last_J = energy();
  for (int i = 0; i < 800; ++i) {
    run.Step();
    EXPECT_LE(energy(), last_J * (1 + 1e-5) + 1e-11) << i;
    last_J = energy();
    if (i == 50) {
      EXPECT_GT(last_J, 1e-4);
    }
  }
  EXPECT_NEAR(last_J, 0, 1e-11);
}

// Source: the motor's speed about B's z axis; about the others the ball stays free.
TYPED_TEST(JointKindsTest, ABallsMotorTurnsAboutZ) {
  Running<TypeParam> run(Held({.kind = JointKind::kBall, .motor_speed = 3, .motor_force = 0.1}));
  run.Steps(100);
  EXPECT_NEAR(run.body(0).twist_W(5), 3, 1e-5);
  Push(Wrench<TypeParam>({0, 0, 0}, {1e-3, 0, 0}), 100, &run);
  EXPECT_NEAR(run.body(0).twist_W(3), 1e-3 * 0.1 / kMoment_kgm2, 1e-3);
  EXPECT_NEAR(run.body(0).twist_W(5), 3, 1e-5);
}

// Source: ω = sqrt(K/m) about the place where K x = m g.
TYPED_TEST(JointKindsTest, AnElasticRopeSwingsInItsPeriod) {
  const double K = 100, rest_m = 0.1, hang_m = rest_m + kMass_kg * kGravity_mps2 / K;
  Running<TypeParam> run(Held({.kind = JointKind::kRope, .stiffness = K, .rest = rest_m, .length_m = 1},
                              {0, 0, -hang_m - 0.005}, kGravity_mps2));
  int returns = 0;
  double first_s = 0, last_s = 0;
  for (int i = 1; i < 3000; ++i) {
    const double before = -double(run.body(0).p_WT_m(2)) - hang_m;
    run.Step();
    const double after = -double(run.body(0).p_WT_m(2)) - hang_m;
    if (!(before > 0 && after <= 0)) continue;
    last_s = (i - 1 + before / (before - after)) * 1e-3;
    if (returns++ == 0) first_s = last_s;
  }
  ASSERT_GT(returns, 5);
  EXPECT_NEAR((last_s - first_s) / (returns - 1), 2 * std::numbers::pi * std::sqrt(kMass_kg / K), 2e-4);
}

// Source: free fall: a slack rope, its damper, its motor and its brake do nothing.
TYPED_TEST(JointKindsTest, ASlackRopeDoesNothing) {
  Running<TypeParam> run(Held({.kind = JointKind::kRope, .stiffness = 1000, .rest = 0.2, .damping = 10, .length_m = 1},
                              {0, 0, -0.1}, kGravity_mps2));
  run.Steps(100);
  EXPECT_NEAR(run.body(0).twist_W(2), -0.1 * kGravity_mps2, 1e-4);
  Scene<> rising = Held({.kind = JointKind::kRope, .friction = 5, .length_m = 1}, {0, 0, -0.5});
  rising.bodies[0].velocity_mps = {0, 0, 1};
  Running<TypeParam> up(rising);
  up.Steps(100);
  EXPECT_NEAR(up.body(0).twist_W(2), 1, 1e-6);
}

// Source: statics and Newton: a winch with more than m g hauls at its speed; with less the weight falls with g - F/m.
TYPED_TEST(JointKindsTest, AWinchLiftsWhatItCan) {
  const double weight_N = kMass_kg * kGravity_mps2;
  for (const double share : {1.5, 0.5}) {
    Running<TypeParam> run(
        Held({.kind = JointKind::kRope, .motor_speed = -0.1, .motor_force = share * weight_N, .length_m = 2}, {0, 0, -1},
             kGravity_mps2));
    run.Steps(500);
    if (share > 1) {
      EXPECT_NEAR(run.body(0).twist_W(2), 0.1, 1e-5);
      EXPECT_NEAR(run.body(0).p_WT_m(2), -1 + 0.05, 1e-3);
    } else {
      EXPECT_NEAR(run.body(0).twist_W(2), -kGravity_mps2 * 0.5 * 0.5, 0.11);  // and the first tick's 0.1 m/s
    }
  }
}

// Source: Coulomb: a brake holds a weight up to its force, and lets it run out with g - F/m beyond.
TYPED_TEST(JointKindsTest, ABrakeHoldsARope) {
  const double weight_N = kMass_kg * kGravity_mps2;
  Running<TypeParam> held(
      Held({.kind = JointKind::kRope, .friction = 1.1 * weight_N, .length_m = 2}, {0, 0, -1}, kGravity_mps2));
  held.Steps(500);
  EXPECT_NEAR(held.body(0).p_WT_m(2), -1, 1e-6);
  Running<TypeParam> runs(
      Held({.kind = JointKind::kRope, .friction = 0.6 * weight_N, .length_m = 2}, {0, 0, -1}, kGravity_mps2));
  runs.Steps(300);
  EXPECT_NEAR(runs.body(0).twist_W(2), -0.4 * kGravity_mps2 * 0.3, 0.01);
}

// Source: statics: a strut that is pushed together stands at its lower limit.
TYPED_TEST(JointKindsTest, AStrutKeepsItsLeastLength) {
  Running<TypeParam> run(Held({.kind = JointKind::kRope, .limited = true, .low = 0.05, .length_m = 0.2}, {0, 0, -0.1}));
  Push(Wrench<TypeParam>({0, 0, 1}), 500, &run);
  EXPECT_NEAR(run.body(0).p_WT_m(2), -0.05, 1e-5);
}

/// A bob of 0.1 kg on an arm of 0.1 m that is let go level, for 17 s. Source of what it would keep: conservation of energy.
template <class Scalar>
struct Swing {
  double lost = 0, gained = 0;  ///< of m g l, at the end and at most

  explicit Swing(JointKind kind) {
    SceneJoint joint{.kind = kind, .p_AJ_m = {-0.1, 0, 0}};
    joint.q_AJ = joint.q_BJ = TurnAbout({1, 0, 0}, -std::numbers::pi / 2);  // z of the joint along y
    Scene<> scene;
    scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
    EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {0.1, 0, 0})), Status::kOk);
    EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
    Running<Scalar> run(scene);
    for (int i = 0; i < 17000 && !testing::Test::HasFatalFailure(); ++i) {
      run.Step();
      const Vec<double, 6> twist = run.body(0).twist_W.template cast<double>();
      const double J = 0.1 * 0.02 * 0.02 / 6, z_m = static_cast<double>(run.body(0).p_WT_m(2));
      const double energy_J =
          0.1 * (kGravity_mps2 * z_m + twist.head<3>().squaredNorm() / 2) + J * twist.tail<3>().squaredNorm() / 2;
      lost = -energy_J / (0.1 * kGravity_mps2 * 0.1);
      gained = std::max(gained, -lost);
    }
  }
};

// What docs/scenes.md states: a joint takes energy of a pendulum, and gives none.
TYPED_TEST(JointKindsTest, APendulumLosesLittleEnergy) {
  const Swing<TypeParam> hinge(JointKind::kHinge), ball(JointKind::kBall);
  EXPECT_NEAR(hinge.lost, 0.041, 0.003);
  EXPECT_NEAR(ball.lost, 0.041, 0.003);
  EXPECT_LT(hinge.gained, 0.0035);  // of a step's order: h v̇ v, and it comes back
  EXPECT_LT(ball.gained, 0.0035);
}

/// A joint of each kind whose body starts off it, and how far.
struct Drifted {
  SceneJoint joint;
  Vector3 off_m{};
  Vector3 tilt_rad{};
};

// What undoes a drift moves no faster than max_push_out, and rows leave nothing moving. Source: at rest, without forces, a
// body of mass m has m v²/2 at most, v = max_push_out; in the end none, but what a stop has pushed out goes on with v, as
// from every contact.
TYPED_TEST(JointKindsTest, DriftIsUndoneAndLeavesNoEnergy) {
  const Drifted all[] = {{{.kind = JointKind::kWeld}, {1e-3, -5e-4, 1e-3}, {2e-3, 1e-3, -2e-3}},
                         {{.kind = JointKind::kHinge}, {1e-3, -5e-4, 1e-3}, {2e-3, 1e-3, 0.5}},
                         {{.kind = JointKind::kSlider}, {1e-3, -5e-4, 0.1}, {2e-3, 1e-3, -2e-3}},
                         {{.kind = JointKind::kBall}, {1e-3, -5e-4, 1e-3}, {0.3, 0.2, 0.1}},
                         {{.kind = JointKind::kBall, .limited = true, .high = 0.3}, {0, 0, 0}, {0.301, 0, 0}},
                         {{.kind = JointKind::kScrew, .pitch_m_per_rad = 0.01}, {1e-3, -5e-4, 1e-3}, {2e-3, 1e-3, 0.05}},
                         {{.kind = JointKind::kRope, .length_m = 0.1}, {0.101, 0, 0}, {0, 0, 0}},
                         {{.kind = JointKind::kRope, .limited = true, .low = 0.1, .length_m = 1}, {0, 0.099, 0}, {0, 0, 0}}};
  for (const Drifted& one : all) {
    SCOPED_TRACE(static_cast<int>(one.joint.kind));
    Running<TypeParam> run(Held(one.joint, one.off_m));
    Vec<TypeParam, 3> tilt_rad;
    for (int k = 0; k < 3; ++k) tilt_rad(k) = static_cast<TypeParam>(one.tilt_rad[static_cast<std::size_t>(k)]);
    run.state.bodies[0].q_WT = ExpMap(tilt_rad);
    const auto energy = [&run] {
      const Vec<double, 6> twist = run.body(0).twist_W.template cast<double>();
      return kMass_kg * twist.head<3>().squaredNorm() / 2 + kMoment_kgm2 * twist.tail<3>().squaredNorm() / 2;
    };
    double most_J = 0;
    for (int i = 0; i < 600; ++i) {
      run.Step();
      most_J = std::max(most_J, energy());
    }
    // Three rows of the place and three of the turn, each at 0.02 m/s or rad/s; a stop undoes all in one step, 1 mm at most
    // at the push-out.
    EXPECT_LE(most_J, 1.5 * (kMass_kg * 3 * 4e-4 / 2 + kMoment_kgm2 * (3 * 4e-4 + 0.16) / 2));
    const bool is_stop = one.joint.limited || one.joint.kind == JointKind::kRope;
    EXPECT_LE(energy(), is_stop ? most_J : 1e-10);
    run.Step();
    for (int i = 0; i < run.problem->joints.size(); ++i) EXPECT_NEAR(run.problem->joints[i].speed, 0, 1e-4) << i;
    for (int i = 0; i < run.problem->contacts.size(); ++i) EXPECT_GT(run.problem->contacts[i].gap_m, -1e-5);
  }
}

/// Joints with motors and frictions, with stops and without.
std::vector<SceneJoint> JointsWithDrives() {
  std::vector<SceneJoint> joints;
  for (const JointKind kind : {JointKind::kHinge, JointKind::kSlider, JointKind::kScrew, JointKind::kBall}) {
    const double bound = kind == JointKind::kSlider ? 0.5 : 2e-3;
    SceneJoint friction{.kind = kind, .friction = bound, .pitch_m_per_rad = 0.01};
    SceneJoint motor{.kind = kind, .motor_speed = 0.3, .motor_force = bound, .pitch_m_per_rad = 0.01};
    for (SceneJoint joint : {friction, motor}) {
      joints.push_back(joint);
      joint.limited = true;
      joint.low = kind == JointKind::kBall ? 0 : -0.05, joint.high = 0.05;
      joints.push_back(joint);
    }
  }
  joints.push_back({.kind = JointKind::kRope, .friction = 0.5, .length_m = 1});
  joints.push_back({.kind = JointKind::kRope, .motor_speed = -0.3, .motor_force = 0.5, .length_m = 1});
  return joints;
}

// Source: the bound that the scene gives; and the problem that was solved is the one that BuildProblem makes of the drives
// as the step has left them.
TYPED_TEST(JointKindsTest, ADriveKeepsItsBoundInEachStep) {
  const double slack = sizeof(TypeParam) == 8 ? 1e-6 : 2e-3;
  for (const SceneJoint& joint : JointsWithDrives()) {
    SCOPED_TRACE(static_cast<int>(joint.kind));
    const double bound = std::max(joint.friction, joint.motor_force);
    const bool is_rope = joint.kind == JointKind::kRope;
    Running<TypeParam> run(Held(joint, is_rope ? Vector3{0, 0, -0.4} : Vector3{0, 0, 0}));
    auto built = std::make_unique<typename Running<TypeParam>::Problem>();
    std::uint32_t random = 1;
    const auto draw = [&random] { return (random = random * 1664525u + 1013904223u) / 4294967296.0 - 0.5; };
    int pushed = 0, held = 0;
    for (int i = 0; i < 600; ++i) {
      const double blow = i % 100 == 0 ? 100 : i / 20 % 2 == 0 ? 0.5 : 4;
      const double unit = joint.kind == JointKind::kSlider || is_rope ? 0.5 : 2e-3;
      const Vec<TypeParam, 6> push = Wrench<TypeParam>({blow * 0.5 * draw(), blow * 0.5 * draw(), blow * 0.5 * draw()},
                                                       {unit * blow * draw(), unit * blow * draw(), unit * blow * draw()});
      SceneState<TypeParam> before = run.state;
      run.Step(push);
      const int rows = run.state.held_rows[0], first = internal::RowsOf(joint.kind);
      double force = 0;
      for (int k = 0; k < rows; ++k) {
        const double one = 1e3 * static_cast<double>(run.solution->joint_impulse_Ns[first + k]);
        force = std::hypot(force, one);
        if (is_rope) {
          EXPECT_LE(one, bound * slack) << "a rope pulls, " << i;
        }
      }
      EXPECT_LE(force, bound * (1 + slack)) << i;
      (rows > 0 ? held : pushed) += 1;
      before.drive = run.state.drive;
      before.slip_W = run.state.slip_W;
      run.Build(push, &before, built.get());
      if (joint.kind == JointKind::kBall && rows == 0) continue;  // its direction is the next step's already
      ASSERT_EQ(built->joints.size(), run.problem->joints.size()) << i;
      for (int k = 0; k < built->joints.size(); ++k) {
        EXPECT_EQ(built->joints[k].jacobian_a, run.problem->joints[k].jacobian_a) << i;
        EXPECT_EQ(built->joints[k].speed, run.problem->joints[k].speed) << i;
      }
      EXPECT_EQ(built->bodies[0].wrench, run.problem->bodies[0].wrench) << i;
      EXPECT_EQ(built->contacts.size(), run.problem->contacts.size()) << i;
    }
    EXPECT_GT(held, 10);
    EXPECT_GT(pushed, 10);
  }
}

// Source: friction takes energy and gives none, however many joints let go and hold at once; at last the chain is at rest.
TYPED_TEST(JointKindsTest, FrictionInAChainOnlyTakesEnergy) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::uint32_t random = seed;
    const auto draw = [&random] { return (random = random * 1664525u + 1013904223u) / 4294967296.0 - 0.5; };
    Scene<> scene;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(scene.bodies.push_back(Cube(0.1 * (1 + i), 0.03, {0.1 * i, 0, 0})), Status::kOk);
    const JointKind kinds[] = {JointKind::kSlider, JointKind::kHinge, JointKind::kBall, JointKind::kScrew};
    for (int i = 0; i < 3; ++i) {
      const JointKind kind = kinds[(seed + static_cast<std::uint32_t>(i)) % 4];
      SceneJoint joint{
          .kind = kind, .friction = (kind == JointKind::kSlider ? 5 : 0.05) * (0.6 + draw()), .pitch_m_per_rad = 0.01};
      joint.a = static_cast<std::int16_t>(i);
      joint.b = static_cast<std::int16_t>(i - 1);  // the first one's: the world
      joint.p_AJ_m = {-0.05, 0, 0};
      joint.p_BJ_m = {i == 0 ? -0.05 : 0.05, 0, 0};
      ASSERT_EQ(scene.joints.push_back(joint), Status::kOk);
    }
    Running<TypeParam> run(scene);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 6; ++k) run.state.bodies[i].twist_W(k) = TypeParam((k < 3 ? 0.5 : 5) * draw());
    }
    run.Step();  // the joints take what they do not allow
    const auto energy = [&run] {
      double sum_J = 0;
      for (int i = 0; i < 3; ++i) {
        const double mass_kg = 0.1 * (1 + i), moment_kgm2 = mass_kg * 0.03 * 0.03 / 6;
        const Vec<double, 6> twist = run.body(i).twist_W.template cast<double>();
        sum_J += (mass_kg * twist.head<3>().squaredNorm() + moment_kgm2 * twist.tail<3>().squaredNorm()) / 2;
      }
      return sum_J;
    };
    const double first_J = energy();
    double last_J = first_J;
    for (int i = 0; i < 3000; ++i) {
      run.Step();
      const double now_J = energy();
      EXPECT_LE(now_J, last_J * (1 + 1e-6) + 1e-7 * first_J) << i;  // what undoes the joints' drift
      last_J = now_J;
    }
    EXPECT_LE(last_J, 1e-6 * first_J);
  }
}

// A joint's forces are inner forces. Source: of two bodies that nothing else touches momentum and angular momentum stay.
TYPED_TEST(JointKindsTest, InnerForcesKeepTheMomentum) {
  const SceneJoint all[] = {
      {.kind = JointKind::kWeld},
      {.kind = JointKind::kHinge, .limited = true, .low = -0.2, .high = 0.2, .stiffness = 0.01, .damping = 1e-4},
      {.kind = JointKind::kHinge, .friction = 1e-3},
      {.kind = JointKind::kHinge, .motor_speed = 5, .motor_force = 1e-3},
      {.kind = JointKind::kSlider,
       .limited = true,
       .low = -0.01,
       .high = 0.02,
       .stiffness = 20,
       .rest = 0.01,
       .damping = 0.1},
      {.kind = JointKind::kSlider, .friction = 0.1},
      {.kind = JointKind::kBall, .limited = true, .high = 0.3, .stiffness = 0.01, .damping = 1e-4},
      {.kind = JointKind::kBall, .friction = 1e-3},
      {.kind = JointKind::kBall, .motor_speed = 5, .motor_force = 1e-3},
      {.kind = JointKind::kScrew,
       .limited = true,
       .low = -1,
       .high = 1,
       .stiffness = 0.01,
       .damping = 1e-4,
       .pitch_m_per_rad = 0.01},
      {.kind = JointKind::kScrew, .motor_speed = 5, .motor_force = 1e-3, .pitch_m_per_rad = 0.01},
      {.kind = JointKind::kRope,
       .limited = true,
       .low = 0.05,
       .stiffness = 20,
       .rest = 0.08,
       .damping = 0.1,
       .length_m = 0.12},
      {.kind = JointKind::kRope, .motor_speed = -0.05, .motor_force = 0.1, .length_m = 1}};
  for (const SceneJoint& one : all) {
    SCOPED_TRACE(static_cast<int>(one.kind));
    SceneJoint joint = one;
    joint.a = 0, joint.b = 1;
    joint.p_AJ_m = {-0.05, 0.01, 0}, joint.p_BJ_m = {0.05, 0, -0.01};
    if (one.kind == JointKind::kRope) joint.p_AJ_m = {0, 0.01, 0}, joint.p_BJ_m = {0, 0, -0.01};
    Scene<> scene;
    ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0.05, -0.01, 0})), Status::kOk);
    ASSERT_EQ(scene.bodies.push_back(Cube(0.3, 0.06, {-0.05, 0, 0.01})), Status::kOk);
    scene.bodies[0].omega_radps = {1, -2, 3}, scene.bodies[0].velocity_mps = {0, 0.1, 0.2};
    ASSERT_EQ(scene.joints.push_back(joint), Status::kOk);
    Running<TypeParam> run(scene);
    run.Steps(1);  // what the joint takes of the start
    const auto momentum = [&run] {
      Vec<double, 6> sum = Vec<double, 6>::Zero();
      for (int i = 0; i < 2; ++i) {
        const double mass_kg = i == 0 ? 0.2 : 0.3, J = i == 0 ? 0.2 * 0.05 * 0.05 / 6 : 0.3 * 0.06 * 0.06 / 6;
        const Vec<double, 6> twist = run.body(i).twist_W.template cast<double>();
        const Vec<double, 3> v = twist.head<3>(), p = run.body(i).p_WT_m.template cast<double>();
        sum.head<3>() += mass_kg * v;
        sum.tail<3>() += J * twist.tail<3>() + Cross(p, Vec<double, 3>(mass_kg * v));
      }
      return sum;
    };
    const Vec<double, 6> start = momentum();
    run.Steps(400);
    const Vec<double, 6> end = momentum();
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(end(k), start(k), k < 3 ? 1e-6 : 1e-6) << k;
  }
}

}  // namespace
}  // namespace tactus
