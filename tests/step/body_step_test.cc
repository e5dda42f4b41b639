#include "tactus/step/body_step.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tactus/solve/contact_solver.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;

constexpr Capacity kCapacity{.bodies = 1, .contacts = 4, .joints = 0, .directions = 8, .dof = 6};
constexpr double kPeriod_s = 1e-3;

BodyStep<double> MakeStep() {
  return {.step_s = kPeriod_s,
          .mass_kg = 0.1,
          .inertia_kgm2 = Vec3(3e-5, 3e-5, 5e-6),
          .coupling = {},
          .friction = 0.25,
          .directions = 8,
          .direction_offset_rad = 0.1};
}

const ContactSet<double, 4> kNoContacts;

/// One step, by the real solver.
void Solve(const BodyStep<double>& step, const ContactSet<double, 4>& contacts, RigidBodyState<double>* body) {
  static ContactSolver<double, kCapacity> solver;
  ContactProblem<double, kCapacity> problem;
  ContactSolution<double, kCapacity> solution;
  BuildProblem(*body, step, contacts, &problem);
  solver.Reset();
  solver.Solve(problem, {}, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  AdvanceBody(solution, kPeriod_s, body);
}

TEST(BodyStep, SolvesTheImplicitSpringAndDamperExactly) {
  // Source: closed form of m v1 = m v0 + h (c - Z v1 + m g), axis by axis.
  BodyStep<double> step = MakeStep();
  step.coupling.constant_W << 1, -2, 3, 0.01, 0.02, -0.03;
  step.coupling.impedance_Ns_per_m = 4;
  step.coupling.impedance_Nms_per_rad = 0.006;
  step.force_W_N = Vec3(0, 0, -0.981);
  RigidBodyState<double> body;
  body.twist_W << 0.1, 0.2, -0.3, 0, 0, 0;  // without rotation there is no gyroscopic torque
  Solve(step, kNoContacts, &body);
  EXPECT_NEAR(body.twist_W(0), (0.1 * 0.1 + kPeriod_s * 1) / (0.1 + kPeriod_s * 4), 1e-15);
  EXPECT_NEAR(body.twist_W(2), (0.1 * -0.3 + kPeriod_s * (3 - 0.981)) / (0.1 + kPeriod_s * 4), 1e-15);
  EXPECT_NEAR(body.twist_W(3), kPeriod_s * 0.01 / (3e-5 + kPeriod_s * 0.006), 1e-14);
  EXPECT_NEAR(body.twist_W(5), kPeriod_s * -0.03 / (5e-6 + kPeriod_s * 0.006), 1e-14);
}

TEST(BodyStep, IsStableForAnyStiffness) {
  // A spring of K to the origin, far beyond what an explicit step stands (h² K / m = 1e6): the motion dies out.
  constexpr double kStiffness = 1e11;
  BodyStep<double> step = MakeStep();
  RigidBodyState<double> body;
  body.p_WT_m = Vec3(0.01, 0, 0);
  for (int i = 0; i < 50; ++i) {
    step.coupling.constant_W.head<3>() = -kStiffness * body.p_WT_m;
    step.coupling.impedance_Ns_per_m = kPeriod_s * kStiffness;
    Solve(step, kNoContacts, &body);
  }
  EXPECT_LT(body.p_WT_m.norm(), 1e-9);
  EXPECT_LT(body.twist_W.norm(), 1e-6);
}

TEST(BodyStep, StopsAtAContact) {  // Source: closed form: the gap closes exactly, v1 = -gap / h.
  ContactSet<double, 4> contacts;
  contacts.Add({.id = 1, .point_m = Vec3::Zero(), .gap_m = 1e-4});
  RigidBodyState<double> body;
  body.twist_W << 0, 0, -1, 0, 0, 0;
  Solve(MakeStep(), contacts, &body);
  EXPECT_NEAR(body.twist_W(2), -0.1, 1e-12);
  EXPECT_NEAR(body.p_WT_m(2), -1e-4, 1e-15);
}

TEST(BodyStep, AddsTheGyroscopicTorque) {  // Source: Euler's equations, J ω' = -ω × J ω, to first order in h.
  BodyStep<double> step = MakeStep();
  RigidBodyState<double> body;
  body.twist_W << 0, 0, 0, 2, 3, 5;
  const Vec3 J = step.inertia_kgm2, omega(2, 3, 5);
  const Vec3 change(-(J(2) - J(1)) * omega(1) * omega(2) / J(0), -(J(0) - J(2)) * omega(2) * omega(0) / J(1), 0);
  Solve(step, kNoContacts, &body);
  EXPECT_LE((body.twist_W.tail<3>() - omega - kPeriod_s * change).norm(), 1e-12);
}

TEST(IntegratePose, TurnsAtConstantSpeedByTheWholeAngle) {  // Source: angle = ω t.
  RigidBodyState<double> body;
  body.twist_W << 1, 0, 0, 0, 0, std::numbers::pi;
  for (int i = 0; i < 500; ++i) IntegratePose(kPeriod_s, &body);
  EXPECT_NEAR(body.p_WT_m(0), 0.5, 1e-12);
  EXPECT_NEAR(LogMap(body.q_WT)(2), std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(body.q_WT.norm(), 1, 4e-16);
}

}  // namespace
}  // namespace tactus
