#pragma once
#include <array>
#include <limits>

#include "tactus/core/scalar.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/round/round_impulses.h"
#include "tactus/solve/round/round_scales.h"
#include "tactus/solve/round/round_tolerances.h"

namespace tactus {

/// y, shortened to length r ≥ 0.
template <class Tangential, class Scalar>
Tangential ProjectToDisk(const Tangential& y, Scalar r) {
  const Scalar squared = y.squaredNorm();
  if (!(squared > r * r)) return y;
  return y * (r / Sqrt(squared));
}

/// Measures impulses against Coulomb's law on the round cone, from the impulses alone, whatever way they were found:
///
///     u = k + P (N θ + T f),  ν = Nᵀu + b + ε θ,  s = Tᵀu + τ
///     r = max over i of |min(ν_i, θ_i)| and |f_i - P(f_i - s_i; μ_i θ_i)|, each divided by motion_i               (R1)
///
/// f = P(f - s; μθ) says |f| ≤ μθ, and f = -μθ s/|s| wherever s ≠ 0.
template <class Problem>
class RoundJudge {
 public:
  using Scalar = typename Problem::Scalar;
  using Tangential = typename Problem::Tangential;
  using Impulses = RoundImpulses<Problem>;

  /// Velocities, residual and direction error of `impulses`. One pass over the contacts.
  void Measure(const Problem& problem, const Impulses& impulses) {
    u_ = impulses.VelocityFor(problem);
    scales_.Measure(problem, impulses);
    residual_ = direction_ = Scalar(0);
    const Scalar u_squared = u_.squaredNorm();
    internal::Worsen(u_squared - u_squared, &residual_);  // 0, or NaN where u is not finite
    for (int i = 0; i < problem.contacts.size(); ++i)
      MeasureContact(problem.contacts[i], static_cast<std::size_t>(i), impulses);
  }

  const typename Problem::Velocity& velocity() const { return u_; }
  Scalar nu(int contact) const { return nu_[static_cast<std::size_t>(contact)]; }
  /// Of loaded contacts only.
  const Tangential& slip(int contact) const { return slip_[static_cast<std::size_t>(contact)]; }
  const RoundScales<Problem>& scales() const { return scales_; }

  /// Dimensionless; NaN if any input is.
  Scalar residual() const { return residual_; }
  /// Largest |f - P(f - s)| as a share of the friction beside it; where that is rounding, 0.
  Scalar direction_error() const { return direction_; }

  /// Whether the impulses measured last are round friction: residual and direction within tolerance, no penetration, no
  /// force that pulls, no energy beyond what b and τ give.
  bool IsRound(const Problem& problem, const Impulses& impulses) const {
    return residual_ <= Tolerance::kResidual && direction_ <= Tolerance::kDirection && IsSafe(problem, impulses);
  }

  /// |u|² ≤ k·u - b·θ - τ·f, ν ≥ 0, θ ≥ 0, θ ν = 0, f·s ≤ 0 and |f| ≤ μθ, up to rounding: docs/theory/round.md, "Energy".
  bool IsSafe(const Problem& problem, const Impulses& impulses) const {
    Scalar given(0), motion = Sqrt(Scalar(problem.k.squaredNorm())), most(0);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const std::size_t I = static_cast<std::size_t>(i);
      const Scalar theta = impulses.theta[I], scale = motion_[I];
      if (!(Min(nu_[I], theta) >= -Tolerance::kGap * scale)) return false;
      motion = Max(motion, Abs(contact.b));
      if (!impulses.IsLoaded(i)) continue;
      if (!(theta * nu_[I] <= Tolerance::kGap * scale * scale)) return false;
      if (!(impulses.f[I].dot(slip_[I]) <= Tolerance::kPower * scale * scale)) return false;
      given -= contact.b * theta + contact.tau.dot(impulses.f[I]);
      motion = Max(motion, Sqrt(Scalar(contact.tau.squaredNorm())));
      most = Max(most, theta);
    }
    if (!(residual_ * most <= Tolerance::kMotion * motion)) return false;  // hides behind impulses that exceed the motion
    const Scalar tolerance = Tolerance::kEnergy * (problem.k.squaredNorm() + Abs(given));
    return u_.squaredNorm() <= problem.k.dot(u_) + given + tolerance;
  }

 private:
  using Tolerance = RoundTolerances<Scalar>;
  static constexpr std::size_t kContacts = Impulses::kContacts;

  void MeasureContact(const typename Problem::ContactColumns& contact, std::size_t I, const Impulses& impulses) {
    const Scalar theta = impulses.theta[I], scale = scales_.Motion(contact);
    motion_[I] = scale;
    nu_[I] = Problem::Dot(contact, contact.N, u_) + contact.b + contact.epsilon * theta;
    internal::Worsen(Min(nu_[I], theta) / scale, &residual_);
    if (theta == Scalar(0) && impulses.f[I] == Tangential::Zero()) return;
    if (contact.mu == Scalar(0)) {  // s has no say, f must be zero
      slip_[I].setZero();
      internal::Worsen(Sqrt(Scalar(impulses.f[I].squaredNorm())) / scale, &residual_);
      return;
    }
    slip_[I] = Problem::TangentDot(contact, u_) + contact.tau;
    const Tangential nearest = ProjectToDisk(Tangential(impulses.f[I] - slip_[I]), Max(contact.mu * theta, Scalar(0)));
    const Scalar error = Sqrt(Scalar((impulses.f[I] - nearest).squaredNorm()));
    internal::Worsen(error / scale, &residual_);
    constexpr Scalar kRounding = Scalar(64) * std::numeric_limits<Scalar>::epsilon();
    if (!(error > kRounding * scales_.largest())) return;
    const Scalar friction = scales_.Friction(contact);
    internal::Worsen(friction > Scalar(0) ? error / friction : Scalar(1), &direction_);
  }

  typename Problem::Velocity u_;
  RoundScales<Problem> scales_;
  std::array<Scalar, kContacts> nu_, motion_;
  std::array<Tangential, kContacts> slip_;
  Scalar residual_ = Scalar(0), direction_ = Scalar(0);
};

}  // namespace tactus
