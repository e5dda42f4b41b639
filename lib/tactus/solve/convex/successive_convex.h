#pragma once
#include <cstdint>

#include "tactus/solve/convex/convex_step.h"
#include "tactus/solve/judge/residual.h"

namespace tactus {

enum class FixedPointOutcome : std::uint8_t {
  kConverged,       ///< ‖Λ(k) - Λ(k-1)‖ ≤ TOL: the answer solves (3)-(5) as closely
  kNotContracting,  ///< the change has stopped shrinking: μ is too large for this configuration
  kIterationLimit,  ///< still contracting after max_iterations
  kNoStep,          ///< a convex step has no solution (only if some b < 0 or a surface moves), or rounding won: what has
                    ///< converged does not solve (3)-(5)
  kRefused,         ///< a contact is compliant
};

template <class Scalar>
struct FixedPointOptions {
  Scalar tolerance = Tolerances<Scalar>::kFeasible;  ///< TOL, of |k|
  int max_iterations = 100;                          ///< of the fixed point
  int max_step_iterations = 1000;                    ///< of each convex step
};

template <class Scalar>
struct FixedPointReport {
  FixedPointOutcome outcome = FixedPointOutcome::kNoStep;
  int iterations = 0;         ///< convex steps
  int step_iterations = 0;    ///< of all of them together
  Scalar change = Scalar(0);  ///< ‖Λ(k) - Λ(k-1)‖∞ of the last two, of |k|
  Scalar rate = Scalar(0);    ///< the factor by which the change shrank in each of the last two iterations; 0: not known
};

/// Anitescu and Hart's LCP1: the LCP by successive convex relaxation ([AnitescuHart] section 4; docs/theory, section 8),
/// steps 4 to 8 of their algorithm:
///
///     v(k) = P₁(Γ),  Γ = μ Λ(v(k-1)),  Λ_i(v) = max(0, max_j -(d_ijᵀv + τ_ij))                    (15)-(19)
///
/// a fixed point of which solves (6)-(7). Contracts for small friction if the cones are pointed (theorem 4.1.ii); measured,
/// up to μ of 0.25 to 0.6. Above that the outcome is kNotContracting.
template <class Scalar, Capacity kCapacity>
class SuccessiveConvex {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Step = ConvexStep<Scalar, kCapacity>;
  using Gamma = typename Step::Gamma;

  /// Every convex step but the first starts from the factor and the active rows of the one before.
  FixedPointReport<Scalar> Solve(const Problem& problem, const FixedPointOptions<Scalar>& options) {
    report_ = {};
    gamma_ = {};
    lambda_ = {};
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (problem.contacts[i].epsilon != Scalar(0)) return {.outcome = FixedPointOutcome::kRefused};
    }
    Scalar scale = Sqrt(problem.k.squaredNorm());
    if (!(scale > Scalar(0))) scale = Scalar(1);
    report_.outcome = FixedPointOutcome::kIterationLimit;
    Scalar before_last(0), least = std::numeric_limits<Scalar>::max();
    int stalled = 0;
    while (report_.iterations < options.max_iterations) {
      for (int i = 0; i < problem.contacts.size(); ++i) gamma_[i] = problem.contacts[i].mu * lambda_[i];
      if (!RunStep(problem, options.max_step_iterations)) {
        report_.outcome = FixedPointOutcome::kNoStep;
        return report_;
      }
      const Scalar last = report_.change;
      report_.change = UpdateLambda(problem) / scale;
      if (before_last > Scalar(0)) report_.rate = Sqrt(report_.change / before_last);
      before_last = last;
      if (report_.change <= options.tolerance) {
        report_.outcome = Holds(problem, options.tolerance) ? FixedPointOutcome::kConverged : FixedPointOutcome::kNoStep;
        return report_;
      }
      stalled = report_.change < kHalf * least ? 0 : stalled + 1;
      if (stalled == 0) least = report_.change;
      if (stalled == kPatience) {
        report_.outcome = FixedPointOutcome::kNotContracting;
        return report_;
      }
    }
    return report_;
  }

  const typename Problem::Velocity& velocity() const { return step_.velocity(); }
  void GetImpulses(const Problem& problem, WhitenedImpulses<Scalar, kCapacity>* impulses) const {
    step_.GetImpulses(problem, impulses);
  }
  /// Γ of the convex step that the velocity and the impulses are from.
  const Gamma& gamma() const { return gamma_; }

 private:
  static constexpr Scalar kHalf = Scalar(0.5);
  static constexpr int kPatience = 30;  // iterations without halving the change: a rate above 0.977

  bool RunStep(const Problem& problem, int max_iterations) {
    const bool done = report_.iterations++ == 0 ? step_.Solve(problem, gamma_, max_iterations)
                                                : step_.SolveAgain(problem, gamma_, max_iterations);
    report_.step_iterations += step_.iterations();
    return done;
  }

  // Nearly dependent active rows can make far more of TOL.
  bool Holds(const Problem& problem, Scalar tolerance) {
    step_.GetImpulses(problem, &impulses_);
    return ComplementarityResidual(problem, impulses_) <= Max(kHalf * Tolerances<Scalar>::kAccept, tolerance);
  }

  // Λ := Λ(v), (17) with the sign it needs. @returns the largest change.
  Scalar UpdateLambda(const Problem& problem) {
    Scalar change(0);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      if (contact.mu == Scalar(0)) continue;
      const typename Problem::Tangential slip = Problem::TangentDot(contact, step_.velocity()) + contact.tau;
      const Scalar lambda = problem.Lambda(slip);
      change = Max(change, Abs(lambda - lambda_[i]));
      lambda_[i] = lambda;
    }
    return change;
  }

  Step step_;
  Gamma gamma_, lambda_;
  WhitenedImpulses<Scalar, kCapacity> impulses_;
  FixedPointReport<Scalar> report_;
};

}  // namespace tactus
