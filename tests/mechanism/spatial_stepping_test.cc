#include <gtest/gtest.h>

#include "tactus/mechanism/time_stepper.h"
#include "tests/mechanism/spatial_scene.h"

namespace tactus::test {
namespace {

using Stepper = TimeStepper<SpatialScene>;
using State = Stepper::State;

State OneBodyAt(const Vec<double, 3>& p_m) {
  State state;
  (void)state.q.push_back({.p_m = p_m});
  (void)state.v.push_back(Vec<double, 6>::Zero());
  return state;
}

// Source: closed form: a ball of J = 2/5 m r² thrown along the floor slides until it rolls at 5/7 of its speed.
TEST(SpatialStepping, LetsASlidingBallEndRolling) {
  SpatialScene scene;
  scene.radius_m = 0.1;
  scene.principal_kgm2.setConstant(0.4 * 0.01);
  scene.friction = 0.2;
  State state = OneBodyAt({0, 0, 0.1});
  state.v[0](0) = 1;
  Stepper stepper;
  for (int n = 0; n < 300; ++n) {
    const auto report = stepper.Step(scene, {.step_s = 1e-3, .reach_m = 1e-2}, &state);
    ASSERT_EQ(report.outcome, StepOutcome::kDone) << n;
    ASSERT_LE(report.projection.violation_m, 1e-9) << n;
  }
  EXPECT_NEAR(state.v[0](0), 5.0 / 7, 1e-2);  // the octagon turns friction by up to 22.5° off the slip
  EXPECT_NEAR(state.v[0](4), state.v[0](0) / 0.1, 1e-9);
  EXPECT_NEAR(state.q[0].p_m(2), 0.1, 1e-9);
}

// Source: the ball joint holds to the projection's tolerance; conservation of energy to first order in h.
TEST(SpatialStepping, KeepsASpinningBodyOnItsBallJoint) {
  SpatialScene scene;
  scene.arm_m << 0, 0, 0.5;
  State state = OneBodyAt({0, 0, -0.5});
  state.v[0] << -0.5 * 2, 0, 0, 0, 2, 5;  // v = ω × (p - joint)
  state.v[0].head<3>() = Cross(Vec<double, 3>(0, 2, 5), state.q[0].p_m);
  Stepper stepper;
  const auto energy_J = [&] {
    const Vec<double, 3> omega = state.v[0].tail<3>();
    return 0.5 * state.v[0].head<3>().squaredNorm() + 0.5 * omega.dot(scene.Inertia(state.q[0]) * omega) +
           9.81 * state.q[0].p_m(2);
  };
  const double before_J = energy_J();
  double drift_m = 0;
  for (int n = 0; n < 2000; ++n) {
    const auto report = stepper.Step(scene, {.step_s = 1e-3, .reach_m = 0}, &state);
    ASSERT_EQ(report.outcome, StepOutcome::kDone) << n;
    const Vec<double, 3> joint_m = state.q[0].p_m + RotationMatrix(state.q[0].q) * scene.arm_m;
    ASSERT_LE(joint_m.norm(), 2e-9) << n;
    drift_m = std::max(drift_m, report.projection.before_m);
  }
  EXPECT_GT(drift_m, 1e-7);
  EXPECT_NEAR(energy_J(), before_J, 0.05 * (before_J + 9.81));
}

// Source: ContactProblem: as many directions as the capacity holds, or as were asked for, from the offset.
TEST(SpatialStepping, TakesDirectionsAndOffsetFromItsOptions) {
  SpatialScene scene;
  scene.radius_m = 0.1;
  State state = OneBodyAt({0, 0, 0.1});
  Stepper stepper;
  ASSERT_EQ(stepper.Step(scene, {}, &state).outcome, StepOutcome::kDone);
  EXPECT_EQ(stepper.problem().directions, SpatialScene::kCapacity.directions);
  ASSERT_EQ(stepper.Step(scene, {.directions = 4, .direction_offset_rad = 0.3}, &state).outcome, StepOutcome::kDone);
  EXPECT_EQ(stepper.problem().directions, 4);
  EXPECT_EQ(stepper.problem().direction_offset_rad, 0.3);
}

}  // namespace
}  // namespace tactus::test
