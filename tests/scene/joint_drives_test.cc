// Motors and frictions in each step: their bounds, and what they do against shapes of the world.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "held.h"

namespace tactus {
namespace {

template <class Scalar>
class JointDrivesTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(JointDrivesTest, Scalars);

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
TYPED_TEST(JointDrivesTest, ADriveKeepsItsBoundInEachStep) {
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
TYPED_TEST(JointDrivesTest, FrictionInAChainOnlyTakesEnergy) {
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

/// What the contacts push along the rail, or about the z axis through the joint, without friction [N, N·m].
template <class Scalar>
double LoadOfContacts(const Running<Scalar>& run) {
  const auto pose = internal::PoseOf<Scalar, kServoScene>(run.scene(), 0, run.state);
  const Vec<double, 3> z = pose.R_B.col(2).template cast<double>(), joint_m = pose.p_B_m.template cast<double>();
  const bool slides = run.scene().links[0].kind == JointKind::kSlider;
  double load = 0;
  for (int i = 0; i < run.problem->contacts.size(); ++i) {
    const auto& contact = run.problem->contacts[i];
    const double side = contact.a == 0 ? 1e3 : -1e3;
    const Vec<double, 3> n = contact.normal.template cast<double>();
    const Vec<double, 3> force = side * static_cast<double>(run.solution->impulse[i].normal_Ns) * n;
    const Vec<double, 3> arm_m = contact.point_m.template cast<double>() - joint_m;
    load += z.dot(slides ? force : Vec<double, 3>(Cross(arm_m, force)));
  }
  return load;
}

/// A cube on an arm of 0.1 m from its hinge about z, on a rail along z, or on a ball.
SceneJoint OnArm(JointKind kind) {
  SceneJoint joint{.kind = kind};
  if (kind != JointKind::kSlider) joint.p_AJ_m = {-0.1, 0, 0}, joint.p_BJ_m = {-0.1, 0, 0};
  return joint;
}
/// A face that looks back at the cube, 5 mm ahead of it on its way: +z on the rail, else +y.
SceneShape WallAhead(JointKind kind) {
  SceneShape wall{.kind = ShapeKind::kHalfSpace};
  const bool slides = kind == JointKind::kSlider;
  wall.p_BS_m = slides ? Vector3{0, 0, 0.03} : Vector3{0, 0.03, 0};
  wall.q_BS = TurnAbout({1, 0, 0}, slides ? std::numbers::pi : std::numbers::pi / 2);
  return wall;
}

// Source: statics: the wall gives what the motor has, no less and no more, and the cube stays before it.
TYPED_TEST(JointDrivesTest, AMotorPressesOnAWallWithItsBound) {
  const double slack = sizeof(TypeParam) == 8 ? 1e-3 : 5e-3;  // what undoes the joint's drift pushes too
  for (const JointKind kind : {JointKind::kSlider, JointKind::kHinge}) {
    SCOPED_TRACE(static_cast<int>(kind));
    SceneJoint joint = OnArm(kind);
    joint.motor_speed = kind == JointKind::kSlider ? 0.1 : 1;
    joint.motor_force = kind == JointKind::kSlider ? 2 : 0.05;
    Scene<> scene = Held(joint);
    scene.default_law.friction = 0;
    ASSERT_EQ(scene.shapes.push_back(CubeShape(0, 0.05)), Status::kOk);
    ASSERT_EQ(scene.shapes.push_back(WallAhead(kind)), Status::kOk);
    Running<TypeParam> run(scene);
    run.Steps(300);
    const double at = Coordinate(run);
    EXPECT_GT(at, 4e-3);
    for (int i = 0; i < 500; ++i) {
      run.Step();
      ASSERT_NEAR(LoadOfContacts(run), -joint.motor_force, slack * joint.motor_force) << i;
    }
    EXPECT_NEAR(Coordinate(run), at, 1e-5);
  }
}

// Source: statics: what moves as it is told takes friction with it, against its bound.
TYPED_TEST(JointDrivesTest, APathPushesWhatFrictionHolds) {
  const double slack = sizeof(TypeParam) == 8 ? 1e-2 : 2e-2;
  for (const JointKind kind : {JointKind::kSlider, JointKind::kHinge, JointKind::kBall}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const bool slides = kind == JointKind::kSlider;
    SceneJoint joint = OnArm(kind);
    joint.friction = slides ? 2 : 0.05;
    Scene<> scene = Held(joint);
    scene.default_law.friction = 0;
    ASSERT_EQ(scene.shapes.push_back(CubeShape(0, 0.05)), Status::kOk);
    const Vector3 way = slides ? Vector3{0, 0, 0.04} : Vector3{0, 0.04, 0};
    const Vector3 start = slides ? Vector3{0, 0, -0.03} : Vector3{0, -0.03, 0};
    ASSERT_EQ(scene.paths.push_back({.p_WP_m = start, .way_m = way, .period_s = 8}), Status::kOk);
    ASSERT_EQ(scene.shapes.push_back(
                  {.kind = ShapeKind::kBox, .body = kFirstPath, .radius_m = 2e-4, .half_m = {0.004, 0.004, 0.004}}),
              Status::kOk);
    Running<TypeParam> run(scene);
    run.Steps(600);
    for (int i = 0; i < 500; ++i) {
      run.Step();
      ASSERT_NEAR(LoadOfContacts(run), joint.friction, slack * joint.friction) << i;  // and accelerates it a little
    }
    const auto& face = run.body(0).p_WT_m;
    const double moved_m = static_cast<double>(slides ? face.z() : face.y());
    EXPECT_GT(moved_m, 5e-3);
  }
}

}  // namespace
}  // namespace tactus
