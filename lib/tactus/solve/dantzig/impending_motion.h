#pragma once
#include <cstdint>

#include "tactus/solve/convex/nearest_velocity.h"
#include "tactus/solve/dantzig/dantzig.h"

namespace tactus {

enum class MotionOutcome : std::uint8_t {
  kFound,
  kRefused,  ///< friction, compliance, a violated gap; for the steepest descent any gap or moving surface: b ≠ 0
  kFailed,   ///< not solved within max_iterations, or rounding won
};

/// Accelerations, whitened: a = Gᵀ × (the bodies' accelerations), k = G⁻¹ Q_g, J = Nᵀ. Its norm is ‖·‖_M.
template <class Scalar, Capacity kCapacity>
struct Motion {
  using Velocity = typename WhitenedProblem<Scalar, kCapacity>::Velocity;
  MotionOutcome outcome = MotionOutcome::kFailed;
  Velocity acceleration = Velocity::Zero();   ///< the steepest descent gives its direction p instead, |p| = 1, or 0 at rest
  WhitenedImpulses<Scalar, kCapacity> force;  ///< λ ≥ 0 that goes with it
};

/// Where frictionless bodies at rest begin to move, in the three formulations of Baraff and Mattikalli
/// ([BaraffMattikalli93]; docs/theory, section 10). They agree: a is unique, and p = a/|a|.
///
/// The object is the workspace.
template <class Scalar, Capacity kCapacity>
class ImpendingMotion {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;
  using Result = Motion<Scalar, kCapacity>;

  /// Contact forces, section 3, by Dantzig's algorithm:
  ///
  ///     a = k + Jᵀλ,    λ ≥ 0,  J a ≥ 0,  λᵀ(J a) = 0                                            (16), (19), (20)
  Result ByContactForces(const Problem& problem, int max_iterations) {
    Result result;
    result.outcome = Check(problem);
    if (result.outcome == MotionOutcome::kRefused) return result;
    if (dantzig_.Solve(problem, max_iterations).outcome != DantzigOutcome::kSolved) return Ended(MotionOutcome::kFailed);
    dantzig_.GetImpulses(problem, &result.force);
    result.acceleration = problem.VelocityFor(result.force);
    return result;
  }

  /// Gauss' principle of least constraint, section 4, by the dual active-set method:
  ///
  ///     min Z = ½|a - k|² + const    subject to    J a ≥ 0                                             (38), (39)
  Result ByLeastConstraint(const Problem& problem, int max_iterations) {
    Result result;
    result.outcome = Check(problem);
    if (result.outcome == MotionOutcome::kRefused) return result;
    result.acceleration = problem.k;
    if (!nearest_.Solve(problem, max_iterations, &result.acceleration)) return Ended(MotionOutcome::kFailed);
    nearest_.AddImpulses(&result.force);
    return result;
  }

  /// Steepest descent, section 5, with the ball instead of the sphere, so that it is defined at rest too:
  ///
  ///     max k·p = -∇U·p    subject to    J p ≥ 0,  |p| ≤ 1                                                  (52)
  ///
  /// For every p allowed and every λ ≥ 0, k·p ≤ (k + Jᵀλ)·p ≤ |k + Jᵀλ|: the dual of (52) is the least of these bounds,
  /// which is (39) read for λ. p = (k + Jᵀλ)/|k + Jᵀλ| reaches it, (54), (57); DescentGap() measures that it does.
  Result BySteepestDescent(const Problem& problem, int max_iterations) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (problem.contacts[i].b != Scalar(0)) return Ended(MotionOutcome::kRefused);
    }
    Result result = ByLeastConstraint(problem, max_iterations);
    const Scalar length = Sqrt(result.acceleration.squaredNorm());
    const bool moves = length > kRest * ScaleOf(problem, result);
    result.acceleration = moves ? Velocity(result.acceleration / length) : Velocity(Velocity::Zero());
    return result;
  }

  /// Whether the gap is violated, or a surface or a joint's speed presses the bodies together, by more than rounding.
  static bool Presses(const Problem& problem, const typename Problem::ContactColumns& contact) {
    return !(contact.b >= -kRest * Sqrt(problem.k.squaredNorm()));
  }

 private:
  // Of max(|k|, λ): less is the rounding of a force that holds the bodies. The square root of what the active set leaves,
  // since an error δ of λ moves |k + Jᵀλ| at rest by δ itself.
  static constexpr Scalar kRest = sizeof(Scalar) == 8 ? Scalar(1e-11) : Scalar(1e-4);

  static Scalar ScaleOf(const Problem& problem, const Result& result) {
    Scalar scale = Sqrt(problem.k.squaredNorm());
    for (const Scalar lambda : result.force.theta) scale = Max(scale, lambda);
    return scale;
  }
  static MotionOutcome Check(const Problem& problem) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const bool allowed = contact.mu == Scalar(0) && contact.epsilon == Scalar(0) && !Presses(problem, contact);
      if (!allowed) return MotionOutcome::kRefused;
    }
    return MotionOutcome::kFound;
  }
  static Result Ended(MotionOutcome outcome) {
    Result result;
    result.outcome = outcome;
    return result;
  }

  DantzigContacts<Scalar, kCapacity> dantzig_;
  NearestVelocity<Scalar, kCapacity> nearest_;
};

/// The duality gap of (52), ≥ 0 up to rounding, of |k|: |k + Jᵀλ| - k·p. Zero proves that no direction allowed descends
/// faster, whatever found p.
template <class Scalar, Capacity kCapacity>
Scalar DescentGap(const WhitenedProblem<Scalar, kCapacity>& problem, const Motion<Scalar, kCapacity>& descent) {
  const Scalar bound = Sqrt(problem.VelocityFor(descent.force).squaredNorm()), scale = Sqrt(problem.k.squaredNorm());
  const Scalar gap = bound - problem.k.dot(descent.acceleration);
  return scale > Scalar(0) ? gap / scale : gap;
}

}  // namespace tactus
