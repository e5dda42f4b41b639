#pragma once
#include <cstdint>

#include "tactus/contact/contact_solution.h"
#include "tactus/solve/convex/convex_step.h"
#include "tactus/solve/judge/answer.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/contact_sweeps.h"
#include "tactus/solve/lemke/lemke_reduced.h"

namespace tactus {

/// Which attempt of LemkeCrash the answer is from.
enum class CrashRung : std::uint8_t {
  kNone,    ///< no attempt solved the problem: the impulses are the convex step's
  kConvex,  ///< the convex step alone: nothing slips
  kCrash,   ///< Lemke's algorithm from the crash basis
  kSweeps,  ///< the sweeps' own limit, where the crash basis is singular
  kCold,    ///< Lemke's algorithm from nothing
};

constexpr const char* Name(CrashRung rung) {
  switch (rung) {
    case CrashRung::kNone: return "none";
    case CrashRung::kConvex: return "convex";
    case CrashRung::kCrash: return "crash basis";
    case CrashRung::kSweeps: return "sweeps";
    case CrashRung::kCold: return "cold";
  }
  return "unknown";
}

/// Bounds of the work.
struct CrashOptions {
  int max_convex_iterations = 20000;  ///< rows added or dropped by each convex step
  int max_sweeps = 1 << 19;
  int max_crash_pivots = 200;  ///< from each crash basis
  int max_cold_pivots = 1000;
};

template <class Scalar>
struct CrashReport {
  SolveStatus status = SolveStatus::kInvalid;  ///< kSolved, or kBudget; kInvalid: refused (compliance), or not even a convex
                                               ///< step
  Shortfall shortfall = Shortfall::kNone;      ///< for kBudget: why
  CrashRung rung = CrashRung::kNone;
  int pivots = 0;  ///< of Lemke's algorithm, all attempts together
  int sweeps = 0;
  int convex_steps = 0;
  int convex_iterations = 0;
  Scalar residual = Scalar(0);  ///< ComplementarityResidual of the impulses
};

/// Lemke from a crash basis: the LCP (6)-(7) of planar piles of many bodies, where the path from nothing is too long: 136
/// disks take 820 pivots at μ = 0.05, 6 500 at 0.2, more than 20 000 at 0.4. In turn:
///
/// 1. a convex step (convex_step.h). Where nothing slips it solves the LCP.
/// 2. Gauss-Seidel sweeps from there (contact_sweeps.h) until the residual is small: they find out which contacts slip.
/// 3. a convex step with Γ = μ Λ(u) of the sweeps' u. Were u a solution it would be a fixed point of LCP1
///    (successive_convex.h), so this step would return it with independent active rows and impulses ≥ 0. They make the crash
///    basis: θ, and for two active rows of a contact φ of the larger one, for one active row φ and λ.
/// 4. Lemke from that basis ([LCP92] 4.4; docs/theory, section 7), which repairs what the sweeps left open: 0 to 80
///    pivots. If that fails, on with the sweeps.
/// 5. Lemke from nothing.
///
/// Whatever an attempt says, its answer counts when its residual says so and it adds no energy beyond what gaps and moving
/// surfaces give (theory 3, Tolerances::kEnergy). Without an answer: the first convex step's, |u| ≤ |k|.
template <class Scalar_, Capacity kCapacity>
class LemkeCrash {
 public:
  using Scalar = Scalar_;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  CrashReport<Scalar> Solve(const Problem& problem, const CrashOptions& options = {}) {
    report_ = {};
    impulses_ = {};
    for (const auto& contact : problem.contacts) {
      if (contact.epsilon != Scalar(0)) return report_;
    }
    if (!TakeConvexStep(problem, typename Step::Gamma{}, options)) return report_;
    report_.status = SolveStatus::kBudget;
    if (Accept(problem, Tolerance::kAccept, CrashRung::kConvex)) return report_;
    const Impulses convex = impulses_;
    const Scalar convex_residual = report_.residual;
    if (SweepAndCrash(problem, options) || SolveCold(problem, options)) return report_;
    impulses_ = convex;
    report_.residual = convex_residual;
    return report_;
  }

  const Impulses& impulses() const { return impulses_; }

  /// The path that the crash basis ends in, to be used by itself between two solves.
  LemkeReduced<Scalar, kCapacity>& lemke() { return lemke_; }
  const LemkeReduced<Scalar, kCapacity>& lemke() const { return lemke_; }

 private:
  using Step = ConvexStep<Scalar, kCapacity>;
  using Tolerance = Tolerances<Scalar>;
  // Measured on 24 piles of 36 to 210 disks with μ from 0.05 to 0.8. A tenfold or a tenth of the two residuals takes as long
  // in all, or up to a quarter longer. Portions of 32 to 128 sweeps save a tenth and one of 256 costs a third more, by
  // chance; with 2 048 one pile is given up.
  static constexpr int kPortion = 512;                 // sweeps between two looks at the residual
  static constexpr Scalar kFirstCrash = Scalar(1e-5);  // residual with which a crash basis is worth inverting
  static constexpr Scalar kNextCrash = Scalar(0.03);   // the same, of the residual of the attempt before

  bool TakeConvexStep(const Problem& problem, const typename Step::Gamma& gamma, const CrashOptions& options) {
    const bool done = step_.Solve(problem, gamma, options.max_convex_iterations);
    ++report_.convex_steps;
    report_.convex_iterations += step_.iterations();
    if (done) step_.GetImpulses(problem, &impulses_);
    return done;
  }

  bool Accept(const Problem& problem, Scalar tolerance, CrashRung rung) {
    const typename Problem::Velocity u = problem.VelocityFor(impulses_);
    report_.residual = ComplementarityResidual(problem, impulses_, u);
    if (!(report_.residual <= tolerance) || internal::AddsEnergy(problem, impulses_, u)) return false;
    report_.status = SolveStatus::kSolved;
    report_.shortfall = Shortfall::kNone;
    report_.rung = rung;
    return true;
  }

  bool SweepAndCrash(const Problem& problem, const CrashOptions& options) {
    // The rest is left to the caller's own check, the ladder's first one among them.
    constexpr Scalar kSettled = Min(Tolerance::kAccept / Scalar(10), Tolerance::kAcceptFirst / Scalar(2));
    sweeps_.Start(problem, impulses_);
    Scalar next_crash = kFirstCrash;
    while (report_.sweeps < options.max_sweeps) {
      sweeps_.Run(problem, kPortion, &swept_);
      report_.sweeps += kPortion;
      const Scalar residual = ComplementarityResidual(problem, swept_, sweeps_.velocity());
      if (!(residual <= next_crash)) continue;
      if (Crash(problem, options)) return true;
      impulses_ = swept_;
      if (Accept(problem, kSettled, CrashRung::kSweeps)) return true;
      next_crash = kNextCrash * residual;
    }
    impulses_ = swept_;
    return Accept(problem, Tolerance::kAccept, CrashRung::kSweeps);
  }

  bool Crash(const Problem& problem, const CrashOptions& options) {
    typename Step::Gamma gamma{};
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const typename Problem::Tangential slip = Problem::TangentDot(contact, sweeps_.velocity()) + contact.tau;
      gamma[i] = contact.mu * Abs(slip(0));
    }
    if (!TakeConvexStep(problem, gamma, options)) return false;
    for (int i = 0; i < problem.contacts.size(); ++i) lemke_.set_basis(i, CrashBasis(problem, i));
    const LemkeReport lemke = lemke_.SolveWarm(problem, 0, options.max_crash_pivots);
    report_.pivots += lemke.pivots;
    lemke_.GetImpulses(problem, &impulses_);
    return lemke.outcome == LemkeOutcome::kSolved && Accept(problem, Tolerance::kAccept, CrashRung::kCrash);
  }

  ContactBasis CrashBasis(const Problem& problem, int contact) const {
    const auto& phi = impulses_.phi[contact];
    ContactBasis basis;
    basis.theta = impulses_.theta[contact] > Scalar(0);
    if (!basis.theta || problem.contacts[contact].mu == Scalar(0)) return basis;
    basis.expanded = true;
    basis.phi = phi[0] > phi[1] ? 1u : 2u;
    basis.lambda = !(Min(phi[0], phi[1]) > Scalar(0));
    return basis;
  }

  bool SolveCold(const Problem& problem, const CrashOptions& options) {
    const LemkeReport lemke = lemke_.SolveCold(problem, 0, options.max_cold_pivots);
    report_.pivots += lemke.pivots;
    report_.shortfall = lemke.outcome == LemkeOutcome::kBudget ? Shortfall::kPivots : Shortfall::kRounding;
    lemke_.GetImpulses(problem, &impulses_);
    return Accept(problem, Tolerance::kAccept, CrashRung::kCold);
  }

  Step step_;
  ContactSweeps<Scalar, kCapacity> sweeps_;
  LemkeReduced<Scalar, kCapacity> lemke_;
  Impulses impulses_, swept_;
  CrashReport<Scalar> report_;
};

}  // namespace tactus
