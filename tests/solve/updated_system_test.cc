#include "tactus/solve/internal/updated_system.h"

#include <gtest/gtest.h>

#include <memory>

#include "tactus/contact/residual.h"
#include "tactus/contact/whiten.h"
#include "tactus/solve/lemke_reduced.h"
#include "tests/solve/pile.h"

// LemkePath takes BasisSystem or UpdatedSystem by the capacity alone: the same problem in two capacities goes through both.

namespace tactus::test {
namespace {

template <Capacity kCapacity>
struct Solved {
  WhitenedProblem<double, kCapacity> problem;
  LemkeReduced<double, kCapacity> lemke;
  LemkeReport report;
  double residual = 0;

  void Load(const DiskProblem<>& pile) {
    ContactProblem<double, kCapacity> copy;
    copy.step_s = pile.step_s;
    copy.directions = pile.directions;
    for (const auto& body : pile.bodies) ASSERT_EQ(copy.bodies.push_back(body), Status::kOk);
    FixedVector<Vec<double, 2>, kCapacity.contacts> tangents;
    for (const auto& contact : pile.contacts) {
      ASSERT_EQ(copy.contacts.push_back(contact), Status::kOk);
      ASSERT_EQ(tangents.push_back(contact.tangent), Status::kOk);
    }
    ASSERT_FALSE(Whiten(copy, tangents, {}, &problem));
  }

  void Check() {
    WhitenedImpulses<double, kCapacity> impulses;
    lemke.GetImpulses(problem, &impulses);
    residual = ComplementarityResidual(problem, impulses);
  }
};

constexpr Capacity kFactored{.bodies = 20, .contacts = 64, .joints = 0, .directions = 2, .dof = 3};
constexpr Capacity kUpdated{.bodies = 21, .contacts = 64, .joints = 0, .directions = 2, .dof = 3};
static_assert(internal::MaxUnknowns(kFactored) <= internal::kFactoredUnknowns);
static_assert(internal::MaxUnknowns(kUpdated) > internal::kFactoredUnknowns);

class UpdatedSystem : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Friction, UpdatedSystem, testing::Values(0.0, 0.05, 0.2, 0.6));

// Random pushes make the path generic: exact arithmetic would give one path, rounding must not choose another.
TEST_P(UpdatedSystem, TakesThePathOfTheFactoredSystem) {
  auto factored = std::make_unique<Solved<kFactored>>();
  auto updated = std::make_unique<Solved<kUpdated>>();
  for (unsigned seed = 0; seed < 20; ++seed) {
    const DiskProblem<> pile = Pile<>(5, GetParam(), 3.0, seed);
    factored->Load(pile);
    updated->Load(pile);
    factored->report = factored->lemke.SolveCold(factored->problem, seed, 1000);
    updated->report = updated->lemke.SolveCold(updated->problem, seed, 1000);
    factored->Check();
    updated->Check();
    ASSERT_EQ(factored->report.outcome, LemkeOutcome::kSolved);
    ASSERT_EQ(updated->report.outcome, LemkeOutcome::kSolved);
    EXPECT_EQ(updated->report.pivots, factored->report.pivots) << seed;
    EXPECT_LE(updated->residual, 1e-12) << seed;  // measured: 2e-14
    EXPECT_LE(factored->residual, 1e-12) << seed;
  }
}

TEST_P(UpdatedSystem, StartsWarm) {
  auto updated = std::make_unique<Solved<kUpdated>>();
  int solved = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    updated->Load(Pile<>(6, GetParam(), 3.0, seed));
    ASSERT_EQ(updated->lemke.SolveCold(updated->problem, 0, 2000).outcome, LemkeOutcome::kSolved);
    EXPECT_EQ(updated->lemke.SolveWarm(updated->problem, 0, 100).pivots, 0) << seed;
    updated->Load(Pile<>(6, GetParam(), 3.1, seed));  // pushed a little harder
    updated->report = updated->lemke.SolveWarm(updated->problem, 0, 500);
    if (updated->report.outcome != LemkeOutcome::kSolved) continue;  // theory 7: a ray of a warm start is nothing
    updated->Check();
    EXPECT_LE(updated->residual, 1e-12) << seed;
    ++solved;
  }
  EXPECT_GE(solved, 12);
}

}  // namespace
}  // namespace tactus::test
