// What the rest of a scene does to the tool: work that the energy observer takes for given and not for made. Source of each:
// the tool's momentum, or a closed form.
#include "tactus/scene/tool_work.h"
#include "running.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
constexpr double kMass_kg = 0.1, kSide_m = 0.02, kStep_s = 1e-3;
constexpr double kShare = 2e-7;  // of its own size: what the solver takes for an answer (Tolerances::kAcceptShare)

/// A cube in space, which does not turn, and no world.
Scene<> Tool() {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back(Cube(kMass_kg, kSide_m, {0, 0, 0})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(0, kSide_m)), Status::kOk);
  return scene;
}

double WorkOf(const Running<double>& scene) {
  return WorkOnTool(*scene.problem, *scene.solution, scene.state.joint_wrench_W[kTool]).given_J;
}

/// One step. @returns (m Δv - h f)·v⁺: of all that is not f, where nothing slips on the tool
double StepAndMomentum(Running<double>* scene, const Vec3& force_N = Vec3::Zero()) {
  const Vec3 before_mps = scene->body(kTool).twist_W.head<3>();
  Vec<double, 6> wrench = Vec<double, 6>::Zero();
  wrench.head<3>() = force_N;
  scene->Step(wrench);
  const Vec3 after_mps = scene->body(kTool).twist_W.head<3>();
  return (kMass_kg * (after_mps - before_mps) - kStep_s * (force_N + kMass_kg * scene->scene().gravity_W_mps2))
      .dot(after_mps);
}

TEST(WorkOnTool,
     OfAWorldAndOfAnythingElsewhereIsNone) {  // a wall that stands still, a box that slides down a slope far away
  Scene<> scene = Tool();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  scene.default_law.friction = 0.3;
  ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .p_BS_m = {0, 0, -kSide_m / 2}}), Status::kOk);
  ASSERT_EQ(scene.bodies.push_back(Cube(10, 0.04, {1, 0, -kSide_m / 2 + 0.02})), Status::kOk);
  scene.bodies[1].velocity_mps = {0, 2, 0};
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, 0.04)), Status::kOk);
  scene.bodies[0].velocity_mps = {0, 0.1, 0};
  Running<double> running(scene);
  for (int i = 0; i < 100; ++i) {
    running.Step();
    ASSERT_EQ(WorkOf(running), 0) << i;
  }
}

double WorkOfSprings(const Running<double>& scene) {
  return WorkOnTool(*scene.problem, *scene.solution, scene.state.joint_wrench_W[kTool]).of_springs_J;
}

// A mat's spring takes and gives back, and no more than it was lent; what slides on it takes, as on a plate.
TEST(WorkOnTool, OfAMatIsThatOfItsSpring) {
  for (const double friction : {0.0, 0.3}) {
    Scene<> scene = Tool();
    scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
    scene.default_law.friction = friction;
    scene.default_law.stiffness_N_per_m = 1000;
    scene.default_law.damping_Ns_per_m = 1;
    scene.bodies[0].velocity_mps = {0.2, 0, 0};
    scene.bodies[0].motion = BodyMotion::kTranslation;
    ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .p_BS_m = {0, 0, -kSide_m / 2 - 1e-3}}), Status::kOk);
    Running<double> running(scene);
    double taken_J = 0, sum_J = 0;
    for (int i = 0; i < 200; ++i) {
      const double before_mps = running.body(kTool).twist_W(2);
      running.Step();
      const double after_mps = running.body(kTool).twist_W(2);
      const double expected_J = kMass_kg * (after_mps - before_mps + kStep_s * kGravity_mps2) * after_mps;
      ASSERT_NEAR(WorkOfSprings(running), expected_J, kShare * std::abs(expected_J) + 1e-15) << i;
      ASSERT_EQ(WorkOf(running), 0) << i;
      sum_J += expected_J, taken_J = std::min(taken_J, sum_J);
    }
    EXPECT_LT(taken_J, -1e-4);
    EXPECT_LE(sum_J, 0);
  }
}

// A soft body that hits the tool gives it energy through the spring between them: that is the body's.
TEST(WorkOnTool, OfASoftBodyThatHitsItIsWhatItsMomentumSays) {
  Scene<> scene = Tool();
  scene.default_law.stiffness_N_per_m = 500;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.3, kSide_m, {0, 0, kSide_m + 1e-3})), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, kSide_m)), Status::kOk);
  scene.bodies[1].velocity_mps = {0, 0, -0.2};
  Running<double> running(scene);
  double given_J = 0, of_springs_J = 0, lent_J = 0, gifts_J = 0;
  for (int i = 0; i < 300; ++i) {
    const double of_momentum_J = StepAndMomentum(&running);
    const ToolWork<double> work = WorkOnTool(*running.problem, *running.solution, running.state.joint_wrench_W[kTool]);
    ASSERT_NEAR(work.given_J + work.of_springs_J, of_momentum_J, 1e-12 + kShare * std::abs(of_momentum_J)) << i;
    given_J += work.given_J, of_springs_J += work.of_springs_J, gifts_J += Gift(work, &lent_J);
    ASSERT_GE(lent_J, 0);
  }
  const double kinetic_J = 0.5 * kMass_kg * running.body(kTool).twist_W.head<3>().squaredNorm();
  EXPECT_GT(kinetic_J, 1e-3);
  EXPECT_GE(given_J + of_springs_J, kinetic_J);  // W is with v after the step: more than ½ m v² by ½ m Δv²
  EXPECT_LE(gifts_J, given_J + 1e-12);           // springs have given no more than they took
}

// Springs give back what they were lent, and not more.
TEST(Gift, OfSpringsIsNoMoreThanTheyTook) {
  double lent_J = 0;
  EXPECT_EQ(Gift(ToolWork<double>{.given_J = 1, .of_springs_J = 2}, &lent_J), 1);
  EXPECT_EQ(Gift(ToolWork<double>{.given_J = 0, .of_springs_J = -3}, &lent_J), -3);
  EXPECT_EQ(lent_J, 3);
  EXPECT_EQ(Gift(ToolWork<double>{.given_J = 0, .of_springs_J = 2}, &lent_J), 2);
  EXPECT_EQ(Gift(ToolWork<double>{.given_J = 0.5, .of_springs_J = 2}, &lent_J), 1.5);
  EXPECT_EQ(lent_J, 0);
}

TEST(WorkOnTool, OfABeltIsItsFrictionTimesItsSpeed) {
  Scene<> scene = Tool();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.laws.push_back({.a = 0, .b = 1, .friction = 0.3, .surface_velocity_mps = {0, 0.1, 0}}), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .material = 1, .p_BS_m = {0, 0, -kSide_m / 2}}),
            Status::kOk);
  Running<double> running(scene);
  running.Steps(10);  // it slips until 34 ms
  const double slipping_J = 0.3 * kMass_kg * kGravity_mps2 * 0.1 * kStep_s;
  EXPECT_NEAR(WorkOf(running), slipping_J, kShare * slipping_J);
  running.Steps(90);
  EXPECT_NEAR(WorkOf(running), 0, 10 * kShare * slipping_J) << "carried along, it takes no force";
}

TEST(WorkOnTool, OfABodyThatHitsItIsWhatItsMomentumSays) {
  Scene<> scene = Tool();
  ASSERT_EQ(scene.bodies.push_back(Cube(3 * kMass_kg, kSide_m, {0, 0, -kSide_m - 0.002})), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, kSide_m)), Status::kOk);
  scene.bodies[1].velocity_mps = {0, 0, 0.4};
  Running<double> running(scene);
  double sum_J = 0;
  for (int i = 0; i < 20; ++i) {
    const double of_momentum_J = StepAndMomentum(&running);
    ASSERT_NEAR(WorkOf(running), of_momentum_J, 1e-12 + kShare * std::abs(of_momentum_J)) << i;
    sum_J += of_momentum_J;
  }
  EXPECT_GT(sum_J, 0.1 * 0.3 * 0.3 / 2) << "more than the tool has at last: 0.4 m/s · 3/4";
}

// A load that swings on a rope: the rope's length drifts in each step and is put right in the next one, which is its work.
TEST(WorkOnTool, OfARopeIsWhatItsMomentumSays) {
  Scene<> scene = Tool();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  ASSERT_EQ(scene.bodies.push_back(Cube(3 * kMass_kg, kSide_m, {0.06, 0, -0.08})), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, kSide_m)), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kRope, .a = 1, .b = 0, .length_m = 0.1}), Status::kOk);
  Running<double> running(scene);
  double drift_J = 0;
  for (int i = 0; i < 300; ++i) {
    const double of_momentum_J = StepAndMomentum(&running, {0, 0, 4 * kMass_kg * kGravity_mps2});
    ASSERT_NEAR(WorkOf(running), of_momentum_J, 1e-10 + kShare * std::abs(of_momentum_J)) << i;
    drift_J += std::abs(of_momentum_J);
  }
  EXPECT_GT(drift_J, 1e-3);
}

TEST(WorkOnTool, OnABodyThatItPushesIsTakenFromIt) {
  Scene<> scene = Tool();
  ASSERT_EQ(scene.bodies.push_back(Cube(3 * kMass_kg, kSide_m, {0, 0, kSide_m})), Status::kOk);
  ASSERT_EQ(scene.shapes.push_back(CubeShape(1, kSide_m)), Status::kOk);
  Running<double> running(scene);
  for (int i = 0; i < 20; ++i) {
    const double of_momentum_J = StepAndMomentum(&running, {0, 0, 2});
    ASSERT_NEAR(WorkOf(running), of_momentum_J, 1e-12 + kShare * std::abs(of_momentum_J)) << i;
  }
  EXPECT_LT(WorkOf(running), -2 * 0.75 * 0.09 * kStep_s) << "3/4 of 2 N, at 20 ms · 5 m/s² and less";
}

TEST(WorkOnTool, OfJointsIsWhatItsMomentumSays) {
  const SceneJoint weld{.kind = JointKind::kWeld, .b = 1, .p_BJ_m = {-0.1, 0, 0}};
  const SceneJoint motor{.kind = JointKind::kSlider, .motor_speed = 0.05, .motor_force = 1};
  const SceneJoint spring{.kind = JointKind::kSlider, .stiffness = 200, .rest = 0.01, .damping = 1};
  for (const SceneJoint& joint : {weld, motor, spring}) {
    Scene<> scene = Tool();
    if (joint.kind == JointKind::kWeld) {
      ASSERT_EQ(scene.bodies.push_back(Cube(kMass_kg, kSide_m, {0.1, 0, 0})), Status::kOk);
      ASSERT_EQ(scene.shapes.push_back(CubeShape(1, kSide_m)), Status::kOk);
    }
    ASSERT_EQ(scene.joints.push_back(joint), Status::kOk);
    Running<double> running(scene);
    double most_J = 0;
    for (int i = 0; i < 40; ++i) {
      const double of_momentum_J = StepAndMomentum(&running, {0.5, 0, joint.kind == JointKind::kWeld ? 0.0 : -0.2});
      ASSERT_NEAR(WorkOf(running), of_momentum_J, 1e-10) << i;
      most_J = std::max(most_J, std::abs(of_momentum_J));
    }
    EXPECT_GT(most_J, 1e-6);
  }
}

}  // namespace
}  // namespace tactus
