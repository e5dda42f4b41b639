// The three forms of Lemke's algorithm on every kind of problem there is in tests/support/generators.h and tests/data.
#include <gtest/gtest.h>

#include <memory>

#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_dense.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/solve/family_scene.h"

namespace tactus::test {
namespace {

constexpr std::uint64_t kSeed = 20261;
constexpr int kDenseRows = 340;  // the tableau's time grows with the square
constexpr int kMaxPivots = 3000;

// The solvers for one capacity, with the problem they are at.
template <Capacity kCapacity>
struct Forms {
  using Problem = WhitenedProblem<double, kCapacity>;
  using Impulses = WhitenedImpulses<double, kCapacity>;

  Problem problem;
  Impulses impulses, ray;
  LemkeDense<double, kCapacity> dense;
  LemkeStructural<double, kCapacity> structural;
  LemkeReduced<double, kCapacity> reduced;

  void Read(const host::ProblemDocument& document) { WhitenDocument(document, &problem); }
  bool FitsDense() const { return problem.contacts.size() * (2 + problem.directions) <= kDenseRows; }

  template <class Solver>
  LemkeOutcome Attempt(Solver& solver, unsigned seed) {
    const LemkeReport report = solver.SolveCold(problem, seed, kMaxPivots);
    solver.GetImpulses(problem, &impulses);
    if (report.outcome == LemkeOutcome::kRay) solver.GetRay(problem, &ray);
    return report.outcome;
  }

  // Up to three further covering vectors, as on the ladder. Tolerance: rounding, 1e-16, times a condition of 1e6.
  template <class Solver>
  void ExpectSolved(Solver& solver, const std::string& name) {
    double residual = 1;
    for (unsigned seed = 0; seed < 4; ++seed) {
      if (Attempt(solver, seed) != LemkeOutcome::kSolved) continue;
      residual = ComplementarityResidual(problem, impulses);
      if (residual <= 1e-10) return;
    }
    ADD_FAILURE() << name << " residual " << residual;
  }

  // Theory 3.4: θ, φ ≥ 0, N θ + D φ = 0, bᵀθ + τᵀφ < 0. Tolerance: rounding of sums of up to 32 impulses.
  template <class Solver>
  void ExpectSolvedOrProvedUnsolvable(Solver& solver, const std::string& name) {
    if (Attempt(solver, 0) != LemkeOutcome::kRay) return ExpectSolved(solver, name);
    double work = 0, size = 0;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const std::size_t I = static_cast<std::size_t>(i);
      work += contact.b * ray.theta[I];
      size = Max(size, ray.theta[I]);
      for (int j = 0; j < problem.directions; ++j) {
        work += problem.DirectionTau(contact, j) * ray.phi[I][static_cast<std::size_t>(j)];
      }
    }
    typename Problem::Velocity net = problem.ContactImpulse(ray);
    problem.Project(&net);
    EXPECT_LT(work, 0) << name;
    EXPECT_LE(net.norm(), 1e-8 * size) << name;
  }

  void Check(const host::ProblemDocument& document, bool has_solution) {
    Read(document);
    const auto expect = [&](auto& solver, const char* form) {
      const std::string name = *document.name + ", " + form;
      has_solution ? ExpectSolved(solver, name) : ExpectSolvedOrProvedUnsolvable(solver, name);
    };
    expect(structural, "structural");
    expect(reduced, "reduced");
    if (FitsDense()) expect(dense, "dense");
  }
};

struct AllForms {
  void Check(const host::ProblemDocument& document, bool has_solution) {
    document.dof == 3 ? planar->Check(document, has_solution) : spatial->Check(document, has_solution);
  }

  std::unique_ptr<Forms<kSpatialFamilies>> spatial = std::make_unique<Forms<kSpatialFamilies>>();
  std::unique_ptr<Forms<kPlanarFamilies>> planar = std::make_unique<Forms<kPlanarFamilies>>();
};

class LemkeFamily : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Solve, LemkeFamily, testing::ValuesIn(Families().begin(), Families().end()),
                         [](const testing::TestParamInfo<Family>& test) { return std::string(test.param.name); });

TEST_P(LemkeFamily, IsSolvedByAllForms) {
  AllForms forms;
  for (int i = 0; i < 40; ++i) forms.Check(Generate(GetParam(), kSeed, i), GetParam().has_solution);
}

// The traps are cycles of the reduced form under [Lloyd04] appendix D alone (theory 5, (B)); the other forms have none.
TEST(LemkeFamilies, EscapeTheLoopTraps) {
  AllForms forms;
  for (const host::ProblemDocument& document : ReadProblems("loop_traps")) forms.Check(document, true);
}

TEST(LemkeFamilies, SolvePilesJointsAndMovingSurfaces) {
  AllForms forms;
  for (const char* file : {"planar", "joints", "moving_surface"}) {
    for (const host::ProblemDocument& document : ReadProblems(file)) forms.Check(document, true);
  }
}

TEST(LemkeFamilies, ProveJams) {
  AllForms forms;
  for (const host::ProblemDocument& document : ReadProblems("jammed_negative_gaps")) {
    forms.spatial->Read(document);
    EXPECT_EQ(forms.spatial->Attempt(forms.spatial->structural, 0), LemkeOutcome::kRay) << *document.name;
    EXPECT_EQ(forms.spatial->Attempt(forms.spatial->dense, 0), LemkeOutcome::kRay) << *document.name;
    forms.Check(document, false);
  }
}

// Source: theory 5, same path; several bodies. Generic scenes only: where basic variables tie u need not be unique.
TEST(LemkeFamilies, TakeTheSamePathAsTheTableauForSeveralBodies) {
  const std::unique_ptr<Forms<kSpatialFamilies>> forms = std::make_unique<Forms<kSpatialFamilies>>();
  const Family* random =
      &*std::find_if(Families().begin(), Families().end(), [](const Family& f) { return f.name == "random"; });
  for (int i = 0, compared = 0; compared < 60; ++i) {
    const host::ProblemDocument document = Generate(*random, kSeed, i);
    if (document.contacts.size() > 8) continue;
    ++compared;
    forms->Read(document);
    ASSERT_EQ(forms->Attempt(forms->dense, 0), LemkeOutcome::kSolved) << *document.name;
    const Forms<kSpatialFamilies>::Problem::Velocity u = forms->problem.VelocityFor(forms->impulses);
    ASSERT_EQ(forms->Attempt(forms->structural, 0), LemkeOutcome::kSolved) << *document.name;
    const double distance = (forms->problem.VelocityFor(forms->impulses) - u).norm();
    ASSERT_LE(distance, 1e-10 * forms->problem.k.norm()) << *document.name;
  }
}

// Source: an independent prototype: peg, n = 16: 67 pivots structural, 18.6 reduced; [Lloyd04] 5.3 is why. The band is ± 50
// %.
TEST(LemkeFamilies, NeedFewerPivotsReducedThanStructural) {
  const std::unique_ptr<Forms<kSpatialFamilies>> forms = std::make_unique<Forms<kSpatialFamilies>>();
  int structural = 0, reduced = 0, count = 0;
  for (const host::ProblemDocument& document : ReadProblems("families")) {
    if (document.name->find("peg16/") != 0) continue;
    forms->Read(document);
    structural += forms->structural.SolveCold(forms->problem, 0, kMaxPivots).pivots;
    reduced += forms->reduced.SolveCold(forms->problem, 0, kMaxPivots).pivots;
    ++count;
  }
  ASSERT_GT(count, 0);
  EXPECT_NEAR(structural, 67 * count, 33 * count);
  EXPECT_NEAR(reduced, 18.6 * count, 9.3 * count);
}

}  // namespace
}  // namespace tactus::test
