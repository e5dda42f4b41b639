#pragma once
#include "tactus/solve/lemke/lemke_path.h"

namespace tactus {

/// Lloyd's structural form of Lemke's algorithm for the contact LCP: [Lloyd04] section 5 and appendices A to C.
///
///     [ν]   [NᵀN + ε  NᵀD  0] [θ]   [Nᵀk + b]
///     [σ] = [DᵀN      DᵀD  E] [φ] + [Dᵀk + τ]        w, z ≥ 0,  wᵀz = 0                                     (8)
///     [γ]   [μ        -Eᵀ  0] [λ]   [0      ]
///
/// The matrix M, of size n(2+d), is never formed: each pivot solves the reduced system (31), (42), (44) or (47) of at most
/// 6m + 2 unknowns (solve/lemke/basis_system.h). All friction rows are there from the start, which makes 2 to 5 times as
/// many pivots as LemkeReduced needs; contacts with μ = 0 have none. The path is the one of LemkeDense.
///
/// Cost       O(n d + m³) a pivot, O(n d) pivots
/// Iterates   no point of the path adds energy, |u|² ≤ k·u, if b ≥ 0 and τ = 0 (docs/theory, section 3)
///
/// The object is the workspace. It keeps the basis of the last solve; every call bounds its work by max_pivots.
template <class Scalar_, Capacity kCapacity>
class LemkeStructural : public internal::LemkePath<WhitenedProblem<Scalar_, kCapacity>> {
  using Path = internal::LemkePath<WhitenedProblem<Scalar_, kCapacity>>;

 public:
  using typename Path::Impulses;
  using typename Path::Problem;
  using typename Path::Scalar;

  /// From nothing: z = 0, one ray, then along the almost-complementary path.
  /// @param seed  chooses the generic covering vector; another seed is another path to try
  LemkeReport SolveCold(const Problem& problem, unsigned seed, int max_pivots,
                        const RatioTolerances<Scalar>& tolerances = {}) {
    return this->SolveFromNothing(problem, internal::FrictionRows::kFromTheStart, seed, max_pivots, tolerances);
  }

  /// Pivot limit: six for each row of the LCP. Of 1 260 problems of 21 kinds none needed more than 1.4 for each row; of 910
  /// planar piles of 51 contacts the longest took 4.3.
  static int PivotLimit(const Problem& problem) { return 100 + 6 * problem.contacts.size() * (2 + problem.directions); }
};

}  // namespace tactus
