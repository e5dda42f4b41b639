// The algorithms beside Lemke's, through the command: what they solve, and what they refuse and how.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/solve_cli/run_tactus.h"
#include "tests/support/generators.h"
#include "tests/support/write_problem.h"

namespace tactus::test {
namespace {

using nlohmann::json;

json Problem(std::string_view family, int index, double friction) {
  for (const Family& candidate : Families()) {
    if (candidate.name != family) continue;
    json problem = json::parse(WriteProblem(Generate(candidate, 1, index)));
    for (json& contact : problem["contacts"]) contact["friction"] = friction;
    return problem;
  }
  ADD_FAILURE() << "no family " << family;
  return {};
}

json Solve(const std::string& solver, const json& problem) {
  return json::parse(RunTactus({"solve", "--solver", solver, "-"}, problem.dump() + "\n").out);
}

// Source: theory 10: without friction all have the same velocity; lemke_reduced's is checked elsewhere by its residual.
TEST(SolveMethods, AgreeWithoutFriction) {
  for (const char* family : {"stack", "corner", "joints", "random", "pile"}) {
    const json problem = Problem(family, 3, 0);
    const json reference = Solve("lemke_reduced", problem);
    ASSERT_EQ(reference["status"], "solved") << family;
    for (const char* solver : {"convex_step", "successive_convex", "dantzig", "dantzig_friction", "impending_motion"}) {
      const json solution = Solve(solver, problem);
      ASSERT_EQ(solution["status"], "solved") << family << " " << solver;
      EXPECT_LE(solution["residual"], 1e-10) << family << " " << solver;
      for (std::size_t body = 0; body < reference["velocity"].size(); ++body) {
        for (std::size_t i = 0; i < reference["velocity"][body].size(); ++i) {
          const double expected = reference["velocity"][body][i];
          EXPECT_NEAR(solution["velocity"][body][i], expected, 1e-9) << family << " " << solver;  // m/s, rad/s
        }
      }
    }
  }
}

TEST(SolveMethods, RefuseWhatTheyDoNotKnowByTheField) {
  const json rough = Problem("stack", 0, 0.25);
  for (const char* solver : {"dantzig", "impending_motion"}) {
    const json solution = Solve(solver, rough);
    EXPECT_EQ(solution["status"], "invalid") << solver;
    EXPECT_EQ(solution["error"], "contacts[0].friction: must be 0 for this solver, which knows no friction, is 0.25");
  }
  json soft = Problem("stack", 0, 0);
  soft["contacts"][1]["compliance_mps_per_Ns"] = 0.5;
  for (const char* solver : {"convex_step", "successive_convex", "impending_motion"}) {
    const json solution = Solve(solver, soft);
    EXPECT_EQ(solution["status"], "invalid") << solver;
    EXPECT_EQ(solution["error"],
              "contacts[1].compliance_mps_per_Ns: must be 0 for this solver, which knows no compliance, is 0.5");
  }
  EXPECT_EQ(Solve("dantzig", soft)["status"], "solved");
  json deep = Problem("stack", 0, 0);
  deep["contacts"][2]["gap_m"] = -0.125;
  EXPECT_EQ(Solve("impending_motion", deep)["error"], "contacts[2].gap_m: must be >= 0 for this solver, is -0.125");
  json pressed = Problem("stack", 0, 0);
  pressed["contacts"][3]["surface_velocity_mps"] = {0, 0, 0.25};  // along the normal
  EXPECT_EQ(Solve("impending_motion", pressed)["error"],
            "contacts[3]: its surface or a joint's speed presses the bodies together, and this solver is for bodies that "
            "can rest");
}

// Normals 1e-4 rad apart: forces of 1e3 |k|, beside which the three must agree, and which single precision cannot hold.
TEST(SolveMethods, KeepTheirHeadsInMicroWedges) {
  for (int i = 0; i < 20; ++i) {
    const json problem = Problem("peg", i, 0);
    EXPECT_EQ(Solve("impending_motion", problem)["status"], "solved") << i;
    const json solution =
        json::parse(RunTactus({"solve", "--solver", "dantzig", "--scalar", "float", "-"}, problem.dump() + "\n").out);
    EXPECT_EQ(solution["status"], "solved") << i;  // in double, where that is needed
  }
}

// A contact out of reach must not set the scale of what counts as zero.
TEST(SolveMethods, AreNotBlindedByAFarContactInFloat) {
  json problem = Problem("stack", 1, 0);
  json far = problem["contacts"][0];
  far["id"] = 99;
  far["gap_m"] = 100;
  problem["contacts"].push_back(far);
  for (const char* solver : {"dantzig", "dantzig_friction", "impending_motion"}) {
    const json solution =
        json::parse(RunTactus({"solve", "--solver", solver, "--scalar", "float", "-"}, problem.dump() + "\n").out);
    EXPECT_EQ(solution["status"], "solved") << solver;
    EXPECT_EQ(solution["scalar"], "float") << solver;
  }
}

// Source: theory 3: θ, φ ≥ 0 with N θ + D φ = 0 and gapᵀθ < 0. Of the squeezed jam's eight normals four are +x, four -x.
void ExpectCertificate(const json& solution, const json& problem, const char* solver) {
  ASSERT_EQ(solution["status"], "jammed") << solver;
  double work = 0, force_x = 0, most = 0;
  for (std::size_t i = 0; i < problem["contacts"].size(); ++i) {
    const json& contact = problem["contacts"][i];
    const double theta = solution["certificate"]["normal_impulse_Ns"][i], gap_m = contact["gap_m"];
    EXPECT_GE(theta, 0) << solver << i;
    work += theta * gap_m;
    force_x += theta * contact["normal"][0].get<double>();  // friction has no part along x
    most = std::max(most, theta);
  }
  EXPECT_LT(work, 0) << solver;
  EXPECT_NEAR(force_x, 0, 1e-12 * most) << solver;
}

TEST(SolveMethods, ProveASqueezedJam) {
  const json smooth = Problem("squeezed_jam", 0, 0), rough = Problem("squeezed_jam", 0, 0.5);
  ExpectCertificate(Solve("dantzig", smooth), smooth, "dantzig");
  for (const char* solver : {"convex_step", "successive_convex", "dantzig_friction"}) {
    ExpectCertificate(Solve(solver, rough), rough, solver);
  }
}

// A body that slides along x at 1 m/s, on rails, and a contact whose normal is tilted from y by `tilt`.
json OnRails(double tilt, double gap_m) {
  json problem = json::parse(R"({"format":"tactus.problem/1","dof":3,"step_s":0.01,
    "bodies":[{"mass_kg":1,"inertia_kgm2":0.1,"position_m":[0,0],"velocity":[1,0,0],"wrench":[0,0,0]}],
    "contacts":[{"id":1,"a":0,"b":-1,"point_m":[0,0],"friction":0}],
    "joints":[{"a":0,"b":-1,"jacobian_a":[0,1,0],"speed":0},{"a":0,"b":-1,"jacobian_a":[0,0,1],"speed":0}]})");
  problem["contacts"][0]["normal"] = {tilt, std::sqrt(1 - tilt * tilt)};
  problem["contacts"][0]["gap_m"] = gap_m;
  return problem;
}

// Source: closed form: along the rails the gap opens with tilt · v.
TEST(SolveMethods, TellAJamFromAContactThatTheJointsHoldAlmostFast) {
  json soft = OnRails(0, -1e-3);
  soft["contacts"][0]["compliance_mps_per_Ns"] = 0.1;  // yields
  for (const char* solver : {"lemke_reduced", "lemke_structural", "dantzig", "dantzig_friction"}) {
    const json held = Solve(solver, OnRails(0, -1e-3));
    EXPECT_EQ(held["status"], "jammed") << solver;
    EXPECT_EQ(held["certificate"]["normal_impulse_Ns"], json({1.0})) << solver;
    EXPECT_GT(held["residual"], 1e-3) << solver;
    EXPECT_EQ(Solve(solver, soft)["status"], "budget") << solver;
    EXPECT_EQ(Solve(solver, OnRails(9e-7, -1.2e-8))["status"], "budget") << solver;  // 1.33 m/s would open it
    EXPECT_EQ(Solve(solver, OnRails(1e-3, -1.2e-5))["status"], "solved") << solver;  // 1.2 m/s do
  }
}

// Source: docs/problem_format.md: why a `budget` is none better. On the rails every method ends, and 1.33 m/s are more than
// it may find; successive convex steps end where they do not contract.
TEST(SolveMethods, SayWhyAnAnswerIsNotExact) {
  for (const char* solver : {"lemke_reduced", "lemke_structural", "dantzig", "dantzig_friction"}) {
    const json solution = Solve(solver, OnRails(9e-7, -1.2e-8));
    ASSERT_EQ(solution["status"], "budget") << solver;
    EXPECT_EQ(solution["shortfall"], "rounding") << solver;
  }
  int inexact = 0;
  for (int i = 0; i < 20; ++i) {
    const json solution = Solve("successive_convex", Problem("driven_joints", i, 0.5));
    if (solution["status"] != "budget") continue;
    ++inexact;
    EXPECT_TRUE(solution["shortfall"] == "rounding" || solution["shortfall"] == "pivots") << i << solution["shortfall"];
  }
  EXPECT_GE(inexact, 1);
}

// Problems of all families with the friction μ, and those that have no exact answer [%].
double WithoutExactAnswer(double mu) {
  constexpr int kEach = 30;
  std::string input;
  for (const Family& family : Families()) {
    for (int i = 0; i < kEach; ++i) input += Problem(family.name, i, mu).dump() + "\n";
  }
  int problems = 0, inexact = 0;
  for (const std::string& line : Lines(RunTactus({"solve", "-"}, input).out)) {
    ++problems;
    inexact += json::parse(line)["status"] == "budget";
  }
  EXPECT_EQ(problems, kEach * static_cast<int>(Families().size()));
  return 100.0 * inexact / problems;
}

// Source: docs/problem_format.md, `friction`.
TEST(SolveMethods, LemkesAnswersAreExactUpToAFrictionOf1e4) {
  EXPECT_EQ(WithoutExactAnswer(1e4), 0);
  EXPECT_LE(WithoutExactAnswer(1e5), 2);
  EXPECT_LE(WithoutExactAnswer(1e7), 10);
}

// Source: theory 8: slipping widens a gap by Γ, which the first convex step knows nothing of.
TEST(SolveMethods, ConvexStepMayHaveNoSolutionWhereTheExactLawHasOne) {
  int only_convex = 0;
  for (int i = 0; i < 40; ++i) {
    const json problem = Problem("driven_joints", i, 0.5);
    if (Solve("lemke_reduced", problem)["status"] != "solved") continue;
    only_convex += Solve("convex_step", problem)["status"] == "jammed";
    EXPECT_NE(Solve("successive_convex", problem)["status"], "jammed") << i;
  }
  EXPECT_GE(only_convex, 1);
}

// Source: [Baraff94] 5: at rest under friction; (15)-(16) in the plane, (21)-(22) in space.
TEST(SolveMethods, BaraffsFrictionSolvesPilesAndStacks) {
  for (const char* family : {"pile", "stack"}) {
    for (int i = 0; i < 10; ++i) {
      const json solution = Solve("dantzig_friction", Problem(family, i, 0.5));
      EXPECT_EQ(solution["status"], "solved") << family << i;
      EXPECT_LE(solution["residual"], 1e-10) << family << i;
    }
  }
}

// Source: theory 8, lock-up: opposed contacts freeze; with small friction on a stack LCP1 reaches the exact answer.
TEST(SolveMethods, SuccessiveConvexSolvesWhatConvexStepApproximates) {
  const json problem = Problem("stack", 1, 0.05);
  EXPECT_EQ(Solve("convex_step", problem)["status"], "solved");
  const json exact = Solve("successive_convex", problem);
  EXPECT_EQ(exact["status"], "solved");
  EXPECT_LE(exact["residual"], 1e-8);
}

}  // namespace
}  // namespace tactus::test
