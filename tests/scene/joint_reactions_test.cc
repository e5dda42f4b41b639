// What joints do to their bodies, against statics and the balance of momentum.
#include "tactus/scene/joint_reactions.h"

#include "running.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;

/// Of the joint `i` in the next step.
JointReaction<double> Next(Running<double>* run, int i = 0) {
  const SceneState<double> before = run->state;
  run->Step();
  const auto reactions = JointReactions(run->scene(), before, run->state, *run->problem, *run->solution);
  EXPECT_EQ(reactions.size(), run->scene().links.size());
  return reactions[i];
}

void ExpectNear(const Vec3& is, const Vec3& wanted, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(is(k), wanted(k), tolerance) << k;
}

Scene<> WithGravity() {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  return scene;
}

TEST(JointReactions, AHingeCarriesADoor) {  // Source: statics: F = m g, τ = -r × m g about the hinge.
  Scene<> scene = WithGravity();
  ASSERT_EQ(scene.bodies.push_back(Cube(0.5, 0.1, {0.1, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.p_AJ_m = {-0.1, 0, 0}}), Status::kOk);
  Running<double> run(scene);
  const JointReaction<double> hinge = Next(&run);
  const double weight_N = 0.5 * kGravity_mps2;
  ExpectNear(hinge.point_m, {0, 0, 0}, 1e-12);
  ExpectNear(hinge.force_N, {0, 0, weight_N}, 1e-9);
  ExpectNear(hinge.torque_Nm, {0, -0.1 * weight_N, 0}, 1e-9);
}

// Source: Newton: m Δv/h = F + m g, and J Δω/h = τ + (p - c) × F of a cube, whose J is the same about every axis; every
// kind.
TEST(JointReactions, AreWhatChangesTheMomentum) {
  for (const JointKind kind :
       {JointKind::kHinge, JointKind::kBall, JointKind::kSlider, JointKind::kWeld, JointKind::kScrew, JointKind::kRope}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Scene<> scene = WithGravity();
    SceneBody body = Cube(0.5, 0.1, {0.1, 0, 0});
    body.omega_radps = {1, -2, 3};
    body.velocity_mps = {0.1, 0.2, -0.3};
    ASSERT_EQ(scene.bodies.push_back(body), Status::kOk);
    SceneJoint joint{.kind = kind, .p_AJ_m = {-0.1, 0.02, 0}, .p_BJ_m = {0, 0.02, 0}};
    joint.q_AJ = joint.q_BJ = TurnAbout({1, 0, 0}, 0.4);
    if (kind == JointKind::kScrew) joint.pitch_m_per_rad = 0.01;
    if (kind == JointKind::kRope) joint.length_m = 0.1;
    ASSERT_EQ(scene.joints.push_back(joint), Status::kOk);
    Running<double> run(scene);
    const double J = 0.5 * 0.1 * 0.1 / 6;
    for (int i = 0; i < 200; ++i) {
      const Vec<double, 6> twist = run.body(0).twist_W;
      const Vec3 centre_m = run.body(0).p_WT_m;
      const JointReaction<double> reaction = Next(&run);
      const Vec<double, 6> change = 1e3 * (run.body(0).twist_W - twist);
      const Vec3 lever_m = reaction.point_m - centre_m;
      ExpectNear(reaction.force_N, 0.5 * (change.head<3>() + Vec3(0, 0, kGravity_mps2)), 1e-8);
      ExpectNear(reaction.torque_Nm + Cross(lever_m, reaction.force_N), J * change.tail<3>(), 1e-8);
    }
  }
}

TEST(JointReactions, ARopeAStopAndAMotorCarryAWeight) {  // Source: statics: F = m g.
  const double weight_N = 0.2 * kGravity_mps2;
  const SceneJoint joints[] = {{.kind = JointKind::kRope, .length_m = 0.1},
                               {.kind = JointKind::kSlider, .limited = true, .low = -0.01, .high = 1},
                               {.kind = JointKind::kSlider, .motor_speed = 0, .motor_force = 5}};
  for (const SceneJoint& joint : joints) {
    Scene<> scene = WithGravity();
    const double start_m = joint.kind == JointKind::kRope ? -0.1 : joint.limited ? -0.01 : 0;
    ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, start_m})), Status::kOk);
    ASSERT_EQ(scene.joints.push_back(joint), Status::kOk);
    Running<double> run(scene);
    const JointReaction<double> reaction = Next(&run);
    ExpectNear(reaction.force_N, {0, 0, weight_N}, 1e-8);
    ExpectNear(reaction.torque_Nm, {0, 0, 0}, 1e-8);
    EXPECT_NEAR(reaction.coordinate, joint.kind == JointKind::kRope ? 0.1 : start_m, 1e-12);
  }
}

// Source: statics: a winch and a brake carry m g; a screw's friction carries m g pitch about its axis, and a ball's the
// moment of its lever.
TEST(JointReactions, AWinchABrakeAndFrictionCarryAWeight) {
  const double weight_N = 0.2 * kGravity_mps2;
  const auto reaction_of = [](const SceneJoint& joint, const Vector3& at_m) {
    Scene<> scene = WithGravity();
    EXPECT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, at_m)), Status::kOk);
    EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
    Running<double> run(scene);
    return Next(&run);
  };
  const SceneJoint ropes[] = {{.kind = JointKind::kRope, .motor_force = 5, .length_m = 1},
                              {.kind = JointKind::kRope, .friction = 5, .length_m = 1}};
  for (const SceneJoint& rope : ropes) ExpectNear(reaction_of(rope, {0, 0, -0.1}).force_N, {0, 0, weight_N}, 1e-8);
  const JointReaction<double> screw =
      reaction_of({.kind = JointKind::kScrew, .friction = 1, .pitch_m_per_rad = 0.01}, {0, 0, 0});
  ExpectNear(screw.force_N, {0, 0, weight_N}, 1e-8);
  ExpectNear(screw.torque_Nm, {0, 0, 0}, 1e-8);  // of the thread and of the friction: they carry each other
  const JointReaction<double> ball =
      reaction_of({.kind = JointKind::kBall, .p_AJ_m = {-0.1, 0, 0}, .friction = 1}, {0.1, 0, 0});
  ExpectNear(ball.force_N, {0, 0, weight_N}, 1e-8);
  ExpectNear(ball.torque_Nm, {0, -0.1 * weight_N, 0}, 1e-8);
}

TEST(JointReactions, OfASpringThereIsNone) {  // Source: the spring is the scene's force; the slider is free along it.
  Scene<> scene = WithGravity();
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .stiffness = 100, .damping = 5}), Status::kOk);
  Running<double> run(scene);
  run.Steps(2000);
  ExpectNear(Next(&run).force_N, {0, 0, 0}, 1e-8);
}

}  // namespace
}  // namespace tactus
