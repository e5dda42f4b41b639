#include "tactus/solve/ladder.h"

#include <gtest/gtest.h>

#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Impulses = WhitenedImpulses<double, kSmall>;
using TestLadder = Ladder<double, kSmall>;

LadderOptions Cold() {
  LadderOptions options;
  options.warm = false;
  return options;
}

TEST(Ladder, SaysColdWhenTheFirstAttemptSolves) {
  auto problem = Whitened(RandomScene<>(1, 12, 0.5));
  TestLadder ladder;
  ladder.Run(&problem, Cold(), Impulses{});
  EXPECT_EQ(ladder.status(), SolveStatus::kSolved);
  EXPECT_EQ(ladder.rung(), Rung::kCold);
}

TEST(Ladder, AnswersAJamWithoutPenetratingFurther) {
  auto problem = Whitened(SqueezedBox<>(0.4, -1e-6, {1, 2, 3, 0.01, 0.02, 0.03}));
  const auto as_given = problem;
  TestLadder ladder;
  ladder.Run(&problem, Cold(), Impulses{});
  EXPECT_EQ(ladder.status(), SolveStatus::kJammed);
  EXPECT_EQ(ladder.rung(), Rung::kClampedGaps);
  EXPECT_GT(ladder.residual(), 1e-6);  // of the problem as given, which has no solution
  EXPECT_LE(ladder.velocity().norm(), problem.k.norm());
  for (int i = 0; i < 8; ++i) {
    EXPECT_GE(problem.Dot(problem.contacts[i], problem.contacts[i].N, ladder.velocity()), -1e-10);
    EXPECT_EQ(problem.contacts[i].b, as_given.contacts[i].b) << "the problem was not restored";
  }
}

// Out of pivots: whatever rung answers, nothing penetrates and no energy is added.
void ExpectSafe(const TestLadder& ladder, const WhitenedProblem<double, kSmall>& problem) {
  EXPECT_EQ(ladder.status(), SolveStatus::kBudget);
  EXPECT_LE(ladder.velocity().norm(), problem.k.norm() * (1 + 1e-9));
  for (const auto& contact : problem.contacts) {
    EXPECT_GE(problem.Dot(contact, contact.N, ladder.velocity()), -1e-9 * problem.k.norm());
  }
  EXPECT_LE((problem.VelocityFor(ladder.impulses()) - ladder.velocity()).norm(), 1e-9 * problem.k.norm())
      << "the impulses are not those of the velocity";
}

TEST(Ladder, UsesTheLastImpulsesWhenPivotsRunOut) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SmallProblem<> physical = RandomScene<>(seed, 12, 0.5);
    auto before = Whitened(physical);
    TestLadder ladder;
    ladder.Run(&before, Cold(), Impulses{});
    ASSERT_EQ(ladder.status(), SolveStatus::kSolved);
    const Impulses previous = ladder.impulses();
    physical.bodies[0].wrench *= 1.02;
    auto now = Whitened(physical);
    LadderOptions options = Cold();
    options.pivot_budget = 2;
    ladder.Run(&now, options, previous);
    if (ladder.status() == SolveStatus::kSolved) continue;  // some need no more than two
    EXPECT_EQ(ladder.rung(), Rung::kPreviousProjected) << seed;
    ExpectSafe(ladder, now);
  }
}

TEST(Ladder, UsesTheLastIterateWhenThereIsNoLastImpulse) {
  int used = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    auto problem = Whitened(RandomScene<>(seed, 12, 0.5));
    TestLadder ladder;
    LadderOptions options = Cold();
    options.pivot_budget = 3;
    ladder.Run(&problem, options, Impulses{});
    if (ladder.status() == SolveStatus::kSolved) continue;
    used += ladder.rung() == Rung::kIterateProjected;
    ExpectSafe(ladder, problem);
  }
  EXPECT_GT(used, 50);
}

TEST(Ladder, NeverSpendsMoreThanItsPivotBudget) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto problem = Whitened(RandomScene<>(seed, 14, 0.7));
    TestLadder ladder;
    LadderOptions options;
    options.pivot_budget = 5;
    ladder.Run(&problem, options, Impulses{});
    EXPECT_LE(ladder.pivots(), 5) << seed;
  }
}

// Source: theory 11, F1: u = nearest(k + sJ); in a tick in which k changed by 2 % the error stays below 2.6 % of |k|.
TEST(Ladder, LastImpulsesGiveNearlyTheExactAnswerWhenLittleChanged) {
  auto before = Whitened(RandomScene<>(4, 8, 0.5));
  TestLadder ladder;
  ladder.Run(&before, Cold(), Impulses{});
  const Impulses previous = ladder.impulses();
  const auto exact = ladder.velocity();
  LadderOptions options = Cold();
  options.pivot_budget = 1;
  ladder.Run(&before, options, previous);
  ASSERT_EQ(ladder.rung(), Rung::kPreviousProjected);
  EXPECT_LE((ladder.velocity() - exact).norm(), 1e-9 * before.k.norm());  // nothing changed: the same answer
}

}  // namespace
}  // namespace tactus::test
