#pragma once
#include <algorithm>
#include <array>
#include <limits>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"
#include "tactus/solve/lemke/basis_slots.h"
#include "tactus/solve/lemke/generic_cover.h"
#include "tactus/solve/lemke/leaving_variable.h"
#include "tactus/solve/lemke/lemke_solver.h"

namespace tactus {

/// How LemkeDense chooses the leaving variable when several block at about the same place. Either way z0 goes first;
/// otherwise a fifth of the problems would not be solved (docs/theory, section 6).
enum class TieRule : std::uint8_t {
  kHarris,         ///< the one with the largest rate: as LemkeStructural does
  kLexicographic,  ///< the lexicographically first row of B⁻¹, [Lloyd04] (14): what makes the method finite on paper
};

/// Lemke's algorithm on the contact LCP written out: [Lloyd04] section 4, which he calls "standard", Anitescu and Hart
/// "LCP0". The reference that the other forms are measured against: M of (8) with its n(2+d) rows is formed and every pivot
/// transforms the whole tableau
///
///     w = M z + c z0 + q,    w, z, z0 ≥ 0,    wᵀz = 0                                                      (17)
///
/// as in (11), (12). The path is the one of LemkeStructural, but rounding adds up from pivot to pivot.
///
/// Cost     2 (n(2+d))² multiply-adds a pivot; contacts with μ = 0 have one row instead of 2 + d
/// Memory   (n(2+d) + 1)² numbers inside the object: use small capacities (207 kB for n = 16, d = 8 in double)
template <class Scalar_, Capacity kCapacity>
class LemkeDense {
 public:
  using Scalar = Scalar_;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  explicit LemkeDense(TieRule tie_rule = TieRule::kHarris) : tie_rule_(tie_rule) {}

  /// From nothing: z = 0, one ray, then along the almost-complementary path.
  /// @param seed  chooses the generic covering vector; another seed is another path to try
  LemkeReport SolveCold(const Problem& problem, unsigned seed, int max_pivots,
                        const RatioTolerances<Scalar>& tolerances = {});

  /// As LemkeStructural, whose path it is.
  static int PivotLimit(const Problem& problem) { return 100 + 3 * problem.contacts.size() * (2 + problem.directions); }

  /// The impulses of the last solve: the answer, or where the path was when it ended.
  void GetImpulses(const Problem& problem, Impulses* impulses) const { Extract(problem, q_, impulses); }
  /// After kRay: the direction (dθ, dφ) in which the path goes to infinity.
  void GetRay(const Problem& problem, Impulses* ray) const;

 private:
  using Slots = internal::BasisSlots<kCapacity>;
  using Column = internal::SlotVector<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  void Form(const Problem& problem, unsigned seed);
  void SetProducts(const Problem& problem, Velocity v, Column* column) const;
  void FormNormal(const Problem& problem, int contact);
  void FormFriction(const Problem& problem, int contact, int direction);
  int WorstRow() const;
  int LeavingRow() const;
  int LexicographicRow() const;
  bool IsBefore(int i, int j) const;
  Scalar Scale() const;
  Scalar InverseBasis(int row, int p) const;
  void Exchange(int leaving);
  void MoveExcluded(int leaving);
  void Extract(const Problem& problem, const Column& values, Impulses* impulses) const;
  int size() const { return slots_.size(); }
  Scalar* Row(int p) { return &tableau_[p * Slots::kSlots]; }
  const Scalar* Row(int p) const { return &tableau_[p * Slots::kSlots]; }
  bool IsZBasic(int p) const { return z_basic_[p]; }

  // M' of (11): row p is the basic variable of pair p, column p the non-basic one; place 0 is z0's. Of the excluded pair
  // neither variable is basic: its row is zero, and of its two columns the driving variable's is at its own place, that of
  // the variable that left last at 0, the place of z0, which is basic. At the start the pair is z0's, and z0 drives.
  std::array<Scalar, static_cast<std::size_t>(Slots::kSlots) * Slots::kSlots> tableau_;
  Column q_;  // q'
  Column m_;  // m': the driving variable's column
  Slots slots_;
  std::array<bool, Slots::kSlots> z_basic_;  // else w is; of the excluded pair: which left last
  int excluded_ = 0;
  RatioTolerances<Scalar> tolerances_;
  Scalar problem_scale_;  // max(|k|, max |b|), part of S
  TieRule tie_rule_;
};

}  // namespace tactus

#include "tactus/solve/lemke/lemke_dense.inl"
