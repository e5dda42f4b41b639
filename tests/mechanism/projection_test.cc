#include "tactus/mechanism/projection.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/mechanism/planar_scenes.h"

namespace tactus::test {
namespace {

using Scene = FewDisks<>;
using State = MechanismState<Scene>;
constexpr double kReach_m = 0.5;
constexpr double kTolerance_m = 1e-9;

ProjectionReport<double> Project(const Scene& scene, State* state, int max_iterations = 20) {
  Projection<Scene> projection;
  return projection.Run(scene, 0, kReach_m, {.tolerance_m = kTolerance_m, .max_iterations = max_iterations}, &state->q);
}

// Source: closed form: the nearest in the norm of M moves each disk by the other's share of the mass.
TEST(Projection, PushesTwoDisksApartByTheirMasses) {
  Scene scene;
  State state;
  AddDisk(1, 0, 0, &scene, &state);
  AddDisk(1, 1.7, 0, &scene, &state);
  scene.bodies[1].mass_kg = 3;
  const ProjectionReport<double> report = Project(scene, &state);
  ASSERT_EQ(report.outcome, ProjectionOutcome::kFeasible);
  EXPECT_NEAR(report.before_m, 0.3, 1e-15);
  EXPECT_NEAR(state.q[0].p_m(0), -0.3 * 0.75, kTolerance_m);
  EXPECT_NEAR(state.q[1].p_m(0), 1.7 + 0.3 * 0.25, kTolerance_m);
  EXPECT_NEAR(state.q[0].p_m(1), 0, kTolerance_m);
}

// Source: the conditions of a nearest point: the displacement is M-orthogonal to every motion that the pin allows at its
// end.
TEST(Projection, TakesAPendulumToTheNearestPlaceOnItsPin) {
  Scene scene;
  State state;
  AddPendulum(0.5, &scene, &state);
  state.q[0].p_m += Vec<double, 2>(0.1, 0.2);
  state.q[0].angle_rad += 0.3;
  const PlanarPose<double> start = state.q[0];
  const ProjectionReport<double> report = Project(scene, &state);
  ASSERT_EQ(report.outcome, ProjectionOutcome::kFeasible);
  const PlanarPose<double>& end = state.q[0];
  EXPECT_NEAR(end.p_m.norm(), 1, kTolerance_m);
  const Vec<double, 2> d = end.p_m - start.p_m, swing(-end.p_m(1), end.p_m(0));
  EXPECT_GT(d.norm(), 0.05);
  EXPECT_NEAR(d.dot(swing) + 0.1 * (end.angle_rad - start.angle_rad), 0,
              1e-5);  // it ends when feasible, and is nearest to first order in its last step
}

TEST(Projection, LeavesAFeasibleConfigurationAlone) {
  Scene scene;
  State state;
  AddFloor(0, &scene);
  AddPile(3, 1, &scene, &state);
  const State::Configuration before = state.q;
  const ProjectionReport<double> report = Project(scene, &state);
  EXPECT_EQ(report.outcome, ProjectionOutcome::kFeasible);
  EXPECT_EQ(report.iterations, 0);
  for (int k = 0; k < before.size(); ++k) EXPECT_EQ(state.q[k].p_m, before[k].p_m);
}

TEST(Projection, OpensASqueezedPile) {
  Scene scene;
  State state;
  AddFloor(0, &scene);
  AddPile(3, 1, &scene, &state);
  for (auto& pose : state.q) pose.p_m *= 0.9;
  const ProjectionReport<double> report = Project(scene, &state);
  EXPECT_EQ(report.outcome, ProjectionOutcome::kFeasible);
  EXPECT_GT(report.before_m, 0.1);
  EXPECT_LE(report.violation_m, kTolerance_m);
  EXPECT_LE(report.iterations, 8);  // quadratic but for the curvature of what is moved along: measured 5
}

// A disk of diameter 2 between two walls 1 apart.
TEST(Projection, SaysSoWhereNothingIsFeasible) {
  Scene scene;
  State state;
  AddDisk(1, 0, 0, &scene, &state);
  (void)scene.lines.push_back({.point_m = {-0.5, 0}, .normal = {1, 0}});
  (void)scene.lines.push_back({.point_m = {0.5, 0}, .normal = {-1, 0}});
  const ProjectionReport<double> report = Project(scene, &state);
  EXPECT_EQ(report.outcome, ProjectionOutcome::kNoStep);
  EXPECT_NEAR(report.violation_m, 0.5, 1e-12);
}

TEST(Projection, StopsAtItsIterationLimit) {
  Scene scene;
  State state;
  AddPendulum(0.5, &scene, &state);
  state.q[0].angle_rad += 0.5;
  const ProjectionReport<double> report = Project(scene, &state, 1);
  EXPECT_EQ(report.outcome, ProjectionOutcome::kIterationLimit);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_LT(report.violation_m, report.before_m);
}

TEST(Projection, SaysSoOfTooManyContactsAndOfNaN) {
  Scene scene;
  State state;
  AddFloor(0, &scene);
  AddPile(3, 1, &scene, &state);
  State crowded = state, broken = state;
  for (auto& pose : crowded.q) pose.p_m.setZero();
  EXPECT_EQ(Project(scene, &crowded).outcome, ProjectionOutcome::kOverCapacity);  // 15 pairs, 6 on the floor
  broken.q[2].p_m(0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Project(scene, &broken).outcome, ProjectionOutcome::kNotFinite);
}

}  // namespace
}  // namespace tactus::test
