#include "tactus/mechanism/time_stepper.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <random>

#include "tests/mechanism/planar_scenes.h"

namespace tactus::test {
namespace {

using Scene = FewDisks<>;
using State = MechanismState<Scene>;
using Options = TimeStepOptions<double>;
using Report = StepReport<double>;

template <class Solver>
class EverySolver : public ::testing::Test {};
using Solvers = ::testing::Types<Lcp0<double, kFewDisks>, Lcp1<double, kFewDisks>, Lcp2<double, kFewDisks>>;
TYPED_TEST_SUITE(EverySolver, Solvers);

// Source: closed form of step 9 with v - h g: y after n steps is y0 - g h² n(n+1)/2, until nᵀv + Φ/h ≥ 0 stops it on the
// floor; the collision is plastic.
TYPED_TEST(EverySolver, LetsADiskFallAndStop) {
  Scene scene;
  State state;
  AddFloor(0, &scene);
  AddDisk(0.5, 0, 1.5, &scene, &state);
  TimeStepper<Scene, TypeParam> stepper;
  const Options options{.step_s = 0.01, .reach_m = 0.1};
  for (int n = 1; n <= 44; ++n) {
    ASSERT_EQ(stepper.Step(scene, options, &state).outcome, StepOutcome::kDone);
    ASSERT_NEAR(state.q[0].p_m(1), 1.5 - kGravity_mps2 * 1e-4 * n * (n + 1) / 2, 1e-12) << n;
  }
  ASSERT_EQ(stepper.Step(scene, options, &state).outcome, StepOutcome::kDone);  // 1.015 m of fall after 45 steps
  EXPECT_NEAR(state.q[0].p_m(1), 0.5, 1e-12);
  ASSERT_EQ(stepper.Step(scene, options, &state).outcome, StepOutcome::kDone);
  EXPECT_NEAR(state.v[0].norm(), 0, 1e-12);
  EXPECT_NEAR(state.time_s, 0.46, 1e-12);
}

// Source: conservation law: without gravity and floor the impulses balance. Plastic: they part with one normal velocity.
TYPED_TEST(EverySolver, KeepsMomentumInACollision) {
  Scene scene;
  State state;
  scene.gravity_mps2.setZero();
  scene.friction = 0.3;
  AddDisk(0.5, 0, 0, &scene, &state);
  AddDisk(0.5, 1.2, 0.4, &scene, &state);
  scene.bodies[1].mass_kg = 2;
  state.v[0] << 3, 0.5, -2;
  state.v[1] << -1, 0, 4;
  TimeStepper<Scene, TypeParam> stepper;
  bool touched = false;
  for (int n = 0; n < 20; ++n) {
    ASSERT_NE(stepper.Step(scene, {.step_s = 0.01, .reach_m = 0.1}, &state).outcome, StepOutcome::kRefused);
    for (const auto& impulse : stepper.solution().impulse) touched = touched || impulse.normal_Ns > 0.1;
    ASSERT_NEAR(state.v[0](0) + 2 * state.v[1](0), 3 - 2, 1e-12);
    ASSERT_NEAR(state.v[0](1) + 2 * state.v[1](1), 0.5, 1e-12);
  }
  EXPECT_TRUE(touched);
}

// Source: closed form: a solid disk that rolls gains (2/3) g sin α.
TYPED_TEST(EverySolver, RollsDownASlope) {
  constexpr double kSlope_rad = 0.3;
  Scene scene;
  State state;
  AddFloor(kSlope_rad, &scene);
  scene.friction = 0.3;
  AddDisk(1, std::sin(kSlope_rad), std::cos(kSlope_rad), &scene, &state);
  TimeStepper<Scene, TypeParam> stepper;
  for (int n = 0; n < 100; ++n) {
    ASSERT_EQ(stepper.Step(scene, {.step_s = 0.01, .reach_m = 0.1}, &state).outcome, StepOutcome::kDone) << n;
  }
  const double speed_mps = 2.0 / 3 * kGravity_mps2 * std::sin(kSlope_rad);
  EXPECT_NEAR(state.v[0](0), speed_mps * std::cos(kSlope_rad), 1e-9);
  EXPECT_NEAR(state.v[0](2), -speed_mps, 1e-9);
  EXPECT_NEAR(scene.lines[0].normal.dot(state.q[0].p_m), 1, 1e-9);
}

// Source: theorem 4.1.i: |v⁽ˡ⁺¹⁾|_M ≤ |v⁽ˡ⁾ + h M⁻¹ k|_M. Every step ends feasible.
TYPED_TEST(EverySolver, AddsNoEnergyToACollapsingPile) {
  Scene scene;
  State state;
  AddFloor(0.1, &scene);
  scene.friction = 0.05;
  AddPile(3, 1, &scene, &state);
  TimeStepper<Scene, TypeParam> stepper;
  const double h = 0.02;
  for (int n = 0; n < 150; ++n) {
    State free = state;
    for (auto& v : free.v) v(1) -= h * kGravity_mps2;
    free.q = {};  // potential energy left out of both
    for (int k = 0; k < free.v.size(); ++k) (void)free.q.push_back({});
    const Report report = stepper.Step(scene, {.step_s = h, .reach_m = 0.2}, &state);
    ASSERT_NE(report.outcome, StepOutcome::kRefused);
    ASSERT_NE(report.outcome, StepOutcome::kNotProjected) << n;
    ASSERT_LE(report.projection.violation_m, 1e-9);
    if (report.outcome == StepOutcome::kDone) {
      ASSERT_LE(report.solver.residual, 1e-8) << n;
    }
    State moved = state;
    moved.q = free.q;
    ASSERT_LE(Energy_J(scene, moved), Energy_J(scene, free) * (1 + 1e-9)) << n;
  }
  EXPECT_LT(state.q[5].p_m(1), 3);  // the top came down: from 4.46
}

// Source: closed form: T = 2π √((J + m l²)/(m g l)) for small swings; the scheme is of first order in h.
TEST(TimeStepper, SwingsAPendulumAtItsPeriod) {
  Scene scene;
  State state;
  AddPendulum(0.05, &scene, &state);
  TimeStepper<Scene> stepper;
  double crossing_s = 0;
  const Report report =
      stepper.Run(scene, {.step_s = 1e-3, .reach_m = 0}, 2, 3000, &state, [&](const State& s, const Report&) {
        crossing_s = s.time_s;
        return s.q[0].p_m(0) > 0;
      });
  ASSERT_EQ(report.outcome, StepOutcome::kDone);
  EXPECT_NEAR(crossing_s, 2 * std::numbers::pi * std::sqrt(1.1 / kGravity_mps2) / 4, 2e-3);  // two steps
}

TEST(TimeStepper, RemovesTheDriftOfJoints) {
  Scene scene;
  State state;
  AddPendulum(1.5, &scene, &state);
  const double before_J = Energy_J(scene, state);
  TimeStepper<Scene> stepper;
  double drift_m = 0;
  for (int n = 0; n < 1000; ++n) {
    const Report report = stepper.Step(scene, {.step_s = 5e-3, .reach_m = 0}, &state);
    ASSERT_EQ(report.outcome, StepOutcome::kDone) << n;
    ASSERT_LE(report.projection.violation_m, 1e-9) << n;
    ASSERT_NEAR(state.q[0].p_m.norm(), 1, 2e-9) << n;
    ASSERT_LE(Energy_J(scene, state), before_J + 1e-2) << n;
    drift_m = std::max(drift_m, report.projection.before_m);
  }
  EXPECT_GT(drift_m, 1e-5);  // there was something to remove: h² v²/2 a step
}

// Source: the law of NextStep: what is kept has at most the allowed violation, unless h is at its least.
TEST(TimeStepper, FollowsTheCurvatureWithAnAdaptiveStep) {
  Scene scene;
  State state;
  AddPendulum(3, &scene, &state);  // nearly upright: slow, then fast
  Options options{.step_s = 0.02, .reach_m = 0};
  options.adaptive = {.on = true, .allowed_violation_m = 1e-5, .least_s = 1e-5, .most_s = 0.02};
  TimeStepper<Scene> stepper;
  double least_s = 1, most_s = 0;
  int attempts = 0, steps = 0;
  const Report last = stepper.Run(scene, options, 2, 5000, &state, [&](const State&, const Report& report) {
    EXPECT_LE(report.projection.before_m, 1e-5);
    least_s = std::min(least_s, report.step_s);
    most_s = std::max(most_s, report.step_s);
    attempts += report.attempts;
    ++steps;
    return report.outcome == StepOutcome::kDone;
  });
  EXPECT_EQ(last.outcome, StepOutcome::kDone);
  EXPECT_GE(state.time_s, 2);
  EXPECT_NEAR(most_s, 0.02, 1e-15);
  EXPECT_LT(least_s, 0.002);  // at the bottom: h² v²/2 = 1e-5 with v = 6 m/s makes 0.7 ms
  EXPECT_GT(attempts, steps);
  EXPECT_LT(attempts, 2 * steps);
}

// A disk so fast that one step takes it through the floor from outside the reach: projection brings it back, a short step
// does not let it get there.
TEST(TimeStepper, LandsAFastDiskThatItsReachDidNotForesee) {
  Scene scene;
  State start;
  AddFloor(0, &scene);
  AddDisk(0.5, 0, 1, &scene, &start);
  start.v[0] << 0, -30, 0;
  TimeStepper<Scene> stepper;
  State fixed = start, adaptive = start;
  Report report = stepper.Step(scene, {.step_s = 0.02, .reach_m = 0.1}, &fixed);
  EXPECT_EQ(report.outcome, StepOutcome::kDone);
  EXPECT_NEAR(report.projection.before_m, 0.6 - 0.5 + 0.02 * 0.02 * kGravity_mps2, 1e-12);
  EXPECT_NEAR(fixed.q[0].p_m(1), 0.5, 1e-9);
  Options options{.step_s = 0.02, .reach_m = 0.1};
  options.adaptive.on = true;
  report = stepper.Step(scene, options, &adaptive);
  EXPECT_EQ(report.outcome, StepOutcome::kDone);
  EXPECT_GT(report.attempts, 1);
  EXPECT_EQ(report.projection.before_m, 0);
  EXPECT_GT(adaptive.q[0].p_m(1), 0.5);
}

// Source: theory 8: contraction is lost somewhere above μ = 0.25. The answer then is LCP2's: no energy, no penetration.
TEST(TimeStepper, SaysSoWhereLcp1DoesNotContract) {
  TimeStepper<Scene, Lcp1<double, kFewDisks>> stepper;
  int inexact = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> speed(0, 3);
    Scene scene;
    State state;
    AddFloor(0, &scene);
    scene.friction = 0.8;
    AddPile(3, 1, &scene, &state);
    for (auto& v : state.v) v << speed(random), speed(random), speed(random);
    const Report report = stepper.Step(scene, {.step_s = 0.02, .reach_m = 0.2}, &state);
    ASSERT_NE(report.outcome, StepOutcome::kRefused) << seed;
    EXPECT_LE(report.projection.violation_m, 1e-9) << seed;
    const bool converged = report.solver.fixed_point == FixedPointOutcome::kConverged;
    EXPECT_EQ(report.outcome == StepOutcome::kDone, converged) << seed;
    EXPECT_EQ(report.solver.shortfall == Shortfall::kNone, report.solver.status == SolveStatus::kSolved) << seed;
    if (converged) continue;
    ++inexact;
    EXPECT_GT(report.solver.rate, 0.5) << seed;
    EXPECT_GT(report.solver.residual, 1e-8) << seed;
  }
  EXPECT_GE(inexact, 1);
}

TEST(TimeStepper, StepsInSinglePrecision) {
  FewDisks<float> scene;
  MechanismState<FewDisks<float>> state;
  AddFloor(0, &scene);
  scene.friction = 0.2f;
  AddPile(3, 1, &scene, &state);
  TimeStepper<FewDisks<float>> stepper;
  for (int n = 0; n < 50; ++n) {
    const StepReport<float> report = stepper.Step(scene, {.step_s = 0.02f, .reach_m = 0.2f}, &state);
    ASSERT_EQ(report.outcome, StepOutcome::kDone) << n;
    ASSERT_LE(report.solver.residual, 1e-3f);
    ASSERT_LE(report.projection.violation_m, 1e-5f);
  }
}

TEST(TimeStepper, RefusesBadInputAndChangesNothing) {
  Scene scene;
  State good;
  AddFloor(0, &scene);
  AddPile(3, 1, &scene, &good);
  TimeStepper<Scene> stepper;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const Scene& with, const Options& options, State state) {
    const double time_s = state.time_s;
    const Report report = stepper.Step(with, options, &state);
    EXPECT_EQ(report.outcome, StepOutcome::kRefused);
    EXPECT_TRUE(state.time_s == time_s || std::isnan(time_s));
    return report.status;
  };
  EXPECT_EQ(refused(scene, {.step_s = 0}, good), Status::kOutOfRange);
  EXPECT_EQ(refused(scene, {.step_s = kNaN}, good), Status::kNotFinite);
  EXPECT_EQ(refused(scene, {.reach_m = -1}, good), Status::kOutOfRange);
  EXPECT_EQ(refused(scene, {.adaptive = {.on = true, .least_s = 0}}, good), Status::kOutOfRange);
  State state = good;
  state.v[1](0) = kNaN;
  EXPECT_EQ(refused(scene, {}, state), Status::kNotFinite);
  state = good;
  state.q[1].p_m(0) = kNaN;
  EXPECT_EQ(refused(scene, {}, state), Status::kNotFinite);
  state = good;
  state.v.resize(2);
  EXPECT_EQ(refused(scene, {}, state), Status::kOutOfRange);
  EXPECT_EQ(refused(scene, {.reach_m = 10}, good), Status::kOverCapacity);
  Scene massless = scene;
  massless.bodies[0].mass_kg = 0;
  EXPECT_EQ(refused(massless, {}, good), Status::kOutOfRange);
}

}  // namespace
}  // namespace tactus::test
