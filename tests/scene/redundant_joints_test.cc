// Joints that say the same twice: each row has a drift of its own, and none of them is a contradiction. Source: the joints'
// own geometry; every answer has to hold (Running::Step).
#include <limits>

#include "running.h"

namespace tactus {
namespace {

template <class Scalar>
class RedundantJoints : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(RedundantJoints, Scalars);

TYPED_TEST(RedundantJoints, ADoorSwingsOnTwoHinges) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.3, 0.1, {0.05, 0, 0})), Status::kOk);
  for (const double z_m : {-0.04, 0.04})
    ASSERT_EQ(scene.joints.push_back({.p_AJ_m = {-0.05, 0, z_m}, .p_BJ_m = {0, 0, z_m}, .friction = 0.002}), Status::kOk);
  Running<TypeParam> run(scene);
  for (int i = 0; i < 4000 && !this->HasFatalFailure(); ++i) {
    Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
    push(0) = TypeParam(2 * std::cos(0.002 * i));  // along the door too, and upwards, to make drift
    push(1) = TypeParam(0.1 * std::cos(0.003 * i));
    push(2) = TypeParam(3 * std::sin(0.005 * i));
    run.Step(push);
    const Vec<double, 3> p_m = run.body(0).p_WT_m.template cast<double>();
    // A step along the circle's tangent leads (v h)²/2r off it, and a share of that is taken back in each.
    const Vec<double, 3> v_mps = run.body(0).twist_W.template head<3>().template cast<double>();
    const double way_m = 1e-3 * v_mps.norm();
    const double drift_m = way_m * way_m / (2 * 0.05) / internal::kJointCorrection;
    ASSERT_NEAR(std::hypot(p_m.x(), p_m.y()), 0.05, 5e-6 + 1.5 * drift_m) << i;
    ASSERT_NEAR(p_m.z(), 0, 5e-6) << i;
  }
}

/// Two cranks and the rod between them turn about four parallel axes: three rows of twenty are too many.
TYPED_TEST(RedundantJoints, AFourBarLinkageTurns) {
  Scene<> scene;
  constexpr double kCrank_m = 0.04, kRod_m = 0.1;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {0, kCrank_m / 2, 0})), Status::kOk);
  ASSERT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {kRod_m / 2, kCrank_m, 0})), Status::kOk);
  ASSERT_EQ(scene.bodies.push_back(Cube(0.1, 0.02, {kRod_m, 0, 0})), Status::kOk);  // its crank is longer by as much below
  const auto hinge = [&](int a, const Vector3& p_A_m, int b, const Vector3& p_B_m) {
    ASSERT_EQ(scene.joints.push_back(
                  {.a = static_cast<std::int16_t>(a), .b = static_cast<std::int16_t>(b), .p_AJ_m = p_A_m, .p_BJ_m = p_B_m}),
              Status::kOk);
  };
  hinge(0, {0, -kCrank_m / 2, 0}, kWorld, {0, 0, 0});
  hinge(0, {0, kCrank_m / 2, 0}, 1, {-kRod_m / 2, 0, 0});
  hinge(1, {kRod_m / 2, 0, 0}, 2, {0, kCrank_m, 0});
  hinge(2, {0, -kCrank_m, 0}, kWorld, {kRod_m, -kCrank_m, 0});
  Running<TypeParam> run(scene);
  double way_rad = 0;
  for (int i = 0; i < 3000 && !this->HasFatalFailure(); ++i) {
    Vec<TypeParam, 6> push = Vec<TypeParam, 6>::Zero();
    push(5) = TypeParam(0.002 * std::cos(0.004 * i));
    push(2) = TypeParam(std::sin(0.01 * i));
    run.Step(push);
    way_rad += std::abs(static_cast<double>(run.body(0).twist_W(5))) * 1e-3;
    const Vec<double, 3> p_m = run.body(0).p_WT_m.template cast<double>(), q_m = run.body(2).p_WT_m.template cast<double>();
    ASSERT_NEAR(std::hypot(p_m.x(), p_m.y()), kCrank_m / 2, 5e-5) << i;
    ASSERT_NEAR(std::hypot(q_m.x() - kRod_m, q_m.y() + kCrank_m), kCrank_m, 5e-5) << i;
  }
  EXPECT_GT(way_rad, 1);
}

TYPED_TEST(RedundantJoints, AMotorOnWhatIsWeldedStands) {
  Scene<> scene;
  ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.05, {0, 0, 0})), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kWeld}), Status::kOk);
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider, .motor_speed = 0.1, .motor_force = 1}), Status::kOk);
  Running<TypeParam> run(scene);
  run.Steps(200);
  EXPECT_NEAR(Norm(run.body(0).p_WT_m), 0, 1e-6);
}

// The spring's torque is held by friction, whatever its size, and what slides on the held body has no load at all: its
// impulses are rounding of those that hold the other, and so is all that it could move by.
TYPED_TEST(RedundantJoints, WhatHasNoLoadRestsOnWhatIsHeld) {
  for (const double torque_Nm : {1e-18, 1e-9, 1e-3}) {
    Scene<> scene;
    ASSERT_EQ(scene.bodies.push_back(Cube(0.2, 0.03, {-0.0568, 0.0459, 0.0163})), Status::kOk);
    ASSERT_EQ(scene.bodies.push_back(Cube(0.05, 0.02, {-0.0579, -0.0008, 0.0016})), Status::kOk);
    const Rotation skew = {0.5, 0.1, 0.7, 0.5};  // of length 1
    ASSERT_EQ(scene.joints.push_back({.p_BJ_m = {-0.0568, 0.0459, 0.0163},
                                      .q_AJ = skew,
                                      .q_BJ = skew,
                                      .stiffness = 0.04,
                                      .rest = torque_Nm / 0.04,
                                      .friction = 0.002}),
              Status::kOk);
    ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kSlider,
                                      .a = 1,
                                      .b = 0,
                                      .p_BJ_m = {-0.0011, -0.0467, -0.0147},
                                      .q_AJ = skew,
                                      .q_BJ = skew,
                                      .limited = true,
                                      .low = -10,
                                      .high = 0.017}),
              Status::kOk);
    Running<TypeParam> run(scene);
    run.Steps(20);
    EXPECT_EQ(run.solution->status, SolveStatus::kSolved) << torque_Nm;
    const double load_Nm =
        torque_Nm +
        0.04 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());  // and what a pose's rounding pulls
    const Vec<double, 6> a = run.body(0).twist_W.template cast<double>(), b = run.body(1).twist_W.template cast<double>();
    EXPECT_LT(a.norm() + b.norm(), 1e-4 * load_Nm) << torque_Nm;
  }
}

}  // namespace
}  // namespace tactus
