#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "tactus/solve/contact_solver.h"

// Bodies that no force moves, pressed on by others or pushed by a wall that is driven. In the plane.

namespace tactus::test {
namespace {

constexpr Capacity kPlanar{.bodies = 2, .contacts = 8, .joints = 0, .directions = 2, .dof = 3};

template <class Scalar>
class HeldAtRest : public testing::Test {
 protected:
  void AddBody(double x, double y, double force_x, double force_y) {
    Body<Scalar, 3> body;
    body.mass_kg = 1;
    body.inertia_kgm2(0, 0) = Scalar(2.0 / 3);
    body.position_m << Scalar(x), Scalar(y);
    body.wrench << Scalar(force_x), Scalar(force_y), 0;
    (void)problem_.bodies.push_back(body);
  }
  Contact<Scalar, 3>& AddContact(int a, int b, double x, double y, double angle_rad, double mu) {
    Contact<Scalar, 3> contact;
    contact.id = problem_.contacts.size();
    contact.a = a;
    contact.b = b;
    contact.point_m << Scalar(x), Scalar(y);
    contact.normal << Scalar(std::cos(angle_rad)), Scalar(std::sin(angle_rad));
    contact.friction = Scalar(mu);
    (void)problem_.contacts.push_back(contact);
    return problem_.contacts[problem_.contacts.size() - 1];
  }
  // A square of side 2 and 1 kg in a corner, without weight, and a tool on it that presses down and towards the wall.
  void PressIntoCorner(double x) {
    constexpr double kUp = std::numbers::pi / 2;
    AddBody(0, 0, 0, 0);
    AddBody(x, 2, -1, -2);
    AddContact(1, 0, x, 1, kUp, 0.3);
    for (const double corner : {-1.0, 1.0}) AddContact(0, kFixed, corner, -1, kUp, 0.3);
    for (const double corner : {-1.0, 1.0}) AddContact(0, kFixed, -1, corner, 0, 0.3);
  }
  const ContactSolution<Scalar, kPlanar>& Solve(int work_budget = 0) {
    SolverOptions<Scalar> options;
    options.work_budget = work_budget;
    solver_->Solve(problem_, options, solution_.get());
    return *solution_;
  }

  ContactProblem<Scalar, kPlanar> problem_;
  std::unique_ptr<ContactSolver<Scalar, kPlanar>> solver_ = std::make_unique<ContactSolver<Scalar, kPlanar>>();
  std::unique_ptr<ContactSolution<Scalar, kPlanar>> solution_ = std::make_unique<ContactSolution<Scalar, kPlanar>>();
};

using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(HeldAtRest, Scalars);

// No gap is violated and no surface moves: there is a solution (theory 3.1). A contact that carries nothing on the square
// has no motion of its own but the rounding of the loads. Source: equilibrium of the tool along its normal.
TYPED_TEST(HeldAtRest, IsSolvedWhereOnlyAToolPressesOnIt) {
  for (const double x : {0.0, 0.1, 0.3, 0.7, 0.9}) {
    this->problem_ = {};
    this->PressIntoCorner(x);
    const auto& solution = this->Solve();
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << x;
    EXPECT_NEAR(solution.impulse.normal_Ns(0), 2 * this->problem_.step_s, 1e-6) << x;
    EXPECT_LE(solution.verdict.contact, kVerdictShare<TypeParam>) << x;
  }
}

// The same scene, and an answer whose corner contact closes by a sixteenth of what the tool's impulse makes: that is
// no rounding. Source: own scale; docs/theory/verdict.md.
TYPED_TEST(HeldAtRest, IsNotExcusedFromClosingByTheLoadsOnIt) {
  this->PressIntoCorner(0.3);
  ContactSolution<TypeParam, kPlanar> answer = this->Solve();
  answer.velocity[0](1) -= answer.impulse.normal_Ns(0) / TypeParam(16);
  const Verdict<TypeParam> verdict = JudgeAnswer(this->problem_, answer);
  EXPECT_GT(verdict.contact, 10 * kVerdictShare<TypeParam>);
  EXPECT_GT(verdict.penetration, 10 * kVerdictShare<TypeParam>);
}

// A wall is driven into the body, which leans on a face that is inclined. Friction lets the two squeeze it, so there is no
// exact answer, but v = (w, w cot a) follows the wall and closes no gap. Source: Nᵀv + b̄ = 0 at both contacts.
TYPED_TEST(HeldAtRest, FollowsADrivenWallThatFrictionSqueezesItWith) {
  constexpr double kDegree = std::numbers::pi / 180;
  for (const auto& [degrees, mu] : {std::pair{45.0, 0.5}, std::pair{60.0, 1.0}, std::pair{80.0, 1.0}}) {
    for (const int work_budget : {0, 60000, 350000}) {
      this->problem_ = {};
      this->solver_->Reset();
      this->AddBody(0, 0, 0, 0);
      const double a = degrees * kDegree, w = 0.1;
      this->AddContact(0, kFixed, -1, 0, 0, mu).surface_normal_velocity_mps = TypeParam(w);
      this->AddContact(0, kFixed, std::cos(a), -std::sin(a), std::numbers::pi - a, mu);
      const auto& solution = this->Solve(work_budget);
      EXPECT_NE(solution.status, SolveStatus::kSolved);
      const Vec<double, 3> v = solution.velocity[0].template cast<double>();
      EXPECT_GE(v(0), w * (1 - 1e-5)) << degrees << ", " << work_budget;
      EXPECT_GE(-std::cos(a) * v(0) + std::sin(a) * v(1), -1e-6) << degrees << ", " << work_budget;
      EXPECT_LE(solution.verdict.penetration, kVerdictShare<TypeParam>) << degrees << ", " << work_budget;
    }
  }
}

}  // namespace
}  // namespace tactus::test
