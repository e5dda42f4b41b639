#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tactus/solve/contact_solver.h"

// Joints that drive two bodies in the plane into what holds them. There is no exact answer, but a velocity follows the
// joints and closes no gap. Source: a linear program found one in each scene; the verdict measures the solver's own. The
// scenes are from 300 000 random ones.

namespace tactus::test {
namespace {

constexpr Capacity kPlanar{.bodies = 2, .contacts = 8, .joints = 3, .directions = 2, .dof = 3};
constexpr int kGround = kFixed;

struct BodyOf {
  double mass_kg;
  double position_m[2], velocity[3], wrench[3];
};
struct ContactOf {
  int a, b;
  double normal_rad, point_m[2], friction, gap_m;
};
struct JointOf {
  int a, b;
  double jacobian_a[3], jacobian_b[3], speed;
};

void ExpectToFollow(const std::vector<BodyOf>& bodies, const std::vector<ContactOf>& contacts,
                    const std::vector<JointOf>& joints) {
  ContactProblem<double, kPlanar> problem;
  problem.step_s = 1e-3;
  for (const BodyOf& from : bodies) {
    Body<double, 3> body;
    body.mass_kg = from.mass_kg;
    body.inertia_kgm2(0, 0) = 1e-3 * from.mass_kg;
    body.position_m << from.position_m[0], from.position_m[1];
    body.velocity << from.velocity[0], from.velocity[1], from.velocity[2];
    body.wrench << from.wrench[0], from.wrench[1], from.wrench[2];
    (void)problem.bodies.push_back(body);
  }
  for (const ContactOf& from : contacts) {
    Contact<double, 3> contact;
    contact.id = problem.contacts.size();
    contact.a = static_cast<std::int16_t>(from.a);
    contact.b = static_cast<std::int16_t>(from.b);
    contact.normal << std::cos(from.normal_rad), std::sin(from.normal_rad);
    contact.point_m << from.point_m[0], from.point_m[1];
    contact.friction = from.friction;
    contact.gap_m = from.gap_m;
    (void)problem.contacts.push_back(contact);
  }
  for (const JointOf& from : joints) {
    Joint<double, 3> joint;
    joint.a = static_cast<std::int16_t>(from.a);
    joint.b = static_cast<std::int16_t>(from.b);
    joint.jacobian_a << from.jacobian_a[0], from.jacobian_a[1], from.jacobian_a[2];
    joint.jacobian_b << from.jacobian_b[0], from.jacobian_b[1], from.jacobian_b[2];
    joint.speed = from.speed;
    (void)problem.joints.push_back(joint);
  }
  const auto solver = std::make_unique<ContactSolver<double, kPlanar>>();
  ContactSolution<double, kPlanar> solution;
  solver->Solve(problem, {}, &solution);
  ASSERT_FALSE(solution.fault) << solution.fault.what;
  EXPECT_EQ(solution.status, SolveStatus::kJammed);
  EXPECT_LE(solution.verdict.penetration, kVerdictShare<double>);
  EXPECT_LE(solution.verdict.joint, kVerdictShare<double>);
}

// Of the second body hinges leave one motion: what its contacts 0 and 2 have of that is parallel, and joints have taken 28
// times as much, whose rounding is left.
TEST(DrivenJoints, AreFollowedWhereHingesLeaveRowsParallel) {
  ExpectToFollow({{311.82, {0.05291, -0.0418}, {0.13227, -0.18007, -0.052}, {2.38241, -1.5129, 0.91227}},
                  {9.287, {0.07887, -0.08649}, {-0.20274, -0.18892, -0.13971}, {-2.41099, -0.6987, 1.56323}}},
                 {{1, kGround, 1.06471, {-0.05651, -0.03501}, 0.1509, -1.8448e-05},
                  {1, 0, 2.44931, {0.09854, 0.08405}, 0.37272, -3.8217e-05},
                  {1, kGround, -1.26755, {-0.03335, -0.06663}, 0.92366, 0},
                  {1, 0, 2.93995, {-0.09034, -0.03613}, 0.14436, 1.56e-05},
                  {0, kGround, -2.94656, {0.04498, 0.0018}, 0.86178, 0}},
                 {{1, kGround, {1, 0, -0.12629}, {0, 0, 0}, 0},
                  {1, kGround, {0, 1, -0.09444}, {0, 0, 0}, 0},
                  {1, 0, {0, 0, 1}, {0, 0, -1}, -1.6181}});
}

// Contact 0 is open by more than four times the motion, and its gap is shortened to that. What is squeezed moves further.
TEST(DrivenJoints, AreFollowedBesideAGapThatWasShortened) {
  ExpectToFollow(
      {{1.34, {-0.077, 0.072}, {-0.296, 0.156, 0.245}, {0.143, 1.614, -0.644}},
       {0.315, {0.071, 0.072}, {0.009, -0.187, 0.006}, {-0.847, 2.609, -1.501}}},
      {{0, kGround, 0.366, {-0.069, -0.06}, 0.053, -1.79e-05},
       {1, kGround, -2.623, {-0.011, 0.087}, 0.752, 0},
       {1, kGround, 0.077, {-0.026, 0.016}, 0.108, -2.21e-06},
       {0, kGround, -0.427, {0.022, 0.047}, 0.664, 0},
       {1, kGround, -0.371, {-0.029, 0.068}, 0.979, 3.55e-05},
       {1, kGround, 2.715, {-0.058, 0.018}, 0.528, 0},
       {1, 0, 1.498, {0.045, -0.025}, 0.43, -8.36e-05},
       {1, 0, 0.339, {0.005, -0.061}, 0.576, 0}},
      {{0, kGround, {0.55, -0.475, 0.419}, {0, 0, 0}, 0.176}, {0, kGround, {-0.029, -0.404, 0.231}, {0, 0, 0}, -0.293}});
}

}  // namespace
}  // namespace tactus::test
