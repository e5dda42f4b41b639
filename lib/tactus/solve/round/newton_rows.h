#pragma once
#include <cstdint>

#include "tactus/core/scalar.h"
#include "tactus/solve/round/round_judge.h"

namespace tactus {

/// Which piece of (R1) a contact is on.
enum class RoundPiece : std::uint8_t {
  kOpen,    ///< θ⁺ = 0, f⁺ = 0
  kNormal,  ///< ν⁺ = 0 alone: no friction
  kTouch,   ///< ν⁺ = 0, f⁺ = μ θ⁺ e: no load yet; what comes opposes the slip
  kStick,   ///< ν⁺ = 0, s⁺ = 0
  kSlide,   ///< ν⁺ = 0, f⁺ = μ θ⁺ e + g t, t·s⁺ + c g = 0
};

/// A contact's piece with what the sliding one needs: e = y/|y|, t = e turned by 90°, c = (|y| - μθ)/(ρ μθ), y = f - ρ s.
template <class Problem>
struct RoundMode {
  RoundPiece piece = RoundPiece::kOpen;
  typename Problem::Tangential e;
  typename Problem::Scalar c;

  /// Whether friction grows with the load, along e.
  bool LoadsAlong() const { return piece == RoundPiece::kTouch || piece == RoundPiece::kSlide; }
  typename Problem::Tangential t() const { return {-e(1), e(0)}; }
};

/// The piece of contact i at the impulses that `judge` has measured (R2).
/// @param rho  ρ > 0. All give the same law. Large: the direction of the slip counts; 1: that of the force as well
template <class Problem>
RoundMode<Problem> ModeOf(const Problem& problem, int i, const RoundImpulses<Problem>& impulses,
                          const RoundJudge<Problem>& judge, typename Problem::Scalar rho) {
  using Scalar = typename Problem::Scalar;
  using Tangential = typename Problem::Tangential;
  const auto& contact = problem.contacts[i];
  const Scalar theta = impulses.theta[static_cast<std::size_t>(i)], nu = judge.nu(i);
  RoundMode<Problem> mode;
  if (!(theta > Scalar(0))) {
    const Scalar open = -RoundTolerances<Scalar>::kOpen * judge.scales().Motion(contact);
    if (!(nu < Min(theta, open))) return mode;
    mode.piece = RoundPiece::kNormal;
    if (contact.mu == Scalar(0)) return mode;
    const Tangential slip = Problem::TangentDot(contact, judge.velocity()) + contact.tau;
    const Scalar speed = Sqrt(Scalar(slip.squaredNorm()));
    if (!(speed > Scalar(0))) return mode;
    mode.piece = RoundPiece::kTouch;
    mode.e = slip / -speed;
    return mode;
  }
  if (theta <= nu) return mode;
  if (contact.mu == Scalar(0)) {
    mode.piece = RoundPiece::kNormal;
    return mode;
  }
  const Scalar limit = contact.mu * theta;
  const Tangential y = impulses.f[static_cast<std::size_t>(i)] - rho * judge.slip(i);
  const Scalar y_squared = y.squaredNorm();
  if (!(y_squared > limit * limit)) {
    mode.piece = RoundPiece::kStick;
    return mode;
  }
  const Scalar length = Sqrt(y_squared);
  mode.piece = RoundPiece::kSlide;
  mode.e = y / length;
  mode.c = (length - limit) / (rho * limit);
  return mode;
}

}  // namespace tactus
