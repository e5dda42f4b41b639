// The references themselves: a check that accepts everything would make every test that uses it worthless.
#include <gtest/gtest.h>

#include "tests/support/check_solution.h"
#include "tests/support/dense_lemke.h"
#include "tests/support/generators.h"

namespace tactus::test {
namespace {

using host::ProblemDocument;
using host::SolutionDocument;

// 2 kg on the ground, pushed down with 10 N and sideways with `push_N` for 1 ms, μ = 0.5; the contact is under the centre of
// mass.
ProblemDocument Block(double push_N) {
  ProblemDocument problem;
  problem.name = "block";
  problem.directions = 4;
  problem.direction_offset_rad = 0;
  host::BodyDocument body;
  body.mass_kg = 2;
  body.inertia_kgm2 = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  body.wrench = {push_N, 0, -10, 0, 0, 0};
  problem.bodies.push_back(body);
  host::ContactDocument contact;
  contact.a = 0;
  contact.normal = {0, 0, 1};
  contact.tangent = host::Vector3{1, 0, 0};
  contact.friction = 0.5;
  problem.contacts.push_back(contact);
  return problem;
}

// Closed form: θ = 10 mN·s; sliding: φ against the push = μθ, v_x = (push h - μθ)/m; sticking: φ = push h.
SolutionDocument Answer(double push_N) {
  const double theta = 0.01, phi = std::min(push_N * 1e-3, 0.5 * theta);
  SolutionDocument solution;
  solution.status = SolveStatus::kSolved;
  solution.impulse.push_back({theta, {0, 0, phi, 0}});
  solution.velocity.push_back({(push_N * 1e-3 - phi) / 2, 0, 0, 0, 0, 0});
  solution.tangent.push_back({1, 0, 0});
  return solution;
}

TEST(Check, AcceptsTheClosedForm) {
  for (const double push_N : {1.0, 4.0, 30.0}) {  // sticks, sticks, slides
    const SolutionCheck check = Check(Block(push_N), Answer(push_N));
    EXPECT_LE(check.residual, 1e-15L);
    EXPECT_LE(check.momentum, 1e-15L);
    EXPECT_LT(check.energy_gain, 0);
  }
}

TEST(Check, MeasuresEveryKindOfMistake) {
  const ProblemDocument problem = Block(30);
  const Real good = 1e-3L;  // every mistake below is larger
  SolutionDocument wrong = Answer(30);
  wrong.impulse[0].normal_Ns = 0.02;  // pushes off: ν > 0 and θ > 0
  EXPECT_GT(Check(problem, wrong).residual, good);
  wrong = Answer(30);
  wrong.impulse[0].normal_Ns = 0;  // penetrates
  EXPECT_GT(Check(problem, wrong).residual, good);
  wrong = Answer(30);
  wrong.impulse[0].friction_Ns = {0, 0, 0.002, 0};  // slides with less than μθ
  EXPECT_GT(Check(problem, wrong).residual, good);
  wrong = Answer(30);
  wrong.impulse[0].friction_Ns = {0, 0, 0.005, -0.002};  // pulls
  EXPECT_GT(Check(problem, wrong).residual, good);
  wrong = Answer(30);
  wrong.impulse[0].friction_Ns = {0.005, 0, 0, 0};  // drives
  EXPECT_GT(Check(problem, wrong).residual, good);
  wrong = Answer(30);
  wrong.velocity[0][1] = 0.01;  // not what the impulses do
  EXPECT_GT(Check(problem, wrong).momentum, good);
  wrong.impulse[0].normal_Ns = std::nan("");
  EXPECT_GT(Check(problem, wrong).residual, 1e9L);
}

TEST(Check, SeesEnergyThatComesFromNowhere) {
  SolutionDocument wrong = Answer(30);
  wrong.impulse[0].normal_Ns = 0.05;
  EXPECT_GT(Check(Block(30), wrong).energy_gain, 0.1L);
}

TEST(Check, ComparesJointSpeeds) {
  ProblemDocument problem = Block(30);
  host::JointDocument joint;
  joint.jacobian_a = {1, 0, 0, 0, 0, 0};
  joint.speed = 0.25;
  problem.joints.push_back(joint);
  SolutionDocument solution;
  solution.impulse.push_back({0.01, {0, 0, 0.005, 0}});
  solution.velocity.push_back({0.25, 0, 0, 0, 0, 0});
  solution.joint_impulse_Ns.push_back(2 * 0.25 - 0.03 + 0.005);  // m v = push h - φ + c
  solution.tangent.push_back({1, 0, 0});
  constexpr Real kRounding = 1e-14L;  // of 0.475, c in double, against |k| = 0.01
  EXPECT_LE(Check(problem, solution).joints, kRounding);
  EXPECT_LE(Check(problem, solution).momentum, kRounding);
  EXPECT_LE(Check(problem, solution).residual, kRounding);
  solution.velocity[0][0] = 0.2;
  EXPECT_GT(Check(problem, solution).joints, 1e-3L);
}

TEST(DenseLemke, SolvesTheClosedForm) {
  for (const double push_N : {1.0, 30.0}) {
    const DenseAnswer answer = SolveDense(Block(push_N));
    ASSERT_EQ(answer.outcome, LcpOutcome::kSolved);
    EXPECT_NEAR(answer.impulse[0].normal_Ns, Answer(push_N).impulse[0].normal_Ns, 1e-17);  // tolerance: ulp of 0.01
    EXPECT_NEAR(answer.impulse[0].friction_Ns[2], Answer(push_N).impulse[0].friction_Ns[2], 1e-17);
  }
}

// Murty's example of a problem without solution under Lemke: w = -z - 1 ends in a ray.
TEST(DenseLemke, EndsInARayWhenThereIsNoSolution) {
  Lcp lcp{DenseMatrix(1, 1), DenseVector{-1}};
  lcp.M(0, 0) = -1;
  EXPECT_EQ(SolveLemke(lcp, {1}, 10).outcome, LcpOutcome::kRay);
}

// Source: the definition; w = M z + q is checked for every entry.
TEST(DenseLemke, SolvesRandomPositiveDefiniteProblems) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = static_cast<std::size_t>(random.Integer(1, 12));
    DenseMatrix a(n, n);
    Lcp lcp{DenseMatrix(n, n), DenseVector(n)};
    for (std::size_t i = 0; i < n * n; ++i) a(i / n, i % n) = random.Normal();
    for (std::size_t i = 0; i < n; ++i) {
      lcp.q[i] = random.Normal();
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) lcp.M(i, j) += a(i, k) * a(j, k);
      }
    }
    const LcpAnswer answer = SolveLemke(lcp, DenseVector(n, 1), 1000);
    ASSERT_EQ(answer.outcome, LcpOutcome::kSolved) << trial;
    DenseVector w = Times(lcp.M, answer.z);
    AddScaled(1, lcp.q, &w);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(static_cast<double>(std::min(w[i], answer.z[i])), 0, 1e-10) << trial;
  }
}

TEST(Generators, RepeatThemselves) {
  for (const Family& family : Families()) {
    const ProblemDocument a = Generate(family, 11, 3), b = Generate(family, 11, 3), c = Generate(family, 11, 4);
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    EXPECT_EQ(a.bodies[0].wrench, b.bodies[0].wrench);
    EXPECT_EQ(a.contacts[0].point_m, b.contacts[0].point_m);
    EXPECT_NE(a.name, c.name);
  }
}

}  // namespace
}  // namespace tactus::test
