// A stack whose lowest block is drawn away, where no tick has the work for a search.
#include <gtest/gtest.h>

#include "tests/solve/four_solver.h"
#include "tests/support/random.h"

namespace tactus::test {
namespace {

constexpr double kMass = 0.1, kEdge_m = 0.03, kGravity = 9.81, kMu = 0.4, kStep_s = 1e-3;
constexpr int kBudgets[] = {static_cast<int>(work::Least(12)), 160'000, 200'000};

// Three cubes with four contacts under each. `force_N` draws on the middle of the lowest.
template <class Scalar>
ContactProblem<Scalar, kFour> Stack(double force_N) {
  ContactProblem<Scalar, kFour> problem;
  problem.step_s = Scalar(kStep_s);
  for (int level = 0; level < 3; ++level) {
    Body<Scalar, 6> cube;
    cube.mass_kg = Scalar(kMass);
    cube.inertia_kgm2 *= Scalar(kMass * kEdge_m * kEdge_m / 6);
    cube.position_m << 0, 0, Scalar((level + 0.5) * kEdge_m);
    cube.wrench << Scalar(level == 0 ? force_N : 0), 0, Scalar(-kMass * kGravity), 0, 0, 0;
    (void)problem.bodies.push_back(cube);
    for (int corner = 0; corner < 4; ++corner) {
      Contact<Scalar, 6> contact;
      contact.id = 4 * level + corner;
      contact.a = level;
      contact.b = level == 0 ? kFixed : level - 1;
      contact.point_m << Scalar(corner % 2 == 0 ? -kEdge_m / 2 : kEdge_m / 2),
          Scalar(corner < 2 ? -kEdge_m / 2 : kEdge_m / 2), Scalar(level * kEdge_m);
      contact.friction = Scalar(kMu);
      (void)problem.contacts.push_back(contact);
    }
  }
  return problem;
}

template <class Scalar>
class SweptStack : public testing::Test {
 protected:
  int inexact_ = 0;

  // So many ticks; the cubes keep their places, their velocities go on.
  void Run(int work_budget, int ticks, ContactProblem<Scalar, kFour>* problem) {
    SolverOptions<Scalar> options;
    options.cone = Cone::kRound;
    options.work_budget = work_budget;
    ContactSolver<Scalar, kFour> solver;
    ContactSolution<Scalar, kFour> solution;
    for (int tick = 0; tick < ticks; ++tick) {
      solver.Solve(*problem, options, &solution);
      ASSERT_NE(solution.status, SolveStatus::kInvalid);
      EXPECT_LE(solution.work, options.work_budget);
      EXPECT_LE(solution.verdict.penetration, Tolerances<Scalar>::kAcceptShare);
      EXPECT_LE(solution.verdict.energy, Tolerances<Scalar>::kAcceptShare);
      inexact_ += solution.status == SolveStatus::kSolved ? 0 : 1;
      for (int i = 0; i < 3; ++i) problem->bodies[i].velocity = solution.velocity[i];
    }
  }
};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(SweptStack, Scalars);

// Coulomb's law: F - 3 μ m g moves three cubes as one, for that needs less than μ g.
TYPED_TEST(SweptStack, FrictionTakesTheUpperCubesAlong) {
  constexpr int kTicks = 200;
  constexpr double kAcceleration = 0.5 * kMu * kGravity, kForce_N = 3 * kMass * (kMu * kGravity + kAcceleration);
  const double speed = kAcceleration * kTicks * kStep_s;
  for (const int work_budget : kBudgets) {
    auto problem = Stack<TypeParam>(kForce_N);
    this->Run(work_budget, kTicks, &problem);
    for (const auto& cube : problem.bodies) EXPECT_NEAR(cube.velocity(0), speed, 0.05 * speed);
  }
}

// Less than the floor's friction moves nothing. Without the sweeps the cubes had 2 m/s.
TYPED_TEST(SweptStack, RestsUnderASmallPull) {
  for (const int work_budget : kBudgets) {
    auto problem = Stack<TypeParam>(0.8 * 3 * kMass * kMu * kGravity);
    this->Run(work_budget, 200, &problem);
    for (const auto& cube : problem.bodies) EXPECT_LE(cube.velocity.norm(), 0.02);
  }
  EXPECT_GT(this->inexact_, 100);  // of 600: with the least budget there is hardly work for Newton, and none for a search
}

// On a lift that rises, stirred so that few ticks are exact: what lies on it is pushed, by whatever answer, and so are the
// upper cubes. Rest, for want of passes, would let the lift in.
TYPED_TEST(SweptStack, IsLiftedByWhateverAnswer) {
  for (const int work_budget : {160'000, 200'000, 250'000}) {
    Random random(5);
    auto problem = Stack<TypeParam>(0);
    for (int block = 0; block < 100; ++block) {
      for (auto& contact : problem.contacts) {
        const bool is_lift = contact.b == kFixed;
        contact.surface_normal_velocity_mps = TypeParam(is_lift ? random.Uniform(0, 0.3) : 0);
        contact.friction = TypeParam(random.Uniform(0, 1));
      }
      for (auto& cube : problem.bodies) {
        for (int k = 0; k < 6; ++k) cube.velocity(k) = TypeParam(random.Uniform(-0.3, 0.3) * (k < 3 ? 1 : 20));
      }
      this->Run(work_budget, 3, &problem);
    }
  }
  EXPECT_GT(this->inexact_, 100);
}

}  // namespace
}  // namespace tactus::test
