// A basis of random bits as warm start, on every kind of problem: never a crash, and an answer that holds or an honest
// status.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "tests/solve/family_scene.h"
#include "tests/solve/ladder_with_room.h"

namespace tactus::test {
namespace {

constexpr std::uint64_t kSeed = 99;
constexpr int kProblems = 20, kBases = 10;

template <class Scalar, Capacity kCapacity>
struct Ladders {
  WhitenedProblem<Scalar, kCapacity> problem;
  LadderWithRoom<Scalar, kCapacity> ladder;

  // @returns whether every basis led to an answer.
  bool Solves(const host::ProblemDocument& document, std::mt19937* random) {
    WhitenDocument(document, &problem);
    bool all = true;
    for (int trial = 0; trial < kBases; ++trial) {
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const std::uint32_t bits = static_cast<std::uint32_t>((*random)());
        ladder.set_basis(i, {bits, (*random)() % 2 == 0, (*random)() % 2 == 0, (*random)() % 3 != 0});
      }
      LadderOptions options;
      options.cold_pivots = LemkeReduced<Scalar, kCapacity>::PivotLimit(problem);
      ladder.Run(&problem, options, {});
      if (ladder.status() != SolveStatus::kSolved) {
        all = false;
        continue;
      }
      EXPECT_LE(ComplementarityResidual(problem, ladder.impulses()), Tolerances<Scalar>::kAccept) << *document.name;
    }
    return all;
  }
};

class AnyBasis : public testing::TestWithParam<Family> {
 protected:
  template <class Scalar>
  int CountSolved() {
    const auto spatial = std::make_unique<Ladders<Scalar, kSpatialFamilies>>();
    const auto planar = std::make_unique<Ladders<Scalar, kPlanarFamilies>>();
    std::mt19937 random(1);
    int solved = 0;
    for (int i = 0; i < kProblems; ++i) {
      const host::ProblemDocument document = Generate(GetParam(), kSeed, i);
      solved += document.dof == 6 ? spatial->Solves(document, &random) : planar->Solves(document, &random);
    }
    return solved;
  }
};

INSTANTIATE_TEST_SUITE_P(Solve, AnyBasis, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

TEST_P(AnyBasis, LeadsToAnAnswerInDouble) {
  const int solved = CountSolved<double>();
  if (GetParam().has_solution) {
    EXPECT_EQ(solved, kProblems);
  }
}

TEST_P(AnyBasis, LeadsToAnHonestStatusInFloat) { RecordProperty("solved", CountSolved<float>()); }

}  // namespace
}  // namespace tactus::test
