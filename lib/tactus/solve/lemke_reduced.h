#pragma once
#include <cstdint>

#include "tactus/contact/whitened_problem.h"
#include "tactus/solve/basis.h"
#include "tactus/solve/internal/basis_system.h"
#include "tactus/solve/tolerances.h"

namespace tactus {

enum class LemkeOutcome : std::uint8_t {
  kSolved,    ///< a complementary basis with all basic variables ≥ 0 up to rounding; verify with ComplementarityResidual
  kRay,       ///< no variable blocks. From a cold start the ray proves that no solution exists (theory 3); from a warm one
              ///< nothing
  kBudget,    ///< max_pivots reached; after a cold start the iterate cannot add energy
  kSingular,  ///< the basis matrix is singular, or rounding destroyed it
};

struct LemkeReport {
  LemkeOutcome outcome = LemkeOutcome::kSingular;
  int pivots = 0;
};

/// Lloyd's reduced form of Lemke's algorithm for the contact LCP (docs/theory.md, sections 4 to 7).
///
///     [ν]   [NᵀN + ε  NᵀD  0] [θ]   [Nᵀk + b]
///     [σ] = [DᵀN      DᵀD  E] [φ] + [Dᵀk + τ]        w, z ≥ 0,  wᵀz = 0                                     (6)
///     [γ]   [μ        -Eᵀ  0] [λ]   [0      ]
///
/// The matrix is never formed: each pivot solves a system of at most 6m + 2 unknowns. Friction rows of a contact come into
/// being when its normal impulse is about to enter ([Lloyd04] 5.3), with a covering vector that keeps the path a Lemke path
/// of the expanded problem, which is what makes it end (theory 5, (B)).
///
/// The object is the workspace. It keeps the basis of the last solve; every call bounds its work by max_pivots.
template <class Scalar_, Capacity kCapacity>
class LemkeReduced {
 public:
  using Scalar = Scalar_;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  /// From nothing: z = 0, one ray, then along the almost-complementary path (theory 5).
  /// @param seed  chooses the generic covering vector; another seed is another path to try
  LemkeReport SolveCold(const Problem& problem, unsigned seed, int max_pivots);

  /// From the basis set with set_basis(): if it solves the problem, no pivot; else Lemke from a covering vector for which
  /// that basis is a starting point (theory 7).
  LemkeReport SolveWarm(const Problem& problem, unsigned seed, int max_pivots);

  const ContactBasis& basis(int contact) const { return system_.basis[static_cast<std::size_t>(contact)]; }
  /// @param basis  anything: a basis that makes no sense ends as kSingular, or is repaired. μ = 0 contacts are never
  /// expanded.
  void set_basis(int contact, const ContactBasis& basis) { system_.basis[static_cast<std::size_t>(contact)] = basis; }

  /// The impulses of the last solve: the answer, or where the path was when it ended.
  void GetImpulses(const Problem& problem, Impulses* impulses) const { Extract(problem, values_, impulses); }
  /// u of the same point.
  const typename Problem::Velocity& velocity() const { return values_.velocity; }
  /// After kRay: the direction (dθ, dφ) in which the path goes to infinity.
  void GetRay(const Problem& problem, Impulses* ray) const;

 private:
  using Tolerance = Tolerances<Scalar>;
  using System = internal::BasisSystem<Scalar, kCapacity>;
  using Slots = typename System::Slots;
  using Values = typename System::Values;

  bool StartCold(const Problem& problem);
  void Sanitise(const Problem& problem);
  void StartWarm(const Problem& problem, Scalar tolerance);
  void CoverFromRates(const Problem& problem);
  LemkeReport Pivot(const Problem& problem, int max_pivots);
  void Expand(const Problem& problem, int contact);
  void RescaleCover(const Problem& problem, Scalar s);
  Variable RatioTest(Scalar* step) const;
  void Advance(const Variable& leaving, Scalar step);
  bool Finish(const Problem& problem);
  Scalar GenericCover(int row) const;
  void Extract(const Problem& problem, const Values& values, Impulses* impulses) const;
  Scalar& Cover(int slot) { return system_.cover[static_cast<std::size_t>(slot)]; }
  Scalar& Value(int slot) { return values_.at[static_cast<std::size_t>(slot)]; }
  Scalar& Rate(int slot) { return rates_.at[static_cast<std::size_t>(slot)]; }

  System system_;
  Values values_;  // q' of theory 5: the basic variables
  Values rates_;   // m': their change per unit of the driving variable
  Variable driving_;
  Scalar problem_scale_;   // max(|k|, max |b|), part of S
  Scalar cover_unit_;      // what 1 of the first covering vector is now
  Scalar velocity_bound_;  // R_v = max over the path of |v|/z0
  Scalar cover_bound_;     // max over the path of 1/z0
  unsigned seed_ = 0;
};

}  // namespace tactus

#include "tactus/solve/internal/lemke_reduced_impl.h"
