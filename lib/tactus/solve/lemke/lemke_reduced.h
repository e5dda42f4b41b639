#pragma once
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/vector_loops.h"
#include "tactus/solve/lemke/lemke_path.h"

namespace tactus {

/// Lloyd's reduced form of Lemke's algorithm for the contact LCP (docs/theory, sections 4 to 7).
///
///     [ν]   [NᵀN + ε  NᵀD  0] [θ]   [Nᵀk + b]
///     [σ] = [DᵀN      DᵀD  E] [φ] + [Dᵀk + τ]        w, z ≥ 0,  wᵀz = 0                                     (8)
///     [γ]   [μ        -Eᵀ  0] [λ]   [0      ]
///
/// The matrix is never formed: each pivot solves a system of at most 6m + 3 unknowns (without compliance). A contact gets
/// its friction rows when its normal impulse is about to enter ([Lloyd04] 5.3). Their covering vector keeps the path a Lemke
/// path of the expanded problem, so it ends (theory 5, (B)).
///
/// The object is the workspace. It keeps the basis of the last solve; every call bounds its work by max_pivots.
template <class Scalar_, Capacity kCapacity>
class LemkeReduced : public internal::LemkePath<WhitenedProblem<Scalar_, kCapacity>> {
  using Path = internal::LemkePath<WhitenedProblem<Scalar_, kCapacity>>;

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

  /// Pivots above which a cold path is given up: 100, and 16 for each of the n (2 + d) rows. One body, 19 000 problems: most
  /// 62. Of 281 heaps of 4 to 32 bodies with up to 250 contacts 256 are solved with 6 for each row, 278 with 16 (theory 5).
  static int PivotLimit(const Problem& problem) { return 100 + 16 * problem.contacts.size() * (2 + problem.directions); }

  /// The same with all friction rows from the start ([Lloyd04] 5.1): another path, and a longer one. The ladder
  /// tries it after the reseeds.
  LemkeReport SolveColdExpanded(const Problem& problem, unsigned seed, int max_pivots) {
    return this->SolveFromNothing(problem, internal::FrictionRows::kFromTheStart, seed, max_pivots, {});
  }

  /// From the basis set with set_basis(): if it solves the problem, no pivot; else Lemke from a covering vector for which
  /// that basis is a starting point (theory 7).
  LemkeReport SolveWarm(const Problem& problem, unsigned seed, int max_pivots);

  /// @param basis  any basis: one that makes no sense is repaired, or ends as kSingular. Contacts with μ = 0 are never
  /// expanded.
  void set_basis(int contact, const ContactBasis& basis) { system_.keep_basis(contact, basis); }

 private:
  using Path::generic_;
  using Path::problem_scale_;
  using Path::system_;
  using Path::tolerances_;
  using Path::values_;
  using typename Path::Tolerance;

  void Sanitise(const Problem& problem);
};

// The warm start (docs/theory, section 7). The basis of another problem either solves this one or is where a path
// (lemke_path.h) starts.

// Clears what no basis can have: the kept one may come from anywhere.
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Sanitise(const Problem& problem) {
  const std::uint32_t directions = problem.directions == 32 ? ~0u : (1u << problem.directions) - 1u;
  Scalar scale = Sqrt(problem.k.squaredNorm());
  system_.Reset(problem);
  const int n = problem.contacts.size();
  const auto* contact = problem.contacts.begin();
  for (int i = 0; i < n; ++i) {
    scale = MaxNonNegative(scale, Abs(contact[i].b));
    ContactBasis basis = system_.basis(i);
    if (!basis.expanded && !internal::HasBasicZ(basis)) continue;
    basis.expanded = (basis.expanded || basis.theta) && contact[i].mu > Scalar(0);  // what carries has friction
    basis.phi = basis.expanded ? basis.phi & directions : 0u;
    basis.lambda = basis.expanded && basis.lambda && basis.phi != 0;
    system_.Enter(i, basis);
  }
  problem_scale_ = scale;
}

template <class Scalar, Capacity kCapacity>
LemkeReport LemkeReduced<Scalar, kCapacity>::SolveWarm(const Problem& problem, unsigned seed, int max_pivots) {
  generic_ = internal::GenericCover<Scalar>(seed);
  tolerances_ = {};
  Sanitise(problem);
  if (!(system_.RespondToConstant(problem, &values_) >= Tolerance::kSingular)) return {LemkeOutcome::kSingular, 0};
  if (!IsFinite(values_.velocity.sum())) return {LemkeOutcome::kSingular, 0};
  const int size = system_.slots.size();
  const Scalar lowest = internal::LowestOf(values_.at.data(), size);
  if (lowest >= -Tolerance::kFeasible * problem_scale_) return {LemkeOutcome::kSolved, 0};
  const Scalar tolerance = Tolerance::kFeasible * Max(problem_scale_, internal::LargestAbs(values_.at.data(), size));
  if (!IsFinite(tolerance)) return {LemkeOutcome::kSingular, 0};
  if (lowest >= -tolerance) return {LemkeOutcome::kSolved, 0};
  this->StartFromBasis(problem, tolerance);
  return this->Pivot(problem, max_pivots);
}

}  // namespace tactus
