// Lemke's reduced and structural form on twenty thousand problems each, in double and float: what the first attempt solves,
// what the ladder behind it, and the energy wherever a path is cut off. Dantzig's algorithm on as many without friction.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "tactus/solve/dantzig/dantzig.h"
#include "tactus/solve/judge/answer.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/solve/ladder_with_room.h"
#include "tests/solve/lemke_trial.h"
#include "tests/solve/random_scene.h"

namespace tactus::test {
namespace {

constexpr std::uint64_t kSeed = 2004;
constexpr int kProblems = 20000;

// Every `each`-th problem of a family goes to run(document); planar ones to run_planar.
template <class Run, class RunPlanar>
void ForFamily(const Family& family, int each, const Run& run, const RunPlanar& run_planar) {
  const int problems = (kProblems - 1) / static_cast<int>(Families().size()) + 1;
  for (int i = 0; i < problems; i += each) {
    const host::ProblemDocument document = Generate(family, kSeed, i);
    document.dof == 3 ? run_planar(document) : run(document);
  }
}

template <class Scalar, template <class, Capacity> class Lemke>
Tally RunFamily(const Family& family, const char* form) {
  Tally tally;
  const auto spatial = std::make_unique<Trial<Scalar, kSpatialFamilies, Lemke>>();
  const auto planar = std::make_unique<Trial<Scalar, kPlanarFamilies, Lemke>>();
  ForFamily(
      family, 1, [&](const host::ProblemDocument& document) { spatial->Run(document, &tally); },
      [&](const host::ProblemDocument& document) { planar->Run(document, &tally); });
  Print(std::string(family.name), form, tally);
  return tally;
}

class LemkeLongRun : public testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(Solve, LemkeLongRun, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

// Tolerance: rounding, 1e-16, times a condition of 1e6. By a later attempt: over five seeds at most 10 of 910, needles and
// near-duplicates.
void ExpectAllSolvedInDouble(const Family& family, const Tally& tally) {
  EXPECT_EQ(tally.given_up, 0);
  EXPECT_LE(tally.worst, 1e-10);
  EXPECT_LE(tally.later, tally.problems / 50);
  if (family.has_solution) {
    EXPECT_EQ(tally.jammed, 0);
  }
}
TEST_P(LemkeLongRun, IsSolvedByTheReducedFormInDouble) {
  ExpectAllSolvedInDouble(GetParam(), RunFamily<double, LemkeReduced>(GetParam(), "reduced, double"));
}
TEST_P(LemkeLongRun, IsSolvedByTheStructuralFormInDouble) {
  ExpectAllSolvedInDouble(GetParam(), RunFamily<double, LemkeStructural>(GetParam(), "structural, double"));
}

// Kinds that single precision cannot hold: contacts that nearly oppose each other, 1e-4 rad apart, carry impulses of 1e3 |k|
// (theory 2.4), a needle's inertia has a condition of 1e5.
bool IsHardInFloat(const Family& family) {
  constexpr std::array<std::string_view, 7> kHard{"needle",     "peg",          "near_duplicates", "directions",
                                                  "mass_ratio", "frictionless", "driven_joints"};
  return std::find(kHard.begin(), kHard.end(), family.name) != kHard.end();
}

// Source: an independent prototype: one in a thousand fails. Of those hard ones more do; measured, five seeds of 20 000 and
// both forms: given up at most 41 of 910 (without friction, where two paths are one), by a later attempt at most 109,
// structural 60.
void ExpectNoneWrongInFloat(const Family& family, const Tally& tally, double most_later) {
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_LE(tally.later, 1 + most_later * tally.problems);
  EXPECT_LE(tally.given_up, IsHardInFloat(family) ? 0.06 * tally.problems : 1 + 1e-3 * tally.problems);
  if (family.has_solution) {
    EXPECT_EQ(tally.jammed, 0);
  }
}
TEST_P(LemkeLongRun, IsNeverWronglyCalledSolvedByTheStructuralFormInFloat) {
  const bool hard = IsHardInFloat(GetParam());
  ExpectNoneWrongInFloat(GetParam(), RunFamily<float, LemkeStructural>(GetParam(), "structural, float"), hard ? 0.1 : 0.01);
}
TEST_P(LemkeLongRun, IsNeverWronglyCalledSolvedByTheReducedFormInFloat) {
  const double most_later = IsHardInFloat(GetParam()) ? 0.2 : 4e-3;  // measured: 4 of 910 piles, at most 2 of the others
  ExpectNoneWrongInFloat(GetParam(), RunFamily<float, LemkeReduced>(GetParam(), "reduced, float"), most_later);
}

// Cuts the path off after 1, 1 + stride, … pivots. @returns the largest |u|² - k·u, of |k| max(|k|, θ).
template <class Lemke, Capacity kCapacity>
double MostEnergy(Lemke* lemke, const WhitenedProblem<double, kCapacity>& problem, int stride) {
  double most = 0;
  for (const auto& contact : problem.contacts) {
    if (contact.b < 0 || contact.tau.squaredNorm() > 0) return 0;  // theory 3 promises nothing
  }
  WhitenedImpulses<double, kCapacity> impulses;
  const double k = problem.k.norm();
  for (int pivots = 1; lemke->SolveCold(problem, 0, pivots).outcome == LemkeOutcome::kBudget; pivots += stride) {
    if (pivots > Lemke::PivotLimit(problem)) break;
    lemke->GetImpulses(problem, &impulses);
    const typename Lemke::Problem::Velocity u = problem.VelocityFor(impulses);
    const double theta = *std::max_element(impulses.theta.begin(), impulses.theta.end());
    most = std::max(most, (u.squaredNorm() - problem.k.dot(u)) / (k * std::max(k, theta)));
  }
  return most;
}

template <template <class, Capacity> class Lemke, Capacity kCapacity>
struct CutOff {
  double Run(const host::ProblemDocument& document, int stride) {
    WhitenDocument(document, &problem);
    return MostEnergy(&lemke, problem, stride);
  }
  WhitenedProblem<double, kCapacity> problem;
  Lemke<double, kCapacity> lemke;
};

// Source: theory 3, "anytime energy". Tolerance: rounding of |u|², 1e-16 θ|k| times the condition of the basis; measured
// 2.5e-11, in micro-wedges.
template <template <class, Capacity> class Lemke>
void ExpectNoEnergyWhereverCutOff(const Family& family, int each, int stride) {
  const auto spatial = std::make_unique<CutOff<Lemke, kSpatialFamilies>>();
  const auto planar = std::make_unique<CutOff<Lemke, kPlanarFamilies>>();
  const auto expect = [](double energy, const host::ProblemDocument& document) {
    EXPECT_LE(energy, 1e-9) << *document.name;
  };
  ForFamily(
      family, each, [&](const host::ProblemDocument& document) { expect(spatial->Run(document, stride), document); },
      [&](const host::ProblemDocument& document) { expect(planar->Run(document, stride), document); });
}
TEST_P(LemkeLongRun, AddsNoEnergyWhereverTheReducedPathIsCutOff) {
  ExpectNoEnergyWhereverCutOff<LemkeReduced>(GetParam(), 10, 1);
}
TEST_P(LemkeLongRun, AddsNoEnergyWhereverTheStructuralPathIsCutOff) {
  ExpectNoEnergyWhereverCutOff<LemkeStructural>(GetParam(), 40, 3);
}

template <class Scalar, Capacity kCapacity>
struct FrictionlessTrial {
  void Run(host::ProblemDocument document, Tally* tally) {
    for (host::ContactDocument& contact : document.contacts) contact.friction = 0;
    WhitenDocument(document, &problem);
    const DantzigOutcome outcome = dantzig.Solve(problem, 20 * problem.contacts.size() + 20).outcome;
    ++tally->problems;
    tally->jammed += outcome == DantzigOutcome::kRay;
    tally->given_up += outcome != DantzigOutcome::kRay && outcome != DantzigOutcome::kSolved;
    if (outcome != DantzigOutcome::kSolved) return;
    dantzig.GetImpulses(problem, &impulses);
    tally->worst = std::max(tally->worst, double{ComplementarityResidual(problem, impulses)});
  }
  WhitenedProblem<Scalar, kCapacity> problem;
  WhitenedImpulses<Scalar, kCapacity> impulses;
  DantzigContacts<Scalar, kCapacity> dantzig;
};

template <class Scalar>
Tally RunFrictionless(const Family& family) {
  Tally tally;
  const auto spatial = std::make_unique<FrictionlessTrial<Scalar, kSpatialFamilies>>();
  const auto planar = std::make_unique<FrictionlessTrial<Scalar, kPlanarFamilies>>();
  ForFamily(
      family, 1, [&](const host::ProblemDocument& document) { spatial->Run(document, &tally); },
      [&](const host::ProblemDocument& document) { planar->Run(document, &tally); });
  return tally;
}

// Normals 1e-4 rad apart, or duplicates 1e-8 apart: A = NᵀN has their squares.
bool HasMicroWedges(const Family& family) {
  constexpr std::array<std::string_view, 4> kMicroWedges{"peg", "near_duplicates", "directions", "frictionless"};
  return std::find(kMicroWedges.begin(), kMicroWedges.end(), family.name) != kMicroWedges.end();
}

// Source: (3). Tolerances: as for Lemke's. Given up of micro-wedges: over ten seeds 6 of 9 100.
TEST_P(LemkeLongRun, IsSolvedByDantzigWithoutFriction) {
  const Tally tally = RunFrictionless<double>(GetParam());
  EXPECT_LE(tally.given_up, HasMicroWedges(GetParam()) ? tally.problems / 200 : 0);
  EXPECT_LE(tally.worst, 1e-10);
  if (GetParam().has_solution) {
    EXPECT_EQ(tally.jammed, 0);
  }
}

// In single precision the squares are lost, and 28 % of the pegs with them: said, and never called solved or jammed.
TEST_P(LemkeLongRun, IsNeverWronglyAnsweredByDantzigInFloat) {
  const Tally tally = RunFrictionless<float>(GetParam());
  EXPECT_LE(tally.given_up, HasMicroWedges(GetParam()) ? 0.4 * tally.problems : 1 + 5e-3 * tally.problems);
  EXPECT_LE(tally.worst, Tolerances<float>::kAccept);
  if (GetParam().has_solution) {
    EXPECT_EQ(tally.jammed, 0);
  }
  if (GetParam().name == "squeezed_jam") {
    EXPECT_EQ(tally.jammed, tally.problems);
  }
}

// Source: theory 3.3: with ε > 0 everywhere a solution exists, here with impulses of 1e4 |k|. In float the ray that ignores
// ε looks like a certificate.
TEST(SoftContacts, AreNotCalledJammedInFloat) {
  host::ProblemDocument document = Generate(FamilyNamed("compliant"), 77, 36);
  for (std::size_t j = 0; j < document.contacts.size(); ++j) {
    document.contacts[j].friction = 0;
    document.contacts[j].gap_m += 1e-4 * (static_cast<int>((7919 * j + 31 * 36) % 13) - 6);
  }
  const auto exact = std::make_unique<FrictionlessTrial<double, kSpatialFamilies>>();
  const auto single = std::make_unique<FrictionlessTrial<float, kSpatialFamilies>>();
  Tally tally, tally_single;
  exact->Run(document, &tally);
  single->Run(document, &tally_single);
  EXPECT_EQ(tally.jammed + tally.given_up, 0);
  EXPECT_GE(*std::max_element(exact->impulses.theta.begin(), exact->impulses.theta.end()), 1e3);
  EXPECT_EQ(tally_single.jammed, 0);
}

// Solves one frictionless contact, θ = -N·k, but for a relative error that depends on the attempt.
struct LooseLemke {
  using Scalar = double;
  using Problem = WhitenedProblem<double, kSmall>;
  using Impulses = WhitenedImpulses<double, kSmall>;

  LemkeReport SolveCold(const Problem&, unsigned seed, int, const RatioTolerances<double>& = {}) {
    attempt = seed;
    return {LemkeOutcome::kSolved, 1};
  }
  void GetImpulses(const Problem& problem, Impulses* impulses) const {
    *impulses = {};
    impulses->theta[0] = -problem.contacts[0].N.dot(problem.k) * (1 + errors.at(attempt));
  }
  void GetRay(const Problem&, Impulses* ray) const { *ray = {}; }
  static int PivotLimit(const Problem&) { return 10; }
  void set_work(Work*) {}  // what is looked at is the ladder's

  static inline std::array<double, 4> errors{};
  std::size_t attempt = 0;
};

LadderWithRoom<double, kSmall, LooseLemke> RunLoosely(const std::array<double, 4>& errors, int budget) {
  auto problem = Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0));
  LooseLemke::errors = errors;
  LadderWithRoom<double, kSmall, LooseLemke> ladder;
  ladder.Run(&problem, {.deadline = {.work_budget = budget}}, LooseLemke::Impulses{});
  EXPECT_EQ(ladder.status(), SolveStatus::kSolved);
  return ladder;
}

TEST(LadderOfLooseAnswers, EndsWithTheFirstTightOne) {
  const auto ladder = RunLoosely({5e-9, 2e-9, 1e-12, 0}, 0);
  EXPECT_EQ(ladder.pivots(), 3);
  EXPECT_LE(ladder.residual(), 1e-11);
}
TEST(LadderOfLooseAnswers, TakesTheBestWhereNoneIsTight) {
  const auto ladder = RunLoosely({5e-9, 2e-9, 4e-9, 3e-9}, 0);
  EXPECT_NEAR(ladder.residual(), 2e-9, 1e-15);
  EXPECT_EQ(ladder.pivots(), 5);  // four attempts and the best once more
}
TEST(LadderOfLooseAnswers, TakesTheFirstUnderABudget) {
  const auto ladder = RunLoosely({5e-9, 1e-12, 0, 0}, 1000000);
  EXPECT_EQ(ladder.pivots(), 1);
  EXPECT_EQ(ladder.rung(), Rung::kCold);
}

// Source: closed form: θ = -N·k stops the ball, u = 0; twice that sends it back, u = -k, and k·u < 0 < |u|².
TEST(AddsEnergy, SeesABounceButNotAPushOut) {
  auto problem = Whitened(BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -10, 0, 0, 0}, 0));
  WhitenedImpulses<double, kSmall> impulses;
  const double stop = -problem.contacts[0].N.dot(problem.k);
  const auto adds = [&](double theta) {
    impulses.theta[0] = theta;
    return internal::AddsEnergy(problem, impulses, problem.VelocityFor(impulses));
  };
  EXPECT_FALSE(adds(stop));
  EXPECT_TRUE(adds(2 * stop));
  problem.contacts[0].b = -stop;  // ν = N·u + b = 0 for u = -k
  EXPECT_FALSE(adds(2 * stop));
}

}  // namespace
}  // namespace tactus::test
