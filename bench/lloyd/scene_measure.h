#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "bench/lloyd/measure.h"
#include "bench/measure/contact_lcp.h"
#include "bench/measure/whitened.h"
#include "tactus/contact/judge.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/convex/convex_step.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_dense.h"
#include "tactus/solve/lemke/lemke_structural.h"

namespace tactus::bench {

/// Times every method on problems of one capacity and verifies each answer by the residual oracle. Large: lives on the heap.
template <Capacity kCapacity>
class SceneMeasure {
 public:
  SceneMeasure(const Timing& timing, LuYardstick* lu) : timing_(timing), lu_(lu) {}

  void Add(const TickPair& pair) {
    ToWhitened(pair.now, &now_);
    ToWhitened(pair.next, &next_);
    ToWhitened(pair.now, &now_float_);
    host::ToContactProblem(pair.now, &physical_now_);
    host::ToContactProblem(pair.next, &physical_next_);
    ContactLcp lcp;
    WriteOut(now_, &lcp);
    lu_us_ = lu_->Lu_us(lcp.M);
    figures_.lu_us.push_back(lu_us_);
    beat_us_ = lu_->Beat_us();
    AddExact();
    AddConvex();
    AddSolver();
  }

  const SceneFigures& figures() const { return figures_; }

 private:
  using Problem = WhitenedProblem<double, kCapacity>;
  using FloatProblem = WhitenedProblem<float, kCapacity>;
  template <class Scalar>
  using Reduced = LemkeReduced<Scalar, kCapacity>;
  using Basis = std::array<ContactBasis, kCapacity.contacts>;

  // What a solver says of its last call.
  struct Claim {
    bool solved = false;
    int pivots = 0;
    double residual = 0;
  };

  void Record(Method method, const Claim& claim, double accept, double time_ns) {
    MethodFigures& figures = figures_.methods[static_cast<std::size_t>(method)];
    figures.time_us.push_back(time_ns / 1000);
    figures.of_lu.push_back(time_ns / 1000 / lu_us_);
    figures.of_beat.push_back(time_ns / 1000 / beat_us_);
    figures.pivots.push_back(claim.pivots);
    if (!claim.solved) {
      ++figures.failures;
      return;
    }
    figures.wrong += !(claim.residual <= accept);
    figures.worst_residual = std::max(figures.worst_residual, claim.residual);
  }

  template <class Scalar, class Solver>
  static Claim ClaimOf(const LemkeReport& report, const Solver& solver, const WhitenedProblem<Scalar, kCapacity>& problem) {
    WhitenedImpulses<Scalar, kCapacity> impulses;
    solver.GetImpulses(problem, &impulses);
    return {report.outcome == LemkeOutcome::kSolved, report.pivots, double{ComplementarityResidual(problem, impulses)}};
  }

  template <class Scalar, class Solver>
  void AddCold(Method method, const WhitenedProblem<Scalar, kCapacity>& problem, Solver* solver) {
    LemkeReport report;
    const int limit = Solver::PivotLimit(problem);
    const double time_ns = MedianNanoseconds(timing_, [&] {
      report = solver->SolveCold(problem, 0, limit);
      Keep(*solver);
    });
    Record(method, ClaimOf(report, *solver, problem), Tolerances<Scalar>::kAccept, time_ns);
  }

  template <class Scalar>
  void AddWarm(Method method, const Basis& start, const WhitenedProblem<Scalar, kCapacity>& problem,
               Reduced<Scalar>* solver) {
    LemkeReport report;
    const double time_ns = MedianNanoseconds(timing_, [&] {
      for (int i = 0; i < problem.contacts.size(); ++i) solver->set_basis(i, start[static_cast<std::size_t>(i)]);
      report = solver->SolveWarm(problem, 0, kWarmPivots);
      Keep(*solver);
    });
    Record(method, ClaimOf(report, *solver, problem), Tolerances<Scalar>::kAccept, time_ns);
  }

  template <class Scalar>
  static Basis BasisOf(const Reduced<Scalar>& solver, int contacts) {
    Basis basis{};
    for (int i = 0; i < contacts; ++i) basis[static_cast<std::size_t>(i)] = solver.basis(i);
    return basis;
  }

  void AddExact() {
    AddCold(Method::kDense, now_, &dense_);
    AddCold(Method::kStructural, now_, &structural_);
    AddCold(Method::kReducedCold, now_, &reduced_);
    const Basis basis = BasisOf(reduced_, now_.contacts.size());
    AddWarm(Method::kReducedVerify, basis, now_, &reduced_);
    AddWarm(Method::kReducedTick, basis, next_, &reduced_);
    AddCold(Method::kReducedColdFloat, now_float_, &reduced_float_);
    AddWarm(Method::kReducedVerifyFloat, BasisOf(reduced_float_, now_.contacts.size()), now_float_, &reduced_float_);
  }

  Claim ConvexClaim(bool solved, const Problem& problem) const {
    WhitenedImpulses<double, kCapacity> impulses;
    convex_.GetImpulses(problem, &impulses);
    return {solved, convex_.iterations(), ConvexResidual(problem, kNoGamma, impulses)};
  }

  void AddConvex() {
    bool solved = false;
    const double cold_ns = MedianNanoseconds(timing_, [&] {
      solved = convex_.Solve(now_, kNoGamma, kConvexIterations);
      Keep(convex_);
    });
    Record(Method::kConvexCold, ConvexClaim(solved, now_), Tolerances<double>::kAccept, cold_ns);
    bool even = false;
    const double tick_ns = MedianNanoseconds(timing_, [&] {
      even = !even;
      solved = convex_.SolveWarm(even ? next_ : now_, kNoGamma, kConvexIterations);
      Keep(convex_);
    });
    Record(Method::kConvexTick, ConvexClaim(solved, even ? next_ : now_), Tolerances<double>::kAccept, tick_ns);
  }

  // The answer in physical units, measured in whitened ones.
  Claim SolverClaim(const Problem& problem) const {
    WhitenedImpulses<double, kCapacity> impulses{};
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const auto& impulse = solution_.impulse[contact.source];
      const std::size_t I = static_cast<std::size_t>(i);
      impulses.theta[I] = impulse.normal_Ns * contact.normal_scale;
      for (int j = 0; j < problem.directions; ++j) {
        impulses.phi[I][static_cast<std::size_t>(j)] = impulse.friction_Ns(j) * contact.tangent_scale;
      }
    }
    return {solution_.status == SolveStatus::kSolved, solution_.pivots, ComplementarityResidual(problem, impulses)};
  }

  void AddSolver() {
    const double cold_ns = MedianNanoseconds(timing_, [&] {
      solver_.Reset();
      solver_.Solve(physical_now_, {}, &solution_);
      Keep(solution_);
    });
    Record(Method::kSolverCold, SolverClaim(now_), Tolerances<double>::kAccept, cold_ns);
    bool even = false;
    const double tick_ns = MedianNanoseconds(timing_, [&] {
      even = !even;
      solver_.Solve(even ? physical_next_ : physical_now_, {}, &solution_);
      Keep(solution_);
    });
    Record(Method::kSolverTick, SolverClaim(even ? next_ : now_), Tolerances<double>::kAccept, tick_ns);
    AddVerdict(even ? physical_next_ : physical_now_, even ? next_ : now_);
  }

  void AddVerdict(const ContactProblem<double, kCapacity>& problem, const Problem& whitened) {
    Verdict<double> verdict;
    const double time_ns = MedianNanoseconds(timing_, [&] {
      verdict = JudgeAnswer(problem, solution_, {}, whitened.direction);
      Keep(verdict);
    });
    Record(Method::kVerdict, {solution_.status == SolveStatus::kSolved, 0, verdict.contact},
           Tolerances<double>::kAcceptShare, time_ns);
  }

  static constexpr int kWarmPivots = 60;          // SolverOptions::max_pivots
  static constexpr int kConvexIterations = 1000;  // far above what is needed: a bound
  static constexpr typename ConvexStep<double, kCapacity>::Gamma kNoGamma{};

  Timing timing_;
  LuYardstick* lu_;
  double lu_us_ = 0;
  double beat_us_ = 0;
  SceneFigures figures_;
  Problem now_, next_;
  FloatProblem now_float_;
  ContactProblem<double, kCapacity> physical_now_, physical_next_;
  LemkeDense<double, kCapacity> dense_;
  LemkeStructural<double, kCapacity> structural_;
  Reduced<double> reduced_;
  Reduced<float> reduced_float_;
  ConvexStep<double, kCapacity> convex_;
  ContactSolver<double, kCapacity> solver_;
  ContactSolution<double, kCapacity> solution_;
};

template <int bodies>
SceneFigures MeasureBodies(const std::vector<TickPair>& problems, const Timing& timing, LuYardstick* lu) {
  constexpr Capacity kCapacity{.bodies = bodies, .contacts = 32, .joints = 0, .directions = 8, .dof = 6};
  const auto measure = std::make_unique<SceneMeasure<kCapacity>>(timing, lu);
  for (const TickPair& pair : problems) measure->Add(pair);
  return measure->figures();
}

}  // namespace tactus::bench
