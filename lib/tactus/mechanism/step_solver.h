#pragma once
#include <concepts>

#include "tactus/contact/unwhiten.h"
#include "tactus/contact/validate.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/convex/successive_convex.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_crash.h"

namespace tactus {

/// What a step solver says beside ContactSolution.
template <class Scalar>
struct StepSolverReport {
  SolveStatus status = SolveStatus::kInvalid;  ///< kSolved: the solver's own conditions hold
  Shortfall shortfall = Shortfall::kNone;      ///< for kBudget: why
  int iterations = 0;                          ///< pivots (LCP0), rows added and dropped (LCP1, LCP2)
  int convex_steps = 0;                        ///< of LCP1's fixed point, LCP2: 1
  Scalar residual = Scalar(0);                 ///< of the solver's own conditions: LCP0, LCP1 (6)-(7), LCP2 (12)-(13)
  Scalar rate = Scalar(0);                     ///< LCP1: by how much an iteration shrinks the change; 0: not known
  Scalar change = Scalar(0);                   ///< LCP1: ‖Λ(k) - Λ(k-1)‖ of |k| of its last iteration
  FixedPointOutcome fixed_point = FixedPointOutcome::kRefused;  ///< LCP1
  CrashRung crash = CrashRung::kNone;                           ///< LCP0 of many bodies: the attempt that answered
  int sweeps = 0;                                               ///< the same: its Gauss-Seidel sweeps
};

/// What time stepping needs from a solver: velocities that no step can blow up. Unless surfaces or joints drive,
/// |u| ≤ |k|, whatever the status but kInvalid.
template <class Solver, class Problem, class Solution>
concept StepSolver = requires(Solver solver, const Problem& problem, Solution* solution) {
  { solver.Solve(problem, solution) } -> std::same_as<StepSolverReport<typename Problem::Scalar>>;
};

/// LCP0: (6)-(7) of [AnitescuHart] by Lemke's algorithm on the ladder, which never returns empty-handed.
template <class Scalar, Capacity kCapacity>
class Lcp0 {
 public:
  Lcp0() = default;
  explicit Lcp0(const SolverOptions<Scalar>& options) : options_(options) {}

  StepSolverReport<Scalar> Solve(const ContactProblem<Scalar, kCapacity>& problem,
                                 ContactSolution<Scalar, kCapacity>* solution) noexcept {
    solver_.Solve(problem, options_, solution);
    return {.status = solution->status,
            .shortfall = solution->shortfall,
            .iterations = solution->pivots,
            .residual = solution->residual};
  }

 private:
  ContactSolver<Scalar, kCapacity> solver_;
  SolverOptions<Scalar> options_;
};

/// A solver of whitened problems between physical coordinates: validation, whitening, and back. `Method` offers
///
///     StepSolverReport<Scalar> Run(const WhitenedProblem&, WhitenedImpulses*)     kInvalid: no answer
///     static Scalar Residual(const WhitenedProblem&, const WhitenedImpulses&)     of the conditions that it solves
///     Scalar accept(const WhitenedProblem&)     largest residual of an answer called solved
///
/// Without an answer (only if a surface moves, or rounding won) friction is left out and gaps count as ≥ 0, which makes the
/// nearest velocity that does not penetrate; where moving surfaces and joints squeeze, they rest; and all rests, if even
/// that fails.
template <class Scalar, Capacity kCapacity, class Method>
class WhitenedStepSolver {
 public:
  /// @param options  of the method
  template <class... Options>
  explicit WhitenedStepSolver(const Options&... options) : method_(options...) {}

  StepSolverReport<Scalar> Solve(const ContactProblem<Scalar, kCapacity>& problem,
                                 ContactSolution<Scalar, kCapacity>* solution) noexcept {
    *solution = {};
    solution->fault = Validate(problem);
    if (!solution->fault) solution->fault = RefuseCompliance(problem);
    if (solution->fault) return {};
    ChooseTangents(problem, &solution->tangent);
    solution->fault = Whiten(problem, solution->tangent, WhitenOptions<Scalar, kCapacity>{}, &whitened_);
    if (solution->fault) return {};
    solution->rung = Rung::kCold;
    Impulses& impulses = solution->impulse.storage();
    StepSolverReport<Scalar> report = method_.Run(whitened_, &impulses);
    typename WhitenedProblem<Scalar, kCapacity>::Velocity u = whitened_.VelocityFor(impulses);
    if (report.status == SolveStatus::kInvalid) {
      solution->rung = FallBack(&report, &impulses, &u);
      solution->fault = Whiten(problem, solution->tangent, WhitenOptions<Scalar, kCapacity>{}, &whitened_);
    }
    report.residual = Method::Residual(whitened_, impulses);
    const bool holds = report.residual <= method_.accept(whitened_) && whitened_.contradicted_contact < 0;
    if (report.status == SolveStatus::kSolved && !holds) {
      report.status = SolveStatus::kBudget;
      report.shortfall = Shortfall::kRounding;
    }
    if (report.status != SolveStatus::kBudget) report.shortfall = Shortfall::kNone;
    solution->status = report.status;
    solution->shortfall = report.shortfall;
    solution->pivots = report.iterations;
    solution->residual = report.residual;
    Unwhiten(whitened_, u, problem.contacts.size(), problem.joints.size(), solution);
    return report;
  }

 private:
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  Rung FallBack(StepSolverReport<Scalar>* report, Impulses* impulses,
                typename WhitenedProblem<Scalar, kCapacity>::Velocity* u) {
    for (auto& contact : whitened_.contacts) {
      contact.mu = Scalar(0);
      contact.b = contact.b_clear;
    }
    bool done = method_.Run(whitened_, impulses).status != SolveStatus::kInvalid;
    if (!done) {  // what drives the bodies together squeezes them: it rests
      for (auto& contact : whitened_.contacts) contact.b = Max(contact.b, Scalar(0));
      done = method_.Run(whitened_, impulses).status != SolveStatus::kInvalid;
    }
    if (!done) *impulses = {};
    *u = whitened_.VelocityFor(*impulses);
    if (!done) u->setZero();
    report->status = SolveStatus::kBudget;
    report->shortfall = Shortfall::kRounding;
    return done ? Rung::kFrictionless : Rung::kRest;
  }

  static ProblemFault RefuseCompliance(const ContactProblem<Scalar, kCapacity>& problem) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (problem.contacts[i].compliance_mps_per_Ns == Scalar(0)) continue;
      return {"must be 0 for a convex step", "contacts", i, "compliance_mps_per_Ns"};
    }
    return {};
  }

  template <class Tangents>
  static void ChooseTangents(const ContactProblem<Scalar, kCapacity>& problem, Tangents* tangents) {
    tangents->resize(problem.contacts.size());
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      if constexpr (kCapacity.dof == 3) {
        (*tangents)[i] << -contact.normal(1), contact.normal(0);
      } else {
        (*tangents)[i] = contact.tangent.squaredNorm() > Scalar(0) ? contact.tangent : DefaultTangent(contact.normal);
      }
    }
  }

  Method method_;
  WhitenedProblem<Scalar, kCapacity> whitened_;
};

namespace internal {

/// Rows that a convex step may add or drop; the piles of [AnitescuHart] take at most 2.7 a contact (210 disks, μ = 0.2).
template <class Problem>
int ConvexStepLimit(const Problem& problem) {
  constexpr int kPerContact = 20, kLeast = 200;
  return kPerContact * problem.contacts.size() + kLeast;
}

/// LCP0 of many bodies. Where no attempt solves it: the convex step, as kBudget.
template <class Scalar, Capacity kCapacity>
class LemkeCrashMethod {
 public:
  LemkeCrashMethod() = default;
  explicit LemkeCrashMethod(const CrashOptions& options) : options_(options) {}

  StepSolverReport<Scalar> Run(const WhitenedProblem<Scalar, kCapacity>& problem,
                               WhitenedImpulses<Scalar, kCapacity>* impulses) {
    CrashOptions options = options_;
    options.max_convex_iterations = ConvexStepLimit(problem);
    const CrashReport<Scalar> found = solver_.Solve(problem, options);
    *impulses = solver_.impulses();
    return {.status = found.status,
            .shortfall = found.shortfall,
            .iterations = found.pivots,
            .convex_steps = found.convex_steps,
            .crash = found.rung,
            .sweeps = found.sweeps};
  }

  static Scalar Residual(const WhitenedProblem<Scalar, kCapacity>& problem,
                         const WhitenedImpulses<Scalar, kCapacity>& impulses) {
    return ComplementarityResidual(problem, impulses);
  }
  Scalar accept(const WhitenedProblem<Scalar, kCapacity>&) const { return Tolerances<Scalar>::kAccept; }

 private:
  LemkeCrash<Scalar, kCapacity> solver_;
  CrashOptions options_;
};

/// Steps 4 to 8 of [AnitescuHart]'s algorithm. Where Γ does not converge: the first iterate, Γ = 0, which neither penetrates
/// nor adds energy, as kBudget.
template <class Scalar, Capacity kCapacity>
class Lcp1Method {
 public:
  Lcp1Method() = default;
  explicit Lcp1Method(const FixedPointOptions<Scalar>& options) : options_(options) {}

  StepSolverReport<Scalar> Run(const WhitenedProblem<Scalar, kCapacity>& problem,
                               WhitenedImpulses<Scalar, kCapacity>* impulses) {
    FixedPointOptions<Scalar> options = options_;
    options.max_step_iterations = ConvexStepLimit(problem);
    const FixedPointReport<Scalar> found = solver_.Solve(problem, options);
    const bool converged = found.outcome == FixedPointOutcome::kConverged;
    if (!converged) {
      options.max_iterations = 1;
      if (solver_.Solve(problem, options).outcome == FixedPointOutcome::kNoStep) return {};
    }
    solver_.GetImpulses(problem, impulses);
    const bool is_cut_off = found.outcome == FixedPointOutcome::kIterationLimit;
    return {.status = converged ? SolveStatus::kSolved : SolveStatus::kBudget,
            .shortfall = is_cut_off ? Shortfall::kPivots : Shortfall::kRounding,
            .iterations = found.step_iterations,
            .convex_steps = found.iterations,
            .rate = found.rate,
            .change = found.change,
            .fixed_point = found.outcome};
  }

  static Scalar Residual(const WhitenedProblem<Scalar, kCapacity>& problem,
                         const WhitenedImpulses<Scalar, kCapacity>& impulses) {
    return ComplementarityResidual(problem, impulses);
  }

  /// Λ off by TOL |k| makes ν off by μ times that.
  Scalar accept(const WhitenedProblem<Scalar, kCapacity>& problem) const {
    Scalar mu(1);
    for (const auto& contact : problem.contacts) mu = Max(mu, contact.mu);
    return Max(Tolerances<Scalar>::kAccept, mu * options_.tolerance);
  }

 private:
  SuccessiveConvex<Scalar, kCapacity> solver_;
  FixedPointOptions<Scalar> options_;
};

/// One convex step, Γ = 0.
template <class Scalar, Capacity kCapacity>
class Lcp2Method {
  using Gamma = typename ConvexStep<Scalar, kCapacity>::Gamma;

 public:
  StepSolverReport<Scalar> Run(const WhitenedProblem<Scalar, kCapacity>& problem,
                               WhitenedImpulses<Scalar, kCapacity>* impulses) {
    if (!step_.Solve(problem, Gamma{}, ConvexStepLimit(problem))) return {};
    step_.GetImpulses(problem, impulses);
    return {.status = SolveStatus::kSolved, .iterations = step_.iterations(), .convex_steps = 1};
  }

  static Scalar Residual(const WhitenedProblem<Scalar, kCapacity>& problem,
                         const WhitenedImpulses<Scalar, kCapacity>& impulses) {
    return ConvexResidual(problem, Gamma{}, impulses);
  }
  Scalar accept(const WhitenedProblem<Scalar, kCapacity>&) const { return Tolerances<Scalar>::kAccept; }

 private:
  ConvexStep<Scalar, kCapacity> step_;
};

}  // namespace internal

/// LCP0 of planar piles of many bodies, each step from nothing: by Lemke's algorithm from a crash basis.
template <class Scalar, Capacity kCapacity>
using PileLcp0 = WhitenedStepSolver<Scalar, kCapacity, internal::LemkeCrashMethod<Scalar, kCapacity>>;
/// LCP1: (6)-(7) by successive convex relaxation.
template <class Scalar, Capacity kCapacity>
using Lcp1 = WhitenedStepSolver<Scalar, kCapacity, internal::Lcp1Method<Scalar, kCapacity>>;
/// LCP2: (12)-(13) with Γ = 0, one convex quadratic program.
template <class Scalar, Capacity kCapacity>
using Lcp2 = WhitenedStepSolver<Scalar, kCapacity, internal::Lcp2Method<Scalar, kCapacity>>;

}  // namespace tactus
