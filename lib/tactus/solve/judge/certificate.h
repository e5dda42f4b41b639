#pragma once
#include <limits>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::internal {

// docs/theory.md, section 3: θ, φ ≥ 0 with N θ + D φ = 0, Eᵀφ ≤ μθ and bᵀθ + τᵀφ < 0 tell that the contacts squeeze.

/// Whether a ray is such a certificate. With rounding N θ + D φ = r, and a velocity u does the work r·u on it: the
/// certificate must outweigh that for every motion up to kMotions times what there is. A compliant contact yields, and
/// s (θ, φ) with s = -(bᵀθ + τᵀφ)/Σ ε_i θ_i² would end the squeeze: it is rigid where such impulses are beyond what an
/// answer can be verified with.
template <class Scalar, Capacity kCapacity>
bool IsCertificate(const WhitenedProblem<Scalar, kCapacity>& problem, const WhitenedImpulses<Scalar, kCapacity>& ray) {
  constexpr Scalar kTolerance = Tolerances<Scalar>::kAccept, kMotions(10);
  constexpr Scalar kImpulses = Tolerances<Scalar>::kAcceptMotion / std::numeric_limits<Scalar>::epsilon();  // of the motion
  Scalar size(0), work(0), cone_excess(0), softness(0), speed(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const std::size_t I = static_cast<std::size_t>(i);
    const Scalar theta = ray.theta[I];
    Scalar phi_sum(0);
    size = Max(size, theta);
    work += contact.b * theta;
    softness += contact.epsilon * theta * theta;
    speed = Max(speed, Abs(contact.b));
    for (int j = 0; j < problem.directions; ++j) {
      const Scalar phi = ray.phi[I][static_cast<std::size_t>(j)];
      size = Max(size, phi);
      phi_sum += phi;
      work += problem.DirectionTau(contact, j) * phi;
      speed = Max(speed, Abs(problem.DirectionTau(contact, j)));
    }
    cone_excess = Max(cone_excess, phi_sum - contact.mu * theta);
  }
  typename WhitenedProblem<Scalar, kCapacity>::Velocity net = problem.ContactImpulse(ray);
  problem.Project(&net);
  const Scalar error = Max(Sqrt(net.squaredNorm()), cone_excess);
  const Scalar motion = Sqrt(problem.k.squaredNorm()) + speed;
  return size > Scalar(0) && error <= kTolerance * size && kImpulses * motion * softness <= -work * size &&
         work < -Max(kTolerance * speed * size, kMotions * error * motion);
}

/// Without friction a certificate is a proof: no velocity at all has Nᵀu + b ≥ 0.
template <class Scalar, Capacity kCapacity>
bool IsFrictionless(const WhitenedProblem<Scalar, kCapacity>& problem,
                    const WhitenedImpulses<Scalar, kCapacity>& certificate) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    for (int j = 0; j < problem.directions; ++j) {
      if (certificate.phi[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] > Scalar(0)) return false;
    }
  }
  return true;
}

/// With friction a solution may escape the squeeze by slipping. Then its ν, σ ≥ 0 give
///
///     θ·ν + φ·σ = bᵀθ + τᵀφ + λ·Eᵀφ ≥ 0,
///
/// θ and φ the certificate's. An answer that hides the squeeze below the tolerance of its residual has the first two terms
/// alone.
/// @param[in] u  velocity of the answer
template <class Scalar, Capacity kCapacity>
bool RefutesCertificate(const WhitenedProblem<Scalar, kCapacity>& problem,
                        const WhitenedImpulses<Scalar, kCapacity>& certificate,
                        const typename WhitenedProblem<Scalar, kCapacity>::Velocity& u) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  Scalar work(0), escape(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const std::size_t I = static_cast<std::size_t>(i);
    work += contact.b * certificate.theta[I];
    const typename Problem::Tangential slip = Problem::TangentDot(contact, u) + contact.tau;
    Scalar lambda(0), phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      const Scalar phi = certificate.phi[I][static_cast<std::size_t>(j)];
      lambda = Max(lambda, -slip.dot(problem.direction[static_cast<std::size_t>(j)]));
      phi_sum += phi;
      work += problem.DirectionTau(contact, j) * phi;
    }
    escape += lambda * phi_sum;
  }
  constexpr Scalar kShare(0.5);  // between none, of a hidden squeeze, and all, of a solution
  return escape >= -kShare * work;
}

}  // namespace tactus::internal
