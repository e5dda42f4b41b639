#pragma once
#include <array>

#include "tactus/contact/whitened_problem.h"

namespace tactus {

/// The relation between forces and accelerations at the contacts, [Baraff94] (1) and (18):
///
///     a = A f + b,    A symmetric, positive semidefinite, often far from full rank
///
/// The first `bilateral` rows are constraints with a = 0 and f of either sign.
template <class Scalar, int kSize>
struct DantzigSystem {
  int size = 0;       ///< n ≤ kSize
  int bilateral = 0;  ///< ≤ n
  std::array<std::array<Scalar, kSize>, kSize> A;
  std::array<Scalar, kSize> b;
};

/// Forms A = JᵀPJ + ε and b = Jᵀk + (b, τ) from the columns of the contacts: their normals alone (1 component), eq. (1), or
/// (a_N1, a_F1, …, a_Nn, a_Fn) with the tangents (1 + kTangent components), eq. (18). Velocities stand for accelerations and
/// impulses for forces: k = G⁻¹f for a step of h = 1 from rest.
template <int kComponents, class Scalar, Capacity kCapacity, int kSize>
void FormSystem(const WhitenedProblem<Scalar, kCapacity>& problem, DantzigSystem<Scalar, kSize>* system) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  static_assert(kSize >= kComponents * kCapacity.contacts);
  static_assert(kComponents == 1 || kComponents == 1 + Problem::kTangent);
  const auto column = [](const typename Problem::ContactColumns& contact, int component) -> typename Problem::Column {
    if (component == 0) return contact.N;
    return contact.T.col(component - 1);
  };
  system->size = kComponents * problem.contacts.size();
  system->bilateral = 0;
  for (int i = 0; i < system->size; ++i) {
    const auto& contact = problem.contacts[i / kComponents];
    const int component = i % kComponents;
    typename Problem::Velocity J_i = Problem::Velocity::Zero();
    Problem::AddTo(contact, column(contact, component), Scalar(1), &J_i);
    problem.Project(&J_i);
    for (int j = 0; j <= i; ++j) {
      const auto& other = problem.contacts[j / kComponents];
      system->A[i][j] = system->A[j][i] = Problem::Dot(other, column(other, j % kComponents), J_i);
    }
    system->b[i] = J_i.dot(problem.k) + (component == 0 ? contact.b : contact.tau(component > 0 ? component - 1 : 0));
    if (component == 0) system->A[i][i] += contact.epsilon;
  }
}

}  // namespace tactus
