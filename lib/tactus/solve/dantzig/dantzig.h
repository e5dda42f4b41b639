#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tactus/core/scalar.h"
#include "tactus/solve/dantzig/block_factor.h"
#include "tactus/solve/dantzig/clamped_factor.h"
#include "tactus/solve/dantzig/dantzig_system.h"
#include "tactus/solve/dantzig/dependence.h"
#include "tactus/solve/judge/answer.h"
#include "tactus/solve/judge/certificate.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus {

enum class DantzigOutcome : std::uint8_t {
  kSolved,         ///< the normal force conditions (2) hold, measured
  kRay,            ///< a force can be driven without bound: no solution exists, and ray() proves it
  kStepLimit,      ///< max_steps reached
  kContradiction,  ///< a bilateral row depends on the others, up to the rounding of A, and contradicts them
  kInaccurate,     ///< ended, but the conditions do not hold: rounding
  kRefused,        ///< a contact has friction
};

enum class DantzigStart : std::uint8_t {
  kTogether,  ///< where A is sparse and large, drives begin from what eliminations of many contacts at once lead to
  kFromZero,  ///< always from f = 0, as in the paper
  kCautious,  ///< the same, but that contacts count as dependent sooner: what is tried last where rounding wins
};

template <class Scalar>
struct DantzigReport {
  DantzigOutcome outcome = DantzigOutcome::kInaccurate;
  int drives = 0;                  ///< calls to drive-to-zero
  int steps = 0;                   ///< pivot steps over all of them, and eliminations of many contacts at once
  Scalar least_pivot = Scalar(1);  ///< least Schur complement of an index that joined C, of its A_jj: A_CC is not singular
  Scalar residual = Scalar(0);     ///< max |min(A_ii f_i, a_i)| (bilateral: |a_i|), of max(|b_i|, A_ii |f_i|)
};

/// Dantzig's algorithm for frictionless contact forces ([Baraff94] section 4 and appendix A; docs/theory, section 9):
///
///     a = A f + b,    a_i ≥ 0,  f_i ≥ 0,  f_i a_i = 0                                                       (1), (2)
///
/// Contacts are made to satisfy (2) one after the other, the most negative a_d first, while those that do already are kept:
/// C holds those with a_i = 0, NC those with f_i = 0, and what has not been driven yet is in neither, as in the paper's
/// pseudo-code. At most n drives, since a contact that has been driven goes on satisfying (2).
///
/// Where A is sparse and large, as in a stack, drives begin from the state that a few eliminations of many contacts at once
/// lead to (DantzigStart::kTogether); most often nothing is left to drive. C is not empty then, all else is the same.
///
/// A may be singular. A row that depends on C cannot move while C holds still: it is passed over until C loses a member, so
/// A_CC never becomes singular. b need not be in the column space of A, which the paper asks for: where a solution exists it
/// is found, where none exists the last direction is a Farkas certificate, f ≥ 0, A f = 0, bᵀf < 0.
///
/// The object is the workspace: 2.5 kSize² numbers with the system, 3.5 from kSize = 48 on.
template <class Scalar, int kSize>
class Dantzig {
 public:
  using System = DantzigSystem<Scalar, kSize>;
  using Vector = std::array<Scalar, kSize>;

  /// compute-forces. Work: O(n²) a step; 5n² multiply-adds an elimination of many at most, and in a stack O(n).
  /// @param max_steps  bounds steps and eliminations together
  DantzigReport<Scalar> Solve(const System& system, int max_steps, DantzigStart start = DantzigStart::kTogether);

  const Vector& force() const { return f_; }
  const Vector& acceleration() const { return a_; }
  /// After kRay: Δf of the drive that met no limit.
  const Vector& ray() const { return df_; }

 private:
  using Dependence = internal::Dependence<Scalar>;
  enum class Place : std::uint8_t {
    kIgnored,    // not yet driven: f = 0, a may be anything
    kC,          // clamped: a = 0 is kept
    kNC,         // unclamped: f = 0, a ≥ 0 is kept
    kRedundant,  // depends on C: a cannot change
  };
  struct Limit {
    Scalar step;
    int position;  // in C, when that limits
    int index;     // -1: nothing limits
  };
  struct Wrong {
    int forces = 0, accelerations = 0;
  };
  struct Nothing {};
  static constexpr int kFewContacts = 48;  // fewer are driven as fast as eliminated: measured on stacks
  static constexpr bool kManyContacts = kSize >= kFewContacts;
  // Of max(|b|, A_ii |f_i|): a smaller |a| is rounding. Rises tenfold where n drives show that it is too small (theory 9).
  static constexpr Scalar kRounding = std::numeric_limits<Scalar>::epsilon() * Scalar(1000);
  static constexpr Scalar kExact =
      std::numeric_limits<Scalar>::epsilon() * Scalar(64);  // a residual below it is not refined
  // Of the same: an a that no force can move counts as zero below it, else there is no solution (theory 9).
  static constexpr Scalar kDeclaredZero = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(1e-4);

  void Run(const System& system, int max_steps, DantzigStart start);
  void Clear(const System& system);
  bool ClampBilateral(const System& system);
  void DriveAll(const System& system, int max_steps);
  int MostNegative(const System& system) const;
  bool DriveToZero(const System& system, int d, int max_steps);
  Scalar Direction(const System& system, int d);
  Limit MaxStep(const System& system, int d, Scalar schur) const;
  void Advance(const System& system, int d, Scalar step, Scalar schur);
  bool IsCertificate(const System& system) const;
  bool EndUnbounded(const System& system, int d);
  void Enter(const System& system, int j, int end);
  void Clamp(int j, int end);
  void Unclamp(const System& system, int position);
  bool IsIndependent(int j);
  void SubstituteBack();
  void Accelerations(const System& system);
  void Refine(const System& system);
  void MeasureScale(const System& system);
  Scalar Residual(const System& system) const;

  bool IsSparse(const System& system);
  void StartTogether(const System& system, int max_steps);
  void Regroup(const System& system, bool join);
  void ForcesTogether(const System& system);
  Wrong CountWrong(const System& system) const;
  void TakeOver(const System& system);
  void Restart(const System& system);

  internal::ClampedFactor<Scalar, kSize> factor_;
  Vector f_, a_, df_, da_;
  Vector y_;  // L⁻¹v_1 of the contact at hand, by positions in C
  Vector x_;  // A_11⁻¹v_1: -Δf of C
  Vector A_ii_;
  std::array<int, kSize> row_;  // where those of A begin that a product needs
  std::array<Place, kSize> place_;
  bool any_in_NC_;
  Dependence dependence_;
  Scalar b_scale_, scale_;  // largest |b_i|; largest of them and of A_ii |f_i|
  Scalar negligible_;       // of scale_: a smaller |a| counts as zero
  int next_doubt_;          // number of drives after which negligible_ is too small
  DantzigReport<Scalar> report_;
  std::conditional_t<kManyContacts, internal::BlockFactor<Scalar, kSize>, Nothing> block_;
  std::conditional_t<kManyContacts, internal::RowEnds<kSize>, Nothing> row_ends_;
};

/// The same for the normals of contacts; refuses friction. θ is not unique, u = k + N θ is. The largest b_i sets the scale
/// of what counts as zero: a contact far out of reach should be left out, or shortened (WhitenOptions::shorten_far_gaps).
template <class Scalar, Capacity kCapacity>
class DantzigContacts {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  /// @param max_steps  of each of two attempts at most, the second kCautious; the report is that of the last
  DantzigReport<Scalar> Solve(const Problem& problem, int max_steps) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (problem.contacts[i].mu > Scalar(0)) return {.outcome = DantzigOutcome::kRefused};
    }
    FormSystem<1>(problem, &system_);
    DantzigReport<Scalar> report = dantzig_.Solve(system_, max_steps);
    if (Holds(problem, report)) return report;
    report = dantzig_.Solve(system_, max_steps, DantzigStart::kCautious);
    if (!Holds(problem, report)) report.outcome = DantzigOutcome::kInaccurate;
    return report;
  }

  void GetImpulses(const Problem& problem, Impulses* impulses) const { Copy(problem, dantzig_.force(), impulses); }
  /// After kRay: θ ≥ 0 with P N θ = 0, bᵀθ < 0.
  void GetRay(const Problem& problem, Impulses* ray) const { Copy(problem, dantzig_.ray(), ray); }

 private:
  using Core = Dantzig<Scalar, kCapacity.contacts>;

  // A = NᵀPN squares the condition of N: a solution of A, or its proof that there is none, need not hold for N.
  bool Holds(const Problem& problem, const DantzigReport<Scalar>& report) {
    if (report.outcome == DantzigOutcome::kRay) {
      GetRay(problem, &impulses_);
      return internal::IsCertificate(problem, impulses_);
    }
    if (report.outcome != DantzigOutcome::kSolved) return true;
    GetImpulses(problem, &impulses_);
    const Scalar residual = ComplementarityResidual(problem, impulses_);
    return residual <= Tolerances<Scalar>::kAccept && !internal::HidesBehindImpulses(problem, impulses_, residual);
  }

  static void Copy(const Problem& problem, const typename Core::Vector& theta, Impulses* impulses) {
    *impulses = {};
    for (int i = 0; i < problem.contacts.size(); ++i) impulses->theta[i] = theta[i];
  }

  typename Core::System system_;
  Core dantzig_;
  Impulses impulses_;
};

}  // namespace tactus

#include "tactus/solve/dantzig/dantzig.inl"
#include "tactus/solve/dantzig/dantzig_start.inl"
