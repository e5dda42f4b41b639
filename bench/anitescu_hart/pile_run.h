#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <type_traits>

#include "bench/anitescu_hart/pile.h"
#include "bench/report/report.h"
#include "tactus/mechanism/planar_scene.h"
#include "tactus/mechanism/time_stepper.h"

namespace tactus::bench {

inline double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline const char* Words(FixedPointOutcome outcome) {
  switch (outcome) {
    case FixedPointOutcome::kConverged: return "converged";
    case FixedPointOutcome::kNotContracting: return "does not contract";
    case FixedPointOutcome::kIterationLimit: return "iteration limit";
    case FixedPointOutcome::kNoStep: return "no convex step";
    case FixedPointOutcome::kRefused: return "refused";
  }
  return "unknown";
}

/// A step solver that is timed.
template <class Solver>
class Timed {
 public:
  template <class... Options>
  explicit Timed(const Options&... options) : solver_(options...) {}

  template <class Problem, class Solution>
  StepSolverReport<double> Solve(const Problem& problem, Solution* solution) {
    const double start = Seconds();
    const StepSolverReport<double> report = solver_.Solve(problem, solution);
    last_s_ = Seconds() - start;
    return report;
  }

  double last_s() const { return last_s_; }

 private:
  Solver solver_;
  double last_s_ = 0;
};

/// Recomputes what an answer claims, from its physical velocities and impulses.
template <Capacity kCapacity>
class PileChecker {
 public:
  using Problem = ContactProblem<double, kCapacity>;
  using Solution = ContactSolution<double, kCapacity>;

  void Check(const Problem& problem, const Solution& solution, PileSolver solver, PileStep* step) {
    const ProblemFault fault = Whiten(problem, solution.tangent, WhitenOptions<double, kCapacity>{}, &whitened_);
    if (fault) throw BenchError(fmt::format("a pile is no valid problem: {}", fault.what));
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      const auto& impulse = solution.impulse[contact.source];
      const std::size_t I = static_cast<std::size_t>(i);
      impulses_.theta[I] = impulse.normal_Ns * contact.normal_scale;
      for (std::size_t j = 0; j < 2; ++j) {
        impulses_.phi[I][j] = impulse.friction_Ns(static_cast<int>(j)) * contact.tangent_scale;
      }
    }
    const typename WhitenedProblem<double, kCapacity>::Velocity u = whitened_.VelocityFor(impulses_);
    step->residual = solver == PileSolver::kLcp2 ? ConvexResidual(whitened_, {}, impulses_)
                                                 : ComplementarityResidual(whitened_, impulses_);
    step->speed = u.norm();
    step->energy_ratio = u.squaredNorm() / whitened_.k.squaredNorm();
    NormalErrors(problem, solution, u, step);
  }

 private:
  void NormalErrors(const Problem& problem, const Solution& solution,
                    const typename WhitenedProblem<double, kCapacity>::Velocity& u, PileStep* step) const {
    double sum = 0;
    int loaded = 0;
    for (const auto& contact : whitened_.contacts) {
      if (!(solution.impulse[contact.source].normal_Ns > 0)) continue;
      const double speed = std::abs(whitened_.Dot(contact, contact.N, u) + contact.b) * contact.normal_scale;
      sum += speed;
      ++loaded;
      step->worst_error_mps = std::max(step->worst_error_mps, speed);
    }
    step->mean_error_mps = loaded > 0 ? sum / loaded : 0;
    step->contacts = problem.contacts.size();
  }

  WhitenedProblem<double, kCapacity> whitened_;
  WhitenedImpulses<double, kCapacity> impulses_;
};

/// LCP0 without memory of the last step.
template <Capacity kCapacity>
class ColdLcp0 : public Lcp0<double, kCapacity> {
 public:
  ColdLcp0() : Lcp0<double, kCapacity>(SolverOptions<double>{.warm = false}) {}
};

/// One pile, one solver, `Cold` for the first step and `Solver` for the run; everything large in one block of memory.
template <Capacity kCapacity, class Solver, class Cold>
class PileSimulation {
  using Scene = PlanarScene<double, kCapacity>;

 public:
  /// @param options  of the solvers
  template <class... SolverOptions>
  PileSimulation(const PileSpec& spec, PileSolver kind, const SolverOptions&... options)
      : kind_(kind), stepper_(options...), cold_(options...) {
    constexpr double kRadius_m = 1.5;
    scene_.friction = spec.friction;
    (void)scene_.lines.push_back({});
    for (int row = 0; row < spec.base; ++row) {
      for (int i = 0; i < spec.base - row; ++i) {
        PlanarPose<double> pose;
        pose.p_m << kRadius_m * (2 * i + row), kRadius_m * (1 + row * std::sqrt(3.0));
        (void)scene_.bodies.push_back({kRadius_m, 1.0, 0.5 * kRadius_m * kRadius_m});
        (void)state_.q.push_back(pose);
        (void)state_.v.push_back(Vec<double, 3>::Zero());
      }
    }
    options_.step_s = 0.05;
    options_.reach_m = 0.5;  // what a disk at 10 m/s moves in a step
  }

  PileRun Run(const PileRunOptions& run) {
    PileRun result;
    for (int l = 0; l < run.steps; ++l) {
      const typename Scene::Configuration start = state_.q;
      result.steps.push_back(Step());
      if (l == 0) result.first = Repeat(result.steps[0], run.least_timed_s);
      if (std::find(run.frames.begin(), run.frames.end(), l) != run.frames.end()) result.frames.push_back(Frame(start));
    }
    return result;
  }

 private:
  PileStep Step() {
    PileStep step;
    const double start = Seconds();
    const StepReport<double> report = stepper_.Step(scene_, options_, &state_);
    step.step_s = Seconds() - start;
    if (report.outcome == StepOutcome::kRefused) {
      throw BenchError(fmt::format("a step of a pile was refused: {}", Name(report.status)));
    }
    step.solve_s = stepper_.solver().last_s();
    step.time_s = state_.time_s;
    step.violation_m = report.projection.violation_m;
    Describe(report.solver, stepper_.solution(), &step);
    return step;
  }

  // `step`, which began without memory, with the median time of further cold solves of the same problem.
  PileStep Repeat(PileStep step, double least_timed_s) {
    std::vector<double> times_s{step.solve_s};
    for (double sum_s = step.solve_s; sum_s < least_timed_s; sum_s += times_s.back()) {
      (void)cold_.Solve(stepper_.problem(), &solution_);
      times_s.push_back(cold_.last_s());
    }
    std::sort(times_s.begin(), times_s.end());
    step.solve_s = times_s[times_s.size() / 2];
    return step;
  }

  template <class Solution>
  void Describe(const StepSolverReport<double>& report, const Solution& solution, PileStep* step) {
    step->iterations = report.iterations;
    step->convex_steps = report.convex_steps;
    step->rate = report.rate;
    step->change = report.change;
    step->solved = report.status == SolveStatus::kSolved;
    step->how = step->solved ? Name(solution.rung) : Name(report.status);
    if (kind_ == PileSolver::kLcp1) step->how = Words(report.fixed_point);
    if (report.crash != CrashRung::kNone) step->how = fmt::format("{}, {} sweeps", Name(report.crash), report.sweeps);
    checker_.Check(stepper_.problem(), solution, kind_, step);
  }

  PileFrame Frame(const typename Scene::Configuration& q) const {
    PileFrame frame{.time_s = state_.time_s - options_.step_s, .radius_m = scene_.bodies[0].radius_m};
    for (const auto& pose : q) frame.disks.push_back({pose.p_m(0), pose.p_m(1), pose.angle_rad});
    const auto& problem = stepper_.problem();
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      const auto& impulse = stepper_.solution().impulse[i];
      const Vec<double, 2> tangent(-contact.normal(1), contact.normal(0));
      const Vec<double, 2> force_N =
          (impulse.normal_Ns * contact.normal + (impulse.friction_Ns(0) - impulse.friction_Ns(1)) * tangent) /
          options_.step_s;
      if (impulse.normal_Ns > 0) {
        frame.forces.push_back({contact.point_m(0), contact.point_m(1), force_N(0), force_N(1)});
      }
    }
    return frame;
  }

  PileSolver kind_;
  Scene scene_;
  MechanismState<Scene> state_;
  TimeStepOptions<double> options_;
  TimeStepper<Scene, Timed<Solver>> stepper_;
  Timed<Cold> cold_;
  ContactSolution<double, kCapacity> solution_;
  PileChecker<kCapacity> checker_;
};

/// RunPile() for piles of at most this capacity.
template <Capacity kCapacity>
PileRun RunPileOf(const PileSpec& spec, PileSolver solver, const PileRunOptions& options) {
  constexpr bool kManyBodies = kCapacity.bodies > kPile21.bodies;
  using Zero = std::conditional_t<kManyBodies, PileLcp0<double, kCapacity>, Lcp0<double, kCapacity>>;
  using ColdZero = std::conditional_t<kManyBodies, Zero, ColdLcp0<kCapacity>>;
  using One = Lcp1<double, kCapacity>;
  using Two = Lcp2<double, kCapacity>;
  switch (solver) {
    case PileSolver::kLcp0: return std::make_unique<PileSimulation<kCapacity, Zero, ColdZero>>(spec, solver)->Run(options);
    case PileSolver::kLcp1: {
      const FixedPointOptions<double> fixed_point{.tolerance = options.tolerance,
                                                  .max_iterations = options.most_convex_steps};
      return std::make_unique<PileSimulation<kCapacity, One, One>>(spec, solver, fixed_point)->Run(options);
    }
    case PileSolver::kLcp2: break;
  }
  return std::make_unique<PileSimulation<kCapacity, Two, Two>>(spec, solver)->Run(options);
}

extern template PileRun RunPileOf<kPile21>(const PileSpec&, PileSolver, const PileRunOptions&);
extern template PileRun RunPileOf<kPile136>(const PileSpec&, PileSolver, const PileRunOptions&);
extern template PileRun RunPileOf<kPile210>(const PileSpec&, PileSolver, const PileRunOptions&);

}  // namespace tactus::bench
