#pragma once
#include "tactus/solve/internal/dual_active_set.h"

namespace tactus {

/// The velocity nearest to k that does not penetrate:
///
///     min ½|u - k|²   subject to   N_iᵀu ≥ -max(b_i, 0)
///
/// the frictionless problem (docs/theory.md, section 10). It is the last resort of the ladder (section 11): u = 0 is
/// feasible, so |u|² ≤ k·u ≤ |k|², whatever k was.
template <class Scalar, Capacity kCapacity>
class NearestVelocity {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  /// @param[in]     problem  its contacts' N and b; k and friction are not read
  /// @param[in,out] u        in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations were not enough, or rounding won.
  bool Solve(const Problem& problem, int max_iterations, Velocity* u) {
    return active_.Solve(Rows{problem, *u}, max_iterations, u);
  }

  /// Adds θ of the last answer to the impulses.
  template <class Impulses>
  void AddImpulses(Impulses* impulses) const {
    for (int a = 0; a < active_.size(); ++a) {
      impulses->theta[static_cast<std::size_t>(active_.row(a).contact)] += active_.multiplier(a);
    }
  }

 private:
  struct Rows {
    const Problem& problem;
    const Velocity start;

    const Velocity& Start() const { return start; }
    Scalar Scale() const { return Sqrt(start.squaredNorm()); }
    Scalar Offset(const internal::ConeRow& row) const { return Max(problem.contacts[row.contact].b, Scalar(0)); }
    const typename Problem::Row& Column(const internal::ConeRow& row) const { return problem.contacts[row.contact].N; }
    internal::Violation<Scalar> MostViolated(const Velocity& u, Scalar tolerance) const {
      internal::Violation<Scalar> worst{{}, -tolerance};
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const auto& contact = problem.contacts[i];
        const Scalar slack = Problem::Dot(contact, contact.N, u) + Max(contact.b, Scalar(0));
        if (slack < worst.slack) worst = {{i, -1}, slack};
      }
      return worst;
    }
  };

  internal::DualActiveSet<Problem> active_;
};

}  // namespace tactus
