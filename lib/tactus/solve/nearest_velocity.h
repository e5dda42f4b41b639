#pragma once
#include <array>
#include <cstdint>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// The velocity nearest to k that does not penetrate:
///
///     min ½|u - k|²   subject to   N_iᵀu ≥ -max(b_i, 0)
///
/// the frictionless problem, by the dual active-set method of [GoldfarbIdnani83] for a unit Hessian. It is the last resort
/// of the ladder (docs/theory.md, section 11): u = 0 is feasible, so |u|² ≤ k·u ≤ |k|², whatever k was.
template <class Scalar, Capacity kCapacity>
class NearestVelocity {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  /// @param[in]     problem  its contacts' N and b; k and friction are not read
  /// @param[in,out] u        in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations were not enough, or rounding won.
  bool Solve(const Problem& problem, int max_iterations, Velocity* u);

  /// Adds θ of the last answer to the impulses.
  template <class Impulses>
  void AddImpulses(Impulses* impulses) const {
    for (int a = 0; a < count_; ++a) {
      const std::size_t A = static_cast<std::size_t>(a);
      impulses->theta[static_cast<std::size_t>(active_[A])] += Max(theta_[A], Scalar(0));
    }
  }

 private:
  static constexpr int kMaxActive = Problem::kVelocity < kCapacity.contacts ? Problem::kVelocity : kCapacity.contacts;
  using Active = std::array<Scalar, kMaxActive>;

  static Scalar Slack(const Problem& problem, int i, const Velocity& u) {
    const auto& contact = problem.contacts[i];
    return Problem::Dot(contact, contact.N, u) + Max(contact.b, Scalar(0));
  }
  int MostViolated(const Problem& problem, const Velocity& u, Scalar tolerance) const;
  bool Add(const Problem& problem, int i, int* iterations_left, Velocity* u);
  void Resolve(const Velocity& column, Active* r, Velocity* z) const;
  void Drop(int position);

  std::array<int, kMaxActive> active_;
  std::array<Velocity, kMaxActive> Q_;  // orthonormal; N_active = Q R
  std::array<Active, kMaxActive> R_;    // R_[column][row]
  Active theta_;
  int count_ = 0;
};

}  // namespace tactus

#include "tactus/solve/internal/nearest_velocity_impl.h"
