#pragma once
#include <cstdint>

#include "tactus/solve/convex/dual_active_set.h"
#include "tactus/solve/judge/certificate.h"

namespace tactus {

/// The velocity nearest to k that does not penetrate:
///
///     min ½|u - k|²   subject to   N_iᵀu ≥ -b_clear,i
///
/// the frictionless problem with gaps max(Φ, 0) (docs/theory, section 10). It is the last resort of the ladder (section 11).
/// Where nothing drives the bodies together u = 0 is feasible, so |u|² ≤ k·u ≤ |k|², whatever k was. Surfaces and joints
/// that do may leave no such velocity. Then they are taken to be at rest: b_clear becomes max(b_clear, 0). A contact that
/// yields is no wall and is left out. A wall would stop it in a tick without an exact answer and release it in the next: it
/// would be struck again and again.
template <class Scalar, Capacity kCapacity>
class NearestVelocity {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Velocity = typename Problem::Velocity;

  /// Counts the steps, and may refuse one; then Solve() gives up.
  void set_work(Work* work) {
    work_ = work;
    active_.set_work(work);
  }

  /// What a search keeps for a projection beside work::Nearest(), where rest closes a gap by more than kDrift of the motion.
  static work::Cost MoreWork(const Problem& problem) {
    if constexpr (kCapacity.bodies == 1) return 0;
    const Scalar drift = kDrift * Sqrt(problem.k.squaredNorm());
    for (const auto& contact : problem.contacts) {
      if (contact.epsilon > Scalar(0) || !(contact.b_clear < -drift)) continue;
      return work::MorePasses(problem.contacts.size(), problem.velocity_size() - problem.joint_rank);
    }
    return 0;
  }

  /// @param[in]     problem  its joints, and its contacts' N, b_clear and ε; k and friction are not read
  /// @param[in,out] u        in: k (projected); out: the answer, or, after false, an unusable iterate
  /// @returns false when max_iterations or the work were not enough, or rounding won.
  bool Solve(const Problem& problem, int max_iterations, Velocity* u) {
    given_energy_ = Scalar(0);
    if (problem.IsDriven()) {
      const Velocity start = *u;
      if (SolveDriven(problem, max_iterations, u)) return true;
      *u = start;
    }
    return active_.Solve(Rows<Gaps::kAtRest>{problem, *u}, max_iterations, u);
  }

  /// [J] What surfaces and joints that drive bodies together gave in the last answer, at most.
  Scalar given_energy() const { return given_energy_; }

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
  // A joint that corrects its drift closes a gap a little, and so does rounding. That does not count as driving. Without
  // this limit a chain of hinges on a floor, with a work of 250 000, had an exact answer in 1 % of the ticks in place of 69.
  static constexpr Scalar kDrift = Scalar(sizeof(Scalar) == sizeof(double) ? 1e-6 : 1e-4);

  enum class Gaps : std::uint8_t { kClear, kAtRest, kAsGiven };

  // Keeps kRestPasses of the work for the projection in which everything that drives is at rest.
  bool SolveDriven(const Problem& problem, int max_iterations, Velocity* u) {
    Work work = work_ == nullptr ? Work() : *work_;
    work.set_reserve(work::kRestPasses * work::NearestPass(problem.contacts.size()));
    active_.set_work(&work);
    const bool found = active_.Solve(Rows<Gaps::kClear>{problem, *u}, max_iterations, u);
    active_.set_work(work_);
    if (work_ != nullptr) work_->Spend(work.done() - work_->done());
    if (!found) return false;
    for (int a = 0; a < active_.size(); ++a) {
      given_energy_ += active_.multiplier(a) * Max(-problem.contacts[active_.row(a).contact].b_clear, Scalar(0));
    }
    return true;
  }

  template <Gaps kGaps>
  struct Rows {
    const Problem& problem;
    const Velocity start;

    // What drives bodies into a narrow wedge takes multipliers of 1e5 times the motion. Their rounding is measured, because
    // the velocity that they give still keeps off the walls; without it the drive would win. The caller checks whether the
    // velocity is an answer.
    static constexpr bool kMeasures = kGaps == Gaps::kClear;
    static std::int64_t PassWork(int contacts) { return work::NearestPass(contacts); }
    const Velocity& Start() const { return start; }
    Scalar Scale() const { return Sqrt(start.squaredNorm()); }
    static Scalar Gap(const typename Problem::ContactColumns& contact) {
      if (kGaps == Gaps::kAsGiven) return contact.b;
      return kGaps == Gaps::kClear ? contact.b_clear : Max(contact.b_clear, Scalar(0));
    }
    Scalar Offset(const internal::ConeRow& row) const { return Gap(problem.contacts[row.contact]); }
    const typename Problem::Column& Column(const internal::ConeRow& row) const { return problem.contacts[row.contact].N; }
    internal::Violation<Scalar> MostViolated(const Velocity& u, Scalar tolerance) const {
      internal::Violation<Scalar> worst{{}, -tolerance};
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const auto& contact = problem.contacts[i];
        if (kGaps != Gaps::kAsGiven && contact.epsilon > Scalar(0)) continue;
        const Scalar slack = Problem::Dot(contact, contact.N, u) + Gap(contact);
        if (slack < worst.slack) worst = {{i, -1}, slack};
      }
      return worst;
    }
  };

  internal::DualActiveSet<Problem> active_;
  Work* work_ = nullptr;
  Scalar given_energy_ = Scalar(0);
};

}  // namespace tactus
