#pragma once
#include "tactus/contact/verdict.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/round/round_tolerances.h"

namespace tactus {

/// Tolerances of the complementarity solvers for whitened, normalised problems (docs/theory, section 6, measured on 3 500
/// degenerate scenes).
template <class Scalar>
struct Tolerances;

template <>
struct Tolerances<double> {
  static constexpr double kFeasible = 1e-11;  ///< τ_f, of the dynamic scale S: a basic variable above -τ_f S counts as ≥ 0
  static constexpr double kPivot = 1e-9;      ///< τ_p, of the largest rate: a smaller rate does not block
  static constexpr double kAccept = 1e-8;     ///< largest complementarity residual of an answer called solved
  static constexpr double kAcceptFirst = 1e-10;  ///< the same while other attempts are left and no deadline is set
  static constexpr double kAcceptRay = 1e-12;    ///< the same at the end point of a ray, while other attempts are left
  static constexpr double kAcceptMotion = 1e-6;  ///< the same as a share of the motion alone, whatever the impulses
  static constexpr double kAcceptShare =
      kVerdictShare<double>;  ///< of the own scale of a contact, joint or body: the verdict
  static constexpr double kEnergy =
      1e-6;  ///< of |k|²: energy that rounding may add, with impulses up to 1e4 |k| (micro-wedges)
  static constexpr double kSingular = 1e-12;  ///< least pivot ratio with which a basis is taken over from the last tick
};

template <>
struct Tolerances<float> {
  static constexpr float kFeasible = 1e-5f;
  static constexpr float kPivot = 1e-5f;
  static constexpr float kAccept = 1e-3f;
  static constexpr float kAcceptFirst =
      kAccept;  // 1e-4 leaves half as many answers above 1e-4 (2 % → 1 %), for 4 % more pivots
  static constexpr float kAcceptRay = 1e-3f;
  static constexpr float kAcceptMotion = 1e-2f;
  static constexpr float kAcceptShare = kVerdictShare<float>;
  static constexpr float kEnergy = 1e-2f;  // impulses up to 300 |k|
  static constexpr float kSingular = 1e-6f;
};

/// The two that the ratio test works with. Where the usual ones fail, on micro-wedges and needles, finer ones sometimes
/// succeed; as a rule they fail more often (6 300 problems: 0 failures with the usual, 22 with Finer()), so they are for a
/// second attempt.
template <class Scalar>
struct RatioTolerances {
  Scalar feasible = Tolerances<Scalar>::kFeasible;
  Scalar pivot = Tolerances<Scalar>::kPivot;

  static constexpr RatioTolerances Finer() {
    return {Tolerances<Scalar>::kFeasible / Scalar(10), Tolerances<Scalar>::kPivot / Scalar(100)};
  }
};

/// What the verdict may leave of an answer called solved, in proportion to the tolerance of its residual.
template <class Scalar>
struct VerdictLimits {
  Scalar residual, share, energy;

  /// Of the polygon's answer. @param tolerance  SolverOptions::tolerance
  explicit VerdictLimits(Scalar tolerance) {
    residual = tolerance > Scalar(0) ? tolerance : Tolerances<Scalar>::kAccept;
    share = residual * kShareOfResidual;
    energy = residual;
  }

  /// Of a round answer.
  /// @param refined  false: one of a tick, from which Newton's last step is saved
  static VerdictLimits OfRound(Scalar tolerance, bool refined) {
    VerdictLimits limits(tolerance);
    if (!refined) {
      limits.residual = Max(limits.residual, RoundTolerances<Scalar>::kResidual);
      limits.share = limits.residual * kShareOfResidual;
    }
    return limits;
  }

 private:
  static constexpr Scalar kShareOfResidual = Tolerances<Scalar>::kAcceptShare / Tolerances<Scalar>::kAccept;
};

}  // namespace tactus
