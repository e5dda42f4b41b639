#pragma once
#include "tactus/core/spatial.h"
#include "tactus/mechanism/projection.h"
#include "tactus/mechanism/step_scene.h"
#include "tactus/mechanism/step_solver.h"

namespace tactus {

enum class StepOutcome : std::uint8_t {
  kDone,          ///< solved, moved, feasible
  kInexact,       ///< the solver gave its energy-safe answer instead of an exact one; moved, feasible
  kNotProjected,  ///< moved, but a constraint is still violated by more than the tolerance
  kRefused,       ///< nothing changed: see `status` and `fault`
};

constexpr const char* Name(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::kDone: return "done";
    case StepOutcome::kInexact: return "inexact";
    case StepOutcome::kNotProjected: return "not projected";
    case StepOutcome::kRefused: return "refused";
  }
  return "unknown";
}

/// A step length that follows the error of linearising the constraints: a step h leaves them violated by about h² times the
/// curvature, so after a violation e the next h is h √(allowed/e), at most doubled, at least a quarter.
template <class Scalar>
struct AdaptiveStep {
  bool on = false;
  Scalar allowed_violation_m = Scalar(1e-4);  ///< before projection; a step with more is taken back and made shorter
  Scalar least_s = Scalar(1e-5);              ///< is kept whatever the violation
  Scalar most_s = Scalar(0.05);
  int max_attempts = 12;  ///< of one step; the last is kept
};

/// What steps 1, 2 and 3 of the algorithm are given.
template <class Scalar>
struct TimeStepOptions {
  Scalar step_s = Scalar(1e-3);   ///< h; adaptive: of the first step
  Scalar reach_m = Scalar(1e-3);  ///< ε: contacts with Φ_c ≤ ε are in the active set; above the distance of one step
  AdaptiveStep<Scalar> adaptive = {};
  ProjectionOptions<Scalar> projection = {};
  int directions = 0;                         ///< d of each contact, spatial; 0: as many as Scene::kCapacity holds
  Scalar direction_offset_rad = Scalar(0.1);  ///< a0 of the first one (ContactProblem)
};

/// What survives a step.
template <class Scene>
struct MechanismState {
  using Configuration = typename Scene::Configuration;

  typename Scene::Scalar time_s{0};
  Configuration q;
  typename SceneTypes<Scene>::Twists v;   ///< one a body
  typename Scene::Scalar next_step_s{0};  ///< adaptive h; 0: take TimeStepOptions::step_s
};

template <class Scalar>
struct StepReport {
  StepOutcome outcome = StepOutcome::kRefused;
  Status status = Status::kOk;  ///< of kRefused
  ProblemFault fault;           ///< of kRefused with kOutOfRange: what the scene gave, or the solver cannot do
  Scalar step_s = Scalar(0);    ///< h_l
  int attempts = 0;             ///< 1 unless adaptive
  int contacts = 0;             ///< in the active set
  StepSolverReport<Scalar> solver;
  ProjectionReport<Scalar> projection;
};

/// Anitescu and Hart's time stepping for joints, contact and friction, their steps 1 to 12 ([AnitescuHart] section 4.A;
/// docs/time_stepping.md): one LCP on velocities a step, in impulses, with the constraints linearised at q⁽ˡ⁾:
///
///     νᵀv = 0,    nᵀv + Φ_c/h ≥ 0,    q⁽ˡ⁺¹⁾ = Π(q⁽ˡ⁾ ⊕ h v)
///
/// Collisions are plastic: a contact that comes into the active set is one more inequality. LCP0, LCP1 and LCP2 differ in
/// `Solver` alone (step_solver.h). No heap, every loop bounded; `sizeof` is the whole memory.
template <StepScene Scene, class Solver = Lcp0<typename Scene::Scalar, Scene::kCapacity>>
class TimeStepper {
 public:
  using Scalar = typename Scene::Scalar;
  static constexpr Capacity kCapacity = Scene::kCapacity;
  using State = MechanismState<Scene>;
  using Options = TimeStepOptions<Scalar>;
  using Report = StepReport<Scalar>;
  using Problem = ContactProblem<Scalar, kCapacity>;
  using Solution = ContactSolution<Scalar, kCapacity>;
  static_assert(StepSolver<Solver, Problem, Solution>);

  /// @param options  of the solver
  template <class... SolverOptions>
  explicit TimeStepper(const SolverOptions&... options) : solver_(options...) {}

  /// One pass through steps 2 to 11.
  /// @param[in,out] state  q feasible within the projection's tolerance; unchanged after kRefused
  Report Step(const Scene& scene, const Options& options, State* state) noexcept;

  /// Steps 2 to 12: until t ≥ end_s, at most max_steps.
  /// @param[in] observe  observe(state, report) after every step; what it returns, true: go on
  /// @returns the report of the last step
  template <class Observe>
  Report Run(const Scene& scene, const Options& options, Scalar end_s, int max_steps, State* state, Observe observe) {
    Report report;
    for (int l = 0; l < max_steps && state->time_s < end_s; ++l) {
      report = Step(scene, options, state);
      if (!observe(*state, report) || report.outcome == StepOutcome::kRefused) break;
    }
    return report;
  }

  const Solver& solver() const { return solver_; }
  /// What the last step solved, and its answer: velocities, impulses.
  const Problem& problem() const { return problem_; }
  const Solution& solution() const { return solution_; }

 private:
  Status CheckInput(const Scene& scene, const Options& options, const State& state) const;
  Status BuildProblem(const Scene& scene, const Options& options, const State& state, Scalar step_s);
  static Status StatusOf(ProjectionOutcome outcome);
  Report Attempt(const Scene& scene, const Options& options, Scalar step_s, State* state);
  Scalar NextStep(const AdaptiveStep<Scalar>& adaptive, Scalar step_s, Scalar violation_m) const;

  Solver solver_;
  Projection<Scene> projection_;
  Problem problem_;
  Solution solution_;
  typename SceneTypes<Scene>::JointErrors errors_;
  State trial_;
};

// [AnitescuHart] section 4.A as coded; the numbers are the paper's. Its errata: after step 11, l grows by one, and step 12
// goes back to step 2, not 3: the active set belongs to q⁽ˡ⁾.
//
//     1  caller: q⁽⁰⁾, v⁽⁰⁾, μ̃ (in the scene), TOL (in the solver), T, ε
//     2  A := {j : Φ_c(q) ≤ ε}                              BuildProblem: Scene::AddContacts
//     3  M, k, D̃, ν̃, ñ, h, Δ = Φ_c/h, -M v - h k            BuildProblem
//     4-7  Γ, Λ until they agree                            Solver (LCP1; LCP2 stops after the first; LCP0 pivots)
//     8  v⁽ˡ⁺¹⁾                                             Attempt
//     9  q⁽ˡ⁺¹⁾ = q⁽ˡ⁾ ⊕ h v⁽ˡ⁺¹⁾                           Attempt: Scene::Move
//     10 projection onto (1), (2)                           Projection
//     11 t⁽ˡ⁺¹⁾ = t⁽ˡ⁾ + h_l                                Step
//     12 until t ≥ T                                        Run

template <StepScene Scene, class Solver>
Status TimeStepper<Scene, Solver>::CheckInput(const Scene& scene, const Options& options, const State& state) const {
  for (const Scalar value :
       {options.step_s, options.projection.tolerance_m, options.reach_m, options.direction_offset_rad, state.time_s}) {
    if (!IsFinite(value)) return Status::kNotFinite;
  }
  const AdaptiveStep<Scalar>& adaptive = options.adaptive;
  if (!(options.step_s > Scalar(0)) || options.reach_m < Scalar(0)) return Status::kOutOfRange;
  if (!(options.projection.tolerance_m > Scalar(0)) || options.projection.max_iterations < 0) return Status::kOutOfRange;
  if (adaptive.on) {
    const bool ordered = Scalar(0) < adaptive.least_s && adaptive.least_s <= adaptive.most_s && IsFinite(adaptive.most_s);
    if (!ordered || !(adaptive.allowed_violation_m > Scalar(0)) || adaptive.max_attempts < 1) return Status::kOutOfRange;
  }
  if (scene.body_count() != state.v.size()) return Status::kOutOfRange;
  for (const auto& velocity : state.v) {
    if (!IsFinite<Scalar, kCapacity.dof>(velocity)) return Status::kNotFinite;
  }
  return Status::kOk;
}

// Steps 2 and 3. Δ ≥ 0, as the paper assumes: what the projection's tolerance leaves of a penetration is not pushed out by
// velocities, which would add energy, but by the next projection.
template <StepScene Scene, class Solver>
Status TimeStepper<Scene, Solver>::BuildProblem(const Scene& scene, const Options& options, const State& state,
                                                Scalar step_s) {
  problem_.step_s = step_s;
  if constexpr (kCapacity.dof == 6) problem_.directions = options.directions > 0 ? options.directions : kCapacity.directions;
  problem_.direction_offset_rad = options.direction_offset_rad;
  scene.SetBodies(state.time_s, state.q, state.v, &problem_.bodies);
  const Status status = GatherConstraints(scene, state.q, options.reach_m, &problem_, &errors_);
  if (status != Status::kOk) return status;
  if (!IsFinite(Violation(problem_, errors_))) return Status::kNotFinite;
  for (auto& contact : problem_.contacts) contact.gap_m = Max(contact.gap_m, Scalar(0));
  return Status::kOk;
}

// A configuration that the next step could not start from is refused now, while there is one to keep.
template <StepScene Scene, class Solver>
Status TimeStepper<Scene, Solver>::StatusOf(ProjectionOutcome outcome) {
  if (outcome == ProjectionOutcome::kOverCapacity) return Status::kOverCapacity;
  return outcome == ProjectionOutcome::kNotFinite ? Status::kNotFinite : Status::kOk;
}

// Steps 2 to 10 from `state` to `trial_` with the step h.
template <StepScene Scene, class Solver>
auto TimeStepper<Scene, Solver>::Attempt(const Scene& scene, const Options& options, Scalar step_s, State* state) -> Report {
  Report report;
  report.step_s = step_s;
  report.status = BuildProblem(scene, options, *state, step_s);
  if (report.status != Status::kOk) return report;
  report.contacts = problem_.contacts.size();
  report.solver = solver_.Solve(problem_, &solution_);
  if (report.solver.status == SolveStatus::kInvalid) {
    report.status = Status::kOutOfRange;
    report.fault = solution_.fault;
    return report;
  }
  trial_ = *state;
  for (int k = 0; k < trial_.v.size(); ++k) {
    trial_.v[k] = solution_.velocity[k];
    solution_.velocity[k] *= step_s;
  }
  scene.Move(solution_.velocity, &trial_.q);
  solution_.velocity = trial_.v;
  report.projection = projection_.Run(scene, state->time_s + step_s, options.reach_m, options.projection, &trial_.q);
  report.status = StatusOf(report.projection.outcome);
  if (report.status != Status::kOk) return report;
  report.outcome = StepOutcome::kDone;
  if (report.solver.status != SolveStatus::kSolved) report.outcome = StepOutcome::kInexact;
  if (report.projection.outcome != ProjectionOutcome::kFeasible) report.outcome = StepOutcome::kNotProjected;
  return report;
}

template <StepScene Scene, class Solver>
typename Scene::Scalar TimeStepper<Scene, Solver>::NextStep(const AdaptiveStep<Scalar>& adaptive, Scalar step_s,
                                                            Scalar violation_m) const {
  constexpr Scalar kMargin = Scalar(0.9), kShrink = Scalar(0.25), kGrow = Scalar(2);
  const Scalar ratio = violation_m > Scalar(0) ? kMargin * Sqrt(adaptive.allowed_violation_m / violation_m) : kGrow;
  return Clamp(step_s * Clamp(ratio, kShrink, kGrow), adaptive.least_s, adaptive.most_s);
}

template <StepScene Scene, class Solver>
auto TimeStepper<Scene, Solver>::Step(const Scene& scene, const Options& options, State* state) noexcept -> Report {
  Report report;
  report.status = CheckInput(scene, options, *state);
  if (report.status != Status::kOk) return report;
  const AdaptiveStep<Scalar>& adaptive = options.adaptive;
  Scalar step_s = options.step_s;
  if (adaptive.on && state->next_step_s > Scalar(0)) step_s = state->next_step_s;
  for (int attempt = 1;; ++attempt) {
    report = Attempt(scene, options, step_s, state);
    report.attempts = attempt;
    if (report.outcome == StepOutcome::kRefused) return report;
    if (!adaptive.on) break;
    const Scalar violation_m = report.projection.before_m;
    trial_.next_step_s = NextStep(adaptive, step_s, violation_m);
    const bool keep = violation_m <= adaptive.allowed_violation_m || step_s <= adaptive.least_s;
    if (keep || attempt == adaptive.max_attempts) break;
    step_s = trial_.next_step_s;
  }
  trial_.time_s += report.step_s;
  *state = trial_;
  return report;
}

}  // namespace tactus
