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

// A contact is written over the one that stood there, which may be of a scene with conveyors and springs.
TEST(BodyStep, LeavesNothingOfTheContactThatStoodThere) {
  Contact<double, 6> contact{.id = 7,
                             .a = 3,
                             .b = 2,
                             .point_m = Vec3(1, 2, 3),
                             .normal = Vec3::UnitX(),
                             .tangent = Vec3::UnitY(),
                             .friction = 9,
                             .gap_m = 8,
                             .surface_velocity_mps = Vec<double, 2>(1, 2),
                             .surface_normal_velocity_mps = 3,
                             .compliance_mps_per_Ns = 4,
                             .static_friction = 10,
                             .viscous_friction_Ns_per_m = 11};
  BodyStep<double> step;
  step.friction = 0.3;
  step.static_friction = 0.4;
  step.viscous_friction_Ns_per_m = 0.5;
  SetContact({.id = 1, .point_m = Vec3(4, 5, 6), .gap_m = 0.1}, step, &contact);
  EXPECT_EQ(contact.id, 1);
  EXPECT_EQ(contact.a, 0);
  EXPECT_EQ(contact.b, kFixed);
  EXPECT_EQ(contact.point_m, Vec3(4, 5, 6));
  EXPECT_EQ(contact.normal, Vec3::UnitZ());
  EXPECT_EQ(contact.tangent, Vec3::UnitX());
  EXPECT_EQ(contact.friction, 0.3);
  EXPECT_EQ(contact.gap_m, 0.1);
  EXPECT_EQ(contact.surface_velocity_mps, (Vec<double, 2>::Zero()));
  EXPECT_EQ(contact.surface_normal_velocity_mps, 0);
  EXPECT_EQ(contact.compliance_mps_per_Ns, 0);
  EXPECT_EQ(contact.static_friction, 0.4);
  EXPECT_EQ(contact.viscous_friction_Ns_per_m, 0.5);
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

TEST(BodyStep, AddsTheGyroscopicTorque) {  // Source: Euler's equations, J ω' = -ω × J ω, at the midpoint.
  BodyStep<double> step = MakeStep();
  RigidBodyState<double> body;
  body.twist_W << 0, 0, 0, 2, 3, 5;
  const Vec3 J = step.inertia_kgm2, omega(2, 3, 5);
  Solve(step, kNoContacts, &body);
  const Vec3 after = body.twist_W.tail<3>(), m = (omega + after) / 2;
  const Vec3 change(-(J(2) - J(1)) * m(1) * m(2) / J(0), -(J(0) - J(2)) * m(2) * m(0) / J(1),
                    -(J(1) - J(0)) * m(0) * m(1) / J(2));
  EXPECT_LE((after - omega - kPeriod_s * change).norm(), 1e-9);
}

/// Free turning for `steps`. @returns the kinetic energy, in the axes of the body; `spin` is there too
double TurnFreely(const Vec3& J_kgm2, int steps, Vec3* spin_radps, Quaternion<double>* q_WT) {
  for (int i = 0; i < steps; ++i) {
    const Mat<double, 3, 3> R = RotationMatrix(*q_WT);
    const Vec3 omega_W = R * *spin_radps, torque_W = GyroscopicTorque(R, J_kgm2, omega_W, kPeriod_s);
    const Vec3 next_W = omega_W + kPeriod_s * (R * Vec3((R.transpose() * torque_W).cwiseQuotient(J_kgm2)));
    *q_WT = Normalized(Multiply(ExpMap(Vec3(kPeriod_s * next_W)), *q_WT));
    *spin_radps = RotationMatrix(*q_WT).transpose() * next_W;
  }
  return spin_radps->dot(J_kgm2.cwiseProduct(*spin_radps)) / 2;
}

// Source: conservation of energy: nothing else turns the body. 10 s, from slow to absurd, about any axis; the last is a
// needle.
TEST(GyroscopicTorque, NeverGivesEnergy) {
  for (const Vec3& J : {Vec3(1e-5, 2e-5, 2.5e-5), Vec3(3e-5, 1e-5, 3e-5), Vec3(1e-8, 2e-5, 2e-5)}) {
    for (const double speed : {3.0, 20.0, 100.0, 200.0, 5e3, 1e6}) {
      for (const Vec3& axis : {Vec3(0.5, 0, 0.866), Vec3(0.1, 0.99, 0.1), Vec3(0.577, 0.577, 0.577)}) {
        Vec3 spin = speed * axis;
        Quaternion<double> q = IdentityQuaternion<double>();
        const double before_J = TurnFreely(J, 1, &spin, &q), after_J = TurnFreely(J, 10'000, &spin, &q);
        EXPECT_NEAR(after_J, before_J, 1e-9 * before_J) << speed << ", " << J(0);
      }
    }
  }
}

// Source: closed form: the axis of a symmetric top goes round ω's own frame with (J_3 - J_1)/J_1 ω_3.
TEST(GyroscopicTorque, LetsASymmetricTopPrecess) {
  const Vec3 J(1e-5, 1e-5, 1.5e-5);
  Vec3 spin(2, 0, 20);
  Quaternion<double> q = IdentityQuaternion<double>();
  (void)TurnFreely(J, 1000, &spin, &q);
  const double angle_rad = 0.5 * 20 * 1.0;  // 10 rad in 1 s
  EXPECT_NEAR(spin(0), 2 * std::cos(angle_rad), 2e-3);
  EXPECT_NEAR(spin(1), 2 * std::sin(angle_rad), 2e-3);
  EXPECT_NEAR(spin(2), 20, 1e-6);  // the three iterations' rest, which the energy takes up
}

// Source: conservation of angular momentum. The step holds it to second order: at 20 rad/s it is off by 0.57 % at most in
// 10 s (docs/servo_loop.md).
TEST(GyroscopicTorque, KeepsTheAngularMomentum) {
  const Vec3 J(1e-5, 2e-5, 2.5e-5);
  Vec3 spin = Vec3(10, 0, 17.3);
  Quaternion<double> q = IdentityQuaternion<double>();
  const Vec3 before = J.cwiseProduct(spin);
  double farthest = 0;
  for (int i = 0; i < 100; ++i) {
    (void)TurnFreely(J, 100, &spin, &q);
    const Vec3 L_W = RotationMatrix(q) * J.cwiseProduct(spin);
    farthest = std::max(farthest, (L_W - before).norm() / before.norm());
  }
  EXPECT_LT(farthest, 0.006);
}

TEST(GyroscopicTorque, IsANumberWhereNothingTurnsAndWhereAllOverflows) {
  const Vec3 J(1e-5, 2e-5, 2.5e-5);
  EXPECT_EQ(GyroscopicTorque(Mat<double, 3, 3>(Mat<double, 3, 3>::Identity()), J, Vec3(0, 0, 0), kPeriod_s), Vec3(0, 0, 0));
  EXPECT_EQ(GyroscopicTorque(Mat<double, 3, 3>(Mat<double, 3, 3>::Identity()), J, Vec3(1e200, 1e200, 1e200), kPeriod_s),
            Vec3(0, 0, 0));
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
