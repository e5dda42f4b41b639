#pragma once
#include <limits>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::internal {

// A certificate (docs/theory, section 3): θ, φ ≥ 0 with N θ + D φ = 0, Eᵀφ ≤ μθ and bᵀθ + τᵀφ < 0. The contacts squeeze
// each other.

/// Whether a ray is a certificate beyond rounding.
///
/// Rounding leaves N θ + D φ = r, on which a velocity u does the work r·u. The certificate must outweigh that work for every
/// motion up to kMotions times the motion there is. A compliant contact yields: the impulses s (θ, φ) with
/// s = -(bᵀθ + τᵀφ)/Σ ε_i θ_i² end the squeeze. It counts as rigid where such impulses exceed what an answer can be verified
/// with.
template <class Problem>
bool IsCertificate(const Problem& problem, const typename Problem::Impulses& ray) {
  using Scalar = typename Problem::Scalar;
  constexpr Scalar kTolerance = Tolerances<Scalar>::kAccept;  // a certificate is verified as an answer is
  // A solution has |u| ≤ |k| where no gap is violated; ten times that leaves room to push out.
  constexpr Scalar kMotions(10);
  constexpr Scalar kImpulses = Tolerances<Scalar>::kAcceptMotion / std::numeric_limits<Scalar>::epsilon();  // of the motion
  Scalar size(0), work(0), cone_excess(0), softness(0), speed(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Scalar theta = ray.theta[i];
    Scalar phi_sum(0);
    size = Max(size, theta);
    work += contact.b * theta;
    softness += contact.epsilon * theta * theta;
    speed = Max(speed, Abs(contact.b));
    for (int j = 0; j < problem.directions; ++j) {
      const Scalar phi = ray.phi[i][j];
      size = Max(size, phi);
      phi_sum += phi;
      work += problem.DirectionTau(contact, j) * phi;
      speed = Max(speed, Abs(problem.DirectionTau(contact, j)));
    }
    cone_excess = Max(cone_excess, phi_sum - contact.mu * theta);
  }
  typename Problem::Velocity net = problem.ContactImpulse(ray);
  problem.Project(&net);
  const Scalar error = Max(Sqrt(net.squaredNorm()), cone_excess);
  const Scalar motion = Sqrt(problem.k.squaredNorm()) + speed;
  return size > Scalar(0) && error <= kTolerance * size && kImpulses * motion * softness <= -work * size &&
         work < -Max(kTolerance * speed * size, kMotions * error * motion);
}

/// Whether the certificate has no friction. Then it is a proof: no velocity has Nᵀu + b ≥ 0.
template <class Problem>
bool IsFrictionless(const Problem& problem, const typename Problem::Impulses& certificate) {
  using Scalar = typename Problem::Scalar;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    for (int j = 0; j < problem.directions; ++j) {
      if (certificate.phi[i][j] > Scalar(0)) return false;
    }
  }
  return true;
}

/// Whether an answer refutes a certificate with friction. A solution may escape the squeeze by slipping; its ν, σ ≥ 0 and
/// the certificate's θ, φ then give
///
///     θ·ν + φ·σ = bᵀθ + τᵀφ + λ·Eᵀφ ≥ 0
///
/// An answer that only hides the squeeze below the tolerance of its residual has λ·Eᵀφ = 0.
/// @param[in] u  velocity of the answer
template <class Problem>
bool RefutesCertificate(const Problem& problem, const typename Problem::Impulses& certificate,
                        const typename Problem::Velocity& u) {
  using Scalar = typename Problem::Scalar;
  Scalar work(0), escape(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    work += contact.b * certificate.theta[i];
    const typename Problem::Tangential slip = Problem::TangentDot(contact, u) + contact.tau;
    Scalar phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      const Scalar phi = certificate.phi[i][j];
      phi_sum += phi;
      work += problem.DirectionTau(contact, j) * phi;
    }
    escape += problem.Lambda(slip) * phi_sum;
  }
  constexpr Scalar kShare(0.5);  // halfway between a hidden squeeze, 0, and a solution, 1
  return escape >= -kShare * work;
}

}  // namespace tactus::internal
