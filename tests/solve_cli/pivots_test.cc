// How many pivots the solver needs. The bounds leave some room above what theory sections 5 and 7 measured: cold 15 to 19 on
// average, warm none in 85 to 94 % of the ticks and 0.17 to 0.5 on average.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "host_tools/solve/solver_registry.h"
#include "tests/solve_cli/run_tactus.h"
#include "tests/support/check_solution.h"
#include "tests/support/generators.h"
#include "tests/support/slow_peg.h"
#include "tests/support/write_problem.h"

namespace tactus::test {
namespace {

using host::ProblemDocument;
using host::SolutionDocument;

TEST(ColdPivots, AreFewOnAPegWithSixteenContacts) {
  constexpr int kProblems = 1000;
  const std::unique_ptr<host::ProblemSolver> solver = host::FindSolver("lemke_reduced")->make({});
  int most = 0, total = 0;
  for (int i = 0; i < kProblems; ++i) {
    const SolutionDocument solution = solver->Solve(Generate(FamilyNamed("peg16"), 16, i));
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << i;
    most = std::max(most, solution.pivots);
    total += solution.pivots;
  }
  EXPECT_LE(total, 20 * kProblems);
  EXPECT_LE(most, 60);
  RecordProperty("mean_pivots", std::to_string(double(total) / kProblems));
  RecordProperty("most_pivots", most);
}

// What `tactus solve --warm` says of one sequence.
struct WarmRun {
  int lines = 0, solved = 0, without_pivots = 0, pivots = 0;
};

WarmRun SolveWarm(const std::vector<ProblemDocument>& sequence) {
  std::string input;
  for (const ProblemDocument& problem : sequence) input += WriteProblem(problem) + "\n";
  WarmRun run;
  for (const std::string& line : Lines(RunTactus({"solve", "--warm", "-"}, input).out)) {
    const nlohmann::json solution = nlohmann::json::parse(line);
    ++run.lines;
    run.solved += solution["status"] == "solved" && solution["residual"] <= 1e-8;
    run.without_pivots += solution["pivots"] == 0;
    run.pivots += solution["pivots"].get<int>();
  }
  return run;
}

// Over four hands together: how often friction changes its direction depends on the hand. A peg that sticks under a noisy
// hand needs the most (measured for single hands: 82 to 89 % without pivots, 0.38 to 0.60 on average).
TEST(WarmPivots, AreRareWhenAHandMovesAPeg) {
  constexpr int kTicks = 1500, kHands = 4;
  int without_pivots = 0, pivots = 0;
  for (int hand = 1; hand <= kHands; ++hand) {
    const WarmRun run = SolveWarm(SlowPegSequence(static_cast<std::uint64_t>(hand), kTicks));
    EXPECT_EQ(run.lines, kTicks);
    EXPECT_EQ(run.solved, kTicks) << "hand " << hand;
    without_pivots += run.without_pivots;
    pivots += run.pivots;
    RecordProperty("without_pivots_" + std::to_string(hand), run.without_pivots);
    RecordProperty("pivots_" + std::to_string(hand), run.pivots);
  }
  EXPECT_GE(without_pivots, 0.8 * kTicks * kHands);
  EXPECT_LE(pivots, 0.6 * kTicks * kHands);
}

// Up to 4 turns a second and a position that shakes by 1 µm, which opens and closes gaps: brisker than what the bounds of 80
// % and 0.6 are for (measured: at least 73 %).
TEST(WarmPivots, StayFewWhenTheHandIsBrisk) {
  const std::unique_ptr<host::ProblemSolver> solver = host::FindSolver("lemke_reduced")->make({.warm = true});
  constexpr int kTicks = 1000;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    int without_pivots = 0, pivots = 0;
    for (const ProblemDocument& problem : PegSequence(seed, kTicks)) {
      const SolutionDocument solution = solver->Solve(problem);
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << *problem.name;
      EXPECT_LE(Check(problem, solution).residual, 1e-8L) << *problem.name;  // theory section 6
      without_pivots += solution.pivots == 0;
      pivots += solution.pivots;
    }
    EXPECT_GE(without_pivots, 0.7 * kTicks) << "seed " << seed;
    EXPECT_LE(pivots, 0.6 * kTicks) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tactus::test
