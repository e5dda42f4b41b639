#pragma once
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/contact_relaxation.h"

namespace tactus {

/// Gauss-Seidel sweeps over the contacts, from an answer that is right beside the largest impulse to one that is right
/// beside each contact's own motion ([Jean99] contact by contact, with the polygon):
///
///     θ_i := max(0, θ_i - ν_i / (1 + ε_i))                                                    |P N_i| = 1
///     f_i := the point of the polygon {Σ φ_j d_j : φ ≥ 0, Σφ ≤ μ_i θ_i} nearest to f_i - ω (T_iᵀu + τ_i)
///
/// A fixed point solves (3)-(5). The velocity is carried, u += N_i Δθ + T_i Δf, and never computed from the impulses: beside
/// a light body between heavy ones their rounding is large, 1e-7 of a heavy weight is 1e-3 of a light one.
template <class Problem>
class CarriedSweeps {
 public:
  using Scalar = typename Problem::Scalar;
  using Impulses = typename Problem::Impulses;
  using Velocity = typename Problem::Velocity;

  /// @param[in,out] impulses  of the problem's contacts
  /// @param[in,out] u         the velocity that goes with them
  static void Run(const Problem& problem, int sweeps, Impulses* impulses, Velocity* u) {
    internal::SweepThereAndBack(problem.contacts.size(), sweeps, [&](int i) {
      const auto& contact = problem.contacts[i];
      (void)internal::RelaxNormal(problem, contact, &impulses->theta[i], u);
      if (contact.mu > Scalar(0)) RelaxFriction(problem, i, impulses, u);
    });
  }

 private:
  using Tangential = typename Problem::Tangential;
  static constexpr int kTangent = Problem::kTangent;
  static constexpr Scalar kStep = Scalar(internal::kFrictionStep);

  static void RelaxFriction(const Problem& problem, int i, Impulses* impulses, Velocity* u) {
    const auto& contact = problem.contacts[i];
    auto& phi = impulses->phi[i];
    Tangential f = Tangential::Zero();
    for (int j = 0; j < problem.directions; ++j) f += phi[j] * problem.direction[j];
    const Tangential slip = Problem::TangentDot(contact, *u) + contact.tau;
    Tangential next = f - kStep * slip, change = -kStep * slip;
    if (TakeIntoPolygon(problem, contact.mu * impulses->theta[i], &next)) change = next - f;
    problem.Split(next, &phi);
    internal::AddProjected(problem, contact, Problem::TangentColumn(contact, change), u);
  }

  // @returns whether it was outside
  static bool TakeIntoPolygon(const Problem& problem, Scalar radius, Tangential* f) {
    if constexpr (kTangent == 1) {
      const Scalar inside = Clamp((*f)(0), -radius, radius);
      if (inside == (*f)(0)) return false;
      (*f)(0) = inside;
      return true;
    } else {
      bool outside = false;
      Tangential nearest = *f;
      Scalar least(0);
      for (int j = 0; j < problem.directions; ++j) {
        const Tangential& a = problem.direction[j];
        const Tangential& b = problem.direction[j + 1 < problem.directions ? j + 1 : 0];
        const Tangential edge = b - a, from = *f - radius * a;
        if (edge(0) * from(1) - edge(1) * from(0) >= Scalar(0)) continue;  // to the left of an edge is inside
        const Scalar along = Clamp(from.dot(edge), Scalar(0), radius * edge.squaredNorm());
        const Tangential point = radius * a + (along / edge.squaredNorm()) * edge, away = *f - point;
        if (outside && away.squaredNorm() >= least) continue;
        outside = true;
        least = away.squaredNorm();
        nearest = point;
      }
      *f = nearest;
      return outside;
    }
  }
};

}  // namespace tactus
