#include "tactus/solve/ladder.h"

#include <gtest/gtest.h>

#include "tests/solve/ladder_with_room.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

using Impulses = WhitenedImpulses<double, kSmall>;
using TestLadder = LadderWithRoom<double, kSmall>;

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

// In a wedge whose faces reach into the body by 10 µm, moving out of it. Friction lets the faces squeeze the body, and a
// path of Lemke's may end in that squeeze; the answer is to go on, slipping, and has θ = 0 on one side.
TEST(Ladder, FindsTheWayOutOfASqueezeThatFrictionHolds) {
  SmallProblem<> physical = SqueezedBox<>(1.7668916287354826, -1e-5, Vec<double, 6>::Zero());
  physical.bodies[0].inertia_kgm2.setIdentity() *= 2e-4;
  physical.bodies[0].velocity << 0.001, 0, 0.015, 0.05, -0.103, -0.014;
  physical.contacts.resize(2);
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1 : 1;
    physical.contacts[i].normal << -side * 0.8269924963661182, 0, 0.5622129587212805;
  }
  physical.contacts[0].point_m << -0.025, 0.003061113080938496, -0.014304483342256674;
  physical.contacts[1].point_m << 0.025, -0.004817505884831501, 0.007315981649578057;
  auto problem = Whitened(physical);
  TestLadder ladder;
  ladder.Run(&problem, Cold(), Impulses{});
  EXPECT_EQ(ladder.status(), SolveStatus::kSolved);
  EXPECT_LE(ComplementarityResidual(problem, ladder.impulses()), 1e-10);
}

// Two contacts where one was, normals 3e-4 apart: in single precision impulses of 1e5 |k| "solve" a squeeze that has no
// solution, with a residual that is small beside them.
TEST(Ladder, IsNotFooledByHugeImpulses) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    SmallProblem<float> physical = SqueezedBox<float>(0.4f, -1e-6f, {1, 2, 3, 0.01f, 0.02f, 0.03f});
    for (int i = 0; i < 8; ++i) {
      Contact<float, 6> twin = physical.contacts[i];
      twin.normal += 1e-4f * Vec<float, 3>(float(normal(random)), float(normal(random)), float(normal(random)));
      twin.normal /= twin.normal.norm();
      (void)physical.contacts.push_back(twin);
    }
    auto problem = Whitened(physical);
    LadderWithRoom<float, kSmall> ladder;
    ladder.Run(&problem, Cold(), WhitenedImpulses<float, kSmall>{});
    EXPECT_NE(ladder.status(), SolveStatus::kSolved) << seed;
  }
}

/// Enough for an attempt with so many pivots of a problem with n contacts on a short path, and the reserve.
int WorkForPivots(int contacts, int pivots) {
  constexpr int kSlots = 40, kUnknowns = 3;
  return static_cast<int>(work::Reserve(contacts) + work::Attempt(contacts) + pivots * work::Pivot(kSlots, kUnknowns));
}

// Out of work: whatever rung answers, nothing penetrates and no energy is added.
void ExpectSafe(const TestLadder& ladder, const WhitenedProblem<double, kSmall>& problem) {
  EXPECT_EQ(ladder.status(), SolveStatus::kBudget);
  EXPECT_LE(ladder.velocity().norm(), problem.k.norm() * (1 + 1e-9));
  for (const auto& contact : problem.contacts) {
    EXPECT_GE(problem.Dot(contact, contact.N, ladder.velocity()), -1e-9 * problem.k.norm());
  }
  EXPECT_LE((problem.VelocityFor(ladder.impulses()) - ladder.velocity()).norm(), 1e-9 * problem.k.norm())
      << "the impulses are not those of the velocity";
}

TEST(Ladder, UsesTheLastImpulsesWhenWorkRunsOut) {
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
    options.deadline.work_budget = WorkForPivots(12, 2);
    ladder.Run(&now, options, previous);
    if (ladder.status() == SolveStatus::kSolved) continue;  // some need no more
    EXPECT_EQ(ladder.rung(), Rung::kPreviousProjected) << seed;
    ExpectSafe(ladder, now);
  }
}

// All contacts below: nothing holds the body, so that most slip.
SmallProblem<> OneSidedScene(unsigned seed, int contacts, double friction) {
  SmallProblem<> physical = RandomScene<>(seed, contacts, friction);
  for (auto& contact : physical.contacts) {
    if (contact.normal.z() < 0) {
      contact.normal *= -1;
      contact.point_m *= -1;
    }
    contact.tangent = DefaultTangent(contact.normal);
  }
  physical.bodies[0].wrench(2) -= 10;
  return physical;
}

TEST(Ladder, TakesTheConvexStepWhenThereIsNoLastImpulse) {
  int used = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    auto problem = Whitened(OneSidedScene(seed, 12, 0.5));
    TestLadder ladder;
    LadderOptions options = Cold();
    options.recalls = false;
    options.deadline.work_budget = static_cast<int>(work::Reserve(12));
    ladder.Run(&problem, options, Impulses{});
    EXPECT_LE(ladder.work(), options.deadline.work_budget) << seed;
    if (ladder.status() == SolveStatus::kSolved) continue;
    used += ladder.rung() == Rung::kConvexStep;
    ExpectSafe(ladder, problem);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      double sum = 0;
      for (int j = 0; j < problem.directions; ++j) sum += ladder.impulses().phi[i][j];
      EXPECT_LE(sum, problem.contacts[i].mu * ladder.impulses().theta[i] * (1 + 1e-12)) << "outside the cone";
    }
  }
  EXPECT_GT(used, 20);
}

// MakeSafe() without work after a Run() that ended in the convex step: it is still in hand, and better than rest. One that
// was cut off would have to be projected, which takes work.
TEST(Ladder, GivesTheConvexStepInHandWhereNoWorkIsLeft) {
  int used = 0, kept = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto problem = Whitened(OneSidedScene(seed, 12, 0.5));
    TestLadder ladder;
    LadderOptions options = Cold();
    options.deadline.work_budget = static_cast<int>(work::Reserve(12));
    ladder.Run(&problem, options, Impulses{});
    if (ladder.rung() != Rung::kConvexStep) continue;
    ++used;
    const auto u = ladder.velocity();
    const auto no_last = [](Impulses* last) { *last = {}; };
    Work none(1);
    Impulses impulses;
    ladder.MakeSafe(problem, no_last, &none, &impulses);
    if (ladder.rung() == Rung::kRest) continue;
    ++kept;
    EXPECT_EQ(ladder.rung(), Rung::kConvexStep) << seed;
    EXPECT_EQ(ladder.velocity(), u) << seed;
  }
  EXPECT_GT(kept, 5);
  EXPECT_GE(kept, used * 9 / 10);
}

// In place of an answer that took all the work. Rest counts no more than there is: a budget is not overdrawn.
TEST(Ladder, RestsWithinWhatWorkIsLeft) {
  const auto problem = Whitened(OneSidedScene(1, 12, 0.5));
  for (const int left : {0, 1, 500, static_cast<int>(work::InHand(12)), static_cast<int>(work::Fallback(12)) - 1}) {
    TestLadder ladder;
    Work work(100000);
    work.Spend(100000 - left);
    Impulses impulses;
    ladder.MakeSafe(
        problem, [](Impulses* last) { *last = {}; }, &work, &impulses);
    EXPECT_EQ(ladder.rung(), Rung::kRest) << left;
    EXPECT_LE(work.done(), 100000) << left;
  }
}

// From the reserve alone to more than enough; squeezes too, whose gaps are clamped and solved again.
TEST(Ladder, NeverSpendsMoreThanItsBudgetOfWork) {
  constexpr int kContacts = 14, kStep = 3000;
  const int reserve = static_cast<int>(work::Reserve(kContacts));
  int solved = 0, out_of_work = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SmallProblem<> physical = OneSidedScene(seed, kContacts, 0.3);
    if (seed % 4 == 0) physical.contacts[0].gap_m = -1e-4;
    TestLadder ladder;
    for (int budget = reserve; budget < reserve + 60 * kStep; budget += kStep) {
      auto problem = Whitened(physical);
      LadderOptions options;
      options.deadline.work_budget = budget;
      ladder.Run(&problem, options, Impulses{});
      EXPECT_LE(ladder.work(), budget) << seed;
      solved += ladder.status() == SolveStatus::kSolved;
      if (ladder.status() == SolveStatus::kSolved || seed % 4 == 0) continue;
      EXPECT_TRUE(ladder.ran_out_of_work()) << seed;
      ++out_of_work;
      ExpectSafe(ladder, problem);
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(out_of_work, 5);
}

// Source: the definition, one attempt whose basis is right: its start, the values of that basis.
TEST(Ladder, CountsTheWorkOfAVerifiedBasis) {
  auto problem = Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0));
  TestLadder ladder;
  ladder.Run(&problem, Cold(), Impulses{});
  ASSERT_EQ(ladder.status(), SolveStatus::kSolved);
  ladder.Run(&problem, {}, Impulses{});
  ASSERT_EQ(ladder.rung(), Rung::kWarmVerified);
  constexpr int kSlots = 1 + 1, kUnknowns = 1;  // z0, the contact's normal; θ
  EXPECT_EQ(ladder.work(), work::Attempt(1) + work::Constants(kSlots, kUnknowns));
}

// Source: theory 11, F1: u = nearest(k + sJ); in a tick in which k changed by 2 % the error stays below 2.6 % of |k|.
TEST(Ladder, LastImpulsesGiveNearlyTheExactAnswerWhenLittleChanged) {
  auto before = Whitened(RandomScene<>(4, 8, 0.5));
  TestLadder ladder;
  ladder.Run(&before, Cold(), Impulses{});
  const Impulses previous = ladder.impulses();
  const auto exact = ladder.velocity();
  LadderOptions options = Cold();
  options.deadline.work_budget = WorkForPivots(8, 1);
  ladder.Run(&before, options, previous);
  ASSERT_EQ(ladder.rung(), Rung::kPreviousProjected);
  EXPECT_LE((ladder.velocity() - exact).norm(), 1e-9 * before.k.norm());  // nothing changed: the same answer
}

// A clock that runs out after so many questions.
struct FewQuestions {
  int left;

  TimeLeft AsTimeLeft() {
    return {[](void* clock) { return --static_cast<FewQuestions*>(clock)->left >= 0; }, this};
  }
};

// Gives the ladder time for 0, 1, 2, … questions, each asked before a pivot or an attempt, until it needs no more.
// @returns how many that is.
int ExpectSafeForEveryDeadline(WhitenedProblem<double, kSmall> problem, LadderOptions options, const Impulses& previous,
                               TestLadder ladder, SolveStatus at_last) {
  constexpr int kEnough = 1000;
  for (int allowed = 0; allowed < kEnough; ++allowed) {
    FewQuestions clock{allowed};
    options.deadline.time_left = clock.AsTimeLeft();
    TestLadder now = ladder;
    now.Run(&problem, options, previous);
    EXPECT_LE(now.pivots(), allowed);
    EXPECT_LE(now.velocity().norm(), problem.k.norm() * (1 + 1e-9)) << allowed;
    EXPECT_LE((problem.VelocityFor(now.impulses()) - now.velocity()).norm(), 1e-9 * problem.k.norm()) << allowed;
    for (const auto& contact : problem.contacts) {
      EXPECT_GE(problem.Dot(contact, contact.N, now.velocity()), -1e-9 * problem.k.norm()) << allowed;
    }
    if (now.status() == SolveStatus::kSolved) {
      EXPECT_LE(ComplementarityResidual(problem, now.impulses()), 1e-8) << allowed;  // what is accepted in double
    } else {
      EXPECT_GE(now.rung(), Rung::kClampedGaps) << allowed;
    }
    if (clock.left < 0) continue;
    EXPECT_EQ(now.status(), at_last);
    return allowed;
  }
  ADD_FAILURE() << "still asking after " << kEnough << " questions";
  return kEnough;
}

TEST(Ladder, IsSafeWheneverTimeRunsOut) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 12, 0.5));
    const int questions = ExpectSafeForEveryDeadline(problem, Cold(), Impulses{}, TestLadder{}, SolveStatus::kSolved);
    EXPECT_GT(questions, 1) << seed;  // else there was no deadline to meet
  }
}

TEST(Ladder, IsSafeWheneverTimeRunsOutAfterAWarmStart) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SmallProblem<> physical = RandomScene<>(seed, 12, 0.5);
    auto before = Whitened(physical);
    TestLadder ladder;
    ladder.Run(&before, Cold(), Impulses{});
    const Impulses previous = ladder.impulses();
    physical.bodies[0].wrench *= -1;  // what carried is left, what was left carries
    ExpectSafeForEveryDeadline(Whitened(physical), {}, previous, ladder, SolveStatus::kSolved);
  }
}

TEST(Ladder, IsSafeWheneverTimeRunsOutInAJam) {
  const auto jam = Whitened(SqueezedBox<>(0.4, -1e-6, {1, 2, 3, 0.01, 0.02, 0.03}));
  EXPECT_GT(ExpectSafeForEveryDeadline(jam, Cold(), Impulses{}, TestLadder{}, SolveStatus::kJammed), 1);
}

}  // namespace
}  // namespace tactus::test
