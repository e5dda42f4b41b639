#pragma once
#include <concepts>
#include <cstdint>

#include "tactus/solve/judge/tolerances.h"
#include "tactus/solve/solve_options.h"

namespace tactus {

enum class LemkeOutcome : std::uint8_t {
  kSolved,    ///< a complementary basis with all basic variables ≥ 0 up to rounding; verify with ComplementarityResidual
  kRay,       ///< no variable blocks. From a cold start the ray is a certificate (theory 3.4); from a warm one it
              ///< is nothing
  kBudget,    ///< max_pivots reached, or no time left; after a cold start the iterate cannot add energy
  kSingular,  ///< the basis matrix is singular, rounding destroyed it, or the path came back to a basis it had had
};

struct LemkeReport {
  LemkeOutcome outcome = LemkeOutcome::kSingular;
  int pivots = 0;
};

/// What the forms of Lemke's algorithm have in common: LemkeDense (Lloyd's "standard"), LemkeStructural, LemkeReduced, and
/// LemkePile for large piles.
/// The object is the workspace; a call needs nothing of the one before it.
template <class Solver>
concept LemkeSolver = requires(Solver solver, const Solver& solved, const typename Solver::Problem& problem,
                               typename Solver::Impulses* impulses,
                               const RatioTolerances<typename Solver::Scalar>& tolerances) {
  { solver.SolveCold(problem, 0u, 100) } -> std::same_as<LemkeReport>;  // seed of the covering vector, most pivots
  solver.SolveCold(problem, 0u, 100, tolerances);                       // of the ratio test
  { Solver::PivotLimit(problem) } -> std::same_as<int>;                 // above it the path is as good as lost
  solved.GetImpulses(problem, impulses);  // of the last solve: the answer, or where the path was when it ended
  solved.GetRay(problem, impulses);       // after kRay: the direction (dθ, dφ) in which the path goes to infinity
};

}  // namespace tactus
