// Overlaps whose normals oppose each other but for an angle (docs/theory, section 11.3). Source: along both normals at once
// a body goes at p/sin(angle/2), p the speed at which each is undone.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tactus/contact/judge.h"
#include "tests/contact/scenes.h"
#include "tests/solve/four_solver.h"

namespace tactus::test {
namespace {

constexpr double kPushOut_mps = 0.02, kOverlap_m = 1e-3, kMass_kg = 0.05;

/// A tool on a floor, which a rope draws down beside its normal by `angle_rad`, both 1 mm too deep.
template <class Scalar>
ContactProblem<Scalar, kFour> Opposed(double angle_rad, Scalar friction) {
  ContactProblem<Scalar, kFour> problem;
  Body<Scalar, 6> tool = Ball<Scalar>();
  tool.mass_kg = Scalar(kMass_kg);
  tool.wrench(2) = Scalar(-0.5);
  (void)problem.bodies.push_back(tool);
  Contact<Scalar, 6> contact;
  contact.gap_m = Scalar(-kOverlap_m);
  contact.friction = friction;
  contact.normal << 0, 0, 1;
  (void)problem.contacts.push_back(contact);
  contact.id = 1;
  contact.friction = Scalar(0);
  contact.normal << Scalar(std::sin(angle_rad)), 0, Scalar(-std::cos(angle_rad));
  (void)problem.contacts.push_back(contact);
  return problem;
}

template <class Scalar>
class OpposedOverlaps : public ::testing::Test {
 protected:
  const ContactSolution<Scalar, kFour>& Solve(const ContactProblem<Scalar, kFour>& problem,
                                              const SolverOptions<Scalar>& options) {
    solver_->Reset();
    solver_->Solve(problem, options, solution_.get());
    return *solution_;
  }
  static double Speed(const ContactSolution<Scalar, kFour>& solution, int body = 0) {
    return std::sqrt(static_cast<double>(solution.velocity[body].template head<3>().squaredNorm()));
  }

 private:
  std::unique_ptr<ContactSolver<Scalar, kFour>> solver_ = std::make_unique<ContactSolver<Scalar, kFour>>();
  std::unique_ptr<ContactSolution<Scalar, kFour>> solution_ = std::make_unique<ContactSolution<Scalar, kFour>>();
};

using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(OpposedOverlaps, Scalars);

TYPED_TEST(OpposedOverlaps, FlingNothing) {
  const auto closes = [](const auto& solution) { return static_cast<double>(solution.verdict.penetration); };
  for (const double angle_rad : {1e-3, 1e-2, 0.05}) {
    for (const double friction : {0.0, 0.3}) {
      for (const Cone cone : {Cone::kPolygon, Cone::kRound}) {
        for (const int budget : {0, 300'000}) {
          const auto problem = Opposed<TypeParam>(angle_rad, static_cast<TypeParam>(friction));
          const auto& solution =
              this->Solve(problem, {.cone = cone, .work_budget = budget, .max_push_out_mps = TypeParam(kPushOut_mps)});
          EXPECT_NE(solution.status, SolveStatus::kSolved) << angle_rad;
          // Gravity gives 1 cm/s, and no overlap is undone.
          EXPECT_LE(this->Speed(solution), 0.0101) << angle_rad << ' ' << friction;
          EXPECT_LE(closes(solution), 1e-3) << angle_rad << ' ' << friction;
          EXPECT_TRUE(budget == 0 || solution.work <= budget) << solution.work;
        }
      }
    }
  }
}

// A load of 1 t on its floor has m (g h)² = 0.1 kg m²/s², enough for a tool of 1 g at 10 m/s, and hardly any speed. The tool
// went aside at 4 m/s. Source: gravity gives 1 cm/s, and no overlap is undone.
TYPED_TEST(OpposedOverlaps, AHeavyLoadDoesNotPayForTheFling) {
  auto problem = Opposed<TypeParam>(0.01, TypeParam(0));
  problem.bodies[0].mass_kg = TypeParam(1e-3);
  problem.bodies[0].inertia_kgm2 *= TypeParam(1e-3);
  problem.bodies[0].wrench(2) = TypeParam(-1e-2);
  Body<TypeParam, 6> load = Ball<TypeParam>();
  load.mass_kg = TypeParam(1e3);
  load.inertia_kgm2 *= TypeParam(2e3);
  load.wrench(2) = TypeParam(-1e4);
  (void)problem.bodies.push_back(load);
  Contact<TypeParam, 6> floor;
  floor.id = 2;
  floor.a = 1;
  floor.normal << 0, 0, 1;
  (void)problem.contacts.push_back(floor);
  for (int i = 0; i < 2; ++i) problem.contacts[i].b = 1;
  const auto& solution = this->Solve(problem, {.max_push_out_mps = TypeParam(kPushOut_mps)});
  EXPECT_NE(solution.status, SolveStatus::kSolved);
  EXPECT_LE(this->Speed(solution), 0.0101);
}

// A ball that touches the tool changes nothing. Source: p/sin(1.9°) = 0.6 m/s is above 20 p = 0.4 m/s, and below twice that.
TYPED_TEST(OpposedOverlaps, ABystanderDoesNotPayForTheFling) {
  auto problem = Opposed<TypeParam>(2 * std::asin(kPushOut_mps / 0.6), TypeParam(0));
  (void)problem.bodies.push_back(Ball<TypeParam>());
  Contact<TypeParam, 6> beside;
  beside.id = 2;
  beside.a = 1;
  beside.b = 0;
  beside.normal << 0, 1, 0;
  (void)problem.contacts.push_back(beside);
  const auto& solution = this->Solve(problem, {.max_push_out_mps = TypeParam(kPushOut_mps)});
  EXPECT_EQ(solution.shortfall, Shortfall::kOpposed);
  EXPECT_LE(this->Speed(solution), 0.0101);
}

// Where a user lets overlaps out fast, 0.5 m/s is the most. Source: p/sin(0.1) = 2 m/s, and 20 p = 4 m/s.
TYPED_TEST(OpposedOverlaps, FlingNothingAtAFastPushOut) {
  const auto& solution = this->Solve(Opposed<TypeParam>(0.2, TypeParam(0)), {.max_push_out_mps = TypeParam(0.2)});
  EXPECT_EQ(solution.shortfall, Shortfall::kOpposed);
  EXPECT_LE(this->Speed(solution), 0.0101);
}

TYPED_TEST(OpposedOverlaps, AreSaidToBeTheReason) {
  const auto& solution = this->Solve(Opposed<TypeParam>(0.05, TypeParam(0)), {.max_push_out_mps = TypeParam(kPushOut_mps)});
  EXPECT_EQ(solution.status, SolveStatus::kBudget);
  EXPECT_EQ(solution.shortfall, Shortfall::kOpposed);
}

// The law as such has no bound: `tactus solve` and a caller without max_push_out get its answer.
TYPED_TEST(OpposedOverlaps, AreUndoneWhereThereIsNoBound) {
  const auto& solution = this->Solve(Opposed<TypeParam>(0.05, TypeParam(0)), {});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(this->Speed(solution), kOverlap_m / 1e-3 / std::sin(0.025), 0.1);
}

// A wedge of 20° between its faces is pushed out.
TYPED_TEST(OpposedOverlaps, ArePushedOutOfAWedge) {
  auto problem = Opposed<TypeParam>(20 * M_PI / 180, TypeParam(0));
  problem.bodies[0].wrench.setZero();
  const auto& solution = this->Solve(problem, {.max_push_out_mps = TypeParam(kPushOut_mps)});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(this->Speed(solution), kPushOut_mps / std::sin(10 * M_PI / 180), 1e-4);
}

// A tool that slides out of the wedge at 3 m/s keeps its speed.
TYPED_TEST(OpposedOverlaps, LetAFastToolGo) {
  auto problem = Opposed<TypeParam>(0.05, TypeParam(0));
  problem.bodies[0].velocity(0) = TypeParam(3);
  const auto& solution = this->Solve(problem, {.max_push_out_mps = TypeParam(kPushOut_mps)});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(this->Speed(solution), 3, 0.01);
}

// A tower of four that stand 1 mm in each other: the uppermost goes four times as fast, and that is taken.
TYPED_TEST(OpposedOverlaps, ATowerIsPushedOut) {
  ContactProblem<TypeParam, kFour> problem;
  Contact<TypeParam, 6> contact;
  contact.gap_m = TypeParam(-kOverlap_m);
  contact.normal << 0, 0, 1;
  for (int k = 0; k < 4; ++k) {
    Body<TypeParam, 6> ball = Ball<TypeParam>();
    (void)problem.bodies.push_back(ball);
    contact.id = contact.a = k;
    contact.b = k == 0 ? kFixed : k - 1;
    (void)problem.contacts.push_back(contact);
  }
  const auto& solution = this->Solve(problem, {.max_push_out_mps = TypeParam(kPushOut_mps)});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(this->Speed(solution, 3), 4 * kPushOut_mps, 1e-4);
}

}  // namespace
}  // namespace tactus::test
