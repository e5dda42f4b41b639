#pragma once
#include "tactus/solve/internal/lemke_path.h"

namespace tactus {

/// Lloyd's reduced form of Lemke's algorithm for the contact LCP (docs/theory.md, sections 4 to 7).
///
///     [ν]   [NᵀN + ε  NᵀD  0] [θ]   [Nᵀk + b]
///     [σ] = [DᵀN      DᵀD  E] [φ] + [Dᵀk + τ]        w, z ≥ 0,  wᵀz = 0                                     (8)
///     [γ]   [μ        -Eᵀ  0] [λ]   [0      ]
///
/// The matrix is never formed: each pivot solves a system of at most 6m + 3 unknowns (without compliance). Friction rows of
/// a contact come into being when its normal impulse is about to enter ([Lloyd04] 5.3), with a covering vector that keeps
/// the path a Lemke path of the expanded problem, which is what makes it end (theory 5, (B)).
///
/// The object is the workspace. It keeps the basis of the last solve; every call bounds its work by max_pivots.
template <class Scalar_, Capacity kCapacity>
class LemkeReduced : public internal::LemkePath<Scalar_, kCapacity> {
  using Path = internal::LemkePath<Scalar_, kCapacity>;

 public:
  using typename Path::Impulses;
  using typename Path::Problem;
  using typename Path::Scalar;

  /// From nothing: z = 0, one ray, then along the almost-complementary path (theory 5).
  /// @param seed  chooses the generic covering vector; another seed is another path to try
  LemkeReport SolveCold(const Problem& problem, unsigned seed, int max_pivots,
                        const RatioTolerances<Scalar>& tolerances = {}) {
    return this->SolveFromNothing(problem, internal::FrictionRows::kOnDemand, seed, max_pivots, tolerances);
  }

  /// Pivots above which a cold path is as good as lost: over 19 000 problems max 62 for m ≤ 3, 116 for m = 5 (theory 5).
  static int PivotLimit(const Problem& problem) { return 100 + 50 * (problem.bodies - 1); }

  /// The same with all friction rows from the start ([Lloyd04] 5.1): longer, and another path; the ladder's last exact
  /// attempt.
  LemkeReport SolveColdExpanded(const Problem& problem, unsigned seed, int max_pivots) {
    return this->SolveFromNothing(problem, internal::FrictionRows::kFromTheStart, seed, max_pivots, {});
  }

  /// From the basis set with set_basis(): if it solves the problem, no pivot; else Lemke from a covering vector for which
  /// that basis is a starting point (theory 7).
  LemkeReport SolveWarm(const Problem& problem, unsigned seed, int max_pivots);

  /// @param basis  anything: a basis that makes no sense ends as kSingular, or is repaired. μ = 0 contacts are never
  /// expanded.
  void set_basis(int contact, const ContactBasis& basis) { system_.preset_basis(contact, basis); }

 private:
  using Path::Cover;
  using Path::driving_;
  using Path::generic_;
  using Path::problem_scale_;
  using Path::Rate;
  using Path::rates_;
  using Path::system_;
  using Path::tolerances_;
  using Path::Value;
  using Path::values_;
  using typename Path::Slots;
  using typename Path::Tolerance;

  void Sanitise(const Problem& problem);
  void StartWarm(const Problem& problem, Scalar tolerance);
  void CoverFromRates(const Problem& problem);
};

}  // namespace tactus

#include "tactus/solve/internal/lemke_reduced_impl.h"
