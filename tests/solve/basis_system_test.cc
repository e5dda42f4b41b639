#include "tactus/solve/lemke/basis_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tactus/contact/whiten.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/solve/pile.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

/// `from` in another capacity, whitened.
template <Capacity kFrom, Capacity kCapacity>
void WhitenAll(const ContactProblem<double, kFrom>& from, WhitenedProblem<double, kCapacity>* whitened) {
  auto problem = std::make_unique<ContactProblem<double, kCapacity>>();
  problem->step_s = from.step_s;
  problem->directions = from.directions;
  FixedVector<Vec<double, LinearSize(kCapacity.dof)>, kCapacity.contacts> tangents;
  for (const auto& body : from.bodies) ASSERT_EQ(problem->bodies.push_back(body), Status::kOk);
  for (const auto& contact : from.contacts) {
    ASSERT_EQ(problem->contacts.push_back(contact), Status::kOk);
    ASSERT_EQ(tangents.push_back(contact.tangent), Status::kOk);
  }
  ASSERT_FALSE(Whiten(*problem, tangents, {}, whitened));
}

/// A path stopped anywhere, to look at the response that comes next.
template <class Lemke>
class Probe : public Lemke {
  using Path = internal::LemkePath<typename Lemke::Problem>;

 public:
  using typename Lemke::Problem;

  /// max |m' - m'_0| / max(1, max |m'_0|), m'_0 with the inverse computed anew
  double UpdateError(const Problem& problem) {
    auto fresh = std::make_unique<typename Path::System>(this->Path::system_);
    fresh->EnterCover(fresh->excluded);
    auto rates = std::make_unique<typename Path::Values>(), fresh_rates = std::make_unique<typename Path::Values>();
    EXPECT_GT(this->Path::system_.RespondToDriving(problem, this->Path::driving_, rates.get()), 0);
    EXPECT_GT(fresh->RespondToDriving(problem, this->Path::driving_, fresh_rates.get()), 0);
    double worst = 0, largest = 1;
    for (int p = 0; p < fresh->slots.size(); ++p) {
      const std::size_t P = static_cast<std::size_t>(p);
      worst = std::max<double>(worst, std::abs(rates->at[P] - fresh_rates->at[P]));
      largest = std::max<double>(largest, std::abs(fresh_rates->at[P]));
    }
    return worst / largest;
  }
};

/// Stops the path after 1, 2, … pivots. @returns how many it has.
template <class Lemke>
int CheckEveryPivot(const typename Lemke::Problem& problem, double tolerance) {
  auto probe = std::make_unique<Probe<Lemke>>();
  int pivots = 1;
  while (probe->SolveCold(problem, 0, pivots).outcome == LemkeOutcome::kBudget && pivots < 200) {
    EXPECT_LE(probe->UpdateError(problem), tolerance) << "pivot " << pivots;
    ++pivots;
  }
  return pivots;
}

// Responses have a residual of at most 3e-13 up to 8 unknowns, 3e-12 above (AreErrorsSmall).
constexpr double kRounding = 1e-10;

class BasisSystem : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Friction, BasisSystem, testing::Values(0.0, 0.3, 0.8));

TEST_P(BasisSystem, GivesWithTheKeptInverseTheResponsesOfANewOne) {
  int pivots = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto scene = RandomScene(seed, 3 + static_cast<int>(seed % 14), GetParam());
    auto problem = std::make_unique<WhitenedProblem<double, kSmall>>();
    WhitenAll(scene, problem.get());
    pivots += CheckEveryPivot<LemkeReduced<double, kSmall>>(*problem, kRounding);
    pivots += CheckEveryPivot<LemkeStructural<double, kSmall>>(*problem, kRounding);
  }
  EXPECT_GT(pivots, 500);
}

TEST_P(BasisSystem, GivesThemWithCompliance) {
  constexpr Capacity kCompliant{.bodies = 1, .contacts = 16, .joints = 0, .directions = 8, .dof = 6, .compliant = true};
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto scene = RandomScene(seed, 12, GetParam());
    for (auto& contact : scene.contacts) contact.compliance_mps_per_Ns = 0.5;
    auto problem = std::make_unique<WhitenedProblem<double, kCompliant>>();
    WhitenAll(scene, problem.get());
    CheckEveryPivot<LemkeReduced<double, kCompliant>>(*problem, kRounding);
  }
}

class BasisSystemOfPiles : public testing::TestWithParam<double> {
 protected:
  static constexpr Capacity kCapacity{.bodies = 21, .contacts = 64, .joints = 0, .directions = 2, .dof = 3};
  using Lemke = LemkeReduced<double, kCapacity>;

  void Load(const DiskProblem<>& pile) { WhitenAll(pile, problem.get()); }
  double Residual() const {
    WhitenedImpulses<double, kCapacity> impulses;
    lemke->GetImpulses(*problem, &impulses);
    return ComplementarityResidual(*problem, impulses);
  }

  std::unique_ptr<Lemke::Problem> problem = std::make_unique<Lemke::Problem>();
  std::unique_ptr<Lemke> lemke = std::make_unique<Lemke>();
};
INSTANTIATE_TEST_SUITE_P(Friction, BasisSystemOfPiles, testing::Values(0.0, 0.05, 0.2, 0.6));

TEST_P(BasisSystemOfPiles, GivesWithTheKeptInverseTheResponsesOfANewOne) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Load(Pile<>(5, GetParam(), 3.0, seed));
    CheckEveryPivot<Lemke>(*problem, kRounding);
  }
}

TEST_P(BasisSystemOfPiles, StartsWarm) {
  int solved = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Load(Pile<>(6, GetParam(), 3.0, seed));
    ASSERT_EQ(lemke->SolveCold(*problem, 0, 2000).outcome, LemkeOutcome::kSolved);
    EXPECT_LE(Residual(), 1e-12) << seed;  // measured: 2e-14
    EXPECT_EQ(lemke->SolveWarm(*problem, 0, 100).pivots, 0) << seed;
    Load(Pile<>(6, GetParam(), 3.1, seed));                                             // pushed a little harder
    if (lemke->SolveWarm(*problem, 0, 500).outcome != LemkeOutcome::kSolved) continue;  // theory 7: a ray is nothing
    EXPECT_LE(Residual(), 1e-12) << seed;
    ++solved;
  }
  EXPECT_GE(solved, 12);
}

}  // namespace
}  // namespace tactus::test
