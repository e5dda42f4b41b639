#pragma once
#include <array>

#include "tactus/contact/impulses.h"
#include "tactus/contact/whitened_problem.h"

namespace tactus {

/// Impulses of the whitened contacts on the round cone: θ_i along the normal, f_i along the tangents X_i, Y_i, |f_i| ≤ μ_i
/// θ_i.
template <class Problem>
struct RoundImpulses {
  using Scalar = typename Problem::Scalar;
  using Tangential = typename Problem::Tangential;
  using Polygon = WhitenedImpulses<Scalar, Problem::kCapacity>;
  static constexpr std::size_t kContacts = static_cast<std::size_t>(Problem::kCapacity.contacts);

  std::array<Scalar, kContacts> theta;
  std::array<Tangential, kContacts> f;

  bool IsLoaded(int contact) const {
    const std::size_t I = static_cast<std::size_t>(contact);
    return theta[I] != Scalar(0) || f[I] != Tangential::Zero();
  }

  /// Of the first `contacts` those whose impulse is not zero.
  int Loaded(int contacts) const {
    int loaded = 0;
    for (int i = 0; i < contacts; ++i) loaded += IsLoaded(i) ? 1 : 0;
    return loaded;
  }

  /// f_i = Σ_j φ_ij (cos a_j, sin a_j)
  void TakePolygon(const Problem& problem, const Polygon& impulses) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const std::size_t I = static_cast<std::size_t>(i);
      theta[I] = impulses.theta[I];
      f[I].setZero();
      if (!impulses.IsLoaded(i, problem.directions)) continue;
      for (std::size_t j = 0; j < static_cast<std::size_t>(problem.directions); ++j) {
        f[I] += impulses.phi[I][j] * problem.direction[j];
      }
    }
  }

  /// φ_ij of the two directions next to f_i. Their sum is at most |f_i|/cos(π/d).
  void GivePolygon(const Problem& problem, Polygon* impulses) const {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const std::size_t I = static_cast<std::size_t>(i);
      impulses->theta[I] = theta[I];
      problem.Split(f[I], &impulses->phi[I]);
    }
  }

  /// u = k + P (N θ + X f_x + Y f_y)
  typename Problem::Velocity VelocityFor(const Problem& problem) const {
    typename Problem::Velocity u = Problem::Velocity::Zero();
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (!IsLoaded(i)) continue;
      const std::size_t I = static_cast<std::size_t>(i);
      const auto& contact = problem.contacts[i];
      const typename Problem::Column column = theta[I] * contact.N + Problem::TangentColumn(contact, f[I]);
      Problem::AddTo(contact, column, Scalar(1), &u);
    }
    problem.Project(&u);
    u += problem.k;
    return u;
  }
};

}  // namespace tactus
