// Stops, springs, friction and motors of balls and ropes against closed forms; what undoes the drift of every kind.
#include <algorithm>
#include <cmath>

#include "held.h"

namespace tactus {
namespace {

template <class Scalar>
class JointKindsTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(JointKindsTest, Scalars);

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

/// A cube 0.1 m off the axis of its joint that spins freely about it. @returns the share of its speed that is lost in 1 s
template <class Scalar>
double LostSpin(JointKind kind, double spin_radps) {
  SceneJoint joint{.kind = kind, .p_AJ_m = {-0.1, 0, 0}};
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {0.1, 0, 0})), Status::kOk);
  EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
  Running<Scalar> run(scene);
  run.Step();
  run.state.bodies[0].twist_W << 0, static_cast<Scalar>(0.1 * spin_radps), 0, 0, 0, static_cast<Scalar>(spin_radps);
  for (int i = 0; i < 1000 && !testing::Test::HasFatalFailure(); ++i) run.Step();
  return 1 - static_cast<double>(run.body(0).twist_W(5)) / spin_radps;
}

// What docs/scenes.md states. Source: without forces and friction a spin keeps its speed; the loss is the step's.
TYPED_TEST(JointKindsTest, ASpinOffTheAxisFades) {
  for (const JointKind kind : {JointKind::kHinge, JointKind::kBall}) {
    EXPECT_NEAR(LostSpin<TypeParam>(kind, 20), 0.011, 0.001);
    EXPECT_NEAR(LostSpin<TypeParam>(kind, 40), 0.092, 0.004);
  }
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

// Source: a step along the tangent is (h ω)² r/2 off the circle, of which a tenth is undone in each; without gravity the
// speed can only fall.
TYPED_TEST(JointKindsTest, ATurningArmDoesNotDriftAway) {
  constexpr double kArm_m = 0.1;
  for (const double omega_radps : {5.0, 20.0, 45.0}) {
    Scene<> scene = Held({.kind = JointKind::kHinge, .p_AJ_m = {-kArm_m, 0, 0}}, {kArm_m, 0, 0});
    Running<TypeParam> run(scene);
    run.state.bodies[0].twist_W << 0, static_cast<TypeParam>(omega_radps * kArm_m), 0, 0, 0,
        static_cast<TypeParam>(omega_radps);
    double speed_mps = 1.001 * omega_radps * kArm_m;
    for (int i = 0; i < 500; ++i) {
      const double way_m = 1e-3 * run.body(0).twist_W.template head<3>().template cast<double>().norm();
      run.Step();
      const double drift_m = way_m * way_m / (2 * kArm_m) / internal::kJointCorrection;
      ASSERT_NEAR(run.body(0).p_WT_m.template cast<double>().norm(), kArm_m, 5e-6 + 1.5 * drift_m) << i;
      const double now_mps = run.body(0).twist_W.template head<3>().template cast<double>().norm();
      if (i % 100 == 99) {
        EXPECT_LE(now_mps, speed_mps);
        speed_mps = 1.001 * now_mps;
      }
    }
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
