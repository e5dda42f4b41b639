// The problems of tests/data/audit that only `tactus solve` has the size or the algorithm for, through the independent
// checker. Source of every expectation: the law of contact (law.cc), or the closed form named beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "host_tools/solve/parse_problem.h"
#include "host_tools/solve/solver_registry.h"
#include "tests/audit/law.h"

namespace tactus::audit {
namespace {

using host::SolveRequest;

struct Answered {
  host::ProblemDocument problem;
  host::SolutionDocument answer;
  LawReport report;
};

Vector3 Linear(const auto& numbers, int dof) {
  return dof == 6 ? Vector3{numbers[0], numbers[1], numbers[2]} : Vector3{numbers[0], numbers[1], 0};
}
Vector3 Angular(const auto& numbers, int dof) {
  return dof == 6 ? Vector3{numbers[3], numbers[4], numbers[5]} : Vector3{0, 0, numbers[2]};
}

LawBody ToLaw(const host::BodyDocument& from, int dof) {
  LawBody body;
  body.mass = from.mass_kg;
  for (std::size_t x = 0; x < 3; ++x) {
    body.inertia[x][x] = 1;
    for (std::size_t y = 0; dof == 6 && y < 3; ++y) body.inertia[x][y] = from.inertia_kgm2[3 * x + y];
  }
  if (dof == 3) body.inertia[2][2] = from.inertia_kgm2[0];
  body.position = Linear(from.position_m, dof);
  body.velocity = Linear(from.velocity, dof);
  body.spin = Angular(from.velocity, dof);
  body.force = Linear(from.wrench, dof);
  body.torque = Angular(from.wrench, dof);
  return body;
}

Real Dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

LawContact ToLaw(const host::ContactDocument& from, const std::vector<double>& tangent, const host::ImpulseDocument& impulse,
                 int dof) {
  LawContact contact;
  contact.a = from.a;
  contact.b = from.b;
  contact.point = Linear(from.point_m, dof);
  contact.normal = Linear(from.normal, dof);
  contact.tangent = Linear(tangent, dof);
  contact.friction = from.friction;
  contact.gap = from.gap_m;
  contact.compliance = from.compliance_mps_per_Ns;
  const Vector3 w = Linear(from.surface_velocity_mps, dof), &n = contact.normal, &t = contact.tangent;
  contact.surface_normal = Dot(w, n);
  const Vector3 second{n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  contact.surface = {Dot(w, t), Dot(w, second)};
  contact.impulse = impulse.normal_Ns;
  contact.friction_impulse.assign(impulse.friction_Ns.begin(), impulse.friction_Ns.end());
  return contact;
}

LawCase ToLaw(const host::ProblemDocument& problem, const host::SolutionDocument& answer) {
  LawCase law;
  const int dof = problem.dof;
  law.step = problem.step_s;
  law.directions = problem.directions;
  law.offset = dof == 6 ? problem.direction_offset_rad : 0;
  for (std::size_t k = 0; k < problem.bodies.size(); ++k) {
    law.bodies.push_back(ToLaw(problem.bodies[k], dof));
    law.velocity.push_back(Linear(answer.velocity[k], dof));
    law.spin.push_back(Angular(answer.velocity[k], dof));
  }
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    law.contacts.push_back(ToLaw(problem.contacts[i], answer.tangent[i], answer.impulse[i], dof));
  }
  for (std::size_t j = 0; j < problem.joints.size(); ++j) {
    const host::JointDocument& from = problem.joints[j];
    law.joints.push_back({from.a, from.b, Linear(from.jacobian_a, dof), Angular(from.jacobian_a, dof),
                          Linear(from.jacobian_b, dof), Angular(from.jacobian_b, dof), from.speed,
                          answer.joint_impulse_Ns[j]});
  }
  return law;
}

std::vector<Answered> Solve(const std::string& file, const SolveRequest& request = {},
                            const char* solver = "lemke_reduced") {
  std::vector<Answered> answers;
  std::ifstream lines(std::string(TACTUS_TEST_DATA) + "/audit/" + file + ".jsonl");
  const auto solve = host::FindSolver(solver)->make(request);
  for (std::string line; std::getline(lines, line);) {
    Answered& answered = answers.emplace_back();
    answered.problem = host::ParseProblem(line).problem;
    answered.answer = solve->Solve(answered.problem);
    if (answered.answer.status != SolveStatus::kInvalid)
      answered.report = CheckLaw(ToLaw(answered.problem, answered.answer));
  }
  EXPECT_FALSE(answers.empty()) << file;
  return answers;
}

constexpr double kDouble = 1e-6;  // of each contact's own scale, as in audit.h

void ExpectSolved(const std::vector<Answered>& answers, double limit) {
  for (const Answered& a : answers) {
    EXPECT_EQ(a.answer.status, SolveStatus::kSolved) << *a.problem.name << ": " << Name(a.answer.shortfall);
    EXPECT_LE(static_cast<double>(a.report.Worst()), limit) << *a.problem.name << ", contact " << a.report.worst_contact;
  }
}

TEST(Command, BaraffsFrictionHandsOutNoExplosion) {
  for (const Answered& a : Solve("baraff_energy", {}, "dantzig_friction")) {
    EXPECT_LE(static_cast<double>(a.report.energy), 1e-9) << *a.problem.name;
    EXPECT_LE(static_cast<double>(a.report.pushed), kDouble) << *a.problem.name;
  }
}

// Closed form: θ = m g h, friction μθ = 0.5 · 9.81e-3 N·s along the conveyor, all of it held by the first joint.
TEST(Command, JointsCarryTheFrictionOfAConveyor) {
  for (const char* solver : {"lemke_reduced", "successive_convex", "dantzig_friction"}) {
    const std::vector<Answered> answers = Solve("held_conveyor", {}, solver);
    ExpectSolved(answers, kDouble);
    const auto& impulse = answers[0].answer.joint_impulse_Ns;
    EXPECT_NEAR(std::hypot(impulse[0], impulse[1]), 0.5 * 9.81e-3, 1e-9) << solver;
  }
}

// Whatever the algorithm: what it calls solved does not close a gap, keeps the joints and the momentum and gains no energy;
// and those of (3)-(5) keep the law of contact. A float answer is judged by what float can do.
TEST(Command, NoAlgorithmCallsSolvedWhatIsNot) {
  int solved = 0;
  for (const char* solver : {"successive_convex", "convex_step", "dantzig_friction", "lemke_structural"}) {
    for (const char* file : {"grain", "grain_float", "blocked", "held_conveyor", "needle", "far_wall"}) {
      for (const host::ScalarKind scalar : {host::ScalarKind::kDouble, host::ScalarKind::kFloat}) {
        for (const Answered& a : Solve(file, {.scalar = scalar}, solver)) {
          if (a.answer.status != SolveStatus::kSolved) continue;
          ++solved;
          SCOPED_TRACE(::testing::Message() << solver << ' ' << file << ' ' << a.answer.scalar << ": " << *a.problem.name);
          const bool in_double = a.answer.scalar == "double", own_law = solver[0] == 'c' || solver[0] == 'd';
          const Real worst = own_law ? std::max({a.report.penetration, a.report.joint, a.report.momentum, a.report.energy})
                                     : a.report.Worst();
          EXPECT_LE(static_cast<double>(worst), in_double ? kDouble : 1e-2);
        }
      }
    }
  }
  EXPECT_GT(solved, 50);
}

// Closed form: the floor carries h m g = 0.981 mN·s and the wall, which is 1 m away, nothing.
TEST(Command, AFarWallCostsNothing) {
  for (const host::ScalarKind scalar : {host::ScalarKind::kDouble, host::ScalarKind::kFloat}) {
    const std::vector<Answered> answers = Solve("far_wall", {.scalar = scalar});
    ExpectSolved(answers, scalar == host::ScalarKind::kDouble ? kDouble : 1e-4);
    const host::SolutionDocument& answer = answers[0].answer;
    EXPECT_LE(answer.pivots, 12);  // the floor's four contacts
    double floor = 0;
    for (std::size_t i = 0; i < 4; ++i) floor += answer.impulse[i].normal_Ns;
    EXPECT_NEAR(floor, 0.981e-3, 1e-8);  // m g h, to float's rounding
    EXPECT_EQ(answer.impulse[4].normal_Ns, 0);
  }
}

TEST(Command, APileOf136DisksIsSolved) { ExpectSolved(Solve("pile136"), kDouble); }

}  // namespace
}  // namespace tactus::audit
