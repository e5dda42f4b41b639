#include <gtest/gtest.h>

#include "tactus/solve/ladder.h"
#include "tests/solve/four_solver.h"
#include "tests/solve/ladder_with_room.h"
#include "tests/solve/pile.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

LadderOptions Cold() {
  LadderOptions options;
  options.warm = false;
  return options;
}

// A solution is chosen, of contacts that are open, stick or slip, and the problem is made to have it. Overlaps and surfaces
// may squeeze the bodies all the same: then a path of Lemke's may end in that squeeze, whatever its covering vector.
template <class Scalar, Capacity kCapacity>
void Plant(unsigned seed, WhitenedProblem<Scalar, kCapacity>* problem) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto share = [&] { return static_cast<Scalar>(uniform(random)); };
  for (int i = 0; i < problem->velocity_size(); ++i) problem->k(i) = static_cast<Scalar>(normal(random));
  WhitenedImpulses<Scalar, kCapacity> impulses{};
  for (int i = 0; i < problem->contacts.size(); ++i) {
    auto& contact = problem->contacts[i];
    contact.b = -problem->Dot(contact, contact.N, problem->k);
    const typename Problem::Tangential slip = problem->TangentDot(contact, problem->k);
    const unsigned mode = static_cast<unsigned>(random()) % 3;
    const int j = static_cast<int>(static_cast<unsigned>(random()) % static_cast<unsigned>(problem->directions));
    if (mode == 0) {
      contact.b += share();
    } else {
      const bool sticks = mode == 1;
      impulses.theta[i] = 3 * share();
      impulses.phi[i][j] = contact.mu * impulses.theta[i] * (sticks ? share() : 1);
      contact.tau = -slip;
      if (!sticks) contact.tau -= share() * problem->direction[j];
    }
    contact.b_clear = std::max(contact.b, Scalar(0));
  }
  problem->k -= problem->ContactImpulse(impulses);
}

// @returns whether the planted problem is solved; if it is, by its residual, and in any case with the problem restored
template <class Scalar, Capacity kCapacity>
bool Solves(unsigned seed, double tolerance, WhitenedProblem<Scalar, kCapacity> problem,
            LadderWithRoom<Scalar, kCapacity>* ladder) {
  Plant(seed, &problem);
  const auto as_given = problem;
  LadderOptions options = Cold();
  options.cold_pivots = LemkeReduced<Scalar, kCapacity>::PivotLimit(problem);
  ladder->Run(&problem, options, WhitenedImpulses<Scalar, kCapacity>{});
  for (int i = 0; i < problem.contacts.size(); ++i) {
    EXPECT_EQ(problem.contacts[i].b, as_given.contacts[i].b) << seed << ": the problem was not restored";
    EXPECT_EQ(problem.contacts[i].tau, as_given.contacts[i].tau) << seed << ": the problem was not restored";
  }
  if (ladder->status() != SolveStatus::kSolved) return false;
  EXPECT_LE(static_cast<double>(ComplementarityResidual(as_given, ladder->impulses())), tolerance) << seed;
  return true;
}

TEST(WaysOut, AreFoundForMostSqueezesThatEveryPathEndsIn) {
  LadderWithRoom<double, kSmall> ladder;
  int unsolved = 0;  // 20; without a start beyond the squeeze 88
  for (unsigned seed = 0; seed < 20000; ++seed) {
    const auto problem = Whitened(RandomScene<>(seed, 3 + static_cast<int>(seed % 6), 0.6));
    unsolved += Solves(seed, 1e-8, problem, &ladder) ? 0 : 1;
  }
  EXPECT_LE(unsolved, 30);
}

TEST(WaysOut, AreFoundInFloat) {
  LadderWithRoom<float, kSmall> ladder;
  int unsolved = 0;  // 20; without 83
  for (unsigned seed = 0; seed < 20000; ++seed) {
    const auto problem = Whitened(RandomScene<float>(seed, 3 + static_cast<int>(seed % 6), 0.6));
    unsolved += Solves(seed, 1e-3, problem, &ladder) ? 0 : 1;
  }
  EXPECT_LE(unsolved, 30);
}

// Two bodies that touch the fixed world all over, and each other with half of the second one's contacts.
ContactProblem<double, kFour> TwoBodies(unsigned seed, int contacts) {
  const SmallProblem<> first = RandomScene<>(seed, contacts, 0.6), second = RandomScene<>(seed + 1, contacts, 0.6);
  ContactProblem<double, kFour> problem;
  problem.step_s = first.step_s;
  problem.directions = first.directions;
  for (const auto* one : {&first, &second}) {
    const int body = problem.bodies.size();
    (void)problem.bodies.push_back(one->bodies[0]);
    for (Contact<double, 6> contact : one->contacts) {
      contact.id = problem.contacts.size();
      contact.a = body;
      if (body == 1 && contact.id % 2 == 0) contact.b = 0;
      (void)problem.contacts.push_back(contact);
    }
  }
  return problem;
}

TEST(WaysOut, AreFoundWithSeveralBodies) {
  static LadderWithRoom<double, kFour> ladder;
  int unsolved = 0;  // 14; without 34
  for (unsigned seed = 0; seed < 4000; ++seed) {
    unsolved += Solves(seed, 1e-8, Whitened(TwoBodies(seed, 3 + static_cast<int>(seed % 6))), &ladder) ? 0 : 1;
  }
  EXPECT_LE(unsolved, 20);
}

// Disks on a plank and on each other: no path is lost there.
TEST(WaysOut, AreFoundInThePlane) {
  static LadderWithRoom<double, kDisks> ladder;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    EXPECT_TRUE(Solves(seed, 1e-8, Whitened(Pile(4, 0.6)), &ladder)) << seed;
  }
}

// With a deadline they are not looked for: what is left is the safe answer's.
TEST(WaysOut, AreNotLookedForUnderADeadline) {
  int jammed = 0, jammed_under_deadline = 0;
  for (unsigned seed = 19000; seed < 20000; ++seed) {
    auto problem = Whitened(RandomScene<>(seed, 3 + static_cast<int>(seed % 6), 0.6));
    Plant(seed, &problem);
    LadderWithRoom<double, kSmall> ladder;
    const WhitenedImpulses<double, kSmall> nothing{};
    ladder.Run(&problem, Cold(), nothing);
    jammed += ladder.status() == SolveStatus::kJammed ? 1 : 0;
    LadderOptions options = Cold();
    options.deadline.time_left = {[](void*) { return true; }, nullptr};
    ladder.Run(&problem, options, nothing);
    jammed_under_deadline += ladder.status() == SolveStatus::kJammed ? 1 : 0;
  }
  EXPECT_GT(jammed_under_deadline, jammed);  // some of them have a way out
}

}  // namespace
}  // namespace tactus::test
