#pragma once
#include <cstdint>

#include "tactus/solve/convex/dual_active_set.h"
#include "tactus/solve/judge/certificate.h"

namespace tactus {

/// The velocity nearest to k that does not penetrate:
///
///     min ½|u - k|²   subject to   N_iᵀu ≥ -max(b_i, 0)
///
/// the frictionless problem (docs/theory, section 10). It is the last resort of the ladder (section 11): u = 0 is
/// feasible, so |u|² ≤ k·u ≤ |k|², whatever k was. A contact that yields is no wall, and left out: held where it is for a
/// tick, and let go in the next, it would be struck each time that an answer is not exact, and so would the next one be.
template <class Scalar, Capacity kCapacity>
class NearestVelocity {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  /// Counts the steps, and may refuse one; then Solve() gives up.
  void set_work(Work* work) { active_.set_work(work); }

  /// @param[in]     problem  its contacts' N and b; k and friction are not read
  /// @param[in,out] u        in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations or the work were not enough, or rounding won.
  bool Solve(const Problem& problem, int max_iterations, Velocity* u) {
    return active_.Solve(Rows<Gaps::kClamped>{problem, *u}, max_iterations, u);
  }

  /// Adds θ of the last answer to the impulses.
  template <class Impulses>
  void AddImpulses(Impulses* impulses) const {
    for (int a = 0; a < active_.size(); ++a) {
      impulses->theta[active_.row(a).contact] += active_.multiplier(a);
    }
  }

  /// The same with the gaps as they are: θ ≥ 0 with N θ = 0 and bᵀθ < 0 proves that no velocity, up to ten times the motion
  /// there is, has N_iᵀu ≥ -b_i, and that the problem has no such solution, with whatever friction (section 3).
  /// @returns whether that was found; certificate is unspecified if not.
  template <class Impulses>
  bool FindCertificate(const Problem& problem, int max_iterations, Impulses* certificate) {
    Velocity u = problem.k;
    *certificate = {};
    if (active_.Solve(Rows<Gaps::kAsGiven>{problem, u}, max_iterations, &u)) return false;
    if (active_.contradicting().contact < 0) return false;
    AddImpulses(certificate);
    certificate->theta[active_.contradicting().contact] += Scalar(1);
    return internal::IsCertificate(problem, *certificate);
  }

 private:
  enum class Gaps : std::uint8_t { kClamped, kAsGiven };
  template <Gaps kGaps>
  struct Rows {
    const Problem& problem;
    const Velocity start;

    static std::int64_t PassWork(int contacts) { return work::NearestPass(contacts); }
    const Velocity& Start() const { return start; }
    Scalar Scale() const { return Sqrt(start.squaredNorm()); }
    static Scalar Gap(Scalar b) { return kGaps == Gaps::kClamped ? Max(b, Scalar(0)) : b; }
    Scalar Offset(const internal::ConeRow& row) const { return Gap(problem.contacts[row.contact].b); }
    const typename Problem::Column& Column(const internal::ConeRow& row) const { return problem.contacts[row.contact].N; }
    internal::Violation<Scalar> MostViolated(const Velocity& u, Scalar tolerance) const {
      internal::Violation<Scalar> worst{{}, -tolerance};
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const auto& contact = problem.contacts[i];
        if (kGaps == Gaps::kClamped && contact.epsilon > Scalar(0)) continue;
        const Scalar slack = Problem::Dot(contact, contact.N, u) + Gap(contact.b);
        if (slack < worst.slack) worst = {{i, -1}, slack};
      }
      return worst;
    }
  };

  internal::DualActiveSet<Problem> active_;
};

}  // namespace tactus
