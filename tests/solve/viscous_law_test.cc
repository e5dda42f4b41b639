#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "tactus/solve/viscous_friction.h"
#include "tests/solve/four_solver.h"

namespace tactus::test {
namespace {

// Source: (F1) of docs/theory/friction.md with the slips and loads of the answer itself, found here from velocities and
// impulses alone.

constexpr double kGravity_mps2 = 9.81, kMu = 0.2, kStep_s = 1e-3, kSide_m = 0.1;

/// Cubes of 1 kg on each other and on the ground, four corners each; β is shared by the corners of a face.
ContactProblem<double, kFour> Cubes(int cubes, double viscous_Ns_per_m, double mu = kMu) {
  ContactProblem<double, kFour> problem;
  problem.step_s = kStep_s;
  for (int k = 0; k < cubes; ++k) {
    Body<double, 6> body;
    body.inertia_kgm2 *= kSide_m * kSide_m / 6;
    body.position_m << 0, 0, (k + 0.5) * kSide_m;
    body.wrench << 3, 0, -kGravity_mps2, 0, 0, 0;
    body.velocity(0) = 0.05 * (k + 1);
    (void)problem.bodies.push_back(body);
    for (int corner = 0; corner < 4; ++corner) {
      Contact<double, 6> contact;
      contact.id = 4 * k + corner;
      contact.a = static_cast<std::int16_t>(k);
      contact.b = static_cast<std::int16_t>(k - 1);
      contact.point_m << ((corner & 1) != 0 ? 0.5 : -0.5) * kSide_m, ((corner & 2) != 0 ? 0.5 : -0.5) * kSide_m, k * kSide_m;
      contact.tangent << 1, 0, 0;
      contact.friction = mu;
      contact.viscous_friction_Ns_per_m = viscous_Ns_per_m;
      (void)problem.contacts.push_back(contact);
    }
  }
  return problem;
}

double SlipSpeed(const ContactProblem<double, kFour>& problem, const ContactSolution<double, kFour>& solution, int i) {
  const auto& contact = problem.contacts[i];
  Vec<double, 3> v = Vec<double, 3>::Zero();
  for (const int body : {int{contact.a}, int{contact.b}}) {
    if (body == kFixed) continue;
    const Vec<double, 3> r = contact.point_m - problem.bodies[body].position_m;
    v += (body == contact.a ? 1.0 : -1.0) * VelocityAt(solution.velocity[body], r);
  }
  return std::hypot(v(0), v(1));
}

/// The largest |μ_d + min(hβ|s|/Θ, 10) - μ| of a contact that carries, as a share of 1 + |s|/(A θ), A that of its bodies.
double LargestError(const ContactProblem<double, kFour>& problem, const ContactSolution<double, kFour>& solution) {
  std::map<std::pair<int, int>, double> load;
  for (int i = 0; i < problem.contacts.size(); ++i)
    load[{problem.contacts[i].a, problem.contacts[i].b}] += solution.impulse.normal_Ns(i);
  double worst = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const double theta = solution.impulse.normal_Ns(i), slip = SlipSpeed(problem, solution, i);
    if (theta <= 0) continue;
    const double share = kStep_s * contact.viscous_friction_Ns_per_m * slip / load[{contact.a, contact.b}];
    const double mobility = (contact.b == kFixed ? 1 : 2) * (1 + 0.75 * kSide_m * kSide_m * 6 / (kSide_m * kSide_m));
    const double error = std::abs(contact.friction + std::min(share, 10.0) - solution.friction_coefficient[i]);
    worst = std::max(worst, error / (1 + slip / (mobility * theta)));
  }
  return worst;
}

/// 60 ticks under a push of 3 N on each cube.
struct CubesRun {
  int solved = 0, ticks = 60;
  double worst = 0;  ///< of the ticks that were solved

  CubesRun(int cubes, double viscous_Ns_per_m, Cone cone, double mu = kMu) {
    auto problem = Cubes(cubes, viscous_Ns_per_m, mu);
    const auto solver = std::make_unique<ContactSolver<double, kFour>>();
    const auto solution = std::make_unique<ContactSolution<double, kFour>>();
    SolverOptions<double> options;
    options.cone = cone;
    for (int tick = 0; tick < ticks; ++tick) {
      solver->Solve(problem, options, solution.get());
      for (int k = 0; k < cubes; ++k) problem.bodies[k].velocity = solution->velocity[k];
      if (solution->status != SolveStatus::kSolved) continue;
      ++solved;
      worst = std::max(worst, LargestError(problem, *solution));
    }
  }
};

class ViscousLaw : public testing::TestWithParam<Cone> {};
INSTANTIATE_TEST_SUITE_P(Cones, ViscousLaw, testing::Values(Cone::kPolygon, Cone::kRound),
                         [](const auto& cone) { return std::string(Name(cone.param)); });

// A cube that is braked hard tips: its loads go to the front corners, and what does not carry does not brake.
TEST_P(ViscousLaw, IsThatOfTheAnswersOwnSlipsAndLoads) {
  for (const int cubes : {1, 2, 4}) {
    for (const double beta : {1.0, 10.0, 100.0}) {
      const CubesRun run(cubes, beta, GetParam());
      EXPECT_EQ(run.solved, run.ticks) << cubes << " cubes, " << beta;
      EXPECT_LE(run.worst, 1e-6) << cubes << " cubes, " << beta;
    }
  }
  const CubesRun tips(1, 1e3, GetParam());
  EXPECT_EQ(tips.solved, tips.ticks);
  EXPECT_LE(tips.worst, 1e-6);
}

// Under a push that their friction holds all of them come to rest, and then the slip is rounding.
TEST_P(ViscousLaw, IsThatOfRest) {
  for (const int cubes : {1, 2, 4}) {
    for (const double beta : {5.0, 100.0, 4e3}) {
      const CubesRun run(cubes, beta, GetParam(), 0.9);
      EXPECT_LE(run.worst, 4e-7) << cubes << " cubes, " << beta;
      EXPECT_GT(run.solved, 40) << cubes << " cubes, " << beta;
      if (beta <= 100) {
        EXPECT_EQ(run.solved, run.ticks) << cubes << " cubes, " << beta;
      }
    }
  }
}

// With hβ/m = 100 loads and slips go to and fro, and not every answer is found; none that is not is called solved.
TEST_P(ViscousLaw, IsNotCalledSolvedWhereItDoesNotHold) {
  int solved = 0;
  for (const int cubes : {1, 2, 4}) {
    const CubesRun run(cubes, 1e5, GetParam());
    EXPECT_LE(run.worst, 4e-7) << cubes;
    solved += run.solved;
  }
  const CubesRun some(1, 1e4, GetParam());
  EXPECT_LE(some.worst, 4e-7);
  EXPECT_GT(solved + some.solved, 50);
}

// From nothing, no load known: (F4) in the first step, with no more than 10 N.
TEST_P(ViscousLaw, HoldsInAFirstStep) {
  for (const double beta : {1.0, 1e2, 1e4, 1e6, 1e9}) {
    for (const double speed_mps : {1e-3, 0.05, 0.5}) {
      auto problem = Cubes(1, beta);
      problem.contacts.resize(1);
      problem.direction_offset_rad = 0;  // the polygon has a corner against the motion
      problem.contacts[0].point_m.setZero();
      problem.bodies[0].position_m.setZero();
      problem.bodies[0].velocity(0) = speed_mps;
      const auto solver = std::make_unique<ContactSolver<double, kFour>>();
      const auto solution = std::make_unique<ContactSolution<double, kFour>>();
      SolverOptions<double> options;
      options.cone = GetParam();
      solver->Solve(problem, options, solution.get());
      if (beta < 1e9) {  // hβ/m = 10⁶: a slip is rounding, and whether it is right is not known
        ASSERT_EQ(solution->status, SolveStatus::kSolved) << beta << ' ' << speed_mps;
      }
      const double push = speed_mps + kStep_s * (3 - kMu * kGravity_mps2);
      const double expected = std::max(push / (1 + kStep_s * beta), push - kStep_s * 10 * kGravity_mps2);
      EXPECT_NEAR(solution->velocity[0](0), expected, 1e-9) << beta << ' ' << speed_mps;
    }
  }
}

// A slip in single precision whose square overflows, at a contact without viscous friction. The other one carries nothing.
TEST(ViscousFriction, IsANumberWhateverTheSlip) {
  using Problem = WhitenedProblem<float, kFour>;
  Problem problem{};
  problem.bodies = 1;
  problem.k.setZero();
  problem.k(0) = 3e19f;
  problem.contacts.resize(2);
  for (auto& contact : problem.contacts) {
    contact.T(0, 0) = contact.T(1, 1) = contact.N(2) = 1;
    contact.normal_scale = contact.tangent_scale = 1;
    contact.mu = 0.5f;
    contact.offset = {0, -1};
  }
  ViscousFriction<Problem> viscous;
  viscous.Set(0, 1, {0.1f, 0.2f}, 0, 1);
  viscous.Set(1, 0, {0, 0}, 1, 1);
  viscous.Predict(&problem);
  EXPECT_EQ(problem.contacts[0].mu, 0.5f);
  EXPECT_EQ(problem.contacts[1].mu, 0.5f + float{kMostViscous});
}

}  // namespace
}  // namespace tactus::test
